/**
 * Characters that judging one list of texts may read, over all readings, policies and rules. It is counted and not
 * timed, so that a text is judged alike on every machine. A MiB of ordinary text needs a fiftieth of it.
 */
export const policyWorkDefault = 1_000_000_000;

/** The work that is left for one judgement. */
export class WorkBudget {
  #left: number;
  readonly #granted: number;
  readonly #isLate: ((characters: number) => boolean) | undefined;

  /** A budget with a clock (`isLate`) decides only which thread judges, never the verdict. */
  constructor(granted: number = policyWorkDefault, isLate?: (characters: number) => boolean) {
    this.#granted = granted;
    this.#isLate = isLate;
    this.#left = granted;
  }

  get spent(): number {
    return this.#granted - this.#left;
  }

  get isExceeded(): boolean {
    return this.#left < 0;
  }

  /** Throws once more characters were read than granted. */
  spend(characters: number): void {
    this.#left -= characters;
    if (this.#left >= 0 && this.#isLate?.(characters) === true) this.#left = -1;
    if (this.#left < 0) throw new WorkExceeded();
  }
}

export class WorkExceeded extends Error {
  override readonly name = 'WorkExceeded';
}
