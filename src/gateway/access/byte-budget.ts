/** The bytes of bodies, as received, that one process holds at once. */
export const heldBytesMax = 64 * 1024 * 1024;
/** The same of answers, of which the largest are larger, and which are paid for. */
export const heldAnswersMax = 96 * 1024 * 1024;
/** The share of a budget that one token may hold. It leaves as much free, or four tokens would keep all others out. */
const heldShareMax = 1 / 4;
/** The share of a budget from which on much is held. */
const muchShare = 1 / 8;
/** The most holders that are remembered while nothing is held. */
const idleHoldersMax = 1000;

/** A budget of bytes of which each holder, a token, has a share at most. */
export class ByteBudget {
  readonly #max: number;
  readonly #held = new Map<string, { bytes: number }>();
  readonly #noteMuch: (isMuch: boolean) => void;
  #total = 0;
  #isMuch = false;

  /** `noteMuch` hears when much is held, and when it no longer is. */
  constructor(max: number, noteMuch: (isMuch: boolean) => void = () => {}) {
    this.#max = max;
    this.#noteMuch = noteMuch;
  }

  /** False, and nothing is taken, where there is not so much left. */
  take(holder: string, bytes: number): boolean {
    const held = this.#heldBy(holder);
    if (!this.#hasRoom(held, bytes)) return false;
    held.bytes += bytes;
    this.#setTotal(this.#total + bytes);
    return true;
  }

  /** True where so many could be taken. */
  hasRoom(holder: string, bytes: number): boolean {
    return this.#hasRoom(this.#heldBy(holder), bytes);
  }

  #hasRoom(held: { bytes: number }, bytes: number): boolean {
    return held.bytes + bytes <= Math.min(this.#max * heldShareMax, this.#max - this.#total - bytes);
  }

  #setTotal(total: number): void {
    this.#total = total;
    const isMuch = total > this.#max * muchShare;
    if (isMuch !== this.#isMuch) this.#noteMuch((this.#isMuch = isMuch));
  }

  #heldBy(holder: string): { bytes: number } {
    let held = this.#held.get(holder);
    if (held === undefined) this.#held.set(holder, (held = { bytes: 0 }));
    return held;
  }

  give(holder: string, bytes: number): void {
    this.#heldBy(holder).bytes -= bytes;
    this.#setTotal(this.#total - bytes);
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

  /** True while one more byte could be taken. */
  get hasRoom(): boolean {
    return this.#budget.hasRoom(this.#holder, 1);
  }

  /** Holds so many bytes from now on: gives the others back, or takes what is missing; false where that is not left. */
  keep(bytes: number): boolean {
    const more = bytes - this.#bytes;
    if (more > 0) return this.take(more);
    if (more < 0) this.#budget.give(this.#holder, -more);
    this.#bytes = bytes;
    return true;
  }
}
