import type { CellsBelow } from './table-cells.ts';
import type { Span } from '../view.ts';

const columnsCharactersMax = 1_000;
const statement = /\binsert\s{1,10}(?:ignore\s{1,10})?into\s[^()]{1,150}$/i;
const statementCharacters = 200;
const copy = /\bcopy\s[^()]{1,150}$/i;
const copied = /\)\s{0,10}from\s{1,10}stdin[^;\n]{0,200};[ \t\r]{0,20}\n/iy;
const values = /\)\s{0,20}values\s{0,20}/iy;
const rowBegins = /\s{0,20},?\s{0,20}\(/y;
/** A value of a row, in quotes or not, and the sign behind it. */
const value =
  /\s{0,20}(?:n?'((?:[^'\\]|''|\\.){0,500})'|"([^"]{0,500})"|[^,()'"]{0,200}(?:\([^()]{0,200}\))?)\s{0,20}([,)])/iy;

/** The values that a statement of SQL inserts into the column whose name ends at a place; undefined elsewhere. */
export function insertedValues(text: string, at: number): CellsBelow | undefined {
  const from = Math.max(0, at - columnsCharactersMax);
  const open = from + text.slice(from, at).lastIndexOf('(');
  const before = text.slice(Math.max(0, open - statementCharacters), Math.max(0, open));
  const isCopy = copy.test(before);
  if (open < from || !(isCopy || statement.test(before))) return undefined;
  const names = /^[^()]*/.exec(text.slice(open + 1, at + columnsCharactersMax))?.[0] ?? '';
  const close = open + 1 + names.length;
  const head = { start: open, end: close };
  const column = text.slice(open + 1, at).split(',').length - 1;
  const cells: Span[] = [];
  if (isCopy) return { head, ...copiedValues(text, endOf(copied, text, close) ?? text.length, column) };
  let end = endOf(values, text, close);
  while (end !== undefined) {
    const begin = endOf(rowBegins, text, end);
    const read = begin === undefined ? undefined : readRow(text, begin, column);
    if (read === undefined) return { head, cells, end };
    if (read.cell !== undefined) cells.push(read.cell);
    ({ end } = read);
  }
  return { head, cells, end: end ?? close };
}

/** Values of a column in the lines that PostgreSQL copies, with tabs between them, up to one with `\\.` alone. */
function copiedValues(text: string, from: number, column: number): Pick<CellsBelow, 'cells' | 'end'> {
  const cells: Span[] = [];
  let at = from;
  while (at < text.length && !text.startsWith('\\.', at)) {
    const lineEnd = text.indexOf('\n', at);
    const end = lineEnd === -1 ? text.length : lineEnd;
    const values = text.slice(at, end).split('\t');
    const value = values[column];
    if (values.length < 2 || value === undefined) break;
    const start = at + values.slice(0, column).join('\t').length + (column > 0 ? 1 : 0);
    cells.push({ start, end: start + value.trimEnd().length });
    at = end + 1;
  }
  return { cells, end: Math.min(at, text.length) };
}

function readRow(text: string, begin: number, column: number): { cell: Span | undefined; end: number } | undefined {
  let cell: Span | undefined;
  for (let at = begin, index = 0; ; index++) {
    value.lastIndex = at;
    const match = value.exec(text);
    if (match === null) return undefined;
    const [whole, single, double, sign] = match;
    at += whole.length;
    const inQuotes = single ?? double;
    if (index === column && inQuotes !== undefined) {
      const start = match.index + whole.search(/['"]/) + 1;
      cell = { start, end: start + inQuotes.length };
    }
    if (sign === ')') return { cell, end: at };
  }
}

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
