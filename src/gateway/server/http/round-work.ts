/** Work of a round of the event loop, in requests that are begun: 5 ms, about. */
export const workMax = 128;
/** Work from which on the clock is looked at, and the end of the round waited for; less is not worth it. */
const untimedMax = 32;
/** The time that new connections get, as a multiple of that of a round with work before. */
const newcomersTimes = 3;
/** Milliseconds that they get at most, for all that are open wait meanwhile. */
const newcomersMsMax = 50;
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
  readonly #now: () => number;
  #spent = 0;
  #timedFrom: number | undefined;
  #hasNewcomer = false;
  #isHurried = false;
  #newcomersUntil: number | undefined;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  get spent(): number {
    return this.#spent;
  }

  /** Adds work; true where the end of this round has to be waited for: there was so much of it, or new ones come. */
  add(work: number): boolean {
    this.#spent += work;
    if (this.#spent < untimedMax && this.#timedFrom === undefined) return false;
    this.#timedFrom ??= this.#now();
    return true;
  }

  hasRoom(): boolean {
    if (this.#spent >= workMax) return false;
    // A few are begun whatever held up the round: one that waits, and whose body breaks meanwhile, is in no audit.
    return this.#spent < untimedMax || this.#timedFrom === undefined || this.#now() - this.#timedFrom < roundMs;
  }

  /** While new connections come each round is timed, whose end has to be waited for then. */
  noteConnection(): void {
    this.#hasNewcomer = true;
    this.#isHurried = true;
    this.#timedFrom ??= this.#now();
  }

  /**
   * True behind a round with work where the next one is for new connections alone: for some time more than that work
   * took, as long as they come. The system hands over one in each round, and hundreds that each have a request which is
   * costly to begin, or were reset, would have another one wait for all that.
   */
  isForNewcomers(): boolean {
    if (!this.#hasNewcomer || this.#timedFrom === undefined) return false;
    this.#hasNewcomer = false;
    const now = this.#now();
    this.#newcomersUntil ??= now + Math.min(newcomersTimes * (now - this.#timedFrom), newcomersMsMax);
    return now < this.#newcomersUntil;
  }

  /** Begins a round; true where its end has to be waited for, because a new connection came in the one before. */
  restart(): boolean {
    const isHurried = this.#isHurried;
    this.#spent = 0;
    this.#timedFrom = isHurried ? this.#now() : undefined;
    this.#hasNewcomer = false;
    this.#isHurried = false;
    this.#newcomersUntil = undefined;
    return isHurried;
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
