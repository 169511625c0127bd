import { expect, test } from 'vitest';
import {
  type Exchange,
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

test.each([
  { first: 'may still run', failure: { mayStillRun: true }, isUnsent: undefined },
  { first: 'surely did not', failure: { surelyDidNotRun: true }, isUnsent: true },
])('where the first $first, a second that was not reached leaves it so', async ({ failure, isUnsent }) => {
  const unreached: Provider['ask'] = async (_, { exchange }) => {
    exchange!.isUnsent = true;
    throw new Error('gone');
  };
  const first = provider('first', new ProviderFailure(504, 'a', failure));
  const both = withFallback(
    first,
    { ...provider('second', inference('B')), ask: unreached },
    { on: new Set(fallbackCauses) },
  );
  const exchange: Exchange = { provider: 'first', model: undefined };
  await settled(both.ask(smallRequest, { ...limits, exchange }));
  expect(exchange.isUnsent).toBe(isUnsent);
});

test('a second that is a mock is at work although the first accepted nothing, so that the prompt counts', async () => {
  const first: Provider['ask'] = async (_, { exchange }) => {
    exchange!.isUnsent = true;
    throw new ProviderFailure(502, 'a', { surelyDidNotRun: true });
  };
  const gone = provider('second', new Error('gone'));
  const exchange: Exchange = { provider: 'first', model: undefined };
  const both = withFallback({ ...provider('first', inference('A')), ask: first }, gone);
  await settled(both.ask(smallRequest, { ...limits, exchange }));
  expect(exchange.isUnsent).toBeUndefined();
});

test('the fallback has a model of its own', async () => {
  const second = provider('second', inference('B'));
  const first = provider('first', new ProviderFailure(502, 'a', { surelyDidNotRun: true }));
  await withFallback(first, second, { model: 'small' }).ask(smallRequest, limits);
  expect(second.asked[0]?.model).toBe('small');
});

const notRun = { surelyDidNotRun: true };
test.each([
  { name: 'the second', first: [502, notRun], second: [504, notRun], told: [504, 'b'] },
  {
    name: 'the one that says when',
    first: [429, { ...notRun, retryAfterMs: 9 }],
    second: [502, notRun],
    told: [429, 'a'],
  },
  {
    name: 'the second, if both say when',
    first: [429, { ...notRun, retryAfterMs: 9 }],
    second: [429, { ...notRun, retryAfterMs: 3 }],
    told: [429, 'b'],
  },
  // After a 429 a client asks again, for it says that nothing ran.
  { name: 'the second, if it ran', first: [429, { ...notRun, retryAfterMs: 9 }], second: [502, {}], told: [502, 'b'] },
  {
    name: 'the second, if it may run',
    first: [429, { ...notRun, retryAfterMs: 9 }],
    second: [504, { mayStillRun: true }],
    told: [504, 'b'],
  },
  { name: 'the first, if it ran', first: [502, {}], second: [429, { ...notRun, retryAfterMs: 9 }], told: [502, 'a'] },
  { name: 'the first, if it may run', first: [504, { mayStillRun: true }], second: [429, notRun], told: [504, 'a'] },
  { name: 'the second, if both ran', first: [502, {}], second: [502, {}], told: [502, 'b'] },
] as const)('of two failures, $name is told', async ({ first, second, told }) => {
  const failed = (of: typeof first | typeof second, message: string) =>
    new ProviderFailure(of[0], message, { detail: message, reason: `reason ${message}`, ...of[1] });
  const both = withFallback(provider('first', failed(first, 'a')), provider('second', failed(second, 'b')), {
    on: new Set(fallbackCauses),
  });
  const [status, message] = told;
  expect(await settled(both.ask(smallRequest, limits))).toMatchObject({
    status,
    message,
    reason: message === 'a' ? 'first: reason a' : 'reason b',
    detail: 'a; then second: b',
    mayStillRun: [first, second].some(([, parts]) => 'mayStillRun' in parts),
  });
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
