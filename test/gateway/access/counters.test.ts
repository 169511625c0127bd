import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ByteBudget } from '../../../src/gateway/access/byte-budget.ts';
import { createLoad } from '../../../src/gateway/contract.ts';
import { createCounters, type LimitHolder } from '../../../src/gateway/access/counters.ts';
import { unlimited } from '../../../src/gateway/config.ts';

const hourMs = 3_600_000;
const minuteMs = 60_000;
const noon = Date.UTC(2026, 10, 21, 12);
const holder: LimitHolder = { key: 'motif bot', limits: { ...unlimited, tokensPerDay: 100 } };

/** Counters with a wall clock that can be set, beside time that only passes. */
function counted() {
  const clock = { wall: noon, passed: 5000 };
  const counters = createCounters({
    now: () => clock.wall,
    monotonic: () => clock.passed,
    sinceBoot: () => clock.passed,
  });
  return {
    set: (byMs: number) => void (clock.wall += byMs),
    pass(ms: number) {
      clock.wall += ms;
      clock.passed += ms;
    },
    spend: (tokens: number) => counters.addTokens([holder], tokens),
    wait: () => (counters.takePrompt([holder]) as { waitMs: number } | undefined)?.waitMs ?? 0,
  };
}

describe('tokens in a day', () => {
  test('are counted afterwards, and the next day begins at midnight in UTC', () => {
    const day = counted();
    void day.spend(99);
    expect(day.wait()).toBe(0);
    void day.spend(50);
    expect(day.wait()).toBe(12 * hourMs);
    day.pass(12 * hourMs);
    expect(day.wait()).toBe(0);
  });

  test.each([
    { how: 'forward over midnight', jumps: [13 * hourMs] },
    { how: 'forward by a year', jumps: [365 * 24 * hourMs] },
    { how: 'forward by a year and back', jumps: [365 * 24 * hourMs, -365 * 24 * hourMs] },
    { how: 'back over midnight', jumps: [-13 * hourMs] },
    { how: 'back by a month', jumps: [-30 * 24 * hourMs] },
  ])('are kept by a clock that is set $how, until a day has passed', ({ jumps }) => {
    const day = counted();
    void day.spend(100);
    for (const jump of jumps) {
      day.set(jump);
      expect(day.wait()).toBeGreaterThan(0);
    }
    for (let hours = 0; hours < 49; hours++) {
      day.pass(hourMs);
      day.wait();
    }
    expect(day.wait()).toBe(0);
  });

  test.each([
    { how: 'forward by an hour', jumps: [hourMs], hours: 12 },
    { how: 'forward by six minutes', jumps: [hourMs / 10], hours: 12 },
    { how: 'forward over midnight', jumps: [13 * hourMs], hours: 12 },
    { how: 'forward over midnight and back', jumps: [13 * hourMs, -13 * hourMs], hours: 12 },
    { how: 'forward by an hour, after a midnight', jumps: [hourMs], hours: 24, nights: 1 },
  ])('are those of a new day after $hours hours where the clock is set $how', ({ jumps, hours, nights = 0 }) => {
    const day = counted();
    for (let night = 0; night < nights; night++) {
      day.pass(12 * hourMs);
      day.wait();
    }
    void day.spend(100);
    for (const jump of jumps) day.set(jump);
    expect(day.wait()).toBeGreaterThan(0);
    for (let hour = 1; hour < hours; hour++) {
      day.pass(hourMs);
      expect(day.wait()).toBeGreaterThan(0);
    }
    const waitMs = day.wait();
    expect(waitMs).toBeLessThanOrEqual(hourMs);
    day.pass(waitMs);
    expect(day.wait()).toBe(0);
  });

  test('end at midnight, too, behind a night in which nobody asked', () => {
    const day = counted();
    day.pass(21 * hourMs);
    void day.spend(100);
    expect(day.wait()).toBe(15 * hourMs);
    day.pass(15 * hourMs);
    expect(day.wait()).toBe(0);
  });

  test('property: they end when the wait is over that is told, and not before, however the clock was set', () => {
    const minutes = fc.integer({ min: -1500, max: 1500 });
    const step = fc.oneof(fc.record({ set: minutes }), fc.record({ pass: fc.integer({ min: 0, max: 1500 }) }));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const day = counted();
        for (const each of steps) {
          if ('set' in each) day.set(each.set * minuteMs);
          else day.pass(each.pass * minuteMs);
          day.wait();
        }
        void day.spend(100);
        day.pass(day.wait() - 1);
        expect(day.wait()).toBe(1);
        day.pass(1);
        expect(day.wait()).toBe(0);
      }),
    );
  });

  test('property: setting the clock never gives more than the tokens of the days that passed', () => {
    const step = fc.oneof(
      fc.record({ set: fc.integer({ min: -40, max: 40 }) }),
      fc.record({ pass: fc.integer({ min: 0, max: 9 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const day = counted();
        let taken = 0;
        let hours = 0;
        for (const each of steps) {
          if ('set' in each) day.set(each.set * hourMs);
          else day.pass(each.pass * hourMs);
          hours += 'pass' in each ? each.pass : 0;
          if (day.wait() > 0) continue;
          void day.spend(100);
          taken += 1;
        }
        // Part of a day at each end, as where nobody sets the clock.
        expect(taken).toBeLessThanOrEqual(Math.floor(hours / 24) + 2);
      }),
    );
  });
});

describe('bytes of bodies', () => {
  test('one holder gets a quarter, and no more than it leaves free; what is given back is there again', () => {
    const budget = new ByteBudget(400);
    expect([budget.take('ana', 100), budget.take('ana', 1)]).toEqual([true, false]);
    for (const other of ['bo', 'cy']) expect(budget.take(other, 100)).toBe(true);
    expect([budget.take('di', 51), budget.take('di', 50), budget.take('eve', 20)]).toEqual([false, true, true]);
    budget.give('ana', 60);
    expect([budget.take('di', 20), budget.take('ana', 10)]).toEqual([true, true]);
  });

  test('a Motif gets twice as much as it leaves free, however many tokens it has', () => {
    const budget = new ByteBudget(400);
    const all = Array.from({ length: 20 }, (_, at) => `bot t${at}`);
    let held = 0;
    for (const holder of all) while (budget.take(holder, 1)) held += 1;
    expect(held).toBe(266);
    expect([budget.take('other t1', 66), budget.take('other t2', 23)]).toEqual([true, true]);
    for (let given = 0; given < 100; given++) budget.give(all[0]!, 1);
    expect(budget.take(all[0]!, 20)).toBe(true);
  });

  test('more than an eighth is much: that is told once, and once that it no longer is', () => {
    const told: boolean[] = [];
    const budget = new ByteBudget(400, (isMuch) => told.push(isMuch));
    budget.take('ana', 50);
    expect(told).toEqual([]);
    budget.take('bo', 1);
    budget.take('bo', 60);
    expect(told).toEqual([true]);
    budget.give('bo', 61);
    budget.give('ana', 50);
    expect(told).toEqual([true, false]);
  });

  test('a load holds much while one of its budgets does', () => {
    let isMuch = false;
    const { bodies, answers } = createLoad((told) => (isMuch = told));
    const much = 16 * 1024 * 1024;
    for (const budget of [bodies, answers]) budget.take('ana', much);
    bodies.give('ana', much);
    expect(isMuch).toBe(true);
    answers.give('ana', much);
    expect(isMuch).toBe(false);
  });
});
