import { expect, test } from 'vitest';
import { judgeNow } from '../../../src/gateway/policies/judging.ts';
import { WorkBudget } from '../../../src/gateway/policies/readings/work-budget.ts';
import { CostlyTokens } from '../../../src/gateway/server/costly-tokens.ts';
import { newHarmless } from '../../fixtures/corpus/held-out-texts.ts';
import { harmless } from '../../fixtures/corpus/harmless-texts.ts';
import { pastedEverywhere, promptsEverywhere } from '../../fixtures/corpus/pasted-texts.ts';
import { policy } from '../../support/rooms/policies.ts';

/** A process that is so slow, as a new one is, that each text takes nearly as long as it may: 14 ms. */
function slowProcess(action: 'warn' | 'redact') {
  let now = 0;
  const costly = new CostlyTokens(
    () => now,
    () => now,
  );
  const policies = ['pii', 'secrets', 'injection', 'invisible'].map((kind) => policy(kind, {}, action));
  const judge = (texts: readonly string[]): void => {
    const characters = texts.join('').length;
    const clock = costly.clock('t1', characters, characters < 1024);
    const budget = new WorkBudget(2_000_000, clock);
    judgeNow(policies, 'prompt', texts, budget);
    now += 14;
    clock.stop(budget.isExceeded);
  };
  return { judge, isCostly: () => costly.has('t1', false) };
}

function inMessages(text: string, count: number): string[] {
  const each = Math.ceil(text.length / count);
  return Array.from({ length: count }, (_, at) => text.slice(at * each, (at + 1) * each));
}

/** The first one does not count. */
const times = 6;

const ordinary = { harmless, newHarmless, pastedEverywhere, promptsEverywhere };

test.each(['warn', 'redact'] as const)(
  'ordinary texts, however slow, make no token costly, with action %s',
  (action) => {
    const costly = Object.entries(ordinary).flatMap(([name, texts]) =>
      [900, 4000, 10_000].flatMap((characters) =>
        [1, 8, 30].flatMap((messages) => {
          const text = texts.join('\n').repeat(5).slice(0, characters);
          const { judge, isCostly } = slowProcess(action);
          for (let count = 0; count < times; count++) judge(inMessages(text, messages));
          return isCostly() ? [`${name}: ${characters} in ${messages}`] : [];
        }),
      ),
    );
    expect(costly).toEqual([]);
  },
);

test.each([
  ['4111 1111 1111 1111 ', '4a5b '],
  ['4539 1488 0343 6467 ', 'e\u0301'],
  ['\uff21', '4111 1111 1111 1111 '],
  ['a.', '4111 1111 1111 1111 '],
])('a thousand characters in eight messages that are built to be costly make a token so: %s and %s', (...units) => {
  const { judge, isCostly } = slowProcess('warn');
  const texts = Array.from({ length: 8 }, (_, at) => units[at % 2]!.repeat(125).slice(0, 125));
  for (let count = 0; count < times; count++) judge(texts);
  expect(isCostly()).toBe(true);
});
