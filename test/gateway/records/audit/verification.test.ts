import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  memoryAudit,
  textOf as text,
  twoMinutes as written,
  verified,
} from '../../../support/rooms/audit/memory-audit.ts';

test('lines as they were written are proven, but for what only the log can prove', async () => {
  const { lines, seals } = await written();
  expect(lines).toHaveLength(9);
  expect(await verified([text(lines)])).toMatchObject({
    faults: [],
    seals: 2,
    writers: 1,
    sealed: 7,
    unsealed: 0,
    unproven: [expect.stringContaining('compare with the log')],
  });
  expect(await verified([text(lines)], seals)).toMatchObject({ faults: [], unproven: [] });
});

describe('it finds', () => {
  type Change = (lines: readonly string[]) => readonly string[];
  const without =
    (...gone: number[]): Change =>
    (lines) =>
      lines.filter((_, index) => !gone.includes(index));

  test.each<{ name: string; change: Change; kinds: string[]; line: number }>([
    { name: 'a removed line', change: without(1), kinds: ['removed'], line: 2 },
    { name: 'the last line before a seal removed', change: without(3), kinds: ['removed'], line: 4 },
    { name: 'a minute removed, but for its seal', change: without(5, 6, 7), kinds: ['removed'], line: 6 },
    { name: 'a minute removed with its seal', change: without(0, 1, 2, 3, 4), kinds: [], line: 0 },
    { name: 'a seal removed', change: without(4), kinds: ['removed'], line: 8 },
    {
      name: 'a changed line',
      change: (lines) => lines.map((line, at) => (at === 2 ? line.replace('"status":200', '"status":503') : line)),
      kinds: ['changed'],
      line: 5,
    },
    {
      name: 'two lines that changed places',
      change: (l) => [l[1]!, l[0]!, ...l.slice(2)],
      kinds: ['reordered'],
      line: 2,
    },
    {
      name: 'a line that stands twice',
      change: (l) => [...l.slice(0, 2), l[1]!, ...l.slice(2)],
      kinds: ['inserted'],
      line: 3,
    },
    {
      name: 'an inserted line without a number',
      change: (lines) => [...lines.slice(0, 3), lines[1]!.replace(/,"writer".*/, '}'), ...lines.slice(3)],
      kinds: ['inserted'],
      line: 4,
    },
    {
      name: 'another time of a seal',
      change: (lines) => lines.map((line, at) => (at === 4 ? line.replace('12:01:00', '12:01:01') : line)),
      kinds: ['changed'],
      line: 5,
    },
    {
      name: 'a tail cut off behind a seal that is made the last',
      change: (lines) => lines.slice(0, 5).map((line) => line.replace(',"sha256"', ',"final":true,"sha256"')),
      kinds: ['changed'],
      line: 5,
    },
    {
      name: 'a word added behind a seal',
      change: (lines) => lines.map((line, at) => (at === 4 ? line.replace(/\}$/, ',"final":true}') : line)),
      kinds: ['changed'],
      line: 5,
    },
    {
      name: 'a last seal that is no longer the last',
      change: (lines) => lines.map((line) => line.replace('"final":true,', '')),
      kinds: ['changed'],
      line: 9,
    },
    {
      name: 'a seal that names no form any more',
      change: (lines) => lines.map((line, at) => (at === 4 ? line.replace('"form":2,', '') : line)),
      kinds: ['changed'],
      line: 5,
    },
    {
      name: 'a seal that stands again with another time',
      change: (l) => [...l.slice(0, 5), l[4]!.replace('12:01:00', '12:02:00'), ...l.slice(5)],
      kinds: ['inserted'],
      line: 6,
    },
    {
      name: 'a changed seal',
      change: (lines) => lines.map((line, at) => (at === 4 ? line.replace(/"sha256":"./, '"sha256":"x') : line)),
      kinds: ['changed', 'removed'],
      line: 5,
    },
  ])('$name', async ({ change, kinds, line }) => {
    const { lines } = await written();
    const { faults } = await verified([text(change(lines))]);
    expect(faults.map(({ kind }) => kind)).toEqual(expect.arrayContaining(kinds));
    expect(faults.length > 0).toBe(kinds.length > 0);
    if (kinds.length > 0) expect(faults[0]?.until ?? faults[0]).toMatchObject({ line });
  });

  test('a seal of a later form, which is no change, once, and nothing further of its writer', async () => {
    const { lines, seals } = await written();
    const later = lines.map((line) => line.replace('"form":2', '"form":3'));
    const result = await verified([text([...later, ...(await written(9)).lines])], seals);
    expect(result).toMatchObject({ seals: 4, sealed: 7, unsealed: 7 });
    expect(result.faults).toEqual([
      {
        file: 'audit.0',
        line: 5,
        kind: 'unknown',
        message:
          'a seal of a later form (3) than this version knows, of writer 070707070707: verify with a later version',
      },
    ]);
    expect(result.unproven.join()).not.toContain('070707070707');
  });

  test('another byte anywhere in a seal', async () => {
    const { lines } = await written();
    const seal = lines[4]!;
    for (let at = 0; at < seal.length; at++) {
      const changed = seal.slice(0, at) + (seal[at] === '1' ? '2' : '1') + seal.slice(at + 1);
      const { faultCount } = await verified([text(lines.with(4, changed))]);
      expect(faultCount, changed).toBeGreaterThan(0);
    }
  });

  test('a tail that was cut off, against the seals of the log, and says without them that it cannot', async () => {
    const { lines, seals } = await written();
    const cut = text(lines.slice(0, 5));
    expect(await verified([cut])).toMatchObject({
      faults: [],
      unproven: [expect.stringContaining('were cut off at its end: it still writes, or'), {}],
    });
    expect(await verified([cut], seals)).toMatchObject({ faults: [{ kind: 'cut', line: 5 }] });
    expect(await verified([text(lines.slice(0, 7))], seals)).toMatchObject({ faults: [{ kind: 'cut' }] });
  });

  test('no proof for lines in front of seals that are of none, and says so', async () => {
    const { lines, seals } = await written();
    const made = lines[1]!.replace(/"writer":.*/, '"writer":"ffffffffffff","line":1}');
    const { unproven } = await verified([text([...lines.slice(0, 2), made, ...lines.slice(2)])], seals);
    expect(unproven[0]).toMatch(
      /^whether 1 line of writer ffffffffffff \(from audit.0:3 on\) was written by the gateway, or changed: others sealed behind it, and it does so too within a minute if it runs; if not, it was killed, or somebody inserted it$/,
    );
    expect(unproven.join()).not.toContain('usual');
    expect(unproven.join()).toContain('the order of lines of different writers');
  });
});

describe('it holds for', () => {
  test('several workers that write to one file', async () => {
    const [one, other] = [await written(1), await written(2)];
    const mixed = one.lines.flatMap((line, index) => [line, other.lines[index]!]);
    expect(await verified([text(mixed)])).toMatchObject({ faults: [], writers: 2, sealed: 14 });
    const { faults } = await verified([text(mixed.filter((_, index) => index !== 3))]);
    expect(faults).toMatchObject([{ kind: 'removed', message: expect.stringContaining('020202020202') as string }]);
  });

  test('rotated files, and for one of them alone, which says that earlier ones are not there', async () => {
    const { lines } = await written();
    const [first, second] = [text(lines.slice(0, 5)), text(lines.slice(5))];
    expect(await verified([first, second])).toMatchObject({ faults: [], sealed: 7 });
    const alone = await verified([second]);
    expect(alone).toMatchObject({ faults: [], sealed: 3 });
    expect(alone.unproven[0]).toContain('before line 5: earlier files are not here');
  });

  test('a writer that was killed, whose last lines have no seal, and the next one', async () => {
    const [killed, next] = [await written(1), await written(2)];
    const torn = `${killed.lines[6]!.slice(0, 40)}\n`;
    const result = await verified([text(killed.lines.slice(0, 6)) + torn + text(next.lines)]);
    expect(result).toMatchObject({ faults: [], unsealed: 1 });
    expect(result.unproven.join('\n')).toMatch(
      /1 line of writer 010101010101 \(from audit.0:6 on\) was written .* others sealed behind it, .* if not, it was killed.*\n.*cut off at its end/,
    );
  });

  test.each([
    { name: 'of the part that a full disk left', left: (line: string) => line.slice(0, 60) },
    { name: 'of a part that ends before its first quote', left: () => '{' },
    { name: 'of the parts of two writers', left: (line: string) => line.slice(0, 90) + line.slice(0, 3) },
    { name: 'of a seal that was torn', left: () => '{"event":"seal","form":2,"time":"2026-11-21T12:0' },
  ])('a line of another process right behind it, without a newline: $name', async ({ left }) => {
    const [one, lost] = [await written(1), await written(2)];
    const stuck = one.lines.flatMap((line, at) => (at === 2 || at === 4 ? `${left(lost.lines[0]!)}${line}` : line));
    expect(await verified([text(stuck)])).toMatchObject({ faults: [], writers: 1, sealed: 7 });
  });

  test('a line of another process behind one that lacks its newline alone', async () => {
    const [one, other] = [await written(1), await written(2)];
    const pairs = one.lines.map((line, at) => line + other.lines[at]!);
    expect(await verified([text(pairs)])).toMatchObject({ faults: [], writers: 2, sealed: 14 });
  });

  test('lines of a version before seals, which it counts', async () => {
    const { lines } = await written();
    const old = lines.slice(0, 2).map((line) => line.replace(/,"writer".*/, '}'));
    const result = await verified([text([...old, ...lines])]);
    expect(result).toMatchObject({ faults: [], unsealed: 2 });
    expect(result.unproven[0]).toBe('whether 2 lines of a version without seals were changed');
  });

  test('lines that no process numbered at the head of a later file, which are to be looked into', async () => {
    const [one, other] = [await written(1), await written(2)];
    const forged = one.lines[1]!.replace(/,"writer".*/, '}');
    const result = await verified([text(one.lines), text([forged, ...other.lines])]);
    expect(result).toMatchObject({ faults: [], unsealed: 1 });
    expect(result.concerns).toEqual([
      'whether 1 line was inserted: no process numbered them, and files with seals come first',
    ]);
  });

  test('seals of a version that did not seal their own time and end, which it names', async () => {
    const old = readFileSync('test/fixtures/audit/seals-without-time.jsonl', 'utf8');
    const result = await verified([old]);
    expect(result).toMatchObject({ faults: [], sealed: 4, unsealed: 0 });
    expect(result.unproven[0]).toBe(
      'when 2 seals of writer 070707070707 were made, and which is its last: an earlier version wrote them',
    );
    const { faults } = await verified([old.replace('"user":"ana"', '"user":"bo"')]);
    expect(faults).toMatchObject([{ kind: 'changed', line: 4, until: { line: 6 } }]);
  });

  test.each([
    { name: 'nothing', fits: 0 },
    { name: 'a part of a line', fits: 100 },
    { name: 'a line and a half', fits: 700 },
    { name: 'all but the last newline', fits: -1 },
  ])('a disk that was full, of which $name fitted', async ({ fits }) => {
    let isFull = false;
    let text = '';
    const { audit, record } = await memoryAudit({
      write: async (lines) => {
        if (text !== '' && !text.endsWith('\n')) text += '\n';
        const written = isFull ? lines.slice(0, fits) : lines;
        text += written;
        if (isFull) throw Object.assign(new Error('full'), { written: written.length });
      },
    });
    await record();
    isFull = true;
    await Promise.all([record(), record(), record()]);
    await record();
    isFull = false;
    expect(await record()).toBe(true);
    await audit.close();
    const result = await verified([text]);
    expect(result.faults).toEqual([]);
    expect(result.unproven.join()).toMatch(/[1-4] lines? that writer \w+ could not write/);
  });
});
