/**
 * Characters that judging one list of texts may read, over all readings, policies and rules. It is counted and not
 * timed, so that a text is judged alike on every machine. A MiB of ordinary text needs a fiftieth of it.
 */
export const policyWorkDefault = 1_000_000_000;

/** Ends a judgement early, whose outcome nobody uses then. */
interface WorkClock {
  isLate?(spent: number): boolean;
  /** Characters between two looks at the clock. Most texts need fewer, and are judged without one. */
  readonly charactersPerLook?: number;
}

/** The work that is left for one judgement. */
export class WorkBudget {
  #left: number;
  readonly #granted: number;
  readonly #clock: WorkClock | undefined;
  readonly #isOfOneThread: boolean;
  /** Once less than this is left, the clock is looked at; without one, nothing is left. */
  #leftAtLook: number;

  /** One of a single thread decides only which thread judges, never the verdict. */
  constructor(granted: number = policyWorkDefault, clock?: WorkClock, isOfOneThread = clock !== undefined) {
    this.#granted = granted;
    this.#clock = clock;
    this.#isOfOneThread = isOfOneThread;
    this.#left = granted;
    this.#leftAtLook = this.#nextLook();
  }

  get spent(): number {
    return this.#granted - this.#left;
  }

  get isExceeded(): boolean {
    return this.#left < 0;
  }

  /** Throws once more was read than granted. What would not be read again for the same text decides no verdict. */
  spend(characters: number, ofThisTime = false): void {
    if (ofThisTime && !this.#isOfOneThread) return;
    this.#left -= characters;
    if (this.#left < this.#leftAtLook) this.#look();
  }

  #look(): void {
    if (this.#left >= 0 && this.#clock?.isLate?.(this.spent) === true) this.#left = -1;
    if (this.#left < 0) throw new WorkExceeded();
    this.#leftAtLook = this.#nextLook();
  }

  #nextLook(): number {
    if (this.#clock === undefined) return 0;
    return Math.max(0, this.#left - (this.#clock.charactersPerLook ?? 0));
  }
}

export class WorkExceeded extends Error {
  override readonly name = 'WorkExceeded';
}
