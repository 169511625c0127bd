import type { Piecework } from '../../text/turns.ts';

/** Characters of a document that are read before others may have their turn: at most some 5 ms. */
const charactersPerPiece = 16 * 1024;

/** Tells, by how far a document is read, when others may have their turn. */
export class Pauses {
  #last = 0;

  isDue(at: number): boolean {
    if (at - this.#last < charactersPerPiece) return false;
    this.#last = at;
    return true;
  }
}

/** The lines of a text, one after the other: to make a list of them all would hold others up. */
export class Lines {
  readonly #text: string;
  /** The offset of the next line. */
  at: number;

  constructor(text: string, from = 0) {
    this.#text = text;
    this.at = from;
  }

  /** Undefined behind the last line. */
  next(): string | undefined {
    if (this.at > this.#text.length) return undefined;
    const newline = this.#text.indexOf('\n', this.at);
    const line = this.#text.slice(this.at, newline === -1 ? undefined : newline);
    this.at += line.length + 1;
    return line;
  }
}

/** The text with `\n` at the end of each line. */
export function* withNewlines(text: string): Piecework<string> {
  if (!text.includes('\r')) return text;
  const parts: string[] = [];
  for (let from = 0; from < text.length;) {
    const end = from + charactersPerPiece;
    // A line end of two characters stays whole.
    const to = text[end - 1] === '\r' ? end + 1 : end;
    // A part made by replace is put together only once it is read, and that of all parts at once: by the join below.
    parts.push(text.slice(from, to).split(/\r\n?/).join('\n'));
    from = to;
    yield;
  }
  return parts.join('');
}
