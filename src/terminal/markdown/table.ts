import { columnsOf } from '../../text/width.ts';
import type { Table } from './blocks.ts';
import { flow, paint } from './flow.ts';
import { parseInline, type Span } from './inline.ts';
import type { Style } from '../style.ts';

type Cells = readonly (readonly Span[])[];

const separator = ' | ';

/** The rows aligned, the first one as the header; where that takes more columns than there are, a list of each row. */
export function tableLines({ rows, isRight }: Table, style: Style, columns: number): string[] {
  const [header, ...body] = rows.map((row) =>
    row.map((cell) => parseInline(cell.replaceAll('\\|', '|'), style.on ? '' : '`')),
  );
  const head = header!.map((cell) => cell.map((span) => ({ ...span, bold: true })));
  const widths: number[] = [];
  for (const row of [head, ...body]) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cellColumns(cell));
  }
  const total = widths.reduce((sum, width) => sum + width, separator.length * (widths.length - 1));
  if (total > columns) return listLines(head, body, style, columns);
  const line = (row: Cells): string =>
    widths
      .map((width, index) => {
        const cell = row[index] ?? [];
        const blank = ' '.repeat(width - cellColumns(cell));
        return isRight[index] ? blank + paint(cell, style) : paint(cell, style) + blank;
      })
      .join(separator)
      .trimEnd();
  return [line(head), style.dim(widths.map((width) => '-'.repeat(width)).join('-|-')), ...body.map(line)];
}

/** Each cell under its heading, a blank line between rows. */
function listLines(head: Cells, body: readonly Cells[], style: Style, columns: number): string[] {
  const colon: Span = { kind: 'plain', text: ': ', bold: false, italic: false };
  const entry = (cell: readonly Span[], index: number): string[] => {
    const name = head[index] ?? [];
    return flow([...name, ...(name.length === 0 ? [] : [colon]), ...cell], columns).map((row) => paint(row, style));
  };
  if (body.length === 0) return head.map((cell) => paint(cell, style));
  return body.flatMap((row, at) => [...(at === 0 ? [] : ['']), ...row.flatMap(entry)]);
}

function cellColumns(cell: readonly Span[]): number {
  return columnsOf(cell.map((span) => span.text).join(''));
}
