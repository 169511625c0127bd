import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { judge } from '../../../../src/gateway/policies/judging.ts';
import { Secret } from '../../../../src/text/secret.ts';
import { createSend } from '../../../../src/transport/send.ts';
import type { HttpReply, HttpRequest, SendOptions } from '../../../../src/wire/http.ts';
import { policy } from '../../../support/rooms/policies.ts';
import { listen } from '../../../support/servers/fault-server.ts';
import { toReply } from '../../../support/service.ts';

interface Asked {
  readonly request: HttpRequest;
  readonly options: SendOptions;
}

/** A webhook that gives one answer, and what it was asked. */
function answering(status: number, body: string) {
  const asked: Asked[] = [];
  const send = (request: HttpRequest, options: SendOptions): Promise<HttpReply> => {
    asked.push({ request, options });
    return Promise.resolve(toReply({ status, body }));
  };
  return { asked, send, monotonic: () => 1_000 };
}

async function judged(parts: ReturnType<typeof answering>, action: 'block' | 'redact' = 'block') {
  const options = { url: 'https://checks.example/v1', key: new Secret('top-secret-key'), timeout: '500ms' };
  const one = policy('webhook', options, action, parts);
  return judge([one], 'prompt', ['first text', 'second'], { deadlineAt: 60_000, traceparent: '00-a-b-01' });
}

test('it is asked once about all texts, with its key and within its time', async () => {
  const parts = answering(200, '{"findings":[]}');
  expect(await judged(parts)).toMatchObject({ decision: 'pass', hits: [] });
  expect(parts.asked).toHaveLength(1);
  const [{ request, options }] = parts.asked as [Asked];
  expect(request.body).toBeInstanceOf(Buffer);
  expect(JSON.parse(String(request.body))).toEqual({ on: 'prompt', texts: ['first text', 'second'] });
  expect(request).toMatchObject({
    method: 'POST',
    url: 'https://checks.example/v1',
    headers: { authorization: { scheme: 'Bearer' }, traceparent: '00-a-b-01' },
  });
  expect(options).toMatchObject({ deadlineAt: 1_500, bodyBytesMax: 1_048_576 });
  expect(JSON.stringify(request)).not.toContain('top-secret');
});

test.each([
  { timeout: '500ms', ms: 500 },
  { timeout: '5s', ms: 5000 },
])('all of its time, $timeout, may go by until it is reached', async ({ timeout, ms }) => {
  const parts = answering(200, '{"findings":[]}');
  const one = policy('webhook', { url: 'https://checks.example/v1', timeout }, 'block', parts);
  await judge([one], 'prompt', ['text'], { deadlineAt: 60_000 });
  const limits = { connection: { connectTimeoutMs: ms }, deadlineAt: 1000 + ms };
  expect(parts.asked.map(({ options }) => options)).toMatchObject([limits]);
});

test('its question is written, and its answer read, in turns that somebody gives', async () => {
  const parts = answering(200, '{"findings":[{"rule":"topic","message":0}]}');
  const turns: (() => void)[] = [];
  const inTurn = <T>(part: () => T): Promise<T> => new Promise((resolve) => void turns.push(() => resolve(part())));
  const one = policy('webhook', { url: 'https://checks.example/v1' }, 'block', parts);
  const work = judge([one], 'prompt', ['text'], { deadlineAt: 60_000, inTurn });
  let verdict: Awaited<typeof work> | undefined;
  void work.then((made) => (verdict = made));
  const asked: number[] = [];
  while (verdict === undefined) {
    await new Promise((resolve) => setImmediate(resolve));
    const turn = turns.shift();
    if (turn === undefined) continue;
    asked.push(parts.asked.length);
    turn();
  }
  expect(verdict).toMatchObject({ decision: 'block', hits: [{ rule: 'topic' }] });
  // The question; then the JSON, the findings in it, the names of their rules, exceptions, and the verdict.
  expect(asked).toEqual([0, 1, 1, 1, 1, 1]);
});

test('a kept connection that it closed meanwhile blocks no prompt', async () => {
  const asked = new WeakSet<Socket>();
  const server = createServer((request, response) => {
    const isSecond = asked.has(request.socket);
    asked.add(request.socket);
    if (isSecond) request.socket.destroy();
    else response.end('{"findings":[]}');
  });
  const port = await listen(server);
  onTestFinished(() => server.close().closeAllConnections());
  const monotonic = () => performance.now();
  const hook = policy('webhook', { url: `http://127.0.0.1:${port}/` }, 'block', {
    send: createSend({ now: monotonic }),
    monotonic,
  });
  for (let prompt = 0; prompt < 3; prompt++) {
    const verdict = await judge([hook], 'prompt', ['hi'], { deadlineAt: monotonic() + 10_000 });
    expect(verdict).toMatchObject({ decision: 'pass', hits: [] });
  }
});

test('a proxy is on its way, and its password in no message', async () => {
  const parts = answering(200, '{"findings":[]}');
  const options = { url: 'https://checks.example/v1', proxy: new Secret('http://ana:pass%20word@proxy.example:3128') };
  await judge([policy('webhook', options, 'block', parts)], 'prompt', ['hi'], { deadlineAt: 60_000 });
  const { proxy } = parts.asked[0]!.options.connection;
  expect(proxy).toMatchObject({ url: 'http://proxy.example:3128' });
  expect(proxy?.credentials?.reveal()).toBe('ana:pass word');
  expect(JSON.stringify(parts.asked)).not.toContain('pass');
});

test('its findings are redacted where it says', async () => {
  const parts = answering(
    200,
    '{"findings":[{"rule":"topic","message":0,"start":6,"length":4},{"rule":"mood","message":1}],"more":1}',
  );
  expect(await judged(parts, 'redact')).toMatchObject({ decision: 'pass', texts: ['first [TOPIC]', '[MOOD]'] });
});

test.each([
  { start: 2, length: 1, left: 'a[TOPIC]b' },
  { start: 1, length: 1, left: 'a[TOPIC]b' },
  { start: 0, length: 2, left: '[TOPIC]b' },
  { start: 2, length: 2, left: 'a[TOPIC]' },
  { start: 1, length: 2, left: 'a[TOPIC]b' },
  { start: 3, length: 1, left: 'a\u{1f600}[TOPIC]' },
])('half of a character is found whole: $start $length', async ({ start, length, left }) => {
  const body = JSON.stringify({ findings: [{ rule: 'topic', message: 0, start, length }] });
  const one = policy('webhook', { url: 'https://checks.example' }, 'redact', answering(200, body));
  expect((await judge([one], 'prompt', ['a\u{1f600}b'], { deadlineAt: 60_000 })).texts).toEqual([left]);
});

test.each([
  { status: 500, body: '{"findings":[]}' },
  { status: 204, body: '' },
  { status: 302, body: '' },
  { status: 200, body: 'OK' },
  { status: 200, body: 'null' },
  { status: 200, body: '{}' },
  { status: 200, body: '{"findings":{}}' },
  { status: 200, body: '{"findings":[{"rule":"topic","message":0}],"findings":[]}' },
  { status: 200, body: '{"findings":[{"rule":"topic","message":1,"message":9}]}' },
  { status: 200, body: '{"findings":[null]}' },
  { status: 200, body: '{"findings":[{"rule":"topic","message":2}]}' },
  { status: 200, body: '{"findings":[{"rule":"topic","message":"0"}]}' },
  { status: 200, body: '{"findings":[{"rule":"Topic!","message":0}]}' },
  { status: 200, body: '{"findings":[{"rule":"policy_failed","message":0}]}' },
  { status: 200, body: '{"findings":[{"rule":"topic","message":0,"start":-1}]}' },
  { status: 200, body: '{"findings":[{"rule":"topic","message":0,"start":4,"length":100}]}' },
  { status: 200, body: '{"findings":[{"rule":"topic","message":0,"start":4,"length":0}]}' },
])('$status $body blocks', async ({ status, body }) => {
  const outcome = await judged(answering(status, body), 'redact');
  expect(outcome).toMatchObject({
    decision: 'block',
    hits: [{ rule: 'policy_failed', action: 'block' }],
    texts: ['first text', 'second'],
  });
});

test('an answer of thousands of findings is read, and one of more blocks', async () => {
  const body = (count: number) =>
    JSON.stringify({ findings: Array(count).fill({ rule: 'topic', message: 0, start: 0, length: 1 }) });
  expect(await judged(answering(200, body(5000)), 'redact')).toMatchObject({ decision: 'pass' });
  expect(await judged(answering(200, body(7000)), 'redact')).toMatchObject({ decision: 'block' });
});

test('offline nobody is asked, so it blocks', async () => {
  const one = policy('webhook', { url: 'https://checks.example' });
  expect(await judge([one], 'prompt', ['hi'], { deadlineAt: 1 })).toMatchObject({ decision: 'block' });
});

test('http is for this machine alone', () => {
  for (const url of ['http://127.0.0.1:9000/', 'http://localhost/x', 'http://[::1]:8080']) {
    expect(typeof policy('webhook', { url }).ask).toBe('function');
  }
});
