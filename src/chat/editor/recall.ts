/** A walk through what was typed before, from the draft that is being written; what is changed on the way stays. */
export class Recall {
  readonly #entries: readonly string[];
  readonly #changed = new Map<number, string>();
  #at: number;

  /** The draft itself stands behind the newest entry. */
  constructor(entries: readonly string[]) {
    this.#entries = entries;
    this.#at = entries.length;
  }

  /** The text one further, given the one that is left; undefined where there is none. */
  step(by: -1 | 1, text: string): string | undefined {
    const next = this.#at + by;
    if (next < 0 || next > this.#entries.length) return undefined;
    this.#leave(text);
    this.#at = next;
    return this.#textAt(next);
  }

  /** Straight to an entry that a search found. */
  jump(index: number, text: string): void {
    this.#leave(text);
    this.#at = index;
  }

  #leave(text: string): void {
    if (text === this.#entries[this.#at]) this.#changed.delete(this.#at);
    else this.#changed.set(this.#at, text);
  }

  #textAt(index: number): string {
    return this.#changed.get(index) ?? this.#entries[index] ?? '';
  }
}
