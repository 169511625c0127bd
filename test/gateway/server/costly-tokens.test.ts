import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WorkBudget } from '../../../src/gateway/policies/readings/work-budget.ts';
import { CostlyTokens } from '../../../src/gateway/server/costly-tokens.ts';
import { runs } from '../../support/runs.ts';

/** Tokens on clocks that only the work of the test moves. */
function tokens() {
  let now = 0;
  let used = 0;
  let looks = 0;
  const costly = new CostlyTokens(
    () => (looks++, now),
    () => used,
  );
  /**
   * Judges a text that takes so long, and uses the processor for all of that or less, with so much work for each of its
   * characters; true where it was too late.
   */
  const judge = (
    holder: string,
    ms: number,
    { isShort = false, usedMs = ms, work = 100_000, perCharacter = 1000 } = {},
  ): boolean => {
    const clock = costly.clock(holder, work / perCharacter, isShort);
    const budget = new WorkBudget(2 * work, clock);
    const steps = 100;
    try {
      for (let step = 0; step < steps; step++) {
        budget.spend(work / steps);
        now += ms / steps;
        used += usedMs / steps;
      }
    } catch {
      clock.stop(true);
      return true;
    }
    clock.stop(false);
    return false;
  };
  const isCostly = (holder: string) => [costly.has(holder, false), costly.has(holder, true)];
  return { costly, judge, isCostly, pass: (ms: number) => (now += ms), looks: () => looks };
}

/** Of its longer texts, and of its short ones. */
const [neither, longer, all] = [
  [false, false],
  [true, false],
  [true, true],
];

test('a token is costly for a while', () => {
  const { costly, isCostly, pass } = tokens();
  costly.clock('noisy', 100, false).stop(true);
  expect([isCostly('noisy'), isCostly('other')]).toEqual([longer, neither]);
  pass(10_000);
  expect(isCostly('noisy')).toEqual(neither);
});

test('several long texts make a token costly, of which the first one does not count', () => {
  const { judge, isCostly } = tokens();
  const seen = [15, 15, 15, 15, 15].map((ms) => (judge('noisy', ms), isCostly('noisy')));
  expect(seen).toEqual([neither, neither, neither, neither, longer]);
  expect(isCostly('other')).toEqual(neither);
});

test('where time alone tells so a token is costly for a second at first, and for longer each time that it goes on', () => {
  const { costly, judge, pass } = tokens();
  const secondsUntilFree = (): number => {
    while (!costly.has('noisy', false)) judge('noisy', 15);
    for (let seconds = 1; ; seconds++) {
      pass(1000);
      if (!costly.has('noisy', false)) return seconds;
    }
  };
  expect(Array.from({ length: 5 }, secondsUntilFree)).toEqual([2, 3, 5, 10, 10]);
  pass(60_000);
  expect(secondsUntilFree()).toBe(2);
});

test('texts with ordinary work make no token costly while they take less than half a second together', () => {
  const { judge, isCostly, pass } = tokens();
  for (let count = 0; count < 1000; count++) judge('slow', 14, { perCharacter: 100 });
  for (let count = 0; count < 15; count++) judge('new', 30, { perCharacter: 100 });
  expect([isCostly('slow'), isCostly('new')]).toEqual([neither, neither]);
  pass(10_000);
  for (let count = 0; count < 45; count++) judge('new', 30, { perCharacter: 100 });
  expect(isCostly('new')).toEqual(longer);
});

test('short texts are judged elsewhere only where short ones were costly, and then longer ones are, too', () => {
  const { judge, isCostly } = tokens();
  for (let count = 0; count < 5; count++) judge('noisy', 15, { isShort: true });
  expect(isCostly('noisy')).toEqual(all);
});

test('texts that take some time now and then make no token costly, nor do ordinary ones, however many', () => {
  const { judge, isCostly, pass } = tokens();
  for (let count = 0; count < 100; count++) {
    judge('seldom', 14);
    pass(500);
  }
  for (let count = 0; count < 1000; count++) judge('often', 4);
  expect([isCostly('seldom'), isCostly('often')]).toEqual([neither, neither]);
});

test('a busy token of whose texts some are long is not costly, unless these use the most', () => {
  const { judge, isCostly, pass } = tokens();
  const send = (holder: string, ordinary: number) => {
    for (let count = 0; count < 500; count++) {
      judge(holder, count % (ordinary + 1) === 0 ? 8 : 2);
      pass(1);
    }
  };
  send('honest', 9);
  send('noisy', 1);
  expect([isCostly('honest'), isCostly('noisy')]).toEqual([neither, longer]);
});

test('time that other programs had the processor for counts for no token', () => {
  const { judge, isCostly } = tokens();
  for (let count = 0; count < 100; count++) expect(judge('noisy', 300, { usedMs: 1 })).toBe(false);
  expect(isCostly('noisy')).toEqual(neither);
});

test('a text is late once it took long and then used the processor for as long again, a short one as well', () => {
  expect(tokens().judge('noisy', 25)).toBe(false);
  expect(tokens().judge('noisy', 60)).toBe(true);
  expect(tokens().judge('noisy', 60, { isShort: true })).toBe(true);
});

test('one late text makes no token costly, nor do some of a busy one, but several one after the other do', () => {
  const { judge, isCostly } = tokens();
  for (let count = 0; count < 300; count++) judge('honest', count % 100 === 50 ? 60 : 3);
  judge('noisy', 60);
  expect([isCostly('honest'), isCostly('noisy')]).toEqual([neither, neither]);
  for (let count = 0; count < 3; count++) judge('noisy', 60);
  expect(isCostly('noisy')).toEqual(longer);
});

test('of a token that had a long text the next one is late as soon as it took long', () => {
  const { judge } = tokens();
  expect([judge('noisy', 25), judge('noisy', 25)]).toEqual([false, true]);
});

test('a text with little work has nobody look at the time', () => {
  const { judge, looks } = tokens();
  judge('one', 1, { work: 3000 });
  expect(looks()).toBe(0);
});

test('property: whatever the texts of a token take, it has the event loop for little of ten seconds', () => {
  const text = fc.record({ ms: fc.integer({ min: 6, max: 60 }), isShort: fc.boolean() });
  fc.assert(
    fc.property(fc.array(text, { minLength: 1000, maxLength: 1000 }), (texts) => {
      const { costly, judge } = tokens();
      const here = texts.filter(({ ms, isShort }) => {
        if (costly.has('noisy', isShort)) return false;
        judge('noisy', ms, { isShort });
        return true;
      });
      expect(here.length).toBeLessThan(30);
    }),
    runs(50),
  );
});
