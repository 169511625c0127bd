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
export function* hexRuns(text: string): Generator<HexRun> {
  if (!/\d/.test(text)) return;
  for (const part of runsIn(text, 2 * bytesMin, noOtherLetters))
    if (digitsIn(text, part) >= 2 * bytesMin) yield* runsWithin(text, part);
}

/** Counted and not matched, as in runs of base64: a pattern that may turn back needs room for each byte of a run. */
function* runsWithin(text: string, part: Span): Generator<HexRun> {
  let run: { parts: string[]; length: number; start: number; end: number } | undefined;
  for (const { start, end } of wordsOfHex(text, part)) {
    if (run !== undefined && !isBetween(text, run.end, start)) {
      if (run.length >= 2 * bytesMin) yield toRun(run);
      run = undefined;
    }
    run ??= { parts: [], length: 0, start, end };
    run.parts.push(text.slice(start, end));
    run.length += end - start;
    run.end = end;
  }
  if (run !== undefined && run.length >= 2 * bytesMin) yield toRun(run);
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

function toRun({ parts, start, end }: { parts: string[]; start: number; end: number }): HexRun {
  return { digits: parts.join(''), carrier: { start, end } };
}

/** Whole bytes that are no part of a longer word, but for the x that says what they are. */
function* wordsOfHex(text: string, part: Span): Generator<Span> {
  for (let at = part.start; at < part.end; at++) {
    if (!isHexAt(text, at)) continue;
    const start = at;
    while (at < part.end && isHexAt(text, at)) at++;
    const isWord = at === text.length || !isLetterAt(text, at) || isPrefixAt(text, at);
    const isOwn = start === 0 || !isLetterAt(text, start - 1) || isPrefixAt(text, start - 1);
    if (isWord && isOwn && (at - start) % 2 === 0) yield { start, end: at };
  }
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
