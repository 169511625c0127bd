import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Quota } from '../../../src/gateway/access/quota.ts';

const minuteMs = 60_000;
const noon = Date.UTC(2026, 10, 21, 12);
const perMinute = (rpm: number) => ({ rpm, tokensPerDay: undefined });
const perDay = (tokensPerDay: number) => ({ rpm: undefined, tokensPerDay });

describe('prompts in a minute', () => {
  test('so many and no more', () => {
    const quota = new Quota();
    expect([quota.take(perMinute(2), noon), quota.take(perMinute(2), noon + 1)]).toEqual([undefined, undefined]);
    expect(quota.take(perMinute(2), noon + 2)).toBeGreaterThan(minuteMs / 2);
    expect(quota.take(perMinute(2), noon + 2 * minuteMs)).toBeUndefined();
  });

  test('without a limit nobody waits', () => {
    const quota = new Quota();
    for (let at = 0; at < 1000; at++)
      expect(quota.take({ rpm: undefined, tokensPerDay: undefined }, noon)).toBeUndefined();
  });

  test('a limit that a reload lowers holds for what was taken before', () => {
    const quota = new Quota();
    for (let at = 0; at < 10; at++) quota.take(perMinute(10), noon);
    expect(quota.take(perMinute(5), noon + 1)).toBeGreaterThan(0);
  });

  const arrivals = fc.array(fc.nat(40_000), { maxLength: 60 });

  test('who waits as long as was said gets in, and one that is refused counts for nothing', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), arrivals, (rpm, gaps) => {
        const quota = new Quota();
        let now = noon;
        for (const gap of gaps) {
          now += gap;
          const waitMs = quota.take(perMinute(rpm), now);
          if (waitMs === undefined) continue;
          expect(waitMs).toBeLessThanOrEqual(2 * minuteMs);
          now += Math.ceil(waitMs);
          expect(quota.take(perMinute(rpm), now)).toBeUndefined();
        }
      }),
    );
  });

  test('a minute by the clock never sees more than the limit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), arrivals, (rpm, gaps) => {
        const quota = new Quota();
        const taken = new Map<number, number>();
        let now = noon;
        for (const gap of gaps) {
          now += gap;
          if (quota.take(perMinute(rpm), now) !== undefined) continue;
          const minute = Math.floor(now / minuteMs);
          taken.set(minute, (taken.get(minute) ?? 0) + 1);
        }
        expect(Math.max(0, ...taken.values())).toBeLessThanOrEqual(rpm);
      }),
    );
  });
});

describe('tokens in a day', () => {
  test('are counted afterwards, and the next day begins at midnight in UTC', () => {
    const quota = new Quota();
    expect(quota.take(perDay(100), noon)).toBeUndefined();
    quota.addTokens(99, noon);
    expect(quota.take(perDay(100), noon)).toBeUndefined();
    quota.addTokens(50, noon);
    expect(quota.take(perDay(100), noon)).toBe(12 * 3_600_000);
    expect(quota.take(perDay(100), noon + 12 * 3_600_000)).toBeUndefined();
  });
});
