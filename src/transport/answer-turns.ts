import type { Socket } from 'node:net';

/** The longest that answers are read in a round of the event loop, but for the last piece; then others are heard. */
const turnMs = 5;
/** Less is not worth a look at the end of the round. */
const notedMs = 1;
/** Of so many rounds one begins with connections whose pieces take long, or others could keep them out for ever. */
const roundsForOthers = 4;

/**
 * The time that it takes to read answers, of all sockets together: a server may send a chunk for each byte, or
 * extensions without end, on many connections, of each of which Node would read megabytes before anybody is heard.
 */
export class AnswerTurns {
  #spentMs = 0;
  #isArmed = false;
  #rounds = 0;
  readonly #waiting = new Set<Socket>();
  /** Those whose last piece took long, which wait behind the others: a dozen would hold up an honest one for long. */
  readonly #waitingLast = new Set<Socket>();

  /** Has a socket give its bytes in turns to whoever listens to `readable`. */
  take(socket: Socket): void {
    const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
    const destroy = socket.destroy.bind(socket);
    let givenAt: number | undefined;
    let tookLong = false;
    const count = (): void => {
      if (givenAt !== undefined) tookLong = this.#spend(performance.now() - givenAt) >= notedMs;
      givenAt = undefined;
    };
    // An answer that ends its connection is behind its last read, which no other follows.
    socket.destroy = (error?: Error) => {
      count();
      return destroy(error);
    };
    socket.read = (size?: number): Buffer | null => {
      // Asks for no bytes, and has Node fetch some.
      if (size === 0) return read(0);
      count();
      if (this.#spentMs >= turnMs) {
        (tookLong ? this.#waitingLast : this.#waiting).add(socket);
        return null;
      }
      const bytes = read(size);
      if (bytes !== null) givenAt = performance.now();
      return bytes;
    };
  }

  #spend(ms: number): number {
    this.#spentMs += ms;
    if (this.#spentMs >= notedMs && !this.#isArmed) {
      this.#isArmed = true;
      setImmediate(() => this.#endRound());
    }
    return ms;
  }

  #endRound(): void {
    this.#isArmed = false;
    this.#spentMs = 0;
    // One whose piece takes a whole turn waits again behind the others, or it would be read alone.
    const [first, last] = [this.#waiting, this.#waitingLast];
    this.#rounds += 1;
    for (const waiting of this.#rounds % roundsForOthers === 0 ? [last, first] : [first, last])
      for (const socket of waiting) {
        if (this.#spentMs >= turnMs) return;
        waiting.delete(socket);
        socket.emit('readable');
      }
  }
}
