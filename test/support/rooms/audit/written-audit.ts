import * as fc from 'fast-check';
import type { LoggedSeal } from '../../../../src/gateway/records/audit/verification.ts';
import { memoryAudit } from './memory-audit.ts';

/** Chooses a whole number below the one that is given. */
export type Choose = (below: number) => number;

/** A line of an audit with the writer that wrote it; a seal has no number. */
export interface WrittenLine {
  readonly text: string;
  readonly writer: string;
  readonly number: number | undefined;
}

interface WrittenAudit {
  /** The lines of each file. */
  readonly files: readonly (readonly WrittenLine[])[];
  readonly seals: readonly LoggedSeal[];
}

/** One writer from its start to its end or its crash, with full disks and minutes of many lengths. */
export async function writeOne(seed: number, choose: Choose): Promise<{ lines: WrittenLine[]; seals: LoggedSeal[] }> {
  const disk = { text: '', fits: Infinity };
  const { audit, record, minute, seals } = await memoryAudit({
    seed,
    write: async (lines) => {
      if (disk.text !== '' && !disk.text.endsWith('\n')) disk.text += '\n';
      const written = lines.slice(0, disk.fits);
      disk.text += written;
      if (written !== lines) throw Object.assign(new Error('full'), { written: written.length });
    },
  });
  for (let step = 1 + choose(6); step > 0; step--) {
    disk.fits = choose(6) === 0 ? choose(1200) : Infinity;
    await Promise.all(Array.from({ length: choose(4) }, () => record({ user: `user-${choose(9)}` })));
    disk.fits = Infinity;
    if (choose(6) === 0) disk.fits = choose(260);
    if (choose(2) === 0) await minute();
    disk.fits = Infinity;
  }
  const isKilled = choose(3) === 0;
  if (!isKilled) await audit.close();
  // A line that was being written when the process was killed; it never stands behind one without its end.
  const isTorn = isKilled && choose(2) === 0 && /^$|\n$/.test(disk.text);
  const text = isTorn ? `${disk.text}{"time":"2026-11` : disk.text;
  const lines = text.split('\n').filter((line) => line !== '');
  return {
    lines: lines.map((line) => ({
      text: line,
      writer: seed.toString(16).padStart(2, '0').repeat(6),
      number: numberOf(line),
    })),
    seals: seals.filter((seal): seal is LoggedSeal => 'sha256' in seal),
  };
}

export function numberOf(line: string): number | undefined {
  const number = /,"line":(\d+)\}$/.exec(line)?.[1];
  return number === undefined ? undefined : Number(number);
}

/** Several writers whose lines are mixed in any way, in files that were rotated at any line. */
export async function writeAudit(choose: Choose): Promise<WrittenAudit> {
  const writers = [];
  for (let seed = 1 + choose(3); seed > 0; seed--) writers.push(await writeOne(seed, choose));
  const queues = writers.map(({ lines }) => [...lines]);
  const files: WrittenLine[][] = [[]];
  for (
    let left = queues.filter((queue) => queue.length > 0);
    left.length > 0;
    left = left.filter((q) => q.length > 0)
  ) {
    files.at(-1)!.push(left[choose(left.length)]!.shift()!);
    if (choose(12) === 0) files.push([]);
  }
  return { files, seals: writers.flatMap(({ seals }) => seals) };
}

export const chooser =
  (g: fc.GeneratorValue): Choose =>
  (below) =>
    g(fc.nat, { max: below - 1 });

/** True for a line or a seal of its writer, not for what a crash, a full disk or a damage tore. */
export function isWhole({ text, writer }: WrittenLine): boolean {
  try {
    const record = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const { event, prompt_id: promptId, decision, time } = record;
    // The command tells anything but a record of an audit as foreign, and without a writer.
    const isPrompt = event === undefined && [promptId, decision, time].every((each) => typeof each === 'string');
    const isRecord = isPrompt || event === 'config' || event === 'seal';
    return isRecord && record.writer === writer && (record.line !== undefined || record.sha256 !== undefined);
  } catch {
    return false;
  }
}

export function isSeal(text: string): boolean {
  return text.startsWith('{"event":"seal"');
}
