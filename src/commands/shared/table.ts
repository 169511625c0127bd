import { type PrintOptions, printLines } from '../../terminal/output.ts';
import type { Style } from '../../terminal/style.ts';
import { defuseLine } from '../../text/defuse.ts';
import { columnsOf, fold, foldedWords } from '../../text/width.ts';
import { type Run, styleOf } from './run.ts';

export interface Column {
  /** Stands above the column on a terminal, where the first column has one. */
  readonly name?: string;
  readonly paint?: (style: Style, cell: string, row: readonly string[]) => string;
  /** Columns with a lower number go first where a terminal is narrow; without one a column always stays. */
  readonly dispensable?: number;
}

type Row = readonly string[];

const gap = '  ';
const cellCharactersMax = 2000;

/** Columns of `name value` rows, and where a third one says where the value comes from. */
export const factColumns: readonly Column[] = [{ paint: dim }, {}, { paint: dim }];

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
 * columns have names. There columns go before a cell breaks, and are named below; a row that is still too long goes on
 * below its last cell.
 */
export async function printTable(
  run: Pick<Run, 'world' | 'flags'>,
  columns: readonly Column[],
  rows: readonly Row[],
  options?: PrintOptions,
): Promise<void> {
  const { stdout } = run.world;
  const style = await styleOf(run, stdout);
  const width = stdout.isTerminal ? stdout.columns : Infinity;
  const cells = rows.map((row) => row.map((cell) => defuseLine(cell, cellCharactersMax)));
  const head = stdout.isTerminal && columns[0]?.name !== undefined && rows.length > 0;
  const all = head ? [columns.map(({ name = '' }) => name), ...cells] : cells;
  const shown = columnsFor(all, columns, width).filter((at) => widthOf(cells, at) > 0);
  const isFit = neededBy(shown, all) <= width;
  const widths = columns.map((_, at) => widthOf(all, at, isFit ? Infinity : width / 2));
  const lines = all.map((row, at) => {
    const paint = (cell: string, column: number): string =>
      head && at === 0 ? style.dim(cell) : (columns[column]?.paint?.(style, cell, row) ?? cell);
    return `${layOutRow(
      shown
        .filter((column) => column < row.length)
        .map((column) => ({
          text: row[column] ?? '',
          width: widths[column]!,
          paint: (text: string) => paint(text, column),
        })),
      width,
    )}\n`;
  });
  const left = columns.flatMap(({ name }, at) => (shown.includes(at) || widthOf(cells, at) === 0 ? [] : (name ?? [])));
  const note = head && left.length > 0 ? [`${style.dim(fold(noRoomWords(left), width, gap))}\n`] : [];
  await printLines([...lines, ...note].join(''), run.world, options);
}

/** Names the columns for which a terminal has no room. */
export function noRoomWords(names: readonly string[]): string {
  return `no room for ${names.join(', ')}: a pipe and --json have all`;
}

/** The width of the widest cell; a cell beyond `most` counts for nothing, and its row goes on below it. */
function widthOf(rows: readonly Row[], at: number, most = Infinity): number {
  return Math.max(0, ...rows.map((row) => columnsOf(row[at] ?? '')).filter((width) => width <= most));
}

/** The width of a table of these columns. */
function neededBy(shown: readonly number[], rows: readonly Row[]): number {
  return shown.reduce((sum, at) => sum + widthOf(rows, at) + gap.length, -gap.length);
}

/** The columns for which there is room, by their index. */
function columnsFor(rows: readonly Row[], columns: readonly Column[], width: number): readonly number[] {
  let shown = columns.map((_, at) => at);
  const order = shown.filter((at) => columns[at]?.dispensable !== undefined);
  order.sort((one, other) => columns[one]!.dispensable! - columns[other]!.dispensable!);
  for (const column of order) if (neededBy(shown, rows) > width) shown = shown.filter((at) => at !== column);
  return shown;
}

interface Cell {
  readonly text: string;
  /** Columns that it takes with the blanks behind it. */
  readonly width: number;
  readonly paint: (text: string) => string;
}

/** A row in one line where it fits: with all its blanks, or else with those of its first cell alone. */
export function layOutRow(cells: readonly Cell[], width: number): string {
  const last = cells.at(-1);
  if (last === undefined) return '';
  const wide = cells.slice(0, -1).map((cell) => cell.width);
  const narrow = cells.slice(0, -1).map(({ text }, at) => (at === 0 ? wide[0]! : columnsOf(text)));
  const before = (widths: readonly number[]): number =>
    widths.reduce((sum, each, at) => sum + Math.max(each, columnsOf(cells[at]!.text)) + gap.length, 0);
  const isFit = (widths: readonly number[]): boolean => before(widths) + columnsOf(last.text) <= width;
  const widths = !isFit(wide) && isFit(narrow) ? narrow : wide;
  const { start, indent, isBroken } = startOf(cells.slice(0, -1), widths, width);
  const longest = Math.max(...foldedWords(last.text).map((word) => columnsOf(word.trimStart())));
  // A word such as an address or a command, which a terminal breaks anywhere, gets all the room that there is.
  const isNarrow = indent > width / 2 || (longest > width - indent && longest > width / 2);
  const margin = isBroken || isNarrow ? gap : ' '.repeat(indent);
  const [first = '', ...below] = fold(last.text, width, margin, indent).split('\n');
  const rows = below.map((row) => `\n${margin}${last.paint(row.slice(margin.length))}`);
  return `${start}${last.paint(first)}`.trimEnd() + rows.join('');
}

/** The cells before the last one; where they are too many for a line it breaks between two of them. */
function startOf(cells: readonly Cell[], widths: readonly number[], width: number) {
  let [start, indent, isBroken] = ['', 0, false];
  cells.forEach((cell, at) => {
    if (indent > 0 && indent + columnsOf(cell.text) > width) {
      [start, indent, isBroken] = [`${start.trimEnd()}\n${gap}`, gap.length, true];
    }
    start += padded(cell, widths[at]!) + gap;
    indent += Math.max(widths[at]!, columnsOf(cell.text)) + gap.length;
  });
  return { start, indent, isBroken };
}

/** Trailing blanks stay outside of the colour. */
function padded({ text, paint }: Cell, width: number): string {
  return paint(text) + ' '.repeat(Math.max(0, width - columnsOf(text)));
}
