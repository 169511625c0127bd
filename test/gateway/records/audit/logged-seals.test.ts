import { expect, test } from 'vitest';
import type { LoggedSeal } from '../../../../src/gateway/records/audit/verification.ts';
import { textOf as text, twoMinutes as written, verified } from '../../../support/rooms/audit/memory-audit.ts';

const at = (time: string) => (seal: LoggedSeal) => ({ ...seal, time: `2026-11-21T${time}.000Z` });

test.each([
  { name: 'within the times of the files', time: '12:00:30', kinds: ['removed', 'removed'] },
  { name: 'at the very end', time: '12:01:00', kinds: ['removed', 'removed'] },
  { name: 'within the times of the files, and before all of them', time: '12:00:30', behind: 0, kinds: [] },
  {
    name: 'within the times of the files, and behind all of them',
    time: '12:00:30',
    behind: 2,
    kinds: ['removed', 'removed'],
  },
  { name: 'as the first file began', time: '12:00:04', kinds: [] },
  { name: 'before the files', time: '11:00:00', kinds: [] },
  { name: 'after the files', time: '12:01:01', kinds: [] },
])('a writer whose lines are all gone, against seals of the log: $name', async ({ time, behind = 1, kinds }) => {
  const [one, gone] = [await written(), await written(9)];
  const { faults, unproven } = await verified(
    [text(one.lines)],
    one.seals.toSpliced(behind, 0, ...gone.seals.map(at(time))),
  );
  expect(faults.map(({ kind }) => kind)).toEqual(kinds);
  expect(unproven.join()).toBe(
    kinds.length > 0
      ? ''
      : `what became of 2 seals in the log (2026-11-21T${time}.000Z to 2026-11-21T${time}.000Z): they are in a file that was not given or is gone, or in another audit`,
  );
});

test.each([
  { name: 'the last one of the log', isLast: true },
  { name: 'the first one of the log', isLast: false },
])('a writer that was written anew under another ID, against the log: $name', async ({ isLast }) => {
  const [one, gone, made] = [await written(), await written(9), await written(10)];
  const logged = isLast ? [...one.seals, ...gone.seals] : [...gone.seals, ...one.seals];
  const { faults, unproven } = await verified([text([...one.lines, ...made.lines])], logged);
  expect(faults).toMatchObject([{ kind: 'removed' }, { kind: 'removed' }]);
  expect(unproven[0]).toBe('whether 2 seals of these files were forged: the log lacks them, or is of other days');
});

test('no fault in seals of a log that another audit shares', async () => {
  const [one, other] = [await written(), await written(9)];
  const shared = other.seals.map((seal) => ({ ...seal, place: 'other:/audit.jsonl' }));
  expect(await verified([text(one.lines)], [...one.seals, ...shared])).toMatchObject({ faults: [] });
});

test('no fault in seals of another writer, in a log of before that says no place', async () => {
  const [one, other] = [await written(), await written(9)];
  const seals = [...one.seals, ...other.seals].map((seal) => ({ ...seal, place: undefined }));
  expect(await verified([text(one.lines)], seals)).toMatchObject({ faults: [] });
});

test('an audit that was written anew under another ID, all of it, against its log', async () => {
  const [gone, made] = [await written(9), await written(10)];
  const { faults } = await verified([text(made.lines)], gone.seals);
  expect(faults).toMatchObject([{ kind: 'removed' }, { kind: 'removed' }]);
});

test.each([
  { name: 'of no lines', first: 1, last: 0 },
  { name: 'of fewer than none', first: 9, last: -90 },
  { name: 'of a line before the first', first: 0, last: 0 },
])('a seal $name is a fault', async ({ first, last }) => {
  const { lines } = await written();
  const sha256 = 'a'.repeat(64);
  const made = JSON.stringify({ event: 'seal', form: 2, time: '', writer: 'b', first, last, before: null, sha256 });
  const { faults, absent } = await verified([text([...lines, made])]);
  expect(faults).toMatchObject([{ kind: 'changed', message: 'a seal that cannot be read' }]);
  expect(absent).toBe(0);
});
