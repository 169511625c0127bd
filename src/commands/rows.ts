import { defuseLine } from '../text/defuse.ts';
import { columnsOf } from '../text/width.ts';
import type { World } from '../world/world.ts';

/** Rows of cells in columns, on stdout; nothing in a cell can move the cursor. */
export async function printRows(rows: readonly (readonly string[])[], world: Pick<World, 'stdout'>): Promise<void> {
  const cells = rows.map((row) => row.map((cell) => defuseLine(cell, 2000)));
  const widths = cells.reduce<number[]>(
    (wide, row) => row.map((cell, at) => Math.max(wide[at] ?? 0, columnsOf(cell))),
    [],
  );
  const line = (row: string[]) =>
    row.map((cell, at) => cell + ' '.repeat((widths[at] ?? 0) - columnsOf(cell))).join('  ');
  await world.stdout.write(cells.map((row) => `${line(row).trimEnd()}\n`).join(''));
}
