import { MotifError } from '../errors.ts';
import { readLines, type TextLine } from '../rows/lines.ts';
import type { RowSource } from '../rows/source.ts';
import { isFields, parseJson } from '../text/json/json.ts';
import { counted, grouped } from '../text/sizes.ts';
import { type JobFacts } from './ordering.ts';
import { indexOfLine, parseStoredRow, type StoredRow } from './output-line.ts';

/** A row of a part, with its place in the whole job. */
export interface MergedRow {
  readonly index: number;
  readonly text: string;
  readonly stored: StoredRow;
}

/** The job of all parts, once they are known to fit. */
interface MergedJob {
  readonly facts: JobFacts;
  /** The moment the last part was finished. */
  readonly at: string;
}

interface MergePart {
  readonly name: string;
  readonly source: RowSource;
  /** Undefined for a shard that had no row. */
  readonly job: PartJob | undefined;
  /** The whole job had no rows, which its file says. */
  readonly isOfNoRows: boolean;
}

type PartJob = JobFacts & { readonly at: string; readonly marks: string; readonly shardText: string };

const missingNamedMax = 5;

/**
 * Looks at the first line of each part; parts that are not finished or not of one job are refused, by name. With a
 * limit only so many rows are wanted, which a run that had such a limit has, too.
 */
export async function openParts(sources: readonly RowSource[], limit?: number): Promise<MergeParts> {
  const parts: MergePart[] = [];
  for (const source of sources) parts.push(await openPart(source, limit));
  const first = parts.find(({ job }) => job !== undefined);
  if (first?.job === undefined) return withoutRows(parts);
  for (const part of parts) if (part.job !== undefined) checkFits(part, first, part.job, first.job);
  const at = parts
    .map(({ job }) => job?.at ?? '')
    .toSorted()
    .at(-1)!;
  const { id, rows, idColumn, limit: taken } = first.job;
  return new MergeParts(parts, { facts: { id, rows, idColumn, limit: taken }, at });
}

/** The parts of a job without rows; an empty file may be that of a run which was killed before its first row. */
function withoutRows(parts: readonly MergePart[]): MergeParts {
  const unproven = parts.find(({ isOfNoRows }) => !isOfNoRows);
  if (unproven === undefined) return new MergeParts(parts, { facts: { id: '', rows: 0 }, at: '' });
  throw new MotifError(
    'usage',
    `${unproven.name} is empty: its input has no rows, or the run that writes it has not finished`,
    {
      hint: 'run its command again, which says so, then merge all parts',
    },
  );
}

/** The parts of one job. Each pass over them proves that together they have each row once. */
export class MergeParts {
  readonly job: MergedJob;
  readonly #parts: readonly MergePart[];

  constructor(parts: readonly MergePart[], job: MergedJob) {
    this.#parts = parts;
    this.job = job;
  }

  /** All rows in the order of the input; a row that is missing or there twice is a usage error. */
  async *rows(): AsyncGenerator<MergedRow> {
    const heads = this.#parts.map((part) => new PartHead(part));
    try {
      yield* this.#merge(heads);
    } finally {
      await Promise.all(heads.map((head) => head.close()));
    }
  }

  async *#merge(heads: readonly PartHead[]): AsyncGenerator<MergedRow> {
    for (const head of heads) await head.advance();
    let expected = 0;
    const missing: number[] = [];
    let missingCount = 0;
    for (;;) {
      const open = heads.filter(({ row }) => row !== undefined);
      if (open.length === 0) break;
      const least = open.reduce((best, head) => (head.row!.index < best.row!.index ? head : best));
      const row = least.row!;
      if (row.index < expected) throw doubled(row.index, this.#namesWith(row.index, heads, least));
      for (; expected < row.index; expected++, missingCount++)
        if (missing.length < missingNamedMax) missing.push(expected);
      expected += 1;
      if (missingCount === 0) yield row;
      await least.advance();
    }
    for (; expected < this.job.facts.rows; expected++, missingCount++) {
      if (missing.length < missingNamedMax) missing.push(expected);
    }
    if (missingCount > 0) throw this.#missing(missing, missingCount);
  }

  #namesWith(index: number, heads: readonly PartHead[], least: PartHead): readonly string[] {
    const other = heads.find((head) => head !== least && head.lastIndex === index);
    return other === undefined ? [least.name] : [other.name, least.name];
  }

  #missing(indexes: readonly number[], count: number): MotifError {
    const shards = new Set(this.#parts.flatMap(({ job }) => job?.shardText ?? []));
    const [, of = 0] = /\/(\d+)$/.exec([...shards][0] ?? '') ?? [];
    const all = Array.from({ length: Number(of) }, (_, index) => `${index + 1}/${of}`);
    const absent = all.filter((shard) => !shards.has(shard));
    const what =
      absent.length > 0 && absent.length < 50
        ? `; no row of ${absent.length === 1 ? 'shard' : 'the shards'} ${absent.join(', ')} is here`
        : '';
    const more = count > indexes.length ? ', ...' : '';
    return new MotifError(
      'usage',
      `${grouped(count)} of ${counted(this.job.facts.rows, 'row')} ${count === 1 ? 'is' : 'are'} missing: index ${indexes.join(', ')}${more}${what}`,
      {
        hint: 'run the missing parts, then merge all of them',
      },
    );
  }
}

/** The next row of a part. */
class PartHead {
  readonly name: string;
  row: MergedRow | undefined;
  lastIndex = -1;
  readonly #job: string | undefined;
  readonly #rows: number;
  readonly #lines: AsyncGenerator<{ readonly text: string; readonly number: number }>;

  constructor({ name, source, job }: MergePart) {
    this.name = name;
    this.#job = job?.id;
    this.#rows = job?.rows ?? 0;
    this.#lines = readLines(source);
  }

  async close(): Promise<void> {
    await this.#lines.return(undefined);
  }

  /** Rows that the input no longer has have no index and are left out, as are those beyond a limit. */
  async advance(): Promise<void> {
    this.lastIndex = this.row?.index ?? -1;
    for (;;) {
      const next = await this.#lines.next();
      this.row = undefined;
      if (next.done === true) return;
      const { text, number } = next.value;
      if (text === '' && number === 1) continue;
      const stored = parseStoredRow(text);
      if (stored === undefined || !stored.job.includes(`"id":"${this.#job}"`)) throw unfinished(this.name, number);
      const index = indexOfLine(text);
      if (index === undefined || index >= this.#rows) continue;
      this.row = { index, text, stored };
      return;
    }
  }
}

async function openPart(source: RowSource, limit: number | undefined): Promise<MergePart> {
  let isOfNoRows = false;
  for await (const line of readLines(source)) {
    if (line.text !== '' || line.number > 1)
      return { name: source.name, source, job: jobOf(line, source, limit), isOfNoRows };
    isOfNoRows = true;
  }
  return { name: source.name, source, job: undefined, isOfNoRows };
}

/** The job that the first line of a part names, with no more rows than are wanted. */
function jobOf({ text, number }: TextLine, source: RowSource, limit: number = Infinity): PartJob {
  const stored = parseStoredRow(text);
  if (stored === undefined) {
    throw new MotifError('usage', `${source.name}:${number}: not a line of the output of a batch`);
  }
  const job = stored.job === '' ? undefined : (parseJson(`{${stored.job.slice(1)}}`) as { job: unknown }).job;
  if (!isFields(job) || typeof job.id !== 'string' || typeof job.rows !== 'number')
    throw unfinished(source.name, number);
  if (typeof job.limit === 'number' && job.limit < limit) throw limited(source.name, job.limit);
  const marks = `${stored.marks.motif}-${stored.marks.request}`;
  return {
    id: job.id,
    rows: Math.min(limit, job.rows),
    idColumn: typeof job.id_column === 'number' ? job.id_column : undefined,
    limit: limit < job.rows || job.limit !== undefined ? limit : undefined,
    at: String(job.at),
    marks,
    shardText: typeof job.shard === 'string' ? job.shard : '1/1',
  };
}

function checkFits(part: MergePart, first: MergePart, job: PartJob, firstJob: PartJob): void {
  if (job.marks !== firstJob.marks) {
    throw notOne(part, first, 'are of different requests or Motifs', 'merge parts of one command');
  }
  if (job.id !== firstJob.id) {
    const states = `the input had ${counted(firstJob.rows, 'row')} for one and ${job.rows} for the other`;
    const hint = 'run both commands again: what is answered is not asked again';
    throw notOne(
      part,
      first,
      `were made from different states of the input${job.rows === firstJob.rows ? '' : ` (${states})`}`,
      hint,
    );
  }
  if (job.shardText.split('/')[1] !== firstJob.shardText.split('/')[1]) {
    throw notOne(
      part,
      first,
      `were cut into different numbers of parts (${firstJob.shardText}, ${job.shardText})`,
      'take the same N in every --shard i/N',
    );
  }
}

function notOne(part: MergePart, first: MergePart, what: string, hint: string): MotifError {
  return new MotifError('usage', `${first.name} and ${part.name} ${what}`, { hint });
}

function doubled(index: number, names: readonly string[]): MotifError {
  const [name] = names;
  const hint = names.length > 1 ? 'name each part once' : `put ${name} right: the command that wrote it, with --fresh`;
  return new MotifError('usage', `the row of index ${index} is there twice: ${names.join(' and ')}`, { hint });
}

function limited(name: string, limit: number): MotifError {
  return new MotifError('usage', `${name} has not all rows of its input: it was made with --limit ${limit}`, {
    hint: [
      'run its command again without --limit: it asks only what is left',
      `or merge those rows alone: --limit ${limit}`,
    ],
  });
}

function unfinished(name: string, line: number): MotifError {
  return new MotifError('usage', `${name}:${line}: the run that writes it has not finished`, {
    hint: 'run its command again, without --fresh: it asks only what is left',
  });
}
