/** Finds what was typed before by a part of it, newest first; upper and lower case count only if both were typed. */
export class ReverseSearch {
  readonly #entries: readonly string[];
  #query = '';
  #at: number;
  #hasFailed = false;

  constructor(entries: readonly string[]) {
    this.#entries = entries;
    this.#at = entries.length;
  }

  get query(): string {
    return this.#query;
  }

  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  get found(): { readonly index: number; readonly text: string; readonly at: number } | undefined {
    const text = this.#entries[this.#at];
    return text === undefined ? undefined : { index: this.#at, text, at: Math.max(0, this.#place(text)) };
  }

  /** One more piece of what is looked for; what is found already stays if it fits that, too. */
  type(text: string): void {
    this.#query += text;
    this.#look(Math.min(this.#at, this.#entries.length - 1), -1);
  }

  /** One character less, and from the newest again. */
  rubOut(): void {
    this.#query = Array.from(this.#query).slice(0, -1).join('');
    this.#at = this.#entries.length;
    this.#hasFailed = false;
    if (this.#query !== '') this.#look(this.#entries.length - 1, -1);
  }

  next(by: -1 | 1): void {
    if (this.#query !== '') this.#look(this.#at + by, by);
  }

  /** The same text again is no further find. */
  #look(start: number, by: -1 | 1): void {
    const current = this.#entries[this.#at];
    for (let index = start; index >= 0 && index < this.#entries.length; index += by) {
      const text = this.#entries[index]!;
      if (this.#place(text) === -1 || (text === current && index !== this.#at)) continue;
      this.#at = index;
      this.#hasFailed = false;
      return;
    }
    this.#hasFailed = true;
  }

  #place(text: string): number {
    const isAnyCase = this.#query === this.#query.toLowerCase();
    return (isAnyCase ? text.toLowerCase() : text).indexOf(this.#query);
  }
}
