import { partsBefore } from './table-columns.ts';
import { UnitSort } from '../unit-sort.ts';
import type { Span } from '../view.ts';

/** The cells of one column of a table. */
export interface CellsBelow {
  /** The line or the list with the heads. */
  readonly head: Span;
  readonly cells: readonly Span[];
  /** The end of the last row. */
  readonly end: number;
}

const headCharactersMax = 1_000;
const rowCharactersMax = 2_000;
/** A head is a name or two: no call, no sentence. */
const headCell = /^[\p{L}#][\p{L}\p{N} _./#-]{0,40}(?: \([\p{L} .]{1,20}\))?$/u;
const rule = /^[\s|:+=-]*--[\s|:+=-]*$/;
const signs = [/\|/g, /\t/g, /;/g, /,/g];
/** Two blanks or more part columns that are made by blanks alone. */
const gap = / {2,}/g;

/** The column below the head that stands at a place; without cells where that line is no head of a table. */
export function cellsBelow(text: string, at: number): CellsBelow {
  const head = lineAt(text, text.lastIndexOf('\n', at - 1) + 1, headCharactersMax);
  const sign = signs.find((one) => cellsOf(head.text, one).length > 1);
  const heads = cellsOf(head.text, sign ?? gap);
  const index = heads.findIndex(({ end }) => head.start + end >= at);
  const cells: Span[] = [];
  let { end } = head;
  if (index === -1 || !areHeads(head.text, heads)) return { head, cells, end };
  if (cellsOf(rowBefore(text, head.start), sign ?? gap).length === heads.length) return { head, cells, end };
  while (end < text.length) {
    const line = lineAt(text, end + 1, rowCharactersMax);
    if (rule.test(line.text)) {
      end = line.end;
      continue;
    }
    const cell =
      sign === undefined ? cellBelow(line.text, heads[index]!) : cellOf(line.text, sign, heads.length, index);
    if (cell === undefined) break;
    cells.push({ start: line.start + cell.start, end: line.start + cell.end });
    end = line.end;
  }
  return { head, cells, end };
}

/** A blank behind each comma is how sentences and programs list things as well: then a cell has none. */
function isLoose(line: string): boolean {
  return /^[^|;\t]*, /.test(line.replace(/"[^"]*"/g, ''));
}

function areHeads(line: string, cells: readonly Span[]): boolean {
  const heads = cells.map((cell) => textIn(line, cell)).filter((head) => head !== '');
  if (isLoose(line) && (heads.length < cells.length || heads.some((head) => head.includes(' ')))) return false;
  return heads.length > 1 && heads.every((head) => headCell.test(head));
}

/** The line before one, but for a rule between them; what ends with a colon only tells of the table. */
function rowBefore(text: string, start: number): string {
  const line = lineBefore(text, start);
  const row = rule.test(line.text) ? lineBefore(text, line.start) : line;
  return row.text.trimEnd().endsWith(':') ? '' : row.text;
}

function lineBefore(text: string, start: number): Line {
  return start === 0
    ? { start, end: start, text: '' }
    : lineAt(text, text.lastIndexOf('\n', start - 2) + 1, rowCharactersMax);
}

interface Line extends Span {
  readonly text: string;
}

function lineAt(text: string, start: number, most: number): Line {
  const found = text.indexOf('\n', start);
  const end = found === -1 ? text.length : found;
  return { start, end, text: end - start > most ? '' : text.slice(start, end) };
}

/** Cells of a line without the blanks and quotation marks around them. */
function cellsOf(line: string, sign: RegExp): Span[] {
  const ends = [...partsBefore(line, sign), line.length];
  return ends.map((end, index) => trimmed(line, { start: index === 0 ? 0 : ends[index - 1]! + 1, end }));
}

const around = new UnitSort((character) => /[\s"'`*]/.test(character));

function trimmed(line: string, { start, end }: Span): Span {
  let from = start;
  let to = end;
  while (from < to && around.isAt(line, from)) from++;
  while (to > from && around.isAt(line, to - 1)) to--;
  return { start: from, end: to };
}

function cellOf(line: string, sign: RegExp, count: number, index: number): Span | undefined {
  const cells = cellsOf(line, sign);
  const isRow = cells.length === count && !(isLoose(line) && cells.some((cell) => /\s/.test(textIn(line, cell))));
  return isRow ? cells[index] : undefined;
}

function textIn(line: string, { start, end }: Span): string {
  return line.slice(start, end);
}

/** The cell that begins right below the head. */
function cellBelow(line: string, { start }: Span): Span | undefined {
  if (start >= line.length || line[start] === ' ' || !/^$|\s$/.test(line.slice(0, start))) return undefined;
  const end = line.slice(start).search(/\s{2}|\s*$/);
  return { start, end: start + end };
}
