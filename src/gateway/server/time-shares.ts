import { ByHolder } from './by-holder.ts';

/** Holders whose use is remembered at least, whoever waits. */
const rememberedMin = 1000;

/**
 * Holders whose items wait and which share the time that these take, not the items: some take far longer. A small item
 * comes before large ones of others that used about as much, which may be the first of fifty holders.
 */
export class TimeShares<T> {
  /** Milliseconds that an item may take. */
  readonly #msOf: (item: T) => number;
  readonly #waiting = new ByHolder<T>();
  /**
   * Milliseconds by holder. One that comes anew begins with those of the holder that was last: with none it would have
   * all its items taken before those of holders that wait often.
   */
  readonly #used = new Map<string, number>();
  #usedByLast = 0;
  #rememberedMax = rememberedMin;

  constructor(msOf: (item: T) => number = () => 0) {
    this.#msOf = msOf;
  }

  get size(): number {
    return this.#waiting.size;
  }

  add(holder: string, item: T): void {
    if (this.#waiting.countOf(holder) === 0) this.#used.set(holder, Math.max(this.usedBy(holder), this.#usedByLast));
    this.#waiting.add(holder, item);
    if (this.#used.size > this.#rememberedMax) this.#forgetOld();
  }

  delete(holder: string, item: T): boolean {
    return this.#waiting.delete(holder, item);
  }

  /** Takes the first item of the holder that used the least, with what this one may take; there has to be one. */
  takeNext(): readonly [holder: string, item: T] {
    const next = this.#waiting.takeLeastUsed((each, first) => this.usedBy(each) + this.#msOf(first))!;
    this.#usedByLast = this.usedBy(next[0]);
    return next;
  }

  noteUse(holder: string, ms: number): void {
    this.#used.set(holder, this.usedBy(holder) + ms);
  }

  forget(): void {
    this.#used.clear();
    this.#usedByLast = 0;
  }

  usedBy(holder: string): number {
    return this.#used.get(holder) ?? 0;
  }

  /**
   * Those that used less than a holder that comes anew is said to have used would be as that is. Of others those that
   * used most are kept: networks that ask once each, a million of them, all use a little more.
   */
  #forgetOld(): void {
    const idle = [...this.#used].filter(([holder]) => this.#waiting.countOf(holder) === 0);
    const most = Float64Array.from(idle, ([, used]) => used).sort();
    const usedMin = Math.max(this.#usedByLast, most.at(-rememberedMin) ?? -Infinity);
    for (const [holder, used] of idle) if (used <= usedMin) this.#used.delete(holder);
    this.#rememberedMax = rememberedMin + 2 * this.#used.size;
  }
}
