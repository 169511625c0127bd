import { isDeepStrictEqual } from 'node:util';
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

/** The texts of files, but for copies and beginnings of others, in one order whatever the files are called. */
function contentsOf(files: readonly (readonly WrittenLine[])[]): readonly string[] {
  const texts = files.map((lines) => textOf(lines.map(({ text }) => text)));
  const longest = [...new Set(texts)].filter(
    (text) => !texts.some((other) => other !== text && other.startsWith(text)),
  );
  return longest.toSorted();
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
      // Files that changed names alone are read in their own order, and a copy is no change.
      if (isDeepStrictEqual(contentsOf(damaged.files), contentsOf(history.files.map(({ lines }) => lines)))) return;
      const files = damaged.files.map((lines, index) => ({ name: `audit.jsonl.${index}`, lines }));
      const [alone, withLog] = [
        await verify(files, history, choose, false),
        await verify(files, history, choose, true),
      ];
      const before: readonly WrittenLine[] = history.files.flatMap(({ lines }) => lines);
      expectNotProven({ ...damaged, before }, alone, withLog);
    }),
    runs(200),
  );
});
