import { type PrintOptions, printLines } from '../../terminal/output.ts';
import { defuseLine } from '../../text/defuse.ts';
import { columnsOf, fold } from '../../text/width.ts';
import type { World } from '../../world/world.ts';

const gap = '  ';

/**
 * Rows of cells in columns, on stdout; nothing in a cell can move the cursor. On a terminal a row that is too long goes
 * on below its last cell, or near the margin where that leaves too little room.
 */
export async function printRows(
  rows: readonly (readonly string[])[],
  world: Pick<World, 'stdout' | 'redactor'>,
  options?: PrintOptions,
): Promise<void> {
  const { stdout } = world;
  const cells = rows.map((row) => row.map((cell) => defuseLine(cell, 2000)));
  const columns = Math.max(0, ...cells.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, at) => Math.max(...cells.map((row) => columnsOf(row[at] ?? ''))));
  const padded = (row: readonly string[]) =>
    row.map((cell, at) => cell + ' '.repeat(widths[at]! - columnsOf(cell)) + gap).join('');
  const line = (row: readonly string[]) => {
    const whole = padded(row).trimEnd();
    if (!stdout.isTerminal) return whole;
    const indent = columnsOf(padded(row.slice(0, -1)));
    return fold(whole, stdout.columns, indent > stdout.columns / 2 ? gap : ' '.repeat(indent));
  };
  await printLines(cells.map((row) => `${line(row)}\n`).join(''), world, options);
}
