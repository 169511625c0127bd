/** Bodies that this process holds at once, in bytes, as received. */
export const heldBytesMax = 64 * 1024 * 1024;
/** The same of answers, of which the largest are larger, and which are paid for. */
export const heldAnswersMax = 256 * 1024 * 1024;
/** The part of it that one token may take. */
const heldShareMax = 1 / 4;
/** The most holders that are remembered while nothing is held. */
const idleHoldersMax = 1000;

/** A budget of bytes with a largest share for each holder, so that one of them never takes all of it. */
export class ByteBudget {
  readonly #max: number;
  readonly #held = new Map<string, number>();
  #total = 0;

  constructor(max: number = heldBytesMax) {
    this.#max = max;
  }

  /** False, and nothing is taken, where there is not so much left. */
  take(holder: string, bytes: number): boolean {
    const held = (this.#held.get(holder) ?? 0) + bytes;
    if (this.#total + bytes > this.#max || held > this.#max * heldShareMax) return false;
    this.#total += bytes;
    this.#held.set(holder, held);
    return true;
  }

  give(holder: string, bytes: number): void {
    this.#total -= bytes;
    this.#held.set(holder, (this.#held.get(holder) ?? 0) - bytes);
    // To forget each holder at once and note it again would take longer than all the rest.
    if (this.#total === 0 && this.#held.size > idleHoldersMax) this.#held.clear();
  }
}

/** The bytes that one request holds of a budget; all of them are given back. */
export class HeldBytes {
  readonly #budget: ByteBudget;
  readonly #holder: string;
  #bytes = 0;

  constructor(budget: ByteBudget, holder: string) {
    this.#budget = budget;
    this.#holder = holder;
  }

  /** False, and nothing is taken, where there is not so much left. */
  take(bytes: number): boolean {
    if (!this.#budget.take(this.#holder, bytes)) return false;
    this.#bytes += bytes;
    return true;
  }

  /** True while one more could be taken. */
  get hasRoom(): boolean {
    return this.take(1) && this.keep(this.#bytes - 1);
  }

  /** Gives back all but so many bytes, or takes what is missing; false where that is not left. */
  keep(bytes: number): boolean {
    const more = bytes - this.#bytes;
    if (more > 0) return this.take(more);
    if (more < 0) this.#budget.give(this.#holder, -more);
    this.#bytes = bytes;
    return true;
  }
}
