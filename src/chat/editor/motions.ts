import { clusterEnd, clusterStart } from '../../text/clusters.ts';
import { columnsOf, plainColumnsAt } from '../../text/width.ts';

/** A place in a draft, before the unit at `at` of a line. */
export interface CursorPosition {
  readonly line: number;
  readonly at: number;
}

type Lines = readonly string[];
type Motion = (lines: Lines, from: CursorPosition) => CursorPosition;

const inWord = /[\p{L}\p{N}\p{M}_]/u;
const blank = /\s/;
const outsideWords = /[^\p{L}\p{N}\p{M}_]*/uy;
const word = /[\p{L}\p{N}\p{M}_]*/uy;

/** Movements of the cursor. Each motion leads to a place between two characters as a person sees them. */
export const motions = {
  left: (lines, { line, at }) => (at > 0 ? { line, at: clusterStart(lines[line]!, at) } : endOf(lines, line - 1)),
  right: (lines, { line, at }) =>
    at < lines[line]!.length ? { line, at: clusterEnd(lines[line]!, at) } : startOf(lines, line + 1),
  'word-left': wordLeft,
  'word-right': wordRight,
  'blank-left': blankLeft,
  'line-start': (_, { line }) => ({ line, at: 0 }),
  'line-end': (lines, { line }) => ({ line, at: lines[line]!.length }),
  /** A motion of keys that erase: at the edge of a line it goes over it. */
  'to-line-start': (lines, from) => (from.at > 0 ? { line: from.line, at: 0 } : endOf(lines, from.line - 1)),
  'to-line-end': (lines, { line, at }) =>
    at < lines[line]!.length ? { line, at: lines[line]!.length } : startOf(lines, line + 1),
  'draft-start': () => ({ line: 0, at: 0 }),
  'draft-end': (lines) => endOf(lines, lines.length - 1),
} as const satisfies Record<string, Motion>;

export type MotionName = keyof typeof motions;

/** The place of a line that is nearest to a column, as a terminal shows it. */
export function atColumn(lines: Lines, line: number, column: number): CursorPosition {
  const text = lines[line]!;
  let at = 0;
  for (let used = 0; at < text.length;) {
    const end = clusterEnd(text, at);
    used += plainColumnsAt(text, at) || columnsOf(text.slice(at, end));
    if (used > column) break;
    at = end;
  }
  return { line, at };
}

export function isBefore(one: CursorPosition, other: CursorPosition): boolean {
  return one.line < other.line || (one.line === other.line && one.at < other.at);
}

function endOf(lines: Lines, line: number): CursorPosition {
  return line < 0 ? { line: 0, at: 0 } : { line, at: lines[line]!.length };
}

function startOf(lines: Lines, line: number): CursorPosition {
  return line < lines.length ? { line, at: 0 } : endOf(lines, lines.length - 1);
}

function wordRight(lines: Lines, from: CursorPosition): CursorPosition {
  let { line, at } = from;
  for (; line < lines.length; line += 1, at = 0) {
    const start = skip(outsideWords, lines[line]!, at);
    if (start < lines[line]!.length) return { line, at: skip(word, lines[line]!, start) };
  }
  return endOf(lines, lines.length - 1);
}

function wordLeft(lines: Lines, from: CursorPosition): CursorPosition {
  return leftTo(lines, from, (character) => inWord.test(character));
}

/** As Ctrl-W in a shell: a word is whatever stands between blanks. */
function blankLeft(lines: Lines, from: CursorPosition): CursorPosition {
  return leftTo(lines, from, (character) => !blank.test(character));
}

function leftTo(lines: Lines, from: CursorPosition, isWanted: (character: string) => boolean): CursorPosition {
  let { line, at } = from;
  for (; line >= 0; line -= 1, at = lines[line]?.length ?? 0) {
    const text = lines[line]!;
    at = backOver(text, at, (character) => !isWanted(character));
    if (at === 0) continue;
    at = backOver(text, at, isWanted);
    return { line, at };
  }
  return { line: 0, at: 0 };
}

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  pattern.test(text);
  return Math.max(at, pattern.lastIndex);
}

function backOver(text: string, from: number, isOver: (character: string) => boolean): number {
  let at = from;
  while (at > 0) {
    const isPair = at > 1 && text.codePointAt(at - 2)! > 0xffff;
    const start = at - (isPair ? 2 : 1);
    if (!isOver(text.slice(start, at))) return at;
    at = start;
  }
  return 0;
}
