import { expect, test } from 'vitest';
import { Throttle } from '../../src/runs/throttle.ts';
import type { HttpReply, HttpRequest } from '../../src/wire/http.ts';
import { createFakeClock } from '../support/fake-clock.ts';

const never = new AbortController().signal;
const request: HttpRequest = { method: 'POST', url: 'https://gw.example/', headers: {}, body: '' };
const options = { connection: { connectTimeoutMs: 1 }, deadlineAt: Infinity, bodyBytesMax: 1 };

function setUp(replies: readonly Partial<HttpReply>[], { rpm }: { readonly rpm?: number } = {}) {
  const clock = createFakeClock({ now: 0 }, never);
  const throttle = new Throttle({ concurrency: 8, rpm }, clock);
  let sent = 0;
  const tools = throttle.tools({
    ...clock,
    send: async () => ({ status: 200, headers: {}, body: new Uint8Array(), ...replies[sent++] }) as HttpReply,
  });
  return { clock, throttle, tools, send: () => tools.send(request, options) };
}

test('halves after a refusal, once for all that were under way, and comes back up', async () => {
  const { throttle, send } = setUp([{ status: 429 }, { status: 429 }, { status: 429 }]);
  await Promise.all([send(), send(), send()]);
  expect(throttle.limit).toBe(4);
  for (let count = 0; count < 30; count++) await send();
  expect(throttle.limit).toBe(8);
});

test('a 503 slows down only where it says when to come back', async () => {
  const { throttle, send } = setUp([{ status: 503 }, { status: 503, headers: { 'retry-after': '1' } }]);
  await send();
  expect(throttle.limit).toBe(8);
  await send();
  expect(throttle.limit).toBe(4);
});

test('nothing starts before the moment that a refusal named', async () => {
  const { clock, throttle, send } = setUp([{ status: 429, headers: { 'retry-after': '20' } }]);
  await send();
  await throttle.turn();
  expect(clock.now()).toBe(20_000);
});

test('does not wait for a moment further away than ten minutes, and names it', async () => {
  const { clock, throttle, send } = setUp([{ status: 429, headers: { 'retry-after': '36000' } }]);
  await send();
  await throttle.turn();
  expect(clock.now()).toBe(0);
  expect(throttle.comeBackAt).toBe(36_000_000);
});

test('keeps the pace, retries counted, and makes up for a short delay only', async () => {
  const { clock, throttle, tools } = setUp([], { rpm: 600 });
  for (let count = 0; count < 10; count++) await throttle.turn();
  expect(clock.now()).toBe(900);
  await clock.advance(10_000);
  for (let count = 0; count < 16; count++) await throttle.turn();
  expect(clock.now()).toBe(11_900);
  await tools.sleep(0);
  expect(clock.now()).toBe(12_000);
  expect(throttle.retries).toBe(1);
});
