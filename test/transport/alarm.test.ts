import { expect, test } from 'vitest';
import { setAlarm } from '../../src/transport/alarm.ts';

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
