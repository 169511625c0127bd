/** Work of a round of the event loop, in requests that are begun: 5 ms, about. */
export const workMax = 128;
/** Work from which on the clock is looked at, and the end of the round waited for; less is not worth it. */
const untimedMax = 32;
/** Milliseconds of a round after so much work: of requests that are costly to begin a few fill it. */
const roundMs = 5;
/** The work that a millisecond of a slice counts as at least: not all that takes time is a request or a piece. */
export const workPerMs = workMax / roundMs;

/** The work that was done in the present round of the event loop, and the room that is left for more. */
export class RoundWork {
  #spent = 0;
  #timedFrom: number | undefined;

  get spent(): number {
    return this.#spent;
  }

  /** Adds work; true where there was so much in this round that its end has to be waited for. */
  add(work: number): boolean {
    this.#spent += work;
    if (this.#spent < untimedMax) return false;
    this.#timedFrom ??= performance.now();
    return true;
  }

  hasRoom(): boolean {
    if (this.#spent >= workMax) return false;
    return this.#timedFrom === undefined || performance.now() - this.#timedFrom < roundMs;
  }

  restart(): void {
    this.#spent = 0;
    this.#timedFrom = undefined;
  }
}

/** Has something done at the beginning of the next round, once, however often it is asked for in this one. */
export function oncePerRound(begin: () => void): () => void {
  let isAsked = false;
  return () => {
    if (isAsked) return;
    isAsked = true;
    setImmediate(() => {
      isAsked = false;
      begin();
    });
  };
}
