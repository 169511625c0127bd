import { columnsOf } from '../text/width.ts';
import { paint } from './markdown-flow.ts';
import { parseInline, type Span } from './markdown-inline.ts';
import type { Style } from './style.ts';

const separator = ' | ';

/** The rows aligned, the first one as the header; undefined if that takes more columns than there are. */
export function tableLines(rows: readonly (readonly string[])[], style: Style, columns: number): string[] | undefined {
  const cells = rows.map((row) => row.map((cell) => parseInline(cell.replaceAll('\\|', '|'), style.on ? '' : '`')));
  const widths: number[] = [];
  for (const row of cells) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cellColumns(cell));
  }
  const total = widths.reduce((sum, width) => sum + width, separator.length * (widths.length - 1));
  if (total > columns) return undefined;
  const [header, ...body] = cells.map((row, rowIndex) => {
    const texts = widths.map((width, index) => alignCell(row[index] ?? [], width, rowIndex === 0, style));
    return texts.join(separator).trimEnd();
  });
  return [header!, style.dim(widths.map((width) => '-'.repeat(width)).join('-|-')), ...body];
}

function alignCell(cell: readonly Span[], width: number, isHeader: boolean, style: Style): string {
  const painted = paint(isHeader ? cell.map((span) => ({ ...span, bold: true })) : cell, style);
  return painted + ' '.repeat(width - cellColumns(cell));
}

function cellColumns(cell: readonly Span[]): number {
  return columnsOf(cell.map((span) => span.text).join(''));
}
