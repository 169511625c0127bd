import { motifOf } from './holder.ts';

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
/** The latest answers of a holder, about, whose mean is expected of the next one: a single large one counts little. */
const latestAnswers = 64;

/** The bytes that a holder has, those that all of its Motif have, and those that an answer to it took on average. */
interface Holding {
  bytes: number;
  readonly ofMotif: { bytes: number };
  usual: number;
}

/** A budget of bytes of which each holder, a token, has a share at most, and so has each Motif. */
export class ByteBudget {
  readonly #max: number;
  readonly #held = new Map<string, Holding>();
  readonly #heldByMotif = new Map<string, Holding['ofMotif']>();
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
    if (bytes > this.#roomOf(held)) return false;
    this.#add(held, bytes);
    return true;
  }

  /** The bytes that an answer to a holder usually takes; where it holds none, a byte less than is left at most. */
  usualOf(holder: string): number {
    const held = this.#heldBy(holder);
    const usual = Math.ceil(held.usual);
    return held.bytes === 0 ? Math.max(0, Math.min(usual, this.#roomOf(held) - 1)) : usual;
  }

  /** Notes the bytes that an answer to a holder took. */
  noteAnswer(holder: string, bytes: number): void {
    const held = this.#heldBy(holder);
    held.usual += (bytes - held.usual) / latestAnswers;
  }

  /** True where so many could be taken. */
  hasRoom(holder: string, bytes: number): boolean {
    return bytes <= this.#roomOf(this.#heldBy(holder));
  }

  #roomOf({ bytes, ofMotif }: Holding): number {
    const free = this.#max - this.#total;
    const leavingAsMuch = Math.floor((free - bytes) / 2);
    // All tokens of a Motif leave half as much as they hold, for those of others.
    const leavingHalfAsMuch = Math.floor((2 * free - ofMotif.bytes) / 3);
    return Math.min(this.#max * heldShareMax - bytes, leavingAsMuch, leavingHalfAsMuch);
  }

  #add(held: Holding, bytes: number): void {
    held.bytes += bytes;
    held.ofMotif.bytes += bytes;
    this.#total += bytes;
    const isMuch = this.#total > this.#max * muchShare;
    if (isMuch !== this.#isMuch) this.#noteMuch((this.#isMuch = isMuch));
  }

  #heldBy(holder: string): Holding {
    let held = this.#held.get(holder);
    if (held === undefined) this.#held.set(holder, (held = { bytes: 0, ofMotif: this.#ofMotif(holder), usual: 0 }));
    return held;
  }

  #ofMotif(holder: string): Holding['ofMotif'] {
    const motif = motifOf(holder);
    let held = this.#heldByMotif.get(motif);
    if (held === undefined) this.#heldByMotif.set(motif, (held = { bytes: 0 }));
    return held;
  }

  give(holder: string, bytes: number): void {
    this.#add(this.#heldBy(holder), -bytes);
    // To forget each holder at once and note it again would take longer than all the rest.
    if (this.#total > 0 || this.#held.size <= idleHoldersMax) return;
    this.#held.clear();
    this.#heldByMotif.clear();
  }
}

/** The bytes that one request holds of a budget; all of them are given back. */
export class HeldBytes {
  readonly #budget: ByteBudget;
  readonly #holder: string;
  #bytes = 0;
  /** Those of them that have come; the others are expected. */
  #come = 0;

  constructor(budget: ByteBudget, holder: string) {
    this.#budget = budget;
    this.#holder = holder;
  }

  /** Takes what an answer usually needs, before it is asked for; false where that, or a byte more, is not left. */
  takeExpected(): boolean {
    const usual = this.#budget.usualOf(this.#holder);
    return this.#budget.hasRoom(this.#holder, usual + 1) && this.#holdAtLeast(usual);
  }

  /** False where there is not so much left. */
  take(bytes: number): boolean {
    this.#come += bytes;
    return this.#holdAtLeast(this.#come);
  }

  /** Takes bytes of an answer that comes. One that finds no room counts twice, so that fewer are asked for at once. */
  receive(bytes: number): boolean {
    const hasRoom = this.take(bytes);
    if (!hasRoom) this.#budget.noteAnswer(this.#holder, this.#come * 2);
    return hasRoom;
  }

  /** The answer is whole; keeps so many bytes of it. */
  finish(bytes: number): boolean {
    this.#budget.noteAnswer(this.#holder, this.#come);
    return this.keep(bytes);
  }

  /** Holds so many bytes from now on: gives the others back, or takes what is missing; false where that is not left. */
  keep(bytes: number): boolean {
    this.#come = bytes;
    if (!this.#holdAtLeast(bytes)) return false;
    this.#budget.give(this.#holder, this.#bytes - bytes);
    this.#bytes = bytes;
    return true;
  }

  #holdAtLeast(bytes: number): boolean {
    const more = bytes - this.#bytes;
    if (more <= 0) return true;
    if (!this.#budget.take(this.#holder, more)) return false;
    this.#bytes = bytes;
    return true;
  }
}
