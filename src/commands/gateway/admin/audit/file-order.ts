import { type AuditLine, readAuditLines } from '../../../../gateway/records/audit/reading.ts';
import type { RowSource } from '../../../../rows/source.ts';

/** Lines of a file of an audit, from its beginning on. */
interface FileLines {
  readonly input: RowSource;
  /** The time of its first line that has one. */
  readonly time: string;
  /** The least number of each writer in these lines. */
  readonly numbers: ReadonlyMap<string, number>;
}

/** Stands behind all times. */
const noTime = '~';
/** The lines of a head, of which each of many writers should have one. */
const headLines = 200;

/**
 * Files as they were written, oldest first: by the time of their first line, unless the numbers of a writer that stands
 * in both say otherwise. Clocks are set back, and two gateways that write to one file have a clock each. All lines are
 * looked at where heads alone do not tell: a process that was replaced may stand behind the head of one file alone.
 */
export async function inWrittenOrder(inputs: readonly RowSource[]): Promise<readonly RowSource[]> {
  const heads = inOrderOf(await linesOf(inputs, headLines));
  const isTold = heads.every((head, index) => index === 0 || isBefore(heads[index - 1]!, head));
  const ordered = isTold ? heads : inOrderOf(await linesOf(inputs, Infinity));
  return ordered.map(({ input }) => input);
}

/** The same by their heads alone, for those to whom another order costs time and nothing else. */
export async function inOrderOfHeads(inputs: readonly RowSource[]): Promise<readonly RowSource[]> {
  return inOrderOf(await linesOf(inputs, headLines)).map(({ input }) => input);
}

function inOrderOf(files: readonly FileLines[]): readonly FileLines[] {
  const left = files.toSorted((one, other) => (one.time < other.time ? -1 : one.time > other.time ? 1 : 0));
  const ordered: FileLines[] = [];
  while (left.length > 0) {
    const first = left.findIndex((file) => !left.some((other) => isBefore(other, file)));
    // If each stands before another one, somebody changed the lines; then the times decide.
    ordered.push(...left.splice(Math.max(first, 0), 1));
  }
  return ordered;
}

async function linesOf(inputs: readonly RowSource[], linesMax: number): Promise<readonly FileLines[]> {
  const files: FileLines[] = [];
  for (const input of inputs) files.push(await firstLinesOf(input, linesMax));
  return files;
}

async function firstLinesOf(input: RowSource, linesMax: number): Promise<FileLines> {
  const numbers = new Map<string, number>();
  let time = noTime;
  let count = 0;
  for await (const lines of readAuditLines(input.chunks())) {
    for (const { kind, record } of lines) {
      if (time === noTime && typeof record.time === 'string') time = record.time;
      const number = numberOf(kind, record);
      if (typeof record.writer !== 'string' || Number.isNaN(number)) continue;
      numbers.set(record.writer, Math.min(number, numbers.get(record.writer) ?? Infinity));
    }
    count += lines.length;
    if (count >= linesMax && time !== noTime) break;
  }
  return { input, time, numbers };
}

/** The place of a line among those of its writer: a seal stands behind the last line that it names. */
function numberOf(kind: AuditLine['kind'], { line, last }: AuditLine['record']): number {
  if (kind === 'seal') return typeof last === 'number' ? last + 0.5 : NaN;
  return typeof line === 'number' ? line : NaN;
}

/** True where a writer says so and none says the contrary. */
function isBefore(one: FileLines, other: FileLines): boolean {
  let isEarlier = false;
  for (const [writer, number] of one.numbers) {
    const there = other.numbers.get(writer);
    if (there === undefined || there === number) continue;
    if (there < number) return false;
    isEarlier = true;
  }
  return isEarlier;
}
