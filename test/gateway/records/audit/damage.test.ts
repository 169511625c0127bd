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
import {
  type Choose,
  chooser,
  isSeal,
  isWhole,
  numberOf,
  writeAudit,
  writeOne,
  type WrittenLine,
} from '../../../support/rooms/written-audit.ts';
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

/** A change that nobody but an attacker makes; undefined where there is nothing to change. */
type Damage = (files: WrittenLine[][], choose: Choose) => readonly WrittenLine[] | undefined;

function somewhere(files: WrittenLine[][], choose: Choose): { file: WrittenLine[]; at: number } | undefined {
  const places = files.flatMap((file) => file.map((_, at) => ({ file, at })));
  return places.length === 0 ? undefined : places[choose(places.length)];
}

const damages: Readonly<Record<string, Damage>> = {
  'a removed line': (files, choose) => {
    const place = somewhere(files, choose);
    return place && place.file.splice(place.at, 1);
  },
  'several removed lines': (files, choose) => {
    const place = somewhere(files, choose);
    return place && place.file.splice(place.at, 1 + choose(6));
  },
  'a removed file': (files, choose) => (files.length < 2 ? undefined : files.splice(choose(files.length), 1)[0]),
  'a tail that was cut off': (files, choose) => {
    const place = somewhere(files, choose);
    return place && [...place.file.splice(place.at), ...files.splice(files.indexOf(place.file) + 1).flat()];
  },
  'a head that was cut off': (files, choose) => {
    const place = somewhere(files, choose);
    return place && [...files.splice(0, files.indexOf(place.file)).flat(), ...place.file.splice(0, place.at + 1)];
  },
  'a changed byte': (files, choose) => {
    const place = somewhere(files, choose);
    if (place === undefined) return undefined;
    const line = place.file[place.at]!;
    const at = choose(line.text.length);
    const other = line.text[at] === '1' ? '2' : '1';
    place.file[place.at] = { ...line, text: line.text.slice(0, at) + other + line.text.slice(at + 1) };
    return [line];
  },
  'a changed decision': (files, choose) => {
    const place = somewhere(files, choose);
    const line = place?.file[place.at];
    if (place === undefined || line?.text.includes('"decision":"pass"') !== true) return undefined;
    place.file[place.at] = { ...line, text: line.text.replace('"decision":"pass"', '"decision":"block"') };
    return [line];
  },
  'a line that stands twice': (files, choose) => {
    const [from, to] = [somewhere(files, choose), somewhere(files, choose)];
    if (from === undefined || to === undefined) return undefined;
    const line = from.file[from.at]!;
    // A seal may stand twice, because it is written again where the disk was full behind it.
    if (line.number === undefined) return undefined;
    to.file.splice(to.at, 0, line);
    return [line];
  },
  'a forged line': (files, choose) => {
    const place = somewhere(files, choose);
    const line = place?.file[place.at];
    if (place === undefined || line?.number === undefined) return undefined;
    const forged = line.text.replace('"user":"', '"user":"x').replace(/"line":\d+/, `"line":${1 + choose(20)}`);
    place.file.splice(place.at + choose(2), 0, { ...line, text: forged });
    return [{ ...line, text: forged, number: numberOf(forged) }];
  },
  'two lines of a writer that changed places': (files, choose) => {
    const [one, other] = [somewhere(files, choose), somewhere(files, choose)];
    const [first, second] = [one?.file[one.at], other?.file[other.at]];
    if (one === undefined || other === undefined || first === undefined || second === undefined) return undefined;
    if (first.text === second.text || first.writer !== second.writer) return undefined;
    // Torn lines are told by the command, and have no order.
    if (!isWhole(first) || !isWhole(second)) return undefined;
    one.file[one.at] = second;
    other.file[other.at] = first;
    return [first, second];
  },
};

/** True where lines of its writer still stand before this one, and a seal that was written behind it. */
function isCovered(line: WrittenLine, before: readonly WrittenLine[], after: readonly WrittenLine[]): boolean {
  const left = after.filter((each) => each.writer === line.writer && isWhole(each));
  const place = before.indexOf(line);
  const hasHead = left.some((each) => before.indexOf(each) < place);
  return hasHead && left.some((each) => isSeal(each.text) && before.indexOf(each) > place);
}

/** True where the command ends with 1: something is wrong, or lines of the first seals are not here. */
const isRefused = ({ faultCount, absent }: VerificationResult): boolean => faultCount > 0 || absent > 0;

const notProvenOfWriter =
  /wrote before line|no seal is behind|others sealed behind|others did for longer|cut off at its end/;

test('a damage is found where a seal speaks of it, and else named as what cannot be proven', async () => {
  await fc.assert(
    fc.asyncProperty(fc.gen(), fc.constantFrom(...Object.keys(damages)), async (g, name) => {
      const choose = chooser(g);
      const { files, seals } = await writeAudit(choose);
      const changed = files.map((file) => [...file]);
      const hit = damages[name]!(changed, choose)?.filter(isWhole) ?? [];
      if (hit.length === 0) return;
      const [before, after] = [files.flat(), changed.flat()];
      const [alone, withLog] = [await verified(changed), await verified(changed, { logged: seals })];
      const told = (): string => `${name}\n${JSON.stringify({ hit, before, after, alone, withLog }, null, 1)}`;
      for (const line of hit) {
        const isLeft = after.some((each) => each.writer === line.writer && isWhole(each));
        const isFound = isRefused(alone);
        if (isCovered(line, before, after)) expect(isFound, told()).toBe(true);
        if (isFound) continue;
        const ofWriter = ({ unproven }: VerificationResult) =>
          unproven.filter((each) => each.includes(line.writer)).join();
        if (isLeft) expect(ofWriter(alone), told()).toMatch(notProvenOfWriter);
        else expect(alone.unproven.join(), told()).toContain('or removed all lines of a process');
        // The log knows all that was sealed.
        const isSealed = before
          .slice(before.indexOf(line))
          .some((each) => isSeal(each.text) && isWhole(each) && each.writer === line.writer);
        if (isRefused(withLog) || !isSealed) continue;
        if (isLeft) expect(ofWriter(withLog), told()).toMatch(/wrote before line/);
        expect(withLog.concerns.join(), told()).toMatch(/in the log.* was not given or is gone, or in another audit/);
      }
    }),
    runs(200),
  );
});

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

test('a writer that never was, with seals of its own, is named against the log', async () => {
  const [one, forged] = [await writeOne(7, (below) => below - 1), await writeOne(9, (below) => below - 1)];
  const { faults, unproven } = await verified([one.lines, forged.lines], { logged: one.seals });
  expect(faults).toEqual([]);
  expect(unproven.join()).toMatch(/whether \d+ seals? of these files (was|were) forged: the log lacks them/);
});
