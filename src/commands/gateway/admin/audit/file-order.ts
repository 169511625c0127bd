import { type AuditLine, readAuditLines } from '../../../../gateway/records/audit/reading.ts';
import type { RowSource } from '../../../../rows/source.ts';

/** The beginning of a file of an audit. */
interface FileHead {
  readonly input: RowSource;
  /** The time of its first line that has one. */
  readonly time: string;
  /** The least number of each writer there. */
  readonly numbers: ReadonlyMap<string, number>;
}

/** Stands behind all times. */
const noTime = '~';
/** The lines of a head, of which each of many writers should have one. */
const headLines = 200;

/**
 * Files as they were written, oldest first: by the time of their first line, unless the numbers of a writer that stands
 * in both say otherwise. Clocks are set back, and two gateways that write to one file have a clock each.
 */
export async function inWrittenOrder(inputs: readonly RowSource[]): Promise<readonly RowSource[]> {
  const left: FileHead[] = [];
  for (const input of inputs) left.push(await headOf(input));
  left.sort((one, other) => (one.time < other.time ? -1 : one.time > other.time ? 1 : 0));
  const ordered: RowSource[] = [];
  while (left.length > 0) {
    const first = left.findIndex((head) => !left.some((other) => isBefore(other, head)));
    // If each stands before another one, somebody changed the lines; then the times decide.
    ordered.push(...left.splice(Math.max(first, 0), 1).map(({ input }) => input));
  }
  return ordered;
}

async function headOf(input: RowSource): Promise<FileHead> {
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
    if (count >= headLines && time !== noTime) break;
  }
  return { input, time, numbers };
}

/** The place of a line among those of its writer: a seal stands behind the last line that it names. */
function numberOf(kind: AuditLine['kind'], { line, last }: AuditLine['record']): number {
  if (kind === 'seal') return typeof last === 'number' ? last + 0.5 : NaN;
  return typeof line === 'number' ? line : NaN;
}

/** True where a writer says so and none says the contrary. */
function isBefore(one: FileHead, other: FileHead): boolean {
  let isEarlier = false;
  for (const [writer, number] of one.numbers) {
    const there = other.numbers.get(writer);
    if (there === undefined || there === number) continue;
    if (there < number) return false;
    isEarlier = true;
  }
  return isEarlier;
}
