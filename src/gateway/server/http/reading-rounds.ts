import type { Socket } from 'node:net';

/** Work that a round of the event loop reads, in requests: 10 ms, about. */
const requestsMax = 256;
/** Work from which on the end of the round is waited for; less is not worth it. */
const requestsUnseen = 64;
/** Pieces of a body that take as long as a request without one. */
const piecesPerRequest = 16;

/** The system's side of a socket. `reading` says whether Node wants it to be read. */
interface Handle {
  readonly reading: boolean;
  readStart(): void;
  readStop(): void;
}

/**
 * Limits what is read in one round of the event loop. In one of them Node reads two megabytes of each connection, which
 * may hold 70,000 requests or 300,000 pieces of a body; all else would wait for them. Once a round has had enough, no
 * connection is read until the next one, where the one that came last has the last turn.
 */
export class ReadingRounds {
  readonly #sockets = new Set<Socket>();
  /** Connections of which the handler wants to read again. */
  readonly #resumed: Socket[] = [];
  #spent = 0;
  #isArmed = false;
  #isOver = false;

  add(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
  }

  noteRequest(socket: Socket): void {
    this.#note(1, socket);
  }

  notePiece(socket: Socket): void {
    this.#note(1 / piecesPerRequest, socket);
  }

  /** Has a connection read again that was paused. */
  resume(socket: Socket): void {
    if (this.#isOver) this.#resumed.push(socket);
    else socket.resume();
  }

  #note(work: number, socket: Socket): void {
    this.#spent += work;
    if (this.#spent < requestsUnseen) return;
    if (!this.#isArmed) {
      this.#isArmed = true;
      setImmediate(() => this.#next());
    }
    if (this.#spent < requestsMax || this.#isOver) return;
    this.#isOver = true;
    if (this.#sockets.delete(socket)) this.#sockets.add(socket);
    for (const handle of this.#read()) handle.readStop();
  }

  #next(): void {
    this.#spent = 0;
    this.#isArmed = false;
    if (!this.#isOver) return;
    this.#isOver = false;
    for (const handle of this.#read()) handle.readStart();
    for (const socket of this.#resumed.splice(0)) socket.resume();
  }

  /** Handles that Node wants to be read. It does not learn that they are not, so that one which it stops stays so. */
  *#read(): Iterable<Handle> {
    for (const socket of this.#sockets) {
      const { _handle: handle } = socket as Socket & { readonly _handle?: Handle | null };
      if (handle?.reading === true) yield handle;
    }
  }
}
