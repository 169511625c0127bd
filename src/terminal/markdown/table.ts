import { columnsOf, columnsOfAll } from '../../text/width.ts';
import type { Table } from './blocks.ts';
import { flow, paint } from './flow.ts';
import { parseInline, type InlineSpan } from './inline.ts';
import type { Style } from '../style.ts';

type Cells = readonly (readonly InlineSpan[])[];

const separator = ' | ';

/**
 * The rows aligned, the first one as the header. Where they take more columns than there are, the widest cells are
 * folded between words; where a single word would not fit, it is a list of each row instead.
 */
export function tableLines({ rows, isRight }: Table, style: Style, columns: number): string[] {
  const [header, ...body] = rows.map((row) =>
    row.map((cell) => parseInline(cell.replaceAll('\\|', '|'), style.on ? '' : '`')),
  );
  const head = header!.map((cell) => cell.map((span) => ({ ...span, bold: true })));
  const widths = fitWidths([head, ...body], columns);
  if (widths === undefined) return listLines(head, body, style, columns);
  const line = (row: Cells): string[] => {
    const cells = widths.map((width, index) => flow(row[index] ?? [], width));
    const height = Math.max(1, ...cells.map((parts) => parts.length));
    return Array.from({ length: height }, (_, at) =>
      cells.map((parts, index) => pad(parts[at] ?? [], widths[index]!, isRight[index] === true, style)).join(separator),
    ).map((text) => text.trimEnd());
  };
  const dashes = style.dim(widths.map((width) => '-'.repeat(width)).join('-|-'));
  return [...line(head), dashes, ...body.flatMap(line)];
}

/** The width of each column in at most `columns` in all; undefined where a word would have to be broken for that. */
function fitWidths(rows: readonly Cells[], columns: number): number[] | undefined {
  const widths: number[] = [];
  const least: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) {
      widths[index] = Math.max(widths[index] ?? 0, cellColumns(cell));
      least[index] = Math.max(least[index] ?? 0, longestWord(cell));
    }
  }
  let room = columns - separator.length * (widths.length - 1);
  const narrowFirst = widths.map((_, index) => index).sort((one, other) => widths[one]! - widths[other]!);
  let kept = least.reduce((sum, each) => sum + each, 0);
  for (const [at, index] of narrowFirst.entries()) {
    kept -= least[index]!;
    const share = Math.max(least[index]!, Math.min(Math.floor(room / (narrowFirst.length - at)), room - kept));
    widths[index] = Math.min(widths[index]!, share);
    room -= widths[index];
  }
  return room < 0 ? undefined : widths;
}

/** Columns of what is never broken: a word, or a whole span of code or address. */
function longestWord(cell: readonly InlineSpan[]): number {
  const text = cell.map((span) => (span.kind === 'plain' ? span.text : span.text.replaceAll(' ', '\u00a0'))).join('');
  return columnsOfAll(text.split(' '));
}

function pad(cell: readonly InlineSpan[], width: number, isRight: boolean, style: Style): string {
  const blank = ' '.repeat(Math.max(0, width - cellColumns(cell)));
  return isRight ? blank + paint(cell, style) : paint(cell, style) + blank;
}

/** Each cell under its heading, a blank line between rows. */
function listLines(head: Cells, body: readonly Cells[], style: Style, columns: number): string[] {
  const colon: InlineSpan = { kind: 'plain', text: ': ', bold: false, italic: false };
  const entry = (cell: readonly InlineSpan[], index: number): string[] => {
    const name = head[index] ?? [];
    return flow([...name, ...(name.length === 0 ? [] : [colon]), ...cell], columns).map((row) => paint(row, style));
  };
  if (body.length === 0) return head.map((cell) => paint(cell, style));
  return body.flatMap((row, at) => [...(at === 0 ? [] : ['']), ...row.flatMap(entry)]);
}

function cellColumns(cell: readonly InlineSpan[]): number {
  return columnsOf(cell.map((span) => span.text).join(''));
}
