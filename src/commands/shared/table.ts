import { spokenRows } from '../../reports/plain-table.ts';
import { type PrintOptions, printLines } from '../../terminal/output.ts';
import type { Style } from '../../terminal/style.ts';
import { defuseLine } from '../../text/defuse.ts';
import { columnsOfAll, fold } from '../../text/width.ts';
import { layOutRow, placeColumns } from './row-layout.ts';
import { isAccessible, type Run, styleOf } from './run.ts';

export interface Column {
  /** Stands above the column on a terminal, where the first column has one. */
  readonly name?: string;
  readonly paint?: (style: Style, cell: string, row: readonly string[]) => string;
  /** Columns with a lower number go first where a terminal is narrow; without one a column always stays. */
  readonly dispensable?: number;
}

type TableRow = readonly string[];

const gap = '  ';
const cellCharactersMax = 2000;

/** Columns of `name value` rows, and where a third one says where the value comes from. */
export const factColumns: readonly Column[] = [{ paint: dim }, {}, { paint: dim }];

/** The same for settings, each with its origin. */
export const settingColumns: readonly Column[] = [
  { name: 'setting', paint: dim },
  { name: 'value' },
  { name: 'from', paint: dim },
];

export function bold(style: Style, cell: string): string {
  return style.bold(cell);
}

export function dim(style: Style, cell: string): string {
  return style.dim(cell);
}

/** A decision as everywhere on a terminal: a block yellow and bold, a failure red. */
export function outcome(style: Style, cell: string): string {
  if (/^block(?:ed)?$/.test(cell.trim())) return style.bold(style.yellow(cell));
  return /^(?:failed|fault)$/.test(cell.trim()) ? style.red(cell) : cell;
}

/**
 * Rows of cells in columns, on stdout; nothing in a cell can move the cursor. A terminal gets a header where the
 * columns have names; read aloud, each row is a sentence with them. There dispensable columns go before a cell breaks,
 * and are named below; where the rest is still too wide, cells are folded inside their columns, and then columns go on
 * below the others.
 */
export async function printTable(
  run: Pick<Run, 'world' | 'flags'>,
  columns: readonly Column[],
  rows: readonly TableRow[],
  options?: PrintOptions,
): Promise<void> {
  const { stdout } = run.world;
  const style = await styleOf(run, stdout);
  const width = stdout.isTerminal ? stdout.columns : Infinity;
  const cells = rows.map((row) => row.map((cell) => defuseLine(cell, cellCharactersMax)));
  const head = stdout.isTerminal && columns[0]?.name !== undefined && rows.length > 0;
  if (head && isAccessible(run)) {
    const names = columns.map(({ name = '' }) => name);
    return printLines(spokenLines(names, cells, width).join('\n'), run.world, options);
  }
  const all = head ? [columns.map(({ name = '' }) => name), ...cells] : cells;
  const shown = columnsFor(all, columns, width).filter((at) => widthOf(cells, at) > 0);
  const places = placeColumns(
    all.map((row) => shown.map((column) => row[column] ?? '')),
    width,
  );
  const lines = all.map((row, at) => {
    const paint = (cell: string, column: number): string =>
      head && at === 0 ? style.dim(cell) : (columns[column]?.paint?.(style, cell, row) ?? cell);
    const painted = shown.map((column) => ({
      text: row[column] ?? '',
      paint: (text: string) => paint(text, column),
    }));
    return `${layOutRow(painted, places, width)}\n`;
  });
  const left = columns.flatMap(({ name }, at) => (shown.includes(at) || widthOf(cells, at) === 0 ? [] : (name ?? [])));
  const note = head && left.length > 0 ? [`${style.dim(fold(noRoomWords(left), width, gap))}\n`] : [];
  await printLines([...lines, ...note].join(''), run.world, options);
}

/** Rows as sentences that fit a terminal, each after the cell that names it and the mark before that. */
export function spokenLines(names: readonly string[], rows: readonly TableRow[], width: number): readonly string[] {
  // Behind its head, as in `user none`.
  const isNone = (cell: string, at: number): boolean => cell === '-' || cell === `no ${names[at]}`;
  const told = rows.map((row) => row.map((cell, at) => (isNone(cell, at) ? 'none' : cell)));
  return spokenRows(names, told, names[0] === '' ? 2 : 1).map((row) => fold(row, width, gap));
}

/**
 * A list in columns on a terminal; in a pipe a line each with tabs between all its cells, for programs that read it.
 */
export async function printList(
  run: Pick<Run, 'world' | 'flags'>,
  columns: readonly Column[],
  rows: readonly TableRow[],
): Promise<void> {
  if (run.world.stdout.isTerminal) return printTable(run, columns, rows);
  await printLines(rows.map((row) => `${tabbed(row)}\n`).join(''), run.world);
}

/** Nothing in a cell is a tab or ends the line, and none is cut. */
export function tabbed(cells: readonly string[]): string {
  return cells.map((cell) => defuseLine(cell, Infinity)).join('\t');
}

/** Names the columns for which a terminal has no room. */
export function noRoomWords(names: readonly string[]): string {
  return `left out at this width: ${names.join(', ')}; a wider window, a pipe and --json have all`;
}

/** The width of the widest cell. */
function widthOf(rows: readonly TableRow[], at: number): number {
  return columnsOfAll(rows.map((row) => row[at] ?? ''));
}

/** The width of a table of these columns. */
function neededBy(shown: readonly number[], rows: readonly TableRow[]): number {
  return shown.reduce((sum, at) => sum + widthOf(rows, at) + gap.length, -gap.length);
}

/** The columns for which there is room, by their index. */
function columnsFor(rows: readonly TableRow[], columns: readonly Column[], width: number): readonly number[] {
  let shown = columns.map((_, at) => at);
  const order = shown.filter((at) => columns[at]?.dispensable !== undefined);
  order.sort((one, other) => columns[one]!.dispensable! - columns[other]!.dispensable!);
  for (const column of order) if (neededBy(shown, rows) > width) shown = shown.filter((at) => at !== column);
  return shown;
}
