import { gunzipSync, gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readAuditLines } from '../../../../src/gateway/records/audit/reading.ts';
import { SealChain } from '../../../../src/gateway/records/audit/seals.ts';
import {
  AuditVerification,
  type LoggedSeal,
  type VerificationResult,
} from '../../../../src/gateway/records/audit/verification.ts';
import { damagedBy, damages, expectNotProven, type Verdict } from '../../../support/rooms/audit/damages.ts';
import {
  type Choose,
  chooser,
  isSeal,
  isWhole,
  writeAudit,
  writeOne,
  type WrittenLine,
} from '../../../support/rooms/audit/written-audit.ts';
import { runs } from '../../../support/runs.ts';

async function verified(
  files: readonly (readonly WrittenLine[])[],
  { logged, choose = () => 0 }: { logged?: readonly LoggedSeal[]; choose?: Choose } = {},
): Promise<VerificationResult & { readonly leftOut: number }> {
  const verification = new AuditVerification(logged);
  let leftOut = 0;
  for (const [index, lines] of files.entries()) {
    // Behind a part that a full disk left, and behind a line without its end, the next one of another process follows.
    const isStuck = (line: WrittenLine): boolean => choose(isWhole(line) ? 20 : 2) === 1;
    const plain = Buffer.from(lines.map((line) => (isStuck(line) ? line.text : `${line.text}\n`)).join(''));
    const bytes = choose(2) === 0 ? plain : gunzipSync(gzipSync(plain));
    async function* chunks() {
      for (let at = 0; at < bytes.length;) {
        const end = at + 1 + choose(2000);
        yield bytes.subarray(at, end);
        at = end;
      }
    }
    for await (const read of readAuditLines(chunks())) {
      for (const line of read) {
        if (line.kind === 'torn' || line.kind === 'foreign') leftOut += 1;
        verification.take(`audit.${index}`, line);
      }
    }
  }
  return { ...verification.finish(), leftOut };
}

test('whatever writers, crashes, full disks and rotation make of an audit has no fault', async () => {
  await fc.assert(
    fc.asyncProperty(fc.gen(), async (g) => {
      const choose = chooser(g);
      const { files, seals } = await writeAudit(choose);
      const untouched = { faults: [], absent: 0, uncompared: 0 };
      expect(await verified(files, { choose })).toMatchObject(untouched);
      expect(await verified(files, { choose, logged: seals })).toMatchObject(untouched);
    }),
    runs(200),
  );
});

test('a damage is found where a seal speaks of it, and else named as what cannot be proven', async () => {
  await fc.assert(
    fc.asyncProperty(fc.gen(), fc.constantFrom(...Object.keys(damages)), async (g, name) => {
      const choose = chooser(g);
      const { files, seals } = await writeAudit(choose);
      const damaged = damagedBy(name, files, choose);
      if (damaged === undefined) return;
      const [alone, withLog] = [await verified(damaged.files), await verified(damaged.files, { logged: seals })];
      expectNotProven({ ...damaged, before: files.flat() }, toVerdict(alone), toVerdict(withLog));
    }),
    runs(200),
  );
});

/** Lines that first seals name and that are not here end the command with 1, as faults do. */
function toVerdict({ faultCount, absent, unproven }: VerificationResult): Verdict {
  return { isRefused: faultCount > 0 || absent > 0, unproven };
}

/** Seals whatever lines there are, as somebody would who may write the files. */
function sealedAnew(lines: readonly WrittenLine[]): readonly WrittenLine[] {
  const chains = new Map<string, SealChain>();
  return lines.map((line) => {
    const { writer, text, number } = line;
    let chain = chains.get(writer);
    if (chain === undefined) chains.set(writer, (chain = new SealChain(writer)));
    if (number !== undefined) chain.add(Buffer.from(`${text}\n`), number, number);
    if (!isSeal(text) || chain.isEmpty) return line;
    const { time, final } = JSON.parse(text) as { time: string; final?: boolean };
    const sealed = chain.seal(time, final === true);
    chain.follow(sealed.seal.sha256);
    return { ...line, text: sealed.line.trimEnd() };
  });
}

test('seals that were made anew over other lines are found against the log alone', async () => {
  const { lines, seals } = await writeOne(7, (below) => below - 1);
  const changed = lines.map((line) => ({ ...line, text: line.text.replace('"decision":"pass"', '"decision":"warn"') }));
  const forged = [sealedAnew(changed)];
  expect((await verified(forged)).faults).toEqual([]);
  const { faults, unproven } = await verified(forged, { logged: seals });
  expect(faults.map(({ kind }) => kind)).toContain('cut');
  expect(unproven.join()).toMatch(/whether \d+ seals? of these files (was|were) forged: the log lacks them/);
});

test('seals that repeat the SHA-256 of those of the log do not stand for them', async () => {
  let forgeries = 0;
  await fc.assert(
    fc.asyncProperty(fc.gen(), async (g) => {
      const choose = chooser(g);
      const { files, seals } = await writeAudit(choose);
      const all = files.flat().filter(isWhole);
      const sealed = all.filter(({ text }) => text.includes('"decision":"pass"'));
      const hit = sealed[choose(Math.max(1, sealed.length))];
      const changed = all.map((line) =>
        line === hit ? { ...line, text: line.text.replace('"pass"', '"warn"') } : line,
      );
      const forged = choose(3) === 0 ? [] : [...sealedAnew(changed)];
      const here = new Set(forged.map(({ text }) => text));
      const lost = seals.filter(({ sha256 }) => ![...here].some((text) => text.includes(sha256)));
      if (lost.length === 0) return;
      forgeries += 1;
      for (const { writer, first, last, time, sha256 } of lost) {
        const isOwn = choose(3) === 0;
        const [from, to] = [
          [first, last],
          [1, 0],
          [last, first],
          [-1, -1],
          [1, 1],
          [first, -last],
        ][choose(6)]!;
        const parts = { event: 'seal', form: choose(3), time, writer: isOwn ? writer : `f${choose(4)}`, first: from };
        const text = JSON.stringify({ ...parts, last: to, before: choose(2) === 0 ? null : sha256, sha256 });
        forged.splice(choose(forged.length + 1), 0, { text, writer: parts.writer, number: undefined });
      }
      const verdict = toVerdict(await verified([forged], { logged: seals }));
      expect(verdict.isRefused, JSON.stringify({ forged, seals }, null, 1)).toBe(true);
    }),
    runs(200),
  );
  expect(forgeries).toBeGreaterThan(0);
});

test('a writer that never was, with seals of its own, is named against the log', async () => {
  const [one, forged] = [await writeOne(7, (below) => below - 1), await writeOne(9, (below) => below - 1)];
  const { faults, unproven } = await verified([one.lines, forged.lines], { logged: one.seals });
  expect(faults).toEqual([]);
  expect(unproven.join()).toMatch(/whether \d+ seals? of these files (was|were) forged: the log lacks them/);
});
