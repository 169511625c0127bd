import { isNoiseThroughout } from './base64-noise.ts';
import type { NoiseLimits } from './noise-test.ts';
import { UnitSort, findRun } from './unit-sort.ts';
import type { Span } from './view.ts';

/** A run that may be base64 of either alphabet, line by line. */
interface Base64Run {
  readonly lines: readonly string[];
  readonly carrier: Span;
}

const runMin = 12;
const lineMin = 4;
const blank = 0x20;
const plus = 0x2b;
const equals = 0x3d;
/** Line breaks of a long text in mail, configuration and programs: with indents, quotes, signs that join strings. */
const lineBreak = /[ \t]{0,4}["'`]?[ \t]{0,4}[+,.\\]?[ \t]{0,4}\r?\n[ \t>|*#"'`]{0,32}| {1,4}/y;
/** Signs that one begins with: most runs end before another, which is seen sooner than the pattern is tried. */
const ofLineBreaks = new UnitSort((character) => /[ \t\r\n"'`+,.\\]/.test(character));

/**
 * The runs but for words that are noise from each beginning. Counted and not matched, because a pattern that may turn
 * back needs room for each character of a long run.
 */
export function base64Runs(text: string, limits: NoiseLimits): Base64Run[] {
  const runs: Base64Run[] = [];
  let done = 0;
  for (let start = findRun(text, runMin, ofBase64, 0); start !== -1; start = findRun(text, runMin, ofBase64, done)) {
    const end = endOfLine(text, start + runMin);
    const others: string[] = [];
    done = addLines(text, { start, end }, others);
    if (others.length === 0 && isNoiseThroughout(text, start, end, limits)) continue;
    const padding = text.charCodeAt(done) === equals ? (text.charCodeAt(done + 1) === equals ? 2 : 1) : 0;
    runs.push({ lines: [text.slice(start, end), ...others], carrier: { start, end: done + padding } });
  }
  return runs;
}

/**
 * Adds the lines behind the first, and returns where the last ends. The lines of one text are of one length; the first
 * may begin behind other words, and the last be shorter.
 */
function addLines(text: string, first: Span, others: string[]): number {
  let done = first.end;
  for (let last = first.end - first.start; last >= runMin;) {
    const start = endOfBreak(text, done);
    const next = endOfLine(text, start);
    if (next - start < lineMin || (others.length > 0 && next - start > last)) break;
    last = others.length > 0 && next - start < last ? 0 : next - start;
    others.push(text.slice(start, next));
    done = next;
  }
  return done;
}

/** The end of a line break that begins here; the place itself where none does. */
function endOfBreak(text: string, at: number): number {
  if (!ofLineBreaks.isAt(text, at)) return at;
  // Most are one blank between two words.
  if (text.charCodeAt(at) === blank && ofBase64.isAt(text, at + 1) && text.charCodeAt(at + 1) !== plus) return at + 1;
  lineBreak.lastIndex = at;
  return lineBreak.test(text) ? lineBreak.lastIndex : at;
}

function endOfLine(text: string, from: number): number {
  const { length } = text;
  let end = from;
  while (end < length && ofBase64.has(text.charCodeAt(end))) end++;
  return end;
}

const ofBase64 = new UnitSort((character) => /[A-Za-z0-9+/_-]/.test(character));
