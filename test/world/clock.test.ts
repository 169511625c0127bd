import { expect, test } from 'vitest';
import { createSleep } from '../../src/world/clock.ts';

const never = new AbortController().signal;

test('ends', async () => {
  await expect(createSleep(never)(1)).resolves.toBeUndefined();
});

test('longer than a timer can be does not end at once', async () => {
  const controller = new AbortController();
  const sleeping = createSleep(never)(2 ** 40, controller.signal);
  setTimeout(() => controller.abort(new Error('still asleep')), 20);
  await expect(sleeping).rejects.toThrow('still asleep');
});

test.each(['before', 'during'])('an interruption %s it is its reason', async (when) => {
  const controller = new AbortController();
  const reason = new Error('interrupted');
  if (when === 'before') controller.abort(reason);
  const sleeping = createSleep(controller.signal)(60_000);
  controller.abort(reason);
  await expect(sleeping).rejects.toBe(reason);
});
