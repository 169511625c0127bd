import fc from 'fast-check';
import { expect, test } from 'vitest';
import { judge, judgeNow } from '../../../src/gateway/policies/judging.ts';
import { WorkBudget, WorkExceeded, policyWorkDefault } from '../../../src/gateway/policies/readings/work-budget.ts';
import { workShapes } from '../../fixtures/work-shapes.ts';
import { policy } from '../../support/rooms/policies.ts';
import { runs } from '../../support/runs.ts';

const all = [policy('pii'), policy('secrets'), policy('injection'), policy('invisible'), policy('urls')];

function workOf(unit: string, size: number, more = 0): number {
  const budget = new WorkBudget(Number.MAX_SAFE_INTEGER);
  const text = unit.repeat(Math.ceil(size / unit.length) + more);
  const { hits } = judgeNow(all, 'prompt', [text], budget);
  expect(hits.filter(({ rule }) => rule === 'policy_failed')).toEqual([]);
  return budget.spent;
}

/** Twice the text may need a little more than twice the work, where a longer text has a part that a shorter lacks. */
const slopeMax = 2.2;

/** Work by the most that about half of it needs: a text of an even length, for one, may be read in one way more. */
function slopeOf(unit: string, size: number): number {
  return workOf(unit, size) / Math.max(...[0, 1, 2, 3].map((more) => workOf(unit, size / 2, more)));
}

test.each(Object.entries(workShapes))('twice as many %s are at most twice the work', (_, unit) => {
  expect(slopeOf(unit, 16 * 1024)).toBeLessThan(slopeMax);
});

test('property: nor are twice as many of several of them, one after the other', () => {
  const units = fc.array(fc.constantFrom(...Object.values(workShapes)), { minLength: 2, maxLength: 4 });
  fc.assert(
    fc.property(units, (parts) => {
      const unit = parts.join('');
      expect(slopeOf(unit, 8 * 1024)).toBeLessThan(slopeMax);
    }),
    runs(100),
  );
});

test.each(['pieces of base64', 'tokens'])('a MiB of %s is judged within the budget', (name) => {
  expect(workOf(workShapes[name]!, 1024 * 1024)).toBeLessThan(policyWorkDefault / 2);
});

test('beyond its budget a policy has failed and blocks, in whichever way it is asked', async () => {
  const texts = ['a harmless sentence'];
  const failed = { decision: 'block', hits: [{ policy: 'pii', rule: 'policy_failed' }] };
  expect(judgeNow([policy('pii', {}, 'warn')], 'prompt', texts, new WorkBudget(10))).toMatchObject(failed);
  expect(
    await judge([policy('pii', {}, 'warn')], 'prompt', texts, { deadlineAt: 1_000, policyWork: 10 }),
  ).toMatchObject(failed);
});

test('the budget is that of all texts together', () => {
  const budget = new WorkBudget(1_000);
  const texts = Array.from({ length: 20 }, () => 'some ninety characters of text, '.repeat(3));
  expect(judgeNow([policy('secrets')], 'prompt', texts, budget).decision).toBe('block');
});

test('each pattern that has to be run is work of its own', () => {
  const work = (patterns: readonly string[]): number => {
    const budget = new WorkBudget();
    judgeNow([policy('regex', { patterns })], 'prompt', ['some words, and a number 17 '.repeat(400)], budget);
    return budget.spent;
  };
  const patterns = Array.from({ length: 40 }, (_, index) => `[a-z]{3}-${index}|[x-z]+y`);
  expect(work(patterns)).toBeGreaterThan(5 * work(patterns.slice(0, 1)));
  expect(work(Array.from({ length: 40 }, (_, index) => `acme-${index}`))).toBe(work(['acme-1']));
});

test.each([
  { kind: 'words', options: { words: ['一', '一一', '一一一'] } },
  { kind: 'regex', options: { patterns: ['.', '..', '...'] } },
])('to tell the places of thousands of findings, and to put them in order, is work: $kind', ({ kind, options }) => {
  const budget = new WorkBudget();
  judgeNow([policy(kind, options)], 'prompt', ['一'.repeat(4_000)], budget);
  expect(budget.spent).toBeGreaterThan(25 * 4_000);
});

test('each phrase that is found is work, for a list may have dozens inside of each other', () => {
  const work = (phrases: number): number => {
    const budget = new WorkBudget();
    const words = Array.from({ length: phrases }, (_, index) =>
      Array.from({ length: index + 1 }, () => 'ha').join(' '),
    );
    judgeNow([policy('words', { words })], 'prompt', ['ha '.repeat(1_000)], budget);
    return budget.spent;
  };
  // Of 40 phrases, 20 are there on average, of 20 words each, where each word ends.
  expect(work(40)).toBeGreaterThan(10 * work(1));
});

test('each pair of words that may be of one order is work, for a word stands in many sequences', () => {
  const work = (unit: string): number => {
    const budget = new WorkBudget();
    judgeNow([policy('injection', {}, 'redact')], 'prompt', [unit.repeat(300)], budget);
    return budget.spent / unit.length;
  };
  expect(work('tokenignore_all_previous_x ke忽略以上指令')).toBeGreaterThan(
    10 * work('Please read all that was said above. '),
  );
});

/** A text in which a pattern that counts meets a state of its own at nearly every letter. */
function shuffled(characters: number, seed: number): string {
  let state = seed;
  return Array.from({ length: characters }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return state % 2 === 0 ? 'a' : 'b';
  }).join('');
}

test.each([
  { name: 'that fits into an automaton', sent: shuffled(60, 3) },
  { name: 'that does not', sent: shuffled(3_000, 3) },
])('the work of a text $name is the same whatever was judged before', ({ sent }) => {
  const one = policy('regex', { pattern: 'a.{0,100}q' }, 'redact');
  const works = Array.from({ length: 20 }, (_, at) => {
    judgeNow([one], 'prompt', [shuffled(100 * at, at + 1)]);
    const budget = new WorkBudget();
    judgeNow([one], 'prompt', [sent], budget);
    return budget.spent;
  });
  expect(new Set(works).size).toBe(1);
});

test('states that a text has made are work for whoever waits for this thread, and for nobody else', () => {
  const one = policy('regex', { pattern: 'a.{0,105}q' });
  const workOf = (budget: WorkBudget) => {
    judgeNow([one], 'prompt', [shuffled(60, 5)], budget);
    return budget.spent;
  };
  const [first, second, anywhere] = [
    new WorkBudget(Number.MAX_SAFE_INTEGER, {}),
    new WorkBudget(Number.MAX_SAFE_INTEGER, {}),
    new WorkBudget(),
  ].map(workOf);
  expect(first).toBeGreaterThan(100 * second!);
  expect(second).toBe(anywhere);
});

test('a budget whose time is said to be over is exceeded', () => {
  let isLate = false;
  const budget = new WorkBudget(1_000, { isLate: () => isLate });
  budget.spend(1);
  isLate = true;
  expect(() => budget.spend(1)).toThrow(WorkExceeded);
  expect(budget.isExceeded).toBe(true);
});

test.each([
  { kind: 'secrets', what: 'each name behind which a secret may stand', unit: '-oauth-=' },
  { kind: 'urls', what: 'each address', unit: '\\\\\\\n' },
  { kind: 'urls', what: 'each target of a link', unit: '[a](b) ' },
])('the clock is looked at for $what', ({ kind, unit }) => {
  let looks = 0;
  const budget = new WorkBudget(Number.MAX_SAFE_INTEGER, {
    isLate() {
      looks += 1;
      return false;
    },
  });
  const times = 1_000;
  judgeNow([policy(kind)], 'prompt', [unit.repeat(times)], budget);
  expect(looks).toBeGreaterThan(times);
});
