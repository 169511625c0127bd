import { motifOf } from '../access/holder.ts';
import { TimeShares } from './time-shares.ts';

/** Motifs without anything that waits whose tokens are remembered at most. */
const idleMax = 1000;

/**
 * Items of tokens, of which Motifs share the time, and then the tokens of a Motif: the items of a hundred tokens, one
 * of each, would all come before that of another Motif. A holder that is no token shares it as a Motif does.
 */
export class MotifShares<T> {
  readonly #msOf: (item: T) => number;
  readonly #motifs = new TimeShares<TimeShares<T>>((tokens) => this.#leastMs.get(tokens) ?? 0);
  readonly #tokens = new Map<string, TimeShares<T>>();
  /** Of the last item of a Motif that was taken, and of those that came to it since, the least that one may take. */
  readonly #leastMs = new WeakMap<TimeShares<T>, number>();
  #size = 0;

  /** `msOf`: the milliseconds that an item may take. */
  constructor(msOf: (item: T) => number = () => 0) {
    this.#msOf = msOf;
  }

  get size(): number {
    return this.#size;
  }

  add(holder: string, item: T): void {
    const motif = motifOf(holder);
    const tokens = this.#tokens.get(motif) ?? new TimeShares<T>(this.#msOf);
    if (tokens.size === 0) {
      this.#tokens.set(motif, tokens);
      this.#motifs.add(motif, tokens);
    }
    this.#leastMs.set(tokens, Math.min(this.#leastMs.get(tokens) ?? Infinity, this.#msOf(item)));
    this.#size -= tokens.size;
    tokens.add(holder, item);
    this.#size += tokens.size;
  }

  delete(holder: string, item: T): boolean {
    const motif = motifOf(holder);
    const tokens = this.#tokens.get(motif);
    if (tokens?.delete(holder, item) !== true) return false;
    this.#size -= 1;
    if (tokens.size === 0) this.#motifs.delete(motif, tokens);
    return true;
  }

  /** Takes the first item of the token that used the least, of the Motif that did; there has to be one. */
  takeNext(): readonly [holder: string, item: T] {
    const [motif, tokens] = this.#motifs.takeNext();
    const next = tokens.takeNext();
    this.#leastMs.set(tokens, this.#msOf(next[1]));
    this.#size -= 1;
    if (tokens.size > 0) this.#motifs.add(motif, tokens);
    return next;
  }

  noteUse(holder: string, use: number): void {
    const motif = motifOf(holder);
    this.#motifs.noteUse(motif, use);
    this.#tokens.get(motif)?.noteUse(holder, use);
    if (this.#size === 0) this.#forget();
    else if (this.#tokens.size > this.#motifs.size + idleMax)
      for (const [each, { size }] of this.#tokens) if (size === 0) this.#tokens.delete(each);
  }

  /** The use of the Motif of a holder. */
  usedBy(holder: string): number {
    return this.#motifs.usedBy(motifOf(holder));
  }

  #forget(): void {
    this.#motifs.forget();
    this.#tokens.clear();
  }
}
