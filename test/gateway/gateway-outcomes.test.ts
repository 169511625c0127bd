import { describe, expect, test } from 'vitest';
import { judge } from '../../src/gateway/policies/judging.ts';
import type { ReadyMotif } from '../../src/gateway/contract.ts';
import type { SendOptions } from '../../src/wire/http.ts';
import { policy } from '../support/rooms/policies.ts';
import { heldAnswersMax, heldBytesMax } from '../../src/gateway/access/byte-budget.ts';
import { withFallback } from '../../src/gateway/providers/fallback.ts';
import { type Provider, ProviderFailure } from '../../src/gateway/vocabulary.ts';
import { answering, expectFailure, gatewayFile, testGateway } from '../support/rooms/gateway.ts';

const says = (content: string, role = 'user') => ({ messages: [{ role, content }] });

test.each(['its body comes in', 'it is judged'])('a token whose end comes while %s is refused', async (when) => {
  const end = Date.UTC(2026, 10, 21, 12, 0, 30);
  const file = gatewayFile.replace('user: ana }', `user: ana, expires: ${new Date(end).toISOString()} }`);
  let judged = (): void => undefined;
  const judge: ReadyMotif['judge'] = async (_side, texts) => {
    judged();
    return { decision: 'pass', hits: [], texts };
  };
  const gateway = await testGateway({ file, motif: { judge } });
  const meanwhile = (): void => {
    gateway.clock.at = end;
    gateway.clock.tick += 30_000;
  };
  expect((await gateway.ask()).status).toBe(200);
  if (when === 'it is judged') judged = meanwhile;
  const reply = await gateway.ask(when === 'it is judged' ? {} : { meanwhile });
  expectFailure(reply, { status: 401, code: 'unauthorized' });
  expect(gateway.asked).toHaveLength(1);
  expect(gateway.load.inFlight).toBe(0);
});

describe('policies', () => {
  test('a blocked prompt is 200 without a response, costs nothing, and reaches no provider', async () => {
    const gateway = await testGateway();
    const { status, json, body } = await gateway.ask(says('this is forbidden'));
    expect(status).toBe(200);
    expect(json).toEqual({
      blocked: true,
      finish_reason: 'blocked',
      prompt_id: expect.any(String) as string,
      usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
    });
    expect(body).not.toContain('forbidden');
    expect(gateway.asked).toEqual([]);
  });

  test('a block by a policy that could not judge says so', async () => {
    const webhook = 'note: { kind: webhook, url: "https://checks.example" }';
    const gateway = await testGateway({ file: gatewayFile.replace(/note: .*/, webhook) });
    expect((await gateway.ask(says('hello'))).json).toMatchObject({ blocked: true, code: 'policy_failed' });
    expect((await gateway.ask(says('this is forbidden'))).json).not.toHaveProperty('code');
  });

  test.each(['system', 'assistant', 'user'])('an earlier message of role %s is checked too', async (role) => {
    const gateway = await testGateway();
    const messages = [...says('forbidden', role).messages, ...says('hello').messages];
    expect((await gateway.ask({ messages })).json.blocked).toBe(true);
  });

  test('a passage is checked too', async () => {
    const gateway = await testGateway({ handbook: '# Kettles\n\nKettles are forbidden here.\n' });
    expect((await gateway.ask(says('kettles?'))).json.blocked).toBe(true);
    expect(gateway.audited()[0]).toMatchObject({ rules: [{ message: 1 }] });
  });

  test('a blocked inference has the real counts, and no response', async () => {
    const gateway = await testGateway({ provider: answering('the forbidden word') });
    const { json, body } = await gateway.ask();
    expect(json).toMatchObject({
      blocked: true,
      finish_reason: 'blocked',
      usage: { prompt_tokens: 3, total_tokens: 7 },
    });
    expect(Object.keys(json)).not.toContain('response');
    expect(body).not.toContain('forbidden');
  });

  test('a redaction changes what the provider gets, and what the client gets', async () => {
    const gateway = await testGateway({ provider: answering('you said hideme') });
    const { json } = await gateway.ask(says('please hideme now'));
    expect(gateway.asked[0]?.messages.at(-1)?.content).toBe('please [WORD] now');
    expect(json.response).toBe('you said [WORD]');
  });
});

test('an answer that the provider filtered is told as that, also where a schema wants one that is not empty', async () => {
  const file = gatewayFile
    .replace('policies:\n', 'policies:\n  shape: { kind: schema, schema: { type: object }, on: inference }\n')
    .replace('policies: [no-word', 'policies: [shape, no-word');
  const usage = { prompt: 1, completion: 0, isEstimated: false };
  const provider = async () => ({ text: '', finishReason: 'content_filter' as const, usage });
  const { json } = await (await testGateway({ file, provider })).ask();
  expect(json).toMatchObject({ blocked: false, response: '', finish_reason: 'content_filter' });
});

describe('a provider that fails', () => {
  const cases = [
    { failure: new ProviderFailure(502, 'bad'), status: 502, code: 'provider_failed' },
    { failure: new ProviderFailure(504, 'slow'), status: 504, code: 'provider_timeout' },
    { failure: new ProviderFailure(429, 'busy', { retryAfterMs: 7200 }), status: 429, code: 'limited' },
    { failure: new Error('canary /etc/secret'), status: 500, code: 'internal' },
  ];
  test.each(cases)(
    '$code is $status, and nothing of the cause reaches the client',
    async ({ failure, ...expected }) => {
      const gateway = await testGateway({ provider: () => Promise.reject(failure) });
      const reply = await gateway.ask();
      expectFailure(reply, expected);
      expect(reply.body).not.toContain('canary');
      expect(reply.headers['server-timing']).toMatch(/^policy;dur=\d+, provider;dur=\d+, total;dur=\d+$/);
      if (expected.status === 429) expect(reply.headers['retry-after']).toBe('8');
      expect(gateway.load.inFlight).toBe(0);
      expect(gateway.audited()).toMatchObject([{ status: expected.status, decision: 'failed' }]);
    },
  );

  test('is given until the limit of the gateway file', async () => {
    let leftMs = 0;
    const gateway = await testGateway({
      provider(request, limits) {
        leftMs = limits.deadlineAt - gateway.clock.tick;
        return answering('ok')(request, limits);
      },
    });
    await gateway.ask();
    expect(leftMs).toBe(20_000);
  });
});

describe('load', () => {
  test('beyond the requests in flight there is a 503 with Retry-After, and a place that is free is used', async () => {
    const waiting: (() => void)[] = [];
    const gateway = await testGateway({
      provider: (request, limits) =>
        new Promise((resolve) => waiting.push(() => resolve(answering('late')(request, limits)))),
    });
    const first = [gateway.ask(), gateway.ask(), gateway.ask()];
    const fourth = await gateway.ask();
    expectFailure(fourth, { status: 503, code: 'overloaded' });
    expect(fourth.headers['retry-after']).toBe('1');
    for (const answer of waiting.splice(0)) answer();
    expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(gateway.load.inFlight).toBe(0);
  });

  test('too many in flight is judged last, so that a slot is taken by a prompt that is whole', async () => {
    const gateway = await testGateway({ provider: () => new Promise(() => undefined) });
    for (let count = 0; count < 3; count++) void gateway.ask();
    await expect.poll(() => gateway.load.inFlight).toBe(3);
    expectFailure(await gateway.ask({ body: '{"messages":' }), { status: 400, code: 'malformed_json' });
    expectFailure(await gateway.ask({ body: 'x'.repeat(70_000) }), { status: 413, code: 'body_too_large' });
    expectFailure(await gateway.ask(), { status: 503, code: 'overloaded' });
  });

  test('a body that does not come takes no place in flight', async () => {
    const gateway = await testGateway();
    for (let count = 0; count < 9; count++) void gateway.ask({ stalls: true });
    expect((await gateway.ask()).status).toBe(200);
  });

  test('bodies of one token take a quarter of what may be held, and are given back', async () => {
    const gateway = await testGateway();
    const quarter = heldBytesMax / 4;
    expect(gateway.load.bodies.take('bot t1', quarter)).toBe(true);
    const refused = await gateway.ask();
    expectFailure(refused, { status: 503, code: 'overloaded' });
    expect(refused.headers['retry-after']).toBe('1');
    gateway.load.bodies.give('bot t1', quarter);
    expect((await gateway.ask()).status).toBe(200);
    expect(gateway.load.bodies.take('bot t1', quarter)).toBe(true);
  });

  test('answers of one token take a quarter of what may be held, until their clients have taken them', async () => {
    const gateway = await testGateway({ provider: answering('x'.repeat(1000)) });
    const answered = await gateway.ask();
    expect(answered.status).toBe(200);
    const rest = heldAnswersMax / 4 - 1000;
    expect(gateway.load.answers.take('bot t1', rest)).toBe(true);
    const refused = await gateway.ask();
    expectFailure(refused, { status: 503, code: 'overloaded' });
    expect(gateway.asked).toHaveLength(1);
    refused.taken?.();
    for (const told of ['once', 'twice']) {
      answered.taken?.();
      expect([told, (await gateway.ask()).status]).toEqual([told, told === 'once' ? 200 : 503]);
    }
  });

  test('an answer that finds no room is paid for, so that no client is told to ask again', async () => {
    const gateway = await testGateway({ provider: answering('x'.repeat(1000)) });
    expect(gateway.load.answers.take('bot t1', heldAnswersMax / 4 - 999)).toBe(true);
    const refused = await gateway.ask();
    expectFailure(refused, { status: 502, code: 'provider_failed' });
    expect(refused.headers['retry-after']).toBeUndefined();
    expect(gateway.asked).toHaveLength(1);
  });

  test('an answer is held as it is sent: a letter that JSON escapes may be six', async () => {
    const gateway = await testGateway({ provider: answering('\u0001'.repeat(20_000)) });
    const answered = await gateway.ask();
    expect(gateway.load.answers.take('bot t1', heldAnswersMax / 4 - 119_999)).toBe(false);
    answered.taken?.();
    expect(gateway.load.answers.take('bot t1', heldAnswersMax / 4 - 119_999)).toBe(true);
    expectFailure(await gateway.ask(), { status: 502, code: 'provider_failed' });
  });

  test('what a provider sends is held as it comes, and no longer than its answer is read', async () => {
    const heard: unknown[] = [];
    const gateway = await testGateway({
      provider: async (request, limits) => {
        heard.push(limits.received?.(heldAnswersMax / 4));
        const refusal = limits.received?.(1);
        if (request.messages.at(-1)?.content === 'more') throw refusal!;
        return answering('short')(request, limits);
      },
    });
    const refused = await gateway.ask({ messages: [{ role: 'user', content: 'more' }] });
    expectFailure(refused, { status: 502, code: 'provider_failed' });
    expect(refused.headers['retry-after']).toBeUndefined();
    refused.taken?.();
    const answered = await gateway.ask();
    expect(answered.status).toBe(200);
    expect(gateway.load.answers.take('bot t1', heldAnswersMax / 4 - 'short'.length)).toBe(true);
    expect(heard).toEqual([undefined, undefined]);
  });

  test('a client that has gone takes its request to the provider with it', async () => {
    const gone = new AbortController();
    const gateway = await testGateway({
      provider: (_, { signal }) =>
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted')))),
    });
    const asked = gateway.ask({ signal: gone.signal });
    await expect.poll(() => gateway.asked.length).toBe(1);
    gone.abort(new Error('gone'));
    expect((await asked).status).toBe(499);
    expect(gateway.load.inFlight).toBe(0);
    expect(gateway.audited()).toMatchObject([{ status: 499, decision: 'failed' }]);
  });
});

test.each(['prompt', 'inference'])(
  'a client that goes while a webhook judges its %s makes no policy fail',
  async (on) => {
    const gone = new AbortController();
    const send = (_: unknown, { signal }: SendOptions) =>
      new Promise<never>((_resolve, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))));
    const options = { url: 'https://checks.example', timeout: '5s' };
    const hook = policy('webhook', options, 'block', { send, monotonic: () => 0 });
    let isAsked = false;
    const gateway = await testGateway({
      motif: {
        judge(side, texts, { signal }) {
          if (side !== on) return { decision: 'pass', hits: [], texts };
          isAsked = true;
          return judge([hook], side, texts, { deadlineAt: 60_000, signal });
        },
      },
    });
    const asked = gateway.ask({ signal: gone.signal });
    await expect.poll(() => isAsked).toBe(true);
    gone.abort(new Error('gone'));
    expect((await asked).status).toBe(499);
    expect(gateway.audited()).toMatchObject([{ status: 499, decision: 'failed', reason: 'client_gone', rules: [] }]);
    expect(gateway.asked).toHaveLength(on === 'prompt' ? 0 : 1);
    expect(gateway.logged.join()).not.toContain('a policy failed');
  },
);

test('a request that was refused stands in the audit as what its client was told, although it has gone by then', async () => {
  const gateway = await testGateway();
  const { status } = await gateway.ask({ body: 'x'.repeat(2 ** 21), signal: AbortSignal.abort() });
  expect(status).toBe(413);
  expect(gateway.audited()).toMatchObject([{ status: 413, reason: 'body_too_large' }]);
});

test('an answer of the fallback tells the auditor why the first provider was given up, and the log whose prompt it was', async () => {
  const reason = 'provider 400: parameter temperature';
  const heard: unknown[] = [];
  const first: Provider = {
    name: 'openai',
    kind: 'openai',
    ask: () => Promise.reject(new ProviderFailure(502, 'refused', { surelyDidNotRun: true, reason })),
  };
  const second: Provider = { name: 'spare', kind: 'mock', ask: answering('fine') };
  const both = withFallback(first, second, { notice: (_failure, promptId) => heard.push(promptId) });
  const gateway = await testGateway({ provider: (request, limits) => both.ask(request, limits) });
  const { status, json } = await gateway.ask();
  expect(status).toBe(200);
  const facts = { provider: 'spare', fallback: true, status: 200, reason: `openai: ${reason}` };
  expect(gateway.audited().filter(({ event }) => event === undefined)).toMatchObject([facts]);
  expect(heard).toEqual([json.prompt_id]);
});
