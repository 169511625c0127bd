import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { damagedBy, damages, expectNotProven, type Verdict } from '../../../../support/rooms/audit/damages.ts';
import { textOf } from '../../../../support/rooms/audit/memory-audit.ts';
import { type AuditHistory, writeHistory } from '../../../../support/rooms/audit/history.ts';
import { type Choose, chooser, isSeal, type WrittenLine } from '../../../../support/rooms/audit/written-audit.ts';
import { motif } from '../../../../support/motif.ts';
import { runs } from '../../../../support/runs.ts';

interface Verified extends Verdict {
  readonly summary: string;
  readonly stderr: string;
}

type NamedFiles = AuditHistory['files'];

/** Runs `verify` over files in any order, some of them packed, as a folder lists them. */
async function verify(
  files: NamedFiles,
  { log, now }: Pick<AuditHistory, 'log' | 'now'>,
  choose: Choose,
  hasLog: boolean,
): Promise<Verified> {
  const left = files.map(({ name, lines }) => {
    const text = lines.map((line) => `${line.text}\n`).join('');
    return choose(3) === 0 ? ([`${name}.gz`, gzipSync(text)] as const) : ([name, text] as const);
  });
  const names: string[] = [];
  const rest = left.map(([name]) => name);
  while (rest.length > 0) names.push(...rest.splice(choose(rest.length), 1));
  const words = ['admin', 'audit', 'verify', '--json', ...(hasLog ? ['--log', 'gateway.log'] : []), ...names];
  const { exitCode, stdout, stderr } = await motif(words, {
    env: {},
    now,
    files: { ...Object.fromEntries(left), 'gateway.log': log },
  });
  if (exitCode === 2) return { isRefused: true, unproven: [], summary: 'usage', stderr };
  const { summary, unproven } = JSON.parse(stdout) as Verified;
  return { isRefused: exitCode !== 0, summary, unproven, stderr };
}

const sealsIn = (files: NamedFiles): number =>
  files.flatMap(({ lines }) => lines).filter(({ text }) => isSeal(text)).length;

type LinesOfFiles = readonly (readonly WrittenLine[])[];

/** Files without those that are copies or beginnings of others. */
function longestOf(files: LinesOfFiles): LinesOfFiles {
  const texts = files.map((lines) => textOf(lines.map(({ text }) => text)));
  const isCopy = (text: string, at: number): boolean =>
    texts.some((other, index) => other.startsWith(text) && (other !== text || index < at));
  return files.filter((_, at) => !isCopy(texts[at]!, at));
}

/** True where some order of the files has all lines of each writer as they were: nothing else tells their order. */
function isSameInSomeOrder(before: readonly WrittenLine[], files: LinesOfFiles): boolean {
  const sequences = new Map<string, WrittenLine[]>();
  for (const line of before) sequences.set(line.writer, [...(sequences.get(line.writer) ?? []), line]);
  const isEnd = (seen: ReadonlyMap<string, number>): boolean =>
    [...sequences].every(([writer, lines]) => seen.get(writer) === lines.length);
  const canFollow = (left: LinesOfFiles, seen: ReadonlyMap<string, number>): boolean => {
    if (left.length === 0) return isEnd(seen);
    return left.some((file) => {
      const next = new Map(seen);
      const fits = file.every(({ text, writer }) => {
        const at = next.get(writer) ?? 0;
        next.set(writer, at + 1);
        return sequences.get(writer)?.[at]?.text === text;
      });
      return (
        fits &&
        canFollow(
          left.filter((each) => each !== file),
          next,
        )
      );
    });
  };
  return canFollow(files, new Map());
}

test('an audit that nobody touched is proven, in whatever order its files are named', async () => {
  await fc.assert(
    fc.asyncProperty(fc.gen(), async (g) => {
      const choose = chooser(g);
      const history = await writeHistory(choose);
      const expected = sealsIn(history.files) === 0 ? /^(UNVERIFIED nothing is proven|usage)/ : /^OK /;
      for (const hasLog of [false, history.log.includes('"audit lines sealed"')]) {
        const { summary, stderr } = await verify(history.files, history, choose, hasLog);
        expect(`${summary}\n${stderr}`).toMatch(expected);
      }
    }),
    runs(100),
  );
});

test('some of its files that follow each other are never said to be forged', async () => {
  await fc.assert(
    fc.asyncProperty(fc.gen(), async (g) => {
      const choose = chooser(g);
      const history = await writeHistory(choose);
      const from = choose(history.files.length);
      const isNewest = choose(2) === 0;
      const given = history.files.slice(from, isNewest ? undefined : from + 1 + choose(history.files.length - from));
      for (const hasLog of [false, isNewest && history.log.includes('"audit lines sealed"')]) {
        const { summary } = await verify(given, history, choose, hasLog);
        expect(summary).toMatch(/^(OK|UNVERIFIED|usage)/);
      }
    }),
    runs(100),
  );
});

test('a damage is never proven to be whole', async () => {
  await fc.assert(
    fc.asyncProperty(fc.gen(), fc.constantFrom(...Object.keys(damages)), async (g, damage) => {
      const choose = chooser(g);
      const history = await writeHistory(choose);
      const damaged = damagedBy(
        damage,
        history.files.map(({ lines }) => lines),
        choose,
      );
      if (damaged === undefined || !history.log.includes('"audit lines sealed"')) return;
      const before: readonly WrittenLine[] = history.files.flatMap(({ lines }) => lines);
      if (isSameInSomeOrder(before, longestOf(damaged.files))) return;
      const files = damaged.files.map((lines, index) => ({ name: `audit.jsonl.${index}`, lines }));
      const [alone, withLog] = [
        await verify(files, history, choose, false),
        await verify(files, history, choose, true),
      ];
      expectNotProven({ ...damaged, before }, alone, withLog);
    }),
    runs(200),
  );
});
