import type { DigitRuns } from './number-areas.ts';

/**
 * Rows of runs of digits that stand near each other, with what letters are beside them: `4539 1488 x` is `ddA`. Most
 * forms of numbers are told by them, and the rows of a log are alike.
 *
 * A small letter is a run of so many digits, `z` of 26 or more; a capital are so many letters, `H` eight or more, and
 * `Z` any number behind a backslash, of which the first may be that of an escape such as `\n`.
 */
export const rowSymbols = 'abcdefghijklmnopqrstuvwxyzABCDEFGHZ';

/** Is told the symbols of each row, by their places in `rowSymbols`: no string is made of what most often is known. */
export interface RowReader {
  add(symbol: number): void;
  end(): void;
}

/** More characters than any number has between two of its runs of digits. */
const runGapMax = 5;
/** More than it has between a run and the letters before or behind it. */
const letterGapMax = 4;
const runMax = 26;
const lettersMax = 8;
const behindEscape = rowSymbols.length - 1;
const backslash = 0x5c;

/** The letter of a run of so many digits. */
export function lengthOfRun(digits: number): string {
  return rowSymbols[symbolOfRun(digits)]!;
}

function symbolOfRun(digits: number): number {
  return Math.min(digits, runMax) - 1;
}

export function readDigitRows(text: string, runs: DigitRuns, reader: RowReader): void {
  let end = -1;
  for (let at = 0; at < runs.length; at += 2) {
    const start = runs[at]!;
    if (end === -1) addLettersBefore(text, start, reader);
    else if (start - end > runGapMax) {
      finish(text, end, reader);
      addLettersBefore(text, start, reader);
    } else addLettersWithin(text, end, start, reader);
    end = runs[at + 1]!;
    reader.add(symbolOfRun(end - start));
  }
  if (end !== -1) finish(text, end, reader);
}

function finish(text: string, end: number, reader: RowReader): void {
  const last = Math.min(text.length - 1, end + letterGapMax);
  let at = end;
  while (at <= last && !isLetter(text, at)) at++;
  if (at <= last) reader.add(symbolOfLetters(text, at, endOfLetters(text, at)));
  reader.end();
}

function addLettersBefore(text: string, start: number, reader: RowReader): void {
  const first = Math.max(0, start - letterGapMax - 1);
  let at = start - 1;
  while (at >= first && !isLetter(text, at)) at--;
  if (at < first) return;
  const end = at + 1;
  while (end - at <= lettersMax && at > 0 && isLetter(text, at - 1)) at--;
  reader.add(symbolOfLetters(text, at, end));
}

function addLettersWithin(text: string, from: number, to: number, reader: RowReader): void {
  for (let at = from; at < to; at++) {
    if (!isLetter(text, at)) continue;
    reader.add(symbolOfLetters(text, at, endOfLetters(text, at)));
    while (at < to && isLetter(text, at)) at++;
  }
}

function endOfLetters(text: string, start: number): number {
  const last = Math.min(text.length, start + lettersMax);
  let end = start + 1;
  while (end < last && isLetter(text, end)) end++;
  return end;
}

function symbolOfLetters(text: string, start: number, end: number): number {
  if (start > 0 && text.charCodeAt(start - 1) === backslash) return behindEscape;
  return runMax + Math.min(end - start, lettersMax) - 1;
}

function isLetter(text: string, at: number): boolean {
  const unit = text.charCodeAt(at) | 0x20;
  return unit >= 0x61 && unit <= 0x7a;
}
