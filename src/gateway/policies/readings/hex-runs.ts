import { type NoiseLimits, NoiseTest } from './noise-test.ts';
import { UnitSort, runsIn } from './unit-sort.ts';
import type { Span } from './view.ts';

/** Bytes written in hex, without what stands between them. */
interface HexRun {
  readonly digits: string;
  readonly carrier: Span;
}

/** Eight bytes are sixteen characters at least, and most texts have another letter among any sixteen. */
const noOtherLetters = new UnitSort((character) => /[^g-wyz]/i.test(character));
const digitsMin = 16;
const signsBetweenMax = 8;
const zero = 0x30;
const letterX = 0x78;

/** By unit, the value of a digit of hex, `otherLetter`, or `sign`; all beyond ASCII are signs. */
const otherLetter = 16;
const sign = 17;
const values = Uint8Array.from({ length: 128 }, (_, unit) => {
  const character = String.fromCharCode(unit);
  if (/[0-9a-f]/i.test(character)) return Number.parseInt(character, 16);
  return /[a-z]/i.test(character) ? otherLetter : sign;
});

/**
 * Runs of hex that may be text, in the parts of a text that have no other letter: what such a letter parts is no one
 * run. Dates, addresses and numbers of processes are mostly told as noise without being decoded.
 */
export function hexRuns(text: string, limits: NoiseLimits): HexRun[] {
  const runs: HexRun[] = [];
  if (!/\d/.test(text)) return runs;
  for (const part of runsIn(text, digitsMin, noOtherLetters)) addRuns(text, part, limits, runs);
  return runs;
}

/** Counted and not matched, as in runs of base64: a pattern that may turn back needs room for each byte of a run. */
function addRuns(text: string, part: Span, limits: NoiseLimits, runs: HexRun[]): void {
  /** Starts and ends of the words of a run, and the number of its digits. */
  let words: number[] = [];
  let digits = 0;
  const close = () => {
    if (digits >= digitsMin && !isHexNoise(text, words, digits, limits)) runs.push(runOf(text, words));
    words = [];
    digits = 0;
  };
  for (let at = part.start; at < part.end; at++) {
    if (valueAt(text, at) >= otherLetter) continue;
    const start = at;
    while (at < part.end && valueAt(text, at) < otherLetter) at++;
    if (!areBytes(text, start, at)) continue;
    if (digits > 0 && !isBetween(text, words.at(-1)!, start)) close();
    words.push(start, at);
    digits += at - start;
  }
  if (digits > 0) close();
}

/** True of whole bytes that are no part of a longer word, but for the x that says what they are. */
function areBytes(text: string, start: number, end: number): boolean {
  if ((end - start) % 2 !== 0) return false;
  const isWord = end === text.length || valueAt(text, end) === sign || isPrefixAt(text, end);
  return isWord && (start === 0 || valueAt(text, start - 1) === sign || isPrefixAt(text, start - 1));
}

function isHexNoise(text: string, words: readonly number[], digits: number, limits: NoiseLimits): boolean {
  const test = new NoiseTest(digits / 2, limits);
  for (let word = 0; word < words.length; word += 2) {
    for (let at = words[word]!; at < words[word + 1]!; at += 2) {
      const known = test.add((valueAt(text, at) << 4) | valueAt(text, at + 1));
      if (known !== undefined) return known;
    }
  }
  return test.isNoise;
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
  for (let at = start; at < last; at++) if (valueAt(text, at) !== sign) return false;
  return true;
}

function isPrefixAt(text: string, at: number): boolean {
  return (text.charCodeAt(at) | 0x20) === letterX;
}

function valueAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit < 128 ? values[unit]! : sign;
}
