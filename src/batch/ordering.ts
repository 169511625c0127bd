import { hash } from 'node:crypto';
import type { Shard } from '../runs/shards.ts';
import type { Files } from '../world/world.ts';
import type { LeftOver } from './contract.ts';
import type { Ledger } from './ledger/ledger.ts';
import { orderedPath, toIoError } from './ledger/ledger-file.ts';
import { firstTail, reviseLine } from './output-line.ts';
import { PagedNumbers } from './ledger/paged-numbers.ts';
import { needRoomAtEnd } from './room.ts';
import type { ScratchSpace } from './ledger/scratch.ts';
import { StoredLines } from './ledger/stored-lines.ts';
import { toMoment } from '../text/durations.ts';

const pieceBytes = 128 * 1024;
/** Keys and fields that are digested at once, in characters. */
const digestedCharacters = 16 * 1024;
/** 256 KiB: rows are taken in turn. */
const orderFrames = 64;
/** Text of a finished part of a job without rows: an empty one may be that of a run which was killed at once. */
const noRowsText = '\n';

/** The job that a finished file belongs to: its rows prove to `batch merge` that nothing is missing. */
export interface JobFacts {
  /** Of the request and all rows of the input in their order, with the fields that pass through. */
  readonly id: string;
  /** Number of rows of the whole input, all shards together. */
  readonly rows: number;
  readonly shard?: Shard | undefined;
  /** The place of a table's column `id` among the others, from 0; undefined where it is the first. */
  readonly idColumn?: number | undefined;
  /** The limit behind which the input has, or may have, more rows: such a file is no whole. */
  readonly limit?: number | undefined;
}

/** The rows of this file, and the mark of the whole job, as they are found in a pass over the input. */
export class RowOrder {
  readonly #entries: PagedNumbers;
  /** Of a shard alone: elsewhere a row's place is its index. */
  readonly #indexes: PagedNumbers;
  /** The places before which no row belongs to another shard. */
  #unshifted = 0;
  /** The rows of this file, or of the output where that is none: then nothing else of them is noted. */
  count = 0;
  idColumn: JobFacts['idColumn'];
  #rows = 0;
  #digest = '';
  #pending = '';

  constructor(space: Pick<ScratchSpace, 'open'>) {
    this.#entries = new PagedNumbers(space, orderFrames);
    this.#indexes = new PagedNumbers(space, orderFrames);
  }

  /** The rows of the whole input so far. */
  get rows(): number {
    return this.#rows;
  }

  /** Forgets all rows, for another pass. */
  restart(): void {
    this.#unshifted = 0;
    this.count = 0;
    this.#rows = 0;
    this.#digest = '';
    this.#pending = '';
  }

  /** Takes note of the next row of the input; `entry` is absent where it belongs to another shard. */
  add(content: string, entry?: number): void {
    this.#pending += content;
    if (this.#pending.length > digestedCharacters) this.#digestPending();
    if (entry !== undefined) {
      this.#entries.set(this.count, entry);
      if (this.count === this.#rows) this.#unshifted += 1;
      else this.#indexes.set(this.count, this.#rows);
      this.count += 1;
    }
    this.#rows += 1;
  }

  entryAt(place: number): number {
    return this.#entries.get(place);
  }

  indexAt(place: number): number {
    return place < this.#unshifted ? place : this.#indexes.get(place);
  }

  /** The job of all rows so far. */
  jobFacts(): JobFacts {
    const id = hash('sha256', this.#digest + this.#pending, 'hex').slice(0, 12);
    return { id, rows: this.#rows, idColumn: this.idColumn };
  }

  #digestPending(): void {
    this.#digest = hash('sha256', this.#digest + this.#pending, 'hex');
    this.#pending = '';
  }
}

/** The rows behind a limit that a file has from an earlier run, in the order of the input. */
export interface RowsBeyond {
  readonly order: RowOrder;
  /** Index of the first row behind the limit. */
  readonly start: number;
  /** The input was read to its end. */
  readonly isWhole: boolean;
}

/** When a file was finished that holds exactly this job, in order; undefined where something is left to do. */
export function finishedAt(ledger: Ledger, order: RowOrder, facts: JobFacts): string | undefined {
  const { job, damaged } = ledger.content;
  if (!job.startsWith(jobText(facts, '').slice(0, -2)) || damaged > 0 || ledger.isChanged) return undefined;
  for (let place = 0; place < order.count; place++) if (order.entryAt(place) !== place) return undefined;
  return /"at":"([^"]+)"/.exec(job)?.[1];
}

/**
 * Puts a file whose rows are all there into the order of the input, beside it and then in its place. Rows that the
 * input no longer has follow at the end, with no index: somebody has paid for them. So do those behind a limit, with
 * the index at which they stand, where that is known.
 */
export async function orderFile(
  ledger: Ledger,
  order: RowOrder,
  facts: JobFacts,
  { files, now, beyond }: { readonly files: Files; readonly now: number; readonly beyond?: RowsBeyond | undefined },
): Promise<Omit<LeftOver, 'isSure'>> {
  const { path } = ledger;
  const { shard } = facts;
  await needRoomAtEnd(ledger, files);
  const beside = orderedPath(path);
  try {
    const job = jobText(facts, toMoment(now));
    const leftOver = await writeOrdered(beside, ledger, order, { files, job, shard, beyond });
    await ledger.file.replaceByOrdered();
    return leftOver;
  } catch (error) {
    await files.remove(beside).catch(() => undefined);
    throw toIoError(path, error);
  }
}

interface OrderedParts {
  readonly files: Files;
  readonly job: string;
  readonly shard: Shard | undefined;
  readonly beyond: RowsBeyond | undefined;
}

async function writeOrdered(
  beside: string,
  { file, table, parts }: Ledger,
  order: RowOrder,
  { files, job, shard, beyond }: OrderedParts,
): Promise<Omit<LeftOver, 'isSure'>> {
  const target = await files.openGrowing(beside);
  try {
    target.cut(0);
    const lines = new StoredLines(file);
    let piece = '';
    let tail = firstTail(job, parts);
    const add = (entry: number, index: number | null): boolean => {
      if (table.lineOf(entry).length === 0 || !table.placeInOrder(entry)) return false;
      // Of a row that failed and is gone there is nothing that anybody has paid for.
      if (index === null && table.stateOf(entry) === 'failed') return false;
      piece += `${reviseLine(lines.at(table.lineOf(entry)), { index, job: tail })}\n`;
      tail = job;
      if (piece.length >= pieceBytes) {
        target.write(piece);
        piece = '';
      }
      return true;
    };
    for (let place = 0; place < order.count; place++) add(order.entryAt(place), order.indexAt(place));
    const leftOver = { gone: 0, beyondLimit: 0 };
    for (let place = 0; beyond !== undefined && place < beyond.order.count; place++) {
      if (add(beyond.order.entryAt(place), beyond.start + beyond.order.indexAt(place))) leftOver.beyondLimit += 1;
    }
    for (let entry = 0; entry < table.count; entry++) if (add(entry, null)) leftOver.gone += 1;
    const isEmpty = order.rows === 0 && leftOver.gone === 0;
    target.write(shard !== undefined && isEmpty ? noRowsText : piece);
    await target.sync();
    return leftOver;
  } finally {
    target.close();
  }
}

/** End of a line of a finished file, before its last brace. */
export function jobText({ id, rows, idColumn, shard, limit }: JobFacts, at: string): string {
  const part = shard === undefined ? {} : { shard: `${shard.index}/${shard.of}` };
  return `,"job":${JSON.stringify({ id, rows, id_column: idColumn, limit, ...part, at })}`;
}
