/**
 * Characters that judging one list of texts may read, over all readings, policies and rules. It is counted and not
 * timed, so that a text is judged alike on every machine. A MiB of ordinary text needs a fiftieth of it.
 */
export const policyWorkDefault = 1_000_000_000;

/** A budget that decides only which thread judges, never the verdict; it may have a clock, `isLate`. */
interface OfOneThread {
  readonly isLate?: ((characters: number) => boolean) | undefined;
}

/** The work that is left for one judgement. */
export class WorkBudget {
  #left: number;
  readonly #granted: number;
  readonly #isOfOneThread: boolean;
  readonly #isLate: ((characters: number) => boolean) | undefined;

  constructor(granted: number = policyWorkDefault, ofOneThread?: OfOneThread) {
    this.#granted = granted;
    this.#isOfOneThread = ofOneThread !== undefined;
    this.#isLate = ofOneThread?.isLate;
    this.#left = granted;
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
    if (this.#left >= 0 && this.#isLate?.(characters) === true) this.#left = -1;
    if (this.#left < 0) throw new WorkExceeded();
  }
}

export class WorkExceeded extends Error {
  override readonly name = 'WorkExceeded';
}

/** Characters between two looks at the clock, for a pattern may take longer than its work tells. */
const charactersPerLook = 4000;

/** Looks at the clock only once so many more characters were read. */
export function inIntervals(isLate: () => boolean): (characters: number) => boolean {
  let sinceLook = 0;
  return (characters) => {
    sinceLook += characters;
    if (sinceLook < charactersPerLook) return false;
    sinceLook = 0;
    return isLate();
  };
}
