import type { Socket } from 'node:net';

/** Of a record of TLS: its kind and version, then the length of what follows. */
export const headerBytes = 5;
const handshake = 22;
/** Of a message of a handshake: its kind, then the length of what follows. */
const messageHeaderBytes = 4;

/** True once the first message of a handshake is whole, in however many records; undefined where this is none. */
export function isWhole(bytes: Buffer): boolean | undefined {
  const header: number[] = [];
  let [at, received] = [0, 0];
  while (at < bytes.length) {
    if (bytes[at] !== handshake) return undefined;
    if (bytes.length < at + headerBytes) return false;
    const begin = at + headerBytes;
    at = begin + bytes.readUInt16BE(begin - 2);
    if (bytes.length < at) return false;
    header.push(...bytes.subarray(begin, Math.min(at, begin + messageHeaderBytes - header.length)));
    received += at - begin;
    const [, high, middle, low] = header;
    if (low !== undefined && received >= messageHeaderBytes + high! * 65_536 + middle! * 256 + low) return true;
  }
  return false;
}

/**
 * Keeps what comes on a connection until it is read by somebody else, and tells once that is a whole first message. The
 * socket is read meanwhile, so that one whose client goes away is closed, and costs nobody the work on its message.
 */
export class FirstMessage {
  readonly #socket: Socket;
  #bytes: Buffer = Buffer.alloc(0);
  #isTold = false;
  readonly #keep: (bytes: Buffer) => void;
  readonly #leave = (): void => void this.#socket.destroy();

  constructor(socket: Socket, bytesMax: number, tell: () => void) {
    this.#socket = socket;
    this.#keep = (bytes) => {
      this.#bytes = this.#bytes.length === 0 ? bytes : Buffer.concat([this.#bytes, bytes]);
      const isDone = this.#isTold || isWhole(this.#bytes);
      if (isDone === undefined || this.#bytes.length > bytesMax) socket.destroy();
      else if (isDone && !this.#isTold) {
        this.#isTold = true;
        tell();
      }
    };
    socket.on('data', this.#keep).on('end', this.#leave);
  }

  /** Leaves all that came in the socket, which is paused. */
  giveBack(): void {
    this.#socket.removeListener('data', this.#keep).removeListener('end', this.#leave);
    this.#socket.pause().unshift(this.#bytes);
  }
}
