import { UnitSort, runsIn } from './unit-sort.ts';
import type { Span } from './view.ts';

/** Bytes written in hex, without what stands between them. */
interface HexRun {
  readonly digits: string;
  readonly carrier: Span;
}

/** Eight bytes are sixteen characters at least, and most texts have another letter among any sixteen. */
const noOtherLetters = new UnitSort((character) => /[^g-wyz]/i.test(character));
const bytesMin = 8;
const signsBetweenMax = 8;
const zero = 0x30;
const letterX = 0x78;

/** Runs of hex in the parts of a text that have no other letter: what such a letter parts is no one run. */
export function hexRuns(text: string): HexRun[] {
  const runs: HexRun[] = [];
  if (!/\d/.test(text)) return runs;
  for (const part of runsIn(text, 2 * bytesMin, noOtherLetters))
    if (digitsIn(text, part) >= 2 * bytesMin) addRuns(text, part, runs);
  return runs;
}

/** Counted and not matched, as in runs of base64: a pattern that may turn back needs room for each byte of a run. */
function addRuns(text: string, part: Span, runs: HexRun[]): void {
  /** Starts and ends of the words of a run. */
  let words: number[] = [];
  const close = () => {
    const run = runOf(text, words);
    if (run.digits.length >= 2 * bytesMin) runs.push(run);
    words = [];
  };
  for (let at = part.start; at < part.end; at++) {
    if (!isHexAt(text, at)) continue;
    const start = at;
    while (at < part.end && isHexAt(text, at)) at++;
    if (!areBytes(text, start, at)) continue;
    if (words.length > 0 && !isBetween(text, words.at(-1)!, start)) close();
    words.push(start, at);
  }
  if (words.length > 0) close();
}

/** True of whole bytes that are no part of a longer word, but for the x that says what they are. */
function areBytes(text: string, start: number, end: number): boolean {
  const isWord = end === text.length || !isLetterAt(text, end) || isPrefixAt(text, end);
  const isOwn = start === 0 || !isLetterAt(text, start - 1) || isPrefixAt(text, start - 1);
  return isWord && isOwn && (end - start) % 2 === 0;
}

function runOf(text: string, words: readonly number[]): HexRun {
  const digits: string[] = [];
  for (let at = 0; at < words.length; at += 2) digits.push(text.slice(words[at], words[at + 1]));
  return { digits: digits.join(''), carrier: { start: words[0]!, end: words.at(-1)! } };
}

/** Between two bytes stand signs, line breaks and a prefix, and nothing of a word. */
function isBetween(text: string, start: number, end: number): boolean {
  let last = end;
  if (last > start && isPrefixAt(text, last - 1)) {
    last--;
    if (last > start && text.charCodeAt(last - 1) === zero) last--;
  } else if (last === start) return false;
  if (last - start > signsBetweenMax) return false;
  for (let at = start; at < last; at++) if (isLetterAt(text, at)) return false;
  return true;
}

function digitsIn(text: string, { start, end }: Span): number {
  let digits = 0;
  for (let at = start; at < end; at++) if (isHexAt(text, at)) digits++;
  return digits;
}

function isPrefixAt(text: string, at: number): boolean {
  return (text.charCodeAt(at) | 0x20) === letterX;
}

function isHexAt(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return (unit >= 0x30 && unit <= 0x39) || (unit >= 0x41 && unit <= 0x46) || (unit >= 0x61 && unit <= 0x66);
}

function isLetterAt(text: string, at: number): boolean {
  const unit = text.charCodeAt(at) | 0x20;
  return isHexAt(text, at) || (unit >= 0x61 && unit <= 0x7a);
}
