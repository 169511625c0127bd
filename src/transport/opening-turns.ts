/** A TLS handshake takes a millisecond of the processor, and a round of the event loop goes on with all that can. */
const atOnceMax = 8;
/** An opening that takes longer waits for a server that is far away, without work here, and lets the next begin. */
const turnMs = 20;

/**
 * Turns to open connections, of all servers together. Prompts of one token may fail or be answered on hundreds of new
 * connections without a pause, and each of their rounds would keep others waiting for a third of a second. Servers
 * come one after the other, so that none waits for all the connections to another.
 */
export class OpeningTurns {
  #opening = 0;
  /** By server; the first is next. */
  readonly #waiting = new Map<string, Set<() => void>>();

  /** Waits for a turn, and returns how to end it. */
  take(server: string, signal: AbortSignal): Promise<() => void> {
    if (this.#opening < atOnceMax) return Promise.resolve(this.#begin());
    return new Promise((resolve, reject) => {
      const others = this.#waiting.get(server) ?? new Set();
      this.#waiting.set(server, others);
      const begin = () => resolve(this.#begin());
      others.add(begin);
      const leave = () => {
        others.delete(begin);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  #begin(): () => void {
    this.#opening += 1;
    let hasEnded = false;
    const end = (): void => {
      if (hasEnded) return;
      hasEnded = true;
      clearTimeout(timer);
      this.#opening -= 1;
      this.#next();
    };
    const timer = setTimeout(end, turnMs);
    return end;
  }

  #next(): void {
    for (const [server, others] of this.#waiting) {
      const [begin] = others;
      this.#waiting.delete(server);
      if (begin === undefined) continue;
      others.delete(begin);
      if (others.size > 0) this.#waiting.set(server, others);
      return begin();
    }
  }
}
