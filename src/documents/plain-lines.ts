import type { Piecework } from '../text/turns.ts';

export interface Line {
  indent: number;
  /** The offset of its first word. */
  start: number;
  readonly end: number;
}

/** A line is read in one turn. */
const charactersMax = 65_536;
const linesPerPiece = 1000;

/** Every line but the empty ones and the comments; undefined where one would take a turn. */
export function* linesOf(text: string): Piecework<Line[] | undefined> {
  const lines: Line[] = [];
  for (let from = 0; from < text.length;) {
    const newline = text.indexOf('\n', from);
    const end = newline === -1 ? text.length : newline;
    if (end - from > charactersMax) return undefined;
    let start = from;
    while (text.charCodeAt(start) === 0x20) start += 1;
    if (start < end && text[start] !== '#') lines.push({ indent: start - from, start, end });
    if (lines.length % linesPerPiece === 0) yield;
    from = end + 1;
  }
  return lines;
}
