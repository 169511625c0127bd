/** Work of a round of the event loop, in requests that are begun: 5 ms, about. */
export const workMax = 128;
/** Work from which on the clock is looked at, and the end of the round waited for; less is not worth it. */
const untimedMax = 32;
/** Milliseconds of a round after so much work: of requests that are costly to begin a few fill it. */
const roundMs = 5;
/** The work that a millisecond of a slice counts as at least: not all that takes time is a request or a piece. */
export const workPerMs = workMax / roundMs;

/** Reads and bytes of which the parser tells nothing, such as a letter of a head, that take as long as a request. */
const silentReadsPerRequest = 8;
const silentBytesPerRequest = 16 * 1024;

export function silentWork(bytes: number): number {
  return Math.max(1 / silentReadsPerRequest, bytes / silentBytesPerRequest);
}

/** The work that was done in the present round of the event loop, and the room that is left for more. */
export class RoundWork {
  #spent = 0;
  #timedFrom: number | undefined;
  #hasNewcomer = false;
  #newcomersUntil: number | undefined;

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

  noteConnection(): void {
    this.#hasNewcomer = true;
  }

  /**
   * True behind a round with much work where the next one is for new connections alone: for as long as that work took.
   * The system hands over one in each round, and thousands that were reset would have another one wait for all that.
   */
  isForNewcomers(): boolean {
    if (!this.#hasNewcomer || this.#timedFrom === undefined) return false;
    this.#hasNewcomer = false;
    const now = performance.now();
    this.#newcomersUntil ??= 2 * now - this.#timedFrom;
    return now < this.#newcomersUntil;
  }

  restart(): void {
    this.#spent = 0;
    this.#timedFrom = undefined;
    this.#hasNewcomer = false;
    this.#newcomersUntil = undefined;
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
