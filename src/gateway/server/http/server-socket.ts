import type { Socket } from 'node:net';

/** The system's side of a socket. `reading` says whether Node wants it to be read. */
export interface Handle {
  reading: boolean;
  readStart(): void;
  readStop(): void;
}

/** Parts of a server's socket that Node does not document. */
export interface ServerSocket extends Socket {
  readonly _handle?: Handle | null;
  /** True while Node's server reads no more because too many replies have yet to be taken. */
  readonly _paused?: boolean;
}

export function isRead(socket: ServerSocket): socket is ServerSocket & { readonly _handle: Handle } {
  return socket._handle?.reading === true;
}

export function startReading({ _handle: handle }: ServerSocket): void {
  if (!handle) return;
  handle.reading = true;
  handle.readStart();
}
