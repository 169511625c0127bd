import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

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
  /** Has the time begin anew in which nothing may come in. */
  _unrefTimer?: () => void;
}

export function isRead(socket: ServerSocket): socket is ServerSocket & { readonly _handle: Handle } {
  return socket._handle?.reading === true;
}

export function startReading({ _handle: handle }: ServerSocket): void {
  if (!handle) return;
  handle.reading = true;
  handle.readStart();
}

/** Tells how many bytes each read brought, once Node's own parser has had them: it tells nothing else of all reads. */
export function tellReads(socket: ServerSocket, tell: (bytes: number) => void): void {
  const refresh = socket._unrefTimer;
  let before = 0;
  // Node calls it behind each read, as behind each write.
  socket._unrefTimer = () => {
    refresh?.call(socket);
    const { bytesRead } = socket;
    if (bytesRead > before) tell(bytesRead - before);
    before = bytesRead;
  };
}

/** Has `later` decide when Node hears that the client ended its side. */
export function tellEnd(socket: Socket, later: (tell: () => void) => void): void {
  const push = socket.push.bind(socket);
  socket.push = (chunk: unknown) => {
    if (chunk !== null) return push(chunk);
    later(() => void push(null));
    return false;
  };
}

const { stackTraceLimit } = Error;

/**
 * Node makes an error for each request of a connection that is closed, perhaps for hundreds, and nobody ever reads
 * one. Their stacks would take ten times as long as all else.
 */
export function closeWithoutStacks(socket: Socket): void {
  socket.prependOnceListener('close', () => (Error.stackTraceLimit = 0));
  socket.once('close', () => (Error.stackTraceLimit = stackTraceLimit));
}

/** Destroys a socket after so many milliseconds, unless it has closed by then. */
export function destroyAfter(socket: Duplex, ms: number): void {
  const timer = setTimeout(() => socket.destroy(), ms);
  socket.once('close', () => clearTimeout(timer));
}

/** Replies of a connection that its end waits for; `isAsked`: it is to come behind them. */
interface HeldEnd {
  replies: number;
  isAsked: boolean;
}

const heldEnds = new WeakMap<Socket, HeldEnd>();

/**
 * Has the end of a connection wait for a reply that is made. Node ends one as soon as its client has closed its half of
 * it: what is handed to it from then on is lost, although the client may read on.
 */
export function endAfter(response: ServerResponse): void {
  const { socket } = response.req;
  const held = heldEnds.get(socket) ?? holdEnd(socket);
  held.replies += 1;
  response.once('close', () => {
    held.replies -= 1;
    if (held.isAsked) socket.end();
  });
}

function holdEnd(socket: Socket): HeldEnd {
  const held = { replies: 0, isAsked: false };
  heldEnds.set(socket, held);
  const end = socket.end.bind(socket) as (...last: unknown[]) => Socket;
  socket.end = (...last: unknown[]) => {
    // A refusal comes with its end, behind all replies.
    if (held.replies === 0 || last.length > 0) return end(...last);
    held.isAsked = true;
    return socket;
  };
  return held;
}
