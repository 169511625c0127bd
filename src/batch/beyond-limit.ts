import { MotifError } from '../errors.ts';
import { readRowGroups } from '../rows/rows.ts';
import type { BatchInput } from './contract.ts';
import type { KeyTable } from './ledger/key-table.ts';
import type { Ledger } from './ledger/ledger.ts';
import { RowOrder, type RowsBeyond } from './ordering.ts';
import { digestOfContent, digestOfOccurrence } from './plan.ts';
import type { PlannedRow } from './row.ts';

/** Rows behind a limit that are counted. */
const countedMax = 1_000_000;

/** The number of rows of an input behind its limit; undefined where that is not known, as of a pipe. */
export async function countBeyondLimit(
  { source, format, limit, isRereadable }: BatchInput,
  stop: AbortSignal,
): Promise<number | undefined> {
  if (limit === undefined) return 0;
  if (!isRereadable) return undefined;
  const end = limit + countedMax;
  let count = 0;
  try {
    for await (const group of readRowGroups(source, { ...(format !== undefined && { format }), limit: end })) {
      for (const { index } of group) count = index + 1;
      if (stop.aborted) return undefined;
    }
  } catch (error) {
    // A row that nobody asked for may be at fault.
    if (error instanceof MotifError) return undefined;
    throw error;
  }
  return count === end ? undefined : Math.max(0, count - limit);
}

/**
 * Reads an input once more for the rows behind its limit, so that their lines keep an index only where they stand there
 * now. It follows a pass over the rows before the limit, and goes on with the occurrences that this one has counted.
 */
export async function readBeyondLimit(
  { source, format, plan, isRereadable }: BatchInput,
  limit: number | undefined,
  { ledger: { space, table }, stop }: { readonly ledger: Ledger; readonly stop: AbortSignal },
): Promise<RowsBeyond | undefined> {
  if (limit === undefined || !isRereadable) return undefined;
  const order = new RowOrder(space);
  try {
    for await (const group of readRowGroups(source, format === undefined ? {} : { format })) {
      if (stop.aborted) return { order, start: limit, isWhole: false };
      for (const row of group) if (row.index >= limit) order.add('', findEntry(table, plan(row)));
    }
    return { order, start: limit, isWhole: true };
  } catch (error) {
    // A row that nobody asked for may be at fault: those behind it stay unknown.
    if (error instanceof MotifError) return { order, start: limit, isWhole: false };
    throw error;
  }
}

/** The entry of a row that the table has; undefined for another. */
function findEntry(table: KeyTable, row: PlannedRow): number | undefined {
  const base = digestOfContent(row);
  const first = table.find(base);
  if (first === undefined) return undefined;
  const digest = digestOfOccurrence(base, table.countOccurrence(first));
  return digest === base ? first : table.find(digest);
}
