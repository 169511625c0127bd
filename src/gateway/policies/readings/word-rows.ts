const codeBits = 5;
const gapCode = 27;
/** One code for all characters beyond ASCII. */
const beyondCode = 28;
const unitsMax = 65_536;

/**
 * Tells which texts may hold a row of some words with nothing but gaps between them. It errs on one side: where it says
 * that there is no row, there is none. Rows are made of few threes of characters, so a text is looked at from the end
 * of each stretch of a shortest row, and most of its characters need no look.
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

  mayStandIn(text: string): boolean {
    const codes = this.#codes;
    const threes = this.#threes;
    const { length } = text;
    let start = 0;
    /** All from the start to here are threes of rows. */
    let seen = 0;
    for (let end = this.#length - 1; end + 2 < length; end = start + this.#length - 1) {
      let at = end;
      while (
        at >= seen &&
        threes[
          (codes[text.charCodeAt(at)]! << (2 * codeBits)) |
            (codes[text.charCodeAt(at + 1)]! << codeBits) |
            codes[text.charCodeAt(at + 2)]!
        ] === 1
      )
        at--;
      if (at < seen) return true;
      start = at + 1;
      seen = end + 1;
    }
    return false;
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
