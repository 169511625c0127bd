import { expect, test } from 'vitest';
import { memoryAudit, textOf as text, verified } from '../../../support/rooms/audit/memory-audit.ts';

/** The lines of a writer with a seal behind each minute of so many lines; `copytruncate` may cut them anywhere. */
async function linesOf(seed: number, ...minutes: readonly number[]): Promise<readonly string[]> {
  const { memory, record, minute } = await memoryAudit({ seed });
  for (const count of minutes) {
    for (let each = 0; each < count; each++) await record();
    await minute();
  }
  return memory.text.trimEnd().split('\n');
}

const writer = '010101010101';

test.each([
  {
    name: 'some of the lines of its first seal',
    from: 3,
    counts: { absent: 3, uncompared: 1, sealed: 2 },
    says: `what was in lines 1-3 of writer ${writer}, and whether 1 line behind them was changed: the seal of 2026-11-21T12:01:00.000Z (audit.0:2) names them; they stood in the file before these, as after copytruncate, or were removed: name that file as well`,
  },
  {
    name: 'all lines of its first seal',
    from: 4,
    counts: { absent: 4, uncompared: 0, sealed: 2 },
    says: `what was in lines 1-4 of writer ${writer}: the seal of 2026-11-21T12:01:00.000Z (audit.0:1) names them; they stood in the file before these, as after copytruncate, or were removed: name that file as well`,
  },
  {
    name: 'one line of its second seal',
    from: 6,
    counts: { absent: 1, uncompared: 1, sealed: 0 },
    says: `what was in line 5 of writer ${writer}, and whether 1 line behind it was changed: the seal of 2026-11-21T12:02:00.000Z (audit.0:2) names it; it stood in the file before these, as after copytruncate, or was removed: name that file as well`,
  },
])('a file that begins behind $name is not proven, and has no fault', async ({ from, counts, says }) => {
  const lines = await linesOf(1, 4, 2);
  const whole = await verified([text(lines.slice(0, from)), text(lines.slice(from))]);
  expect(whole).toMatchObject({ faults: [], absent: 0, uncompared: 0, sealed: 6 });
  const alone = await verified([text(lines.slice(from))]);
  expect(alone).toMatchObject({ faults: [], ...counts, concerns: [says] });
  expect(alone.unproven.join()).not.toContain('earlier files');
});

test('what is wrong behind such a beginning is a fault all the same', async () => {
  const lines = await linesOf(1, 6, 2);
  const { faults } = await verified([text([...lines.slice(2, 3), ...lines.slice(4)])]);
  expect(faults).toMatchObject([{ kind: 'removed', message: `line 4 of writer ${writer} is missing before this` }]);
});

test.each([
  { name: 'behind two seals of another, which fall into one minute', seals: 2, isFault: false },
  { name: 'behind three seals of another, of which one stood between its own lines', seals: 3, isFault: true },
  { name: 'in a second file, which clocks may have put there', seals: 3, isSecond: true, isFault: false },
])('the first lines of a process that are not here: $name', async ({ seals, isSecond = false, isFault }) => {
  const before = await linesOf(2, ...Array.from({ length: seals }, () => 1));
  const own = (await linesOf(1, 4)).slice(2);
  const files = isSecond ? [text(before), text(own)] : [text([...before, ...own])];
  const { faults, absent } = await verified(files);
  expect({ faults: faults.map(({ kind, message }) => `${kind}: ${message}`), absent }).toEqual(
    isFault
      ? { faults: [`removed: lines 1-2 of writer ${writer} are missing before this`], absent: 0 }
      : { faults: [], absent: 2 },
  );
});

test.each([
  { name: 'between two files', cut: 2, gone: [2], says: ', between two files, where copytruncate loses lines too' },
  {
    name: 'behind a seal between two files',
    cut: 5,
    gone: [5],
    says: ', between two files, where copytruncate loses lines too',
  },
  {
    name: 'in front of a seal between two files',
    cut: 4,
    gone: [3],
    says: ', between two files, where copytruncate loses lines too',
  },
  { name: 'in the second file', cut: 1, gone: [2], says: '' },
])('a line that is missing $name says so', async ({ cut, gone, says }) => {
  const lines = await linesOf(1, 4, 2);
  const left = (part: readonly string[]): string => text(part.filter((line) => !gone.includes(lines.indexOf(line))));
  const { faults } = await verified([left(lines.slice(0, cut)), left(lines.slice(cut))]);
  expect(faults).toHaveLength(1);
  expect(faults[0]!.message.split('is missing before this')[1]).toBe(says);
});
