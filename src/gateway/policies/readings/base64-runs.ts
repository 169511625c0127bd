import { UnitSort, findRun } from './unit-sort.ts';
import type { Span } from './view.ts';

/** A run that may be base64 of either alphabet, line by line. */
interface Base64Run {
  readonly lines: readonly string[];
  readonly carrier: Span;
}

const runMin = 12;
const lineMin = 4;
const equals = 0x3d;
/** Line breaks of a long text in mail, configuration and programs: with indents, quotes, signs that join strings. */
const lineBreak = /[ \t]{0,4}["'`]?[ \t]{0,4}[+,.\\]?[ \t]{0,4}\r?\n[ \t>|*#"'`]{0,32}| {1,4}/y;
/** Signs that one begins with: most runs end before another, which is seen sooner than the pattern is tried. */
const ofLineBreaks = new UnitSort((character) => /[ \t\r\n"'`+,.\\]/.test(character));

/** Counted and not matched, because a pattern that may turn back needs room for each character of a long run. */
export function base64Runs(text: string): Base64Run[] {
  const runs: Base64Run[] = [];
  let done = 0;
  for (let start = findRun(text, runMin, ofBase64, 0); start !== -1; start = findRun(text, runMin, ofBase64, done)) {
    done = endOfLine(text, start + runMin);
    const lines = [text.slice(start, done)];
    done = addLines(text, lines, done);
    const padding = text.charCodeAt(done) === equals ? (text.charCodeAt(done + 1) === equals ? 2 : 1) : 0;
    runs.push({ lines, carrier: { start, end: done + padding } });
  }
  return runs;
}

/** The lines of one text are of one length; the first may begin behind other words, and the last be shorter. */
function addLines(text: string, lines: string[], end: number): number {
  let done = end;
  for (let last = lines[0]!.length; last >= runMin;) {
    if (!ofLineBreaks.isAt(text, done)) break;
    lineBreak.lastIndex = done;
    if (!lineBreak.test(text)) break;
    const start = lineBreak.lastIndex;
    const next = endOfLine(text, start);
    if (next - start < lineMin || (lines.length > 1 && next - start > last)) break;
    last = lines.length > 1 && next - start < last ? 0 : next - start;
    lines.push(text.slice(start, next));
    done = next;
  }
  return done;
}

function endOfLine(text: string, from: number): number {
  const { length } = text;
  let end = from;
  while (end < length && ofBase64.has(text.charCodeAt(end))) end++;
  return end;
}

const ofBase64 = new UnitSort((character) => /[A-Za-z0-9+/_-]/.test(character));
