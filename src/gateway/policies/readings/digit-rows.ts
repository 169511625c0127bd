/**
 * Rows of runs of digits that stand near each other, with what letters are beside them: `4539 1488 x` is `ddA`. Most
 * forms of numbers are told by them, and the rows of a log are alike.
 */

/** More characters than any number has between two of its runs of digits. */
const runGapMax = 5;
/** More than it has between a run and the letters before or behind it. */
const letterGapMax = 4;
const runLetters = 'abcdefghijklmnopqrstuvwxyz';
const countOfLetters = 'ABCDEFGH';
/** Letters of which the first may be that of an escape such as `\n`, so that there may be one less. */
const behindEscape = 'Z';
const backslash = 0x5c;

/** The letter of a run of so many digits. */
export function lengthOfRun(digits: number): string {
  return runLetters[Math.min(digits, runLetters.length) - 1]!;
}

/**
 * Reads a text run by run and tells each row. A small letter is a run of so many digits, `z` of 26 or more; a capital
 * are so many letters, `H` eight or more, and `Z` any number behind a backslash.
 */
export class DigitRows {
  readonly #text: string;
  readonly #tell: (row: string) => void;
  #row = '';
  #end = -1;

  constructor(text: string, tell: (row: string) => void) {
    this.#text = text;
    this.#tell = tell;
  }

  add(start: number, end: number): void {
    if (this.#end === -1 || start - this.#end > runGapMax) {
      this.finish();
      this.#row = this.#lettersBefore(start);
    } else this.#addLettersWithin(this.#end, start);
    this.#row += lengthOfRun(end - start);
    this.#end = end;
  }

  finish(): void {
    if (this.#end !== -1) this.#tell(this.#row + this.#lettersBehind(this.#end));
    this.#end = -1;
  }

  #lettersBefore(start: number): string {
    const last = Math.max(0, start - letterGapMax - 1);
    for (let at = start - 1; at >= last; at--) if (this.#isLetter(at)) return this.#lettersTo(at + 1);
    return '';
  }

  #lettersBehind(end: number): string {
    const last = Math.min(this.#text.length - 1, end + letterGapMax);
    for (let at = end; at <= last; at++) if (this.#isLetter(at)) return this.#lettersFrom(at);
    return '';
  }

  #addLettersWithin(from: number, to: number): void {
    for (let at = from; at < to; at++) {
      if (!this.#isLetter(at)) continue;
      this.#row += this.#lettersFrom(at);
      while (at < to && this.#isLetter(at)) at++;
    }
  }

  #lettersTo(end: number): string {
    let start = end - 1;
    while (end - start <= countOfLetters.length && this.#isLetter(start - 1)) start--;
    return this.#countOf(start, end);
  }

  #lettersFrom(start: number): string {
    let end = start + 1;
    while (end - start < countOfLetters.length && this.#isLetter(end)) end++;
    return this.#countOf(start, end);
  }

  #countOf(start: number, end: number): string {
    if (start > 0 && this.#text.charCodeAt(start - 1) === backslash) return behindEscape;
    return countOfLetters[Math.min(end - start, countOfLetters.length) - 1]!;
  }

  #isLetter(at: number): boolean {
    const unit = this.#text.charCodeAt(at) | 0x20;
    return unit >= 0x61 && unit <= 0x7a;
  }
}
