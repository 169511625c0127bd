import { describe, expect, test } from 'vitest';
import { TransportError, type TransportErrorParts } from '../../../src/errors.ts';
import type { ProviderConfig } from '../../../src/gateway/config.ts';
import { type Exchange, ProviderFailure } from '../../../src/gateway/vocabulary.ts';
import { Refusal } from '../../../src/gateway/refusal.ts';
import { Secret } from '../../../src/text/secret.ts';
import type { HttpReply, HttpRequest, SendOptions } from '../../../src/wire/http.ts';
import { createFakeClock, monotonicStartMs } from '../../support/fake-clock.ts';
import { keyText, onlyProvider, providerConfig, smallRequest } from './provider-config.ts';

type Step = Partial<Omit<HttpReply, 'body'>> & { readonly text?: string };

const answer: Step = {
  text: JSON.stringify({
    choices: [{ message: { content: 'Yes.' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 5, completion_tokens: 2 },
  }),
};
const start = monotonicStartMs;

/** A provider whose sends end as the steps say, one after the other, a second apart if the clock moves by itself. */
function scripted(steps: readonly (Step | Error)[], config: Partial<ProviderConfig> = {}) {
  const sent: { request: HttpRequest; options: SendOptions }[] = [];
  const clock = createFakeClock({}, new AbortController().signal);
  const provider = onlyProvider(providerConfig(config), {
    send: async (request, options) => {
      sent.push({ request, options });
      const step = steps[sent.length - 1];
      if (step === undefined) throw new Error('nothing is scripted for this request');
      if (step instanceof Error) throw step;
      const { status = 200, headers = {}, text = '' } = step;
      return { status, headers, body: Buffer.from(text), timings: {} as HttpReply['timings'] };
    },
    now: clock.now,
    monotonic: clock.monotonic,
    sleep: clock.sleep,
    random: () => 0.75,
  });
  const ask = (deadlineAt = start + 120_000, signal?: AbortSignal) =>
    provider.ask(smallRequest, { deadlineAt, ...(signal && { signal }) }).catch((error: unknown) => error);
  return { ask, sent, clock, provider };
}

const lost = (kind: 'network' | 'timeout' | 'service', parts: Partial<TransportErrorParts>) =>
  new TransportError(kind, 'canary of the way', { layer: 'connect', sent: false, ...parts });
const refused = lost('network', { transient: true });
const reset = lost('network', { layer: 'http', sent: true, transient: true });

test('an answer, asked once, within the caps', async () => {
  const { ask, sent } = scripted([answer]);
  expect(await ask()).toEqual({
    text: 'Yes.',
    finishReason: 'stop',
    usage: { prompt: 5, completion: 2, isEstimated: false },
  });
  expect(sent).toHaveLength(1);
  expect(sent[0]?.options).toMatchObject({ bodyBytesMax: 16 * 1024 * 1024, deadlineAt: start + 120_000 });
});

describe('what the audit learns of an exchange', () => {
  const told = (model: string) => JSON.stringify({ model, choices: [{ message: { content: 'Yes.' } }] });
  const json = (model: string, requestId: string): Step => ({
    text: told(model),
    headers: { 'x-request-id': requestId },
  });

  test.each([
    { name: 'the model and the request', step: json('m-2026', 'req_1'), model: 'm-2026', id: 'req_1' },
    { name: 'the request of a failure', step: { ...json('m', 'req_2'), status: 401 }, model: 'm', id: 'req_2' },
    { name: 'no name that holds our key', step: json(keyText, `x-${keyText}`), model: undefined, id: undefined },
    { name: 'no name that a line cannot hold', step: json('a\nb', 'é'.repeat(9)), model: undefined, id: undefined },
  ])('$name', async ({ step, model, id }) => {
    const exchange: Exchange = { provider: 'up', model: 'asked' };
    const { provider } = scripted([step], { retries: 0 });
    await provider.ask(smallRequest, { deadlineAt: start + 1000, exchange }).catch(() => undefined);
    const { isUnsent, ...names } = exchange;
    expect(names).toEqual({ provider: 'up', model: 'asked', modelAnswered: model, requestId: id });
    expect(isUnsent === true).toBe(step.status === 401);
  });

  test.each([
    { name: 'a status', step: { status: 401 }, reason: 'provider 401' },
    { name: 'a reset', step: reset, reason: 'provider reset' },
    { name: 'a refused connection', step: refused, reason: 'provider unreachable' },
    { name: 'a timeout', step: lost('timeout', { sent: true }), reason: 'provider timeout' },
    { name: 'an answer in no format', step: { text: '{}' }, reason: 'provider reply unreadable' },
  ])('the reason of a failure: $name', async ({ step, reason }) => {
    expect(await scripted([step], { retries: 0 }).ask()).toMatchObject({ reason });
  });

  test('the trace of the caller goes to the provider', async () => {
    const { provider, sent } = scripted([answer]);
    await provider.ask(smallRequest, { deadlineAt: start + 1000, traceparent: '00-a-b-01' });
    expect(sent[0]?.request.headers).toMatchObject({ traceparent: '00-a-b-01' });
  });
});

test('the deadline is the nearer of the gateway’s and the provider’s own, and connections are shared', async () => {
  const { ask, sent } = scripted([answer, answer], { timeoutMs: 30_000, ca: 'PEM' });
  await ask();
  await ask(start + 10_000);
  expect(sent.map(({ options }) => options.deadlineAt)).toEqual([start + 30_000, start + 10_000]);
  expect(sent[0]?.options.connection).toBe(sent[1]?.options.connection);
  expect(sent[0]?.options.connection).toMatchObject({ ca: ['PEM'] });
});

describe('what surely did not run is asked again', () => {
  test.each([
    { name: 'refused', steps: [refused, refused, answer], slept: [312.5, 625] },
    {
      name: 'refused often, at most 5 s apart',
      retries: 6,
      steps: [refused, refused, refused, refused, refused, refused, answer],
      slept: [312.5, 625, 1250, 2500, 5000, 5000],
    },
    { name: '429 with Retry-After', steps: [{ status: 429, headers: { 'retry-after': '3' } }, answer], slept: [3000] },
    { name: '503 with Retry-After', steps: [{ status: 503, headers: { 'retry-after': '0' } }, answer], slept: [0] },
  ])('$name', async ({ steps, slept, retries = 2 }) => {
    const { ask, sent, clock } = scripted(steps, { retries });
    expect(await ask()).toMatchObject({ text: 'Yes.' });
    expect(sent).toHaveLength(steps.length);
    expect(clock.slept).toEqual(slept);
  });
});

describe('what may have run, or cannot help, is not', () => {
  test.each([
    { name: 'reset after it was sent', step: reset, status: 502, did: false, still: true },
    {
      name: 'time ran out after it was sent',
      step: lost('timeout', { sent: true, layer: 'http' }),
      status: 504,
      did: false,
      still: true,
    },
    { name: 'time ran out while connecting', step: lost('timeout', {}), status: 504, did: true, still: false },
    { name: 'no such host', step: lost('network', { layer: 'dns' }), status: 502, did: true, still: false },
    {
      name: 'a certificate that is not trusted',
      step: lost('network', { layer: 'tls' }),
      status: 502,
      did: true,
      still: false,
    },
    {
      name: 'an answer over the cap',
      step: lost('service', { layer: 'http', sent: true }),
      status: 502,
      did: false,
      still: false,
    },
    { name: 'an error of our own', step: new Error('canary'), status: 502, did: false, still: false },
    { name: '500', step: { status: 500 }, status: 502, did: false, still: false },
    { name: '503 without Retry-After', step: { status: 503 }, status: 502, did: false, still: false },
    { name: '529', step: { status: 529 }, status: 502, did: false, still: false },
    { name: '504', step: { status: 504 }, status: 504, did: false, still: false },
    { name: '408', step: { status: 408 }, status: 504, did: false, still: false },
    { name: '424, of a generation that failed', step: { status: 424 }, status: 502, did: false, still: false },
    { name: '499, of one that was ended', step: { status: 499 }, status: 502, did: false, still: false },
    { name: '400', step: { status: 400 }, status: 502, did: true, still: false },
    { name: '401', step: { status: 401 }, status: 502, did: true, still: false },
    { name: '429 without Retry-After', step: { status: 429 }, status: 429, did: true, still: false },
    {
      name: 'a redirect',
      step: { status: 302, headers: { location: 'https://canary.test' } },
      status: 502,
      did: true,
      still: false,
    },
    { name: 'HTML', step: { text: '<html>canary' }, status: 502, did: false, still: false },
    { name: 'truncated JSON', step: { text: '{"choices":[{"mess' }, status: 502, did: false, still: false },
    { name: 'bytes that are no text', step: { text: '\0\0' }, status: 502, did: false, still: false },
    { name: 'nothing', step: { text: '' }, status: 502, did: false, still: false },
  ])('$name is $status', async ({ step, status, did, still }) => {
    const { ask, sent } = scripted([step, answer]);
    const failure = await ask();
    expect(failure).toBeInstanceOf(ProviderFailure);
    expect(failure).toMatchObject({ status, surelyDidNotRun: did, mayStillRun: still });
    expect((failure as Error).message).not.toContain('canary');
    expect(sent).toHaveLength(1);
  });
});

test.each([
  { name: 'the retries are used up', steps: [refused, refused], retries: 1, deadlineAt: start + 120_000, status: 502 },
  { name: 'no retries are wanted', steps: [refused], retries: 0, deadlineAt: start + 120_000, status: 502 },
  { name: 'the wait ends beyond the deadline', steps: [refused], retries: 2, deadlineAt: start + 200, status: 502 },
  {
    name: 'a wait longer than five seconds is the caller’s',
    steps: [{ status: 429, headers: { 'retry-after': '6' } }],
    retries: 2,
    deadlineAt: start + 120_000,
    status: 429,
  },
])('gives up when $name', async ({ steps, retries, deadlineAt, status }) => {
  const { ask, sent } = scripted([...steps, answer], { retries });
  expect(await ask(deadlineAt)).toMatchObject({ status, surelyDidNotRun: true });
  expect(sent).toHaveLength(steps.length);
});

test('Retry-After of a 429 is in the failure', async () => {
  const { ask } = scripted([{ status: 429, headers: { 'retry-after': '60' } }]);
  expect(await ask()).toMatchObject({ status: 429, retryAfterMs: 60_000 });
});

test('a caller who is gone ends the request with the caller’s own reason', async () => {
  const gone = new AbortController();
  const reason = new Error('the caller is gone');
  gone.abort(reason);
  const { ask, sent } = scripted([reason]);
  expect(await ask(undefined, gone.signal)).toBe(reason);
  expect(sent[0]?.options.signal).toBe(gone.signal);
});

test.each([
  {
    name: 'OpenAI',
    text: "Unsupported value: 'temperature' does not support 0.2 with this model.",
    param: 'temperature',
  },
  { name: 'Anthropic', text: 'top_p: range: 0..1', param: 'top_p' },
  { name: 'nobody', text: 'the temperatures are high', param: undefined },
])('a parameter that $name objects to is named, where it is one of the Motif', async ({ text, param }) => {
  const { provider } = scripted([{ status: 400, text: JSON.stringify({ error: { message: text } }) }]);
  const request = { ...smallRequest, params: { temperature: 0.2, top_p: 3 } };
  const failure: unknown = await provider.ask(request, { deadlineAt: start + 1000 }).catch((error: unknown) => error);
  const more = param === undefined ? '' : `: parameter ${param}`;
  expect(failure).toMatchObject({
    message: `the provider did not accept the request${more}`,
    reason: `provider 400${more}`,
  });
});

test('a proxy of the file is on the way of every request', async () => {
  const proxy = { url: 'http://proxy.example:3128', from: 'proxy' };
  const { ask, sent } = scripted([answer], { proxy });
  await ask();
  expect(sent[0]?.options.connection.proxy).toBe(proxy);
});

test('the detail for the log is one short line without our secrets', async () => {
  const header = new Secret('canary-header-0123456789');
  const said = `Incorrect API key provided: ${keyText}, ${header.reveal()}.\n\u001b[31m${'long '.repeat(200)}`;
  const { ask } = scripted([{ status: 401, text: JSON.stringify({ error: { message: said } }) }], {
    headers: { 'x-extra': header },
  });
  const failure = (await ask()) as ProviderFailure;
  expect(failure.message).toBe('the provider did not accept the request');
  expect(failure.detail).toMatch(/^status 401: Incorrect API key provided: ••••, ••••\.\\n\\u\{1b\}\[31mlong /);
  expect(failure.detail?.length).toBeLessThanOrEqual(300);
  expect(JSON.stringify(failure)).not.toContain('canary');
});

const secretStory = 'my dog is called Rex and bites the postman every single day';

test.each([
  { how: 'its whole, as JSON', words: JSON.stringify([{ role: 'user', content: secretStory }]) },
  { how: 'a part of it', words: `Invalid prompt: ${secretStory.slice(10, 40)}...` },
  { how: 'it on lines of its own', words: `near "${secretStory.replaceAll(' ', '\\n')}"` },
  { how: 'a part of the key', words: `Incorrect API key provided: ${keyText.slice(0, -4)}` },
  { how: 'the key in capitals', words: `Incorrect API key provided: ${keyText.toUpperCase()}` },
])('a log does not get the words of a provider that quote $how', async ({ words }) => {
  const text = JSON.stringify({ error: { message: words } });
  const { provider } = scripted([{ status: 400, text }]);
  const request = { ...smallRequest, messages: [{ role: 'user', content: secretStory }] };
  const failure: unknown = await provider.ask(request, { deadlineAt: start + 1000 }).catch((error: unknown) => error);
  expect(failure).toMatchObject({ detail: 'status 400, in words that repeat the prompt or a key' });
});

test.each([
  [
    'llama.cpp',
    500,
    'Failed to parse input at pos 39: <|channel|>final Rex bites',
    'Failed to parse input at pos 39: …',
  ],
  ['Ollama', 500, "error parsing tool call: raw='Rex bites', err=invalid", 'error parsing tool call: …'],
  [
    'LiteLLM',
    500,
    'OllamaException - error parsing tool call: raw=Rex',
    'OllamaException - error parsing tool call: …',
  ],
  ['TGI', 424, 'Request failed during generation: out of memory', 'Request failed during generation: out of memory'],
  ['DeepSeek', 422, 'Failed to parse the body: unknown variant', 'Failed to parse the body: unknown variant'],
])('a log does not get what a model wrote, where %s repeats it', async (_, status, said, kept) => {
  const { ask } = scripted([{ status, text: JSON.stringify({ error: { message: said } }) }]);
  expect(await ask()).toMatchObject({ detail: `status ${status}: ${kept}` });
});

test('an answer that may not be held ends with that refusal: nothing is asked again', async () => {
  const refusal = new Refusal('overloaded');
  const { provider, sent } = scripted([refusal, answer], { retries: 2 });
  const received = (): Refusal => refusal;
  const asked = provider.ask(smallRequest, { deadlineAt: start + 120_000, received });
  await expect(asked).rejects.toBe(refusal);
  expect(sent.map(({ options }) => options.received)).toEqual([received]);
});
