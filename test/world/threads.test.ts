import { expect, test } from 'vitest';
import { ownThread, threadMs } from '../../src/world/threads.ts';

test.runIf(process.platform === 'linux')('the time of a thread is that of its own work', () => {
  const own = ownThread()!;
  const before = threadMs(own);
  while (threadMs(own) === before);
  const { user, system } = process.cpuUsage();
  expect(threadMs(own)).toBeLessThanOrEqual((user + system) / 1000 + 20);
});

test('an unknown thread has used nothing', () => {
  expect(threadMs('0')).toBe(0);
});
