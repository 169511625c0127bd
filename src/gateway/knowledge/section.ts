/** The text under one heading, and the titles above it from the outermost in. */
export interface Section {
  readonly titles: readonly string[];
  readonly text: string;
}

/** Puts a document together while it is read: text goes to the section of the heading seen last. */
export class Outline {
  readonly #sections: Section[] = [];
  readonly #titles: string[] = [];
  readonly #text: string[] = [];

  add(text: string): void {
    this.#text.push(text);
  }

  /** A heading of a level from 1 ends all that stood under headings of its level or deeper. */
  open(level: number, title: string): void {
    this.#close();
    this.#titles.length = Math.min(this.#titles.length, level - 1);
    while (this.#titles.length < level - 1) this.#titles.push('');
    this.#titles.push(title);
  }

  end(): Section[] {
    this.#close();
    return this.#sections;
  }

  #close(): void {
    const text = this.#text.splice(0).join('');
    if (text.trim() !== '') this.#sections.push({ titles: [...this.#titles], text });
  }
}
