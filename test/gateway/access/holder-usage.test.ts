import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HolderUsage } from '../../../src/gateway/access/holder-usage.ts';

const minuteMs = 60_000;
const start = 7 * minuteMs + 12_345;

/** Takes a prompt, or says how long to wait. */
function take(usage: HolderUsage, rpm: number | undefined, at: number): number {
  const waitMs = usage.promptsWaitMs(rpm, at);
  if (waitMs === 0) usage.addPrompt(at);
  return waitMs;
}

describe('prompts in a minute', () => {
  test('takes as many as the limit and no more', () => {
    const usage = new HolderUsage();
    expect([take(usage, 2, start), take(usage, 2, start + 1)]).toEqual([0, 0]);
    expect(take(usage, 2, start + 2)).toBeGreaterThan(minuteMs / 2);
    expect(take(usage, 2, start + 2 * minuteMs)).toBe(0);
  });

  test('without a limit nobody waits', () => {
    const usage = new HolderUsage();
    for (let at = 0; at < 1000; at++) expect(take(usage, undefined, start)).toBe(0);
  });

  test('a limit that a reload lowers holds for what was taken before', () => {
    const usage = new HolderUsage();
    for (let at = 0; at < 10; at++) take(usage, 10, start);
    expect(take(usage, 5, start + 1)).toBeGreaterThan(0);
  });

  const arrivals = fc.array(fc.nat(40_000), { maxLength: 60 });

  test('who waits as long as was said gets in, and one that is refused counts for nothing', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), arrivals, (rpm, gaps) => {
        const usage = new HolderUsage();
        let now = start;
        for (const gap of gaps) {
          now += gap;
          const waitMs = take(usage, rpm, now);
          if (waitMs === 0) continue;
          expect(waitMs).toBeLessThanOrEqual(2 * minuteMs);
          now += Math.ceil(waitMs);
          expect(take(usage, rpm, now)).toBe(0);
        }
      }),
    );
  });

  test('a minute by the clock never sees more than the limit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), arrivals, (rpm, gaps) => {
        const usage = new HolderUsage();
        const taken = new Map<number, number>();
        let now = start;
        for (const gap of gaps) {
          now += gap;
          if (take(usage, rpm, now) > 0) continue;
          const minute = Math.floor(now / minuteMs);
          taken.set(minute, (taken.get(minute) ?? 0) + 1);
        }
        expect(Math.max(0, ...taken.values())).toBeLessThanOrEqual(rpm);
      }),
    );
  });
});
