import { MotifError } from '../errors.ts';
import { counted, formatSize } from '../text/sizes.ts';
import type { Files } from '../world/world.ts';
import type { Ledger } from './ledger/ledger.ts';

/** Bytes that the end of a job puts behind each line, at most. */
const jobBytesMax = 120;
/** Bytes of a line with a short answer, without the other fields of its row. */
const lineBytesMin = 250;

/** Rows that are still to be asked, and the length of their other fields. */
interface RowsLeft {
  readonly rows: number;
  readonly foreignCharacters: number;
}

/** The rows in a file that a run goes on with; `ended` of its lines need no more at the end of the job. */
interface StoredRows {
  readonly size: number;
  readonly rows: number;
  readonly ended: number;
}

function storedRows(ledger: Ledger | undefined): StoredRows {
  if (ledger === undefined || ledger.isCleared) return { size: 0, rows: 0, ended: 0 };
  const { rows, job } = ledger.content;
  return { size: ledger.file.size, rows, ended: job === '' ? 0 : rows };
}

/** The bytes that the ordering of so many lines needs beside them for a moment. */
function orderingBytes(size: number, lines: number, ended: number): number {
  return size + Math.max(0, lines - ended) * jobBytesMax;
}

/**
 * The free disk space, in bytes, that a run needs until so many more rows are asked and all are in order: an estimate,
 * by the lines that are there, or by the least that a line can be.
 */
export function neededBytes(ledger: Ledger | undefined, left: RowsLeft): number {
  const { size, rows, ended } = storedRows(ledger);
  const least = left.rows * lineBytesMin + left.foreignCharacters;
  const growth = Math.ceil(Math.max(least, rows === 0 ? 0 : (left.rows * size) / rows));
  // Rows that are given up are copied beside the output before the first new one takes their place.
  const copied = ledger?.isCleared === true ? ledger.content.end : 0;
  return Math.max(copied, growth + orderingBytes(size + growth, rows + left.rows, ended));
}

/** Refuses to begin where the disk surely cannot take the rows and their ordering, so that nothing is paid in vain. */
export async function needRoomToOrder(ledger: Ledger | undefined, left: RowsLeft, files: Files): Promise<void> {
  if (ledger === undefined) return;
  const needed = neededBytes(ledger, left);
  const free = await freeBytes(ledger, files);
  if (free === undefined || free >= needed) return;
  const what =
    left.rows === 0 ? 'to put its rows in order' : `to ask ${counted(left.rows, 'row')} and put all in order`;
  const message = `${ledger.path}: ${what} needs about ${formatSize(needed)} of free disk space`;
  throw new MotifError('io', `${message}, and only ${formatSize(free)} are free; nothing was asked`, {
    hint: 'make room, name a file on another disk with -o, or take fewer rows: --limit, --shard',
  });
}

/** Refuses the ordering where the disk has no room for a second file beside it. */
export async function needRoomAtEnd(ledger: Ledger, files: Files): Promise<void> {
  const needed = orderingBytes(ledger.file.size, ledger.table.count, storedRows(ledger).ended);
  const free = await freeBytes(ledger, files);
  if (free === undefined || free >= needed) return;
  const message = `${ledger.path}: all rows are there, but to put them in order needs ${formatSize(needed)} of free disk space`;
  throw new MotifError('io', `${message}, and only ${formatSize(free)} are free`, {
    hint: `make room and run the same command again${ledger.isCleared ? ' without --fresh' : ''}: it asks nothing and puts the rows in order`,
  });
}

async function freeBytes({ path }: Ledger, files: Files): Promise<number | undefined> {
  const slash = path.lastIndexOf('/');
  return files.freeBytes(slash < 0 ? '.' : path.slice(0, slash) || '/');
}
