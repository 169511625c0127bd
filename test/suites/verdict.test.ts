import { describe, expect, test } from 'vitest';
import { MotifError } from '../../src/errors.ts';
import { reasonOf } from '../../src/suites/reports/report.ts';
import { checkCase, type CaseReply } from '../../src/suites/verdict.ts';
import { answeredReply, blockedReply, suiteOf } from '../support/rooms/suites.ts';

const timeout = new MotifError('timeout', 'no answer in time');
const now = Date.UTC(2026, 10, 22);

/** Checks a case that is written as YAML against each thing that comes back in turn. */
async function check(written: string, ...replies: readonly (CaseReply | Error)[]) {
  const suite = await suiteOf(`cases:\n  - { id: one, prompt: Hi, ${written} }\n`);
  let asked = 0;
  return await checkCase(suite.cases[0]!, {
    now: () => now,
    async ask() {
      const reply = replies[Math.min(asked++, replies.length - 1)]!;
      if (reply instanceof Error) throw reply;
      return reply;
    },
  });
}

const says = (answer: string): CaseReply => ({ ...answeredReply, answer });
const seen = (parts: Partial<NonNullable<CaseReply['sight']>>): CaseReply => ({
  ...answeredReply,
  sight: { hits: [], freed: [], providerSaw: 'Is [KEY] valid?', ...parts },
});
const cardBlock = { policy: 'no-pii', rule: 'card', action: 'block' } as const;
const blockedBy: CaseReply = { ...blockedReply, sight: { hits: [cardBlock], freed: [], providerSaw: undefined } };

describe('expectations', () => {
  test.each([
    { written: 'expect: answered', reply: answeredReply, miss: undefined },
    { written: 'expect: answered', reply: blockedReply, miss: 'expected answered, was blocked' },
    { written: 'expect: blocked', reply: blockedReply, miss: undefined },
    { written: 'expect: blocked', reply: answeredReply, miss: 'expected blocked, was answered' },
    {
      written: 'expect: answered',
      reply: { ...answeredReply, outcome: 'empty', answer: '' } as const,
      miss: 'expected answered, was an empty answer',
    },
    {
      written: 'expect: blocked',
      reply: { ...blockedReply, hasLeaked: true },
      miss: 'was blocked, and yet the service sent a text along',
    },
    { written: 'answer: { contains: [hello, THERE] }', reply: answeredReply, miss: undefined },
    { written: 'answer: { contains: [hello, you] }', reply: answeredReply, miss: 'lacks "you"' },
    { written: 'answer: { contains: hello, ignore_case: false }', reply: answeredReply, miss: 'lacks "hello"' },
    { written: 'answer: { contains_any: [you, there] }', reply: answeredReply, miss: undefined },
    { written: 'answer: { contains_any: [you, me] }', reply: answeredReply, miss: 'has none of "you", "me"' },
    { written: 'answer: { not_contains: THERE }', reply: answeredReply, miss: 'has "THERE"' },
    { written: 'answer: { equals: "Hello there" }', reply: says('Hello there\n'), miss: undefined },
    { written: 'answer: { equals: "hello there" }', reply: answeredReply, miss: 'differs from the expected answer' },
    { written: "answer: { matches: '^hello' }", reply: answeredReply, miss: undefined },
    { written: "answer: { matches: '^there' }", reply: answeredReply, miss: 'does not match "^there"' },
    { written: 'answer: { starts_with: hello }', reply: answeredReply, miss: undefined },
    { written: 'answer: { json: { a: { b: 1 } } }', reply: says('{"a":{"b":1,"c":2},"d":3}'), miss: undefined },
    { written: 'answer: { json: { a: { b: 1 } } }', reply: says('{"a":{"b":2}}'), miss: 'json: a.b is another value' },
    { written: 'answer: { json: { a: 1 } }', reply: says('{}'), miss: 'json: lacks a' },
    { written: 'answer: { json: [1] }', reply: says('[1,2]'), miss: 'json: the whole has 2 entries, not 1' },
    { written: 'answer: { json: {} }', reply: says('no'), miss: 'is no JSON' },
    { written: 'finish_reason: stop', reply: answeredReply, miss: undefined },
    { written: 'finish_reason: length', reply: answeredReply, miss: 'did not end with finish_reason "length"' },
    { written: 'usage: { total_tokens: { max: 7 } }', reply: answeredReply, miss: undefined },
    { written: 'usage: { total_tokens: { max: 6 } }', reply: answeredReply, miss: 'total_tokens is 7, over 6' },
    {
      written: 'usage: { completion_tokens: { min: 9 } }',
      reply: answeredReply,
      miss: 'completion_tokens is 4, under 9',
    },
    { written: 'elapsed: { max: 100ms }', reply: answeredReply, miss: undefined },
    { written: 'elapsed: { max: 50ms }', reply: answeredReply, miss: 'took 0.1 s, over 50 ms' },
    { written: 'expect: blocked, by: no-pii/card', reply: blockedBy, miss: undefined },
    { written: 'expect: blocked, by: no-pii', reply: blockedBy, miss: undefined },
    {
      written: 'expect: blocked, by: no-pii/email',
      reply: blockedBy,
      miss: 'was decided by no-pii/card, not by no-pii/email',
    },
    { written: 'provider_saw: { contains: "[KEY]", not_contains: AKIA }', reply: seen({}), miss: undefined },
    { written: 'provider_saw: { contains: AKIA }', reply: seen({}), miss: 'the provider did not see "AKIA"' },
    { written: 'provider_saw: { not_contains: "[KEY]" }', reply: seen({}), miss: 'the provider saw "[KEY]"' },
    {
      written: 'provider_saw: { contains: x }',
      reply: seen({ providerSaw: undefined }),
      miss: 'the provider was not asked',
    },
  ])('$written: $miss', async ({ written, reply, miss }) => {
    const result = await check(written, reply);
    expect(result.misses.map(({ message }) => message)).toEqual(miss === undefined ? [] : [miss]);
    expect(result.verdict).toBe(miss === undefined ? 'pass' : 'regressed');
  });

  test('a difference is shown line by line, and never in the message', async () => {
    const { misses } = await check('answer: { equals: "one\\ntwo\\nthree" }', says('one\n2\nthree'));
    expect(misses[0]?.diff).toEqual(['- two', '+ 2']);
    const json = await check('answer: { json: { a: 1 } }', says('{"a":"secret"}'));
    expect(json.misses[0]?.message).not.toContain('secret');
  });
});

describe('verdicts', () => {
  test.each(['auth', 'network', 'rejected', 'service', 'limited', 'timeout'] as const)(
    'a failure of kind %s is never a block and never a regression',
    async (kind) => {
      for (const expected of ['answered', 'blocked']) {
        const result = await check(`expect: ${expected}`, new MotifError(kind, 'broken'));
        expect(result).toMatchObject({ verdict: 'unverified', outcome: null, error: { kind } });
      }
    },
  );

  test('a block by a policy that could not judge is no block, by its code and by what was seen', async () => {
    const failed = { ...cardBlock, rule: 'policy_failed' };
    const inside = { ...blockedReply, sight: { hits: [failed], freed: [], providerSaw: undefined } };
    expect(await check('expect: blocked', inside)).toMatchObject({ verdict: 'unverified' });
    expect(await check('expect: blocked', { ...blockedReply, isPolicyFailure: true })).toMatchObject({
      verdict: 'unverified',
    });
  });

  test('a case that cannot be judged here names its expectations', async () => {
    const result = await check('by: no-pii, provider_saw: { contains: x }', answeredReply);
    expect(result).toMatchObject({ verdict: 'skipped', misses: [], unjudged: ['by', 'provider_saw'] });
    expect(reasonOf(result)).toBe('by, provider_saw can be judged only with --demo or --local');
    const words = 'provider_answer can be judged only with --demo or --local without --live';
    expect(reasonOf({ ...result, unjudged: ['provider_answer'] })).toBe(words);
    expect((await check('by: no-pii, expect: blocked', answeredReply)).unjudged).toEqual([]);
  });

  test('a false block names its rules where the gateway is in this process', async () => {
    const message = async (reply: CaseReply) => (await check('expect: answered', reply)).misses[0]?.message;
    const warned = { ...cardBlock, rule: 'email', action: 'warn' as const };
    const inside = {
      ...blockedReply,
      sight: { hits: [warned, cardBlock, cardBlock], freed: [], providerSaw: undefined },
    };
    const name = `${cardBlock.policy}/${cardBlock.rule}`;
    expect(await message(inside)).toBe(`expected answered, was blocked by ${name}`);
    expect(await message(blockedReply)).toBe('expected answered, was blocked');
  });

  test.each([
    {
      written: 'usage: { total_tokens: { max: 9 } }',
      reply: { ...answeredReply, usage: null },
      verdict: 'unverified',
    },
    { written: 'finish_reason: stop', reply: { ...answeredReply, finishReason: null }, verdict: 'unverified' },
    { written: 'by: no-pii', reply: answeredReply, verdict: 'skipped' },
    { written: 'provider_saw: { contains: x }', reply: answeredReply, verdict: 'skipped' },
    { written: 'by: no-pii, expect: blocked', reply: answeredReply, verdict: 'regressed' },
  ])('what was not observed does not pass: $written is $verdict', async ({ written, reply, verdict }) => {
    expect((await check(written, reply)).verdict).toBe(verdict);
  });

  test.each([
    { written: 'repeat: 3', replies: [answeredReply], verdict: 'pass', flaky: false, passes: 3 },
    {
      written: 'repeat: 3',
      replies: [answeredReply, blockedReply, answeredReply],
      verdict: 'regressed',
      flaky: true,
      passes: 2,
    },
    {
      written: 'repeat: 3, min_pass: 2',
      replies: [answeredReply, blockedReply, answeredReply],
      verdict: 'pass',
      flaky: true,
      passes: 2,
    },
    {
      written: 'repeat: 3',
      replies: [answeredReply, timeout, answeredReply],
      verdict: 'unverified',
      flaky: false,
      passes: 2,
    },
    {
      written: 'repeat: 3, min_pass: 2',
      replies: [answeredReply, timeout, answeredReply],
      verdict: 'pass',
      flaky: false,
      passes: 2,
    },
    { written: 'repeat: 2', replies: [timeout, blockedReply], verdict: 'regressed', flaky: false, passes: 0 },
  ])('$written: $verdict after $passes passes, flaky $flaky', async ({ written, replies, verdict, flaky, passes }) => {
    expect(await check(written, ...replies)).toMatchObject({ verdict, flaky, passes });
  });

  const unknown = { ...answeredReply, usage: null };
  test.each([
    { written: 'repeat: 3', replies: [answeredReply, timeout, answeredReply], times: [100, 100], tokens: 14 },
    { written: 'repeat: 3', replies: [answeredReply, blockedReply], times: [100, 100, 100], tokens: 21 },
    { written: 'repeat: 2', replies: [unknown, answeredReply], times: [100, 100], tokens: 7 },
    { written: 'repeat: 2', replies: [unknown], times: [100, 100], tokens: undefined },
    { written: 'usage: { total_tokens: { max: 3 } }', replies: [answeredReply], times: [100], tokens: 7 },
  ])('$written: all its prompts count, with $tokens tokens', async ({ written, replies, times, tokens }) => {
    const result = await check(written, ...replies);
    expect(result.all_elapsed_ms).toEqual(times);
    expect(result.all_usage?.total_tokens).toBe(tokens);
  });

  test('each turn of a conversation counts as a prompt', async () => {
    const suite = await suiteOf('cases:\n  - { id: one, turns: [{ prompt: Hi }, { prompt: There }], repeat: 2 }\n');
    const result = await checkCase(suite.cases[0]!, { now: () => now, ask: async () => answeredReply });
    expect(result).toMatchObject({ all_elapsed_ms: [100, 100, 100, 100], all_usage: { total_tokens: 28 } });
  });

  test.each([
    { known: '{ why: bug 7 }', reply: blockedReply, verdict: 'known' },
    { known: '{ why: bug 7, until: 2026-11-22 }', reply: blockedReply, verdict: 'known' },
    {
      known: '{ why: bug 7, until: 2026-11-21 }',
      reply: blockedReply,
      verdict: 'regressed',
      says: 'was known to fail until 2026-11-21',
    },
    { known: '{ why: bug 7 }', reply: answeredReply, verdict: 'regressed', says: 'is known to fail, but passes' },
    { known: '{ why: bug 7 }', reply: timeout, verdict: 'unverified' },
  ])('known failure $known: $verdict', async ({ known, reply, verdict, says: words = '' }) => {
    const result = await check(`known: ${known}`, reply);
    expect(result.verdict).toBe(verdict);
    expect(result.misses.map(({ message }) => message).join()).toContain(words);
  });

  test('a schema in a file beside the suite is held against the answer', async () => {
    const texts = { 's.json': '{"type":"object","properties":{"a":{}},"required":["a"]}' };
    const suite = await suiteOf('cases:\n  - { prompt: a, answer: { schema: s.json } }\n', { texts });
    const judge = async (answer: string) =>
      (await checkCase(suite.cases[0]!, { now: () => now, ask: async () => says(answer) })).misses[0]?.message;
    expect(await judge('{"a":1}')).toBeUndefined();
    expect(await judge('{}')).toBe('does not fit "s.json": required');
    expect(await judge('no')).toBe('is no JSON');
  });

  test('an answer whose depth doubles the work of a schema misses it rather than taking for ever', async () => {
    const term = (op: string) => ({ type: 'object', properties: { left: { $ref: '#' }, op: { const: op } } });
    const texts = { 's.json': JSON.stringify({ anyOf: [term('+'), term('-'), { type: 'number' }] }) };
    const suite = await suiteOf('cases:\n  - { prompt: a, answer: { schema: s.json } }\n', { texts });
    const judge = async (depth: number) => {
      const answer = `${'{"left":'.repeat(depth)}1${',"op":"-"}'.repeat(depth)}`;
      return (await checkCase(suite.cases[0]!, { now: () => now, ask: async () => says(answer) })).misses[0]?.message;
    };
    expect(await judge(8)).toBeUndefined();
    expect(await judge(23)).toBe('takes too much work to hold against "s.json"');
  });

  test('turns are sent with the real answers before them, and end with the first that fails', async () => {
    const suite = await suiteOf(
      'cases:\n  - turns: [{ prompt: a }, { prompt: b, answer: { contains: x } }, { prompt: c }]\n',
    );
    const sent: string[] = [];
    const result = await checkCase(suite.cases[0]!, {
      now: () => now,
      async ask(messages) {
        sent.push(messages.map(({ role, content }) => `${role} ${content}`).join(', '));
        return answeredReply;
      },
    });
    expect(sent).toEqual(['user a', 'user a, assistant Hello there, user b']);
    expect(result.verdict).toBe('regressed');
  });

  test('what is wrong for every case ends the run', async () => {
    await expect(check('expect: answered', new MotifError('io', 'disk full'))).rejects.toThrow('disk full');
    await expect(check('expect: answered', new Error('unforeseen'))).rejects.toThrow('unforeseen');
  });
});
