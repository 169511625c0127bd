import { expect, test } from 'vitest';
import { TimeShares } from '../../../src/gateway/server/time-shares.ts';

test('of holders that come once each those that used most are remembered, though others wait all the time', () => {
  const shares = new TimeShares<number>();
  shares.add('greedy', 0);
  shares.takeNext();
  shares.noteUse('greedy', 1000);
  const names = Array.from({ length: 20_000 }, (_, at) => `network ${at}`);
  for (const name of ['waits', ...names]) {
    shares.add(name, 0);
    if (name === 'waits') continue;
    const [holder] = shares.takeNext();
    shares.noteUse(holder, 1.5);
    if (holder === 'waits') shares.add('waits', 0);
  }
  expect(shares.size).toBeGreaterThan(0);
  expect(names.filter((name) => shares.usedBy(name) > 0).length).toBeLessThan(5000);
  expect(shares.usedBy('greedy')).toBe(1000);
});
