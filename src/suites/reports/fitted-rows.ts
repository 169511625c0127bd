import { columnsOfAll, fold } from '../../text/width.ts';
import type { ReportOptions } from './report.ts';

export const usualIndent = '      ';

/** The rows of a line that is broken between words where the terminal is narrower; not painted yet. */
export function fitted(line: string, { columns }: ReportOptions, indent = usualIndent): readonly string[] {
  if (columns === undefined) return [line];
  return fold(line, columns, isDeep(line, columns, indent) ? '  ' : indent).split('\n');
}

/** True where an indent leaves too little room for the words of a line. */
function isDeep(line: string, columns: number, indent: string): boolean {
  const longest = columnsOfAll(line.slice(indent.length).match(/\S+/g) ?? []);
  return indent.length + Math.max(24, longest) > columns;
}

/** Like `fitted`, for a row of a table whose last column begins at `start`: what is broken goes on below that. */
export function fittedRow(line: string, options: ReportOptions, start: number): readonly string[] {
  const indent = ' '.repeat(start);
  return fitted(line, options, isDeep(line, options.columns ?? Infinity, indent) ? usualIndent : indent);
}

/** The column at which the last cells of a table begin. */
export function lastStart(rows: readonly (readonly string[])[]): number {
  const count = (rows[0]?.length ?? 1) - 1;
  const widths = Array.from({ length: count }, (_, at) => columnsOfAll(rows.map((row) => row[at]!)));
  return widths.reduce((sum, width) => sum + width + 2, 0);
}
