import type { CellsBelow } from './table-cells.ts';
import type { Span } from '../view.ts';

/** So far before the end of a head its row begins, and so far before that the row or the table before it. */
const rowCharactersMax = 2_000;
const style = '(?:b|strong|span|em|i|p|a|label|code|div|font|tt|kbd|pre|samp)';
/** Marks that end a cell, right behind the text of a head. */
export const cellEnd = `\\s{0,20}(?:</${style}>\\s{0,20}){0,3}</t[hd]>`;
const marks = /<(\/?)(t[hdr]|table)\b[^<>]{0,500}>/gi;
const beforeText = new RegExp(`(?:\\s{1,40}|<${style}\\b[^<>]{0,300}>){0,8}`, 'iy');
const cellText = /[^<\s]{0,500}(?:\s{1,4}[^<\s]{1,500})?/y;

/** The cells of a table of HTML below the head that ends at a place; undefined where it is in no first row of one. */
export function markedCells(text: string, at: number): CellsBelow | undefined {
  const start = startOfFirstRow(text, at);
  if (start === undefined) return undefined;
  const cells: Span[] = [];
  let rows = 0;
  let index = -1;
  let column = -1;
  let headEnd = text.length;
  const table = (end: number) => ({ head: { start, end: Math.min(headEnd, end) }, cells, end });
  marks.lastIndex = start;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    const [, closing, name = ''] = mark;
    if (/table/i.test(name)) return table(mark.index);
    if (closing !== '') continue;
    if (/tr/i.test(name)) {
      if (++rows === 2) headEnd = mark.index;
      index = -1;
      continue;
    }
    index++;
    if (rows === 1 && mark.index < at) column = index;
    else if (rows > 1 && index === column) cells.push(textBehind(text, marks.lastIndex));
  }
  return table(text.length);
}

/** Undefined where there is no row, or one before it in the same table. */
function startOfFirstRow(text: string, at: number): number | undefined {
  const before = text.slice(Math.max(0, at - rowCharactersMax), at).toLowerCase();
  const row = before.lastIndexOf('<tr');
  if (row === -1) return undefined;
  const start = at - before.length + row;
  const beforeRow = text.slice(Math.max(0, start - rowCharactersMax), start).toLowerCase();
  return beforeRow.lastIndexOf('<tr') > beforeRow.lastIndexOf('<table') ? undefined : start;
}

function textBehind(text: string, at: number): Span {
  beforeText.lastIndex = at;
  beforeText.test(text);
  const start = beforeText.lastIndex;
  cellText.lastIndex = start;
  cellText.test(text);
  return { start, end: cellText.lastIndex };
}
