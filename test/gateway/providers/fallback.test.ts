import { expect, test } from 'vitest';
import {
  type Inference,
  type Provider,
  ProviderFailure,
  type ProviderRequest,
} from '../../../src/gateway/vocabulary.ts';
import { fallbackCauses } from '../../../src/gateway/config.ts';
import { withFallback } from '../../../src/gateway/providers/fallback.ts';
import { smallRequest } from './provider-config.ts';

const limits = { deadlineAt: 1000 };
const inference = (text: string, finishReason: Inference['finishReason'] = 'stop'): Inference => ({
  text,
  finishReason,
  usage: { prompt: 1, completion: 1, isEstimated: false },
});

function provider(name: string, outcome: Inference | Error): Provider & { readonly asked: ProviderRequest[] } {
  const asked: ProviderRequest[] = [];
  return {
    name,
    kind: 'openai',
    asked,
    async ask(request) {
      asked.push(request);
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
  };
}

const settled = (promise: Promise<unknown>) => promise.catch((error: unknown) => error);

test.each([
  { name: 'limited', failure: new ProviderFailure(429, 'a', { surelyDidNotRun: true, retryAfterMs: 9000 }) },
  { name: 'not reached', failure: new ProviderFailure(502, 'a', { surelyDidNotRun: true }) },
  { name: 'too slow to connect to', failure: new ProviderFailure(504, 'a', { surelyDidNotRun: true }) },
])('the second is asked where the first was $name, and the operator hears of it', async ({ failure }) => {
  const second = provider('second', inference('B'));
  const heard: ProviderFailure[] = [];
  const both = withFallback(provider('first', failure), second, { notice: (why) => heard.push(why) });
  expect(await both.ask(smallRequest, limits)).toEqual(inference('B'));
  expect(heard).toEqual([failure]);
  expect(second.asked).toEqual([smallRequest]);
  expect(both).toMatchObject({ name: 'first', kind: 'openai' });
});

test.each([
  { name: 'an answer', outcome: inference('A') },
  { name: 'what a filter refused', outcome: inference('', 'content_filter') },
  { name: 'what failed, as the provider says itself', outcome: new ProviderFailure(502, 'a') },
  { name: 'what may still run', outcome: new ProviderFailure(504, 'a', { mayStillRun: true }) },
  { name: 'a caller who is gone', outcome: new Error('gone') },
])('$name goes nowhere else', async ({ outcome }) => {
  const second = provider('second', inference('B'));
  expect(await settled(withFallback(provider('first', outcome), second).ask(smallRequest, limits))).toBe(outcome);
  expect(second.asked).toEqual([]);
});

test.each([
  { cause: 'not_sent', failure: new ProviderFailure(502, 'a', { surelyDidNotRun: true }) },
  { cause: 'limited', failure: new ProviderFailure(429, 'a', { surelyDidNotRun: true }) },
  { cause: 'failed', failure: new ProviderFailure(502, 'a') },
  { cause: 'timeout', failure: new ProviderFailure(504, 'a', { mayStillRun: true }) },
  { cause: 'reset', failure: new ProviderFailure(502, 'a', { mayStillRun: true }) },
] as const)('on: [$cause] asks the second for that cause alone', async ({ cause, failure }) => {
  for (const on of fallbackCauses) {
    const both = withFallback(provider('first', failure), provider('second', inference('B')), { on: new Set([on]) });
    expect(await settled(both.ask(smallRequest, limits))).toEqual(on === cause ? inference('B') : failure);
  }
});

test('the fallback has a model of its own', async () => {
  const second = provider('second', inference('B'));
  const first = provider('first', new ProviderFailure(502, 'a', { surelyDidNotRun: true }));
  await withFallback(first, second, { model: 'small' }).ask(smallRequest, limits);
  expect(second.asked[0]?.model).toBe('small');
});

test.each([
  { name: 'the second', first: [502, undefined], second: [504, undefined], status: 504, message: 'b' },
  { name: 'the one that says when', first: [429, 9000], second: [502, undefined], status: 429, message: 'a' },
  { name: 'the second, if both say when', first: [429, 9000], second: [429, 3000], status: 429, message: 'b' },
] as const)('of two failures, $name is told', async ({ first, second, status, message }) => {
  const failed = withFallback(
    provider(
      'first',
      new ProviderFailure(first[0], 'a', { retryAfterMs: first[1], detail: 'one', surelyDidNotRun: true }),
    ),
    provider(
      'second',
      new ProviderFailure(second[0], 'b', { retryAfterMs: second[1], detail: 'two', mayStillRun: true }),
    ),
  );
  const failure = await settled(failed.ask(smallRequest, limits));
  expect(failure).toMatchObject({ status, message, detail: 'one; then second: two', mayStillRun: true });
});

test('the audit names no request and no model of the first where the second said nothing', async () => {
  const first = provider('first', new ProviderFailure(429, 'a', { surelyDidNotRun: true }));
  const second = provider('second', new ProviderFailure(502, 'b'));
  const exchange = { provider: 'first', model: 'm', requestId: 'req_1', modelAnswered: 'm-2026' };
  await settled(withFallback(first, second).ask(smallRequest, { ...limits, exchange }));
  expect(exchange).toMatchObject({ provider: 'second', requestId: undefined, modelAnswered: undefined });
});

test('nobody is asked for a caller who has gone in between', async () => {
  const gone = new AbortController();
  const second = provider('second', inference('B'));
  const first = provider('first', new ProviderFailure(502, 'a', { surelyDidNotRun: true }));
  gone.abort(new Error('gone'));
  expect(await settled(withFallback(first, second).ask(smallRequest, { ...limits, signal: gone.signal }))).toBe(
    gone.signal.reason,
  );
  expect(second.asked).toEqual([]);
});

test('a fallback for which no time is left is not asked, and the failure and the audit are those of the first', async () => {
  const second = provider('second', inference('B'));
  const failure = new ProviderFailure(504, 'a', { mayStillRun: true });
  const heard: ProviderFailure[] = [];
  const exchange = { provider: 'first', model: 'm' };
  const options = { on: new Set(['timeout'] as const), notice: (why: ProviderFailure) => heard.push(why) };
  for (const [at, isAsked] of [
    [limits.deadlineAt, false],
    [limits.deadlineAt - 1, false],
    [limits.deadlineAt - 100, true],
  ] as const) {
    const both = withFallback(provider('first', failure), second, { ...options, monotonic: () => at });
    expect(await settled(both.ask(smallRequest, { ...limits, exchange: { ...exchange } }))).toEqual(
      isAsked ? inference('B') : failure,
    );
    if (!isAsked) expect([second.asked, heard]).toEqual([[], []]);
  }
  await settled(
    withFallback(provider('first', failure), second, { ...options, monotonic: () => 1000 }).ask(smallRequest, {
      ...limits,
      exchange,
    }),
  );
  expect(exchange).toEqual({ provider: 'first', model: 'm' });
});
