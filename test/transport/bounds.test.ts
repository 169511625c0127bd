import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CappedBytes, setAlarm } from '../../src/transport/bounds.ts';

test('holds what was added, in order, and never more than the cap', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), fc.nat(200), (chunks, bytesMax) => {
      const bytes = new CappedBytes(bytesMax);
      const kept: Uint8Array[] = [];
      for (const chunk of chunks) if (bytes.add(Buffer.from(chunk))) kept.push(chunk);
      const expected = Buffer.concat(kept);
      expect(Buffer.from(bytes.bytes)).toEqual(expected);
      expect(bytes.length).toBe(expected.length);
      expect(bytes.length).toBeLessThanOrEqual(bytesMax);
    }),
  );
});

test('fills up to the last byte of the cap', () => {
  const bytes = new CappedBytes(3);
  expect([bytes.add(Buffer.from('ab')), bytes.add(Buffer.from('cd')), bytes.add(Buffer.from('c'))]).toEqual([
    true,
    false,
    true,
  ]);
  expect(Buffer.from(bytes.bytes).toString()).toBe('abc');
});

test('rings when the clock has reached the moment, and not before', async () => {
  let moment = 0;
  const clock = { now: () => moment };
  const rung = new Promise<number>((resolve) => {
    setAlarm(30, clock, () => resolve(moment));
  });
  for (const at of [10, 20, 29, 30]) {
    await new Promise((resolve) => setTimeout(resolve, 15));
    moment = at;
  }
  expect(await rung).toBe(30);
});

test('a sleep of hours in between is noticed, though the timer stood still', async () => {
  const moments = [0, 0];
  const clock = { now: () => moments.shift() ?? 7_200_000 };
  await new Promise<void>((resolve) => {
    setAlarm(3_600_000, clock, resolve);
  });
  expect(moments).toEqual([]);
});

test('a moment beyond 2^31 ms is not rung at once', async () => {
  let rings = 0;
  const cancel = setAlarm(2 ** 40, { now: () => 0 }, () => (rings += 1));
  await new Promise((resolve) => setTimeout(resolve, 30));
  cancel();
  expect(rings).toBe(0);
});

test('an alarm that was called off stays silent', async () => {
  let rings = 0;
  setAlarm(5, { now: () => Date.now() }, () => (rings += 1))();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(rings).toBe(0);
});
