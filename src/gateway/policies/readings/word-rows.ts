import type { Span } from './view.ts';

const codeBits = 5;
const gapCode = 27;
/** One code for all characters beyond ASCII. */
const beyondCode = 28;
const unitsMax = 65_536;

/**
 * Tells where a text may hold a row of some words with nothing but gaps between them. It errs on one side: where it
 * says that there is no row, there is none. Rows are made of few threes of characters, so a text is looked at from the
 * end of each stretch of a shortest row, and most of its characters need no look.
 */
export class WordRows {
  readonly #codes = new Uint8Array(unitsMax).fill(beyondCode);
  /** By the codes of three characters: whether they stand side by side in a row. */
  readonly #threes = new Uint8Array(1 << (3 * codeBits));
  /** The threes of the shortest row. */
  readonly #length: number;

  /** Words in lower case, the signs of which some make a gap, and the fewest words in a row. */
  constructor(words: readonly string[], gaps: string, count: number) {
    for (let unit = 0; unit < 128; unit++) this.#codes[unit] = codeOf(String.fromCharCode(unit), gaps);
    const gap = gaps.charAt(0);
    for (const word of words) this.#addThrees(gap + gap + word + gap + gap);
    this.#addThrees(gap.repeat(3));
    for (const last of new Set(words.map((word) => word.slice(-1))))
      for (const first of new Set(words.map((word) => word.charAt(0)))) this.#addThrees(last + gap + first);
    this.#length = count * (Math.min(...words.map(({ length }) => length)) + 1) - 1 - 2;
  }

  /** The parts of a text outside of which no such row stands, whole or in part. */
  partsOf(text: string): Span[] {
    const last = text.length - 2;
    const parts: Span[] = [];
    let start = 0;
    /** All from the start to here are threes of rows. */
    let seen = 0;
    for (let end = this.#length - 1; end < last; end = start + this.#length - 1) {
      let at = end;
      while (at >= seen && this.#isThreeAt(text, at)) at--;
      if (at < seen) {
        at = end + 1;
        while (at < last && this.#isThreeAt(text, at)) at++;
        parts.push({ start, end: at + 2 });
      }
      start = at + 1;
      seen = Math.max(end + 1, start);
    }
    return parts;
  }

  #isThreeAt(text: string, at: number): boolean {
    const codes = this.#codes;
    const first = (codes[text.charCodeAt(at)]! << codeBits) | codes[text.charCodeAt(at + 1)]!;
    return this.#threes[(first << codeBits) | codes[text.charCodeAt(at + 2)]!] === 1;
  }

  #addThrees(row: string): void {
    for (let at = 0; at + 2 < row.length; at++)
      for (const one of this.#codesOf(row, at))
        for (const two of this.#codesOf(row, at + 1))
          for (const three of this.#codesOf(row, at + 2))
            this.#threes[(one << (2 * codeBits)) | (two << codeBits) | three] = 1;
  }

  /** Two characters beyond ASCII, the long s and the Kelvin sign, are letters of it in another case. */
  #codesOf(row: string, at: number): readonly number[] {
    const code = this.#codes[row.charCodeAt(at)]!;
    return /[sk]/.test(row.charAt(at)) ? [code, beyondCode] : [code];
  }
}

function codeOf(character: string, gaps: string): number {
  if (gaps.includes(character)) return gapCode;
  return /[a-z]/i.test(character) ? character.toLowerCase().charCodeAt(0) - 0x60 : 0;
}
