import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Gateway } from '../../../../src/gateway/contract.ts';
import { dial, listening, post, reply, statusesOf } from '../../../support/servers/http-server.ts';

const good = (name: number): string => `POST /${name} HTTP/1.1\r\nHost: gw\r\nContent-Length: 2\r\n\r\nhi`;

describe('requests of one connection that are in work when a drain begins', () => {
  /** So many requests, answered in an order; a request that comes later; what was answered. */
  async function drainedWith(order: readonly number[]): Promise<{ readonly text: string; readonly seen: number }> {
    const release = new Map<string, () => void>();
    const gateway: Gateway = async (request) => {
      await request.readBody(1000);
      await new Promise<void>((resolve) => release.set(request.path, resolve));
      return reply(200, request.path);
    };
    const { port, server } = await listening({ gateway });
    const { socket, closed } = dial(port, order.map((_, name) => good(name)).join(''));
    await expect.poll(() => release.size).toBe(order.length);
    const drained = server.drain(60_000);
    await wait(10);
    for (const [index, name] of order.entries()) {
      release.get(`/${name}`)!();
      await wait(10);
      if (index === 0) socket.write(good(9));
      await wait(10);
    }
    await drained;
    return { text: await closed, seen: release.size };
  }

  test.each([
    { order: [0, 1, 2], name: 'in turn' },
    { order: [2, 1, 0], name: 'the last one first' },
    { order: [1, 2, 0], name: 'the first one last' },
  ])('are all answered, $name; no later one is begun', async ({ order }) => {
    const { text, seen } = await drainedWith(order);
    expect(text.match(/(?<=\r\n\r\n)\/\d+/g)).toEqual(['/0', '/1', '/2']);
    expect(text.match(/connection: close/gi)).toHaveLength(1);
    expect(seen).toBe(3);
  });
});

test('a request that comes in a drain behind replies made before it is answered, too', async () => {
  const release = new Map<string, () => void>();
  const gateway: Gateway = async (request) => {
    await request.readBody(1000);
    if (request.path !== '/2') await new Promise<void>((resolve) => release.set(request.path, resolve));
    return reply(200, request.path);
  };
  const { port, server } = await listening({ gateway, limits: { idleGraceMs: 500 } });
  const { socket, closed } = dial(port, good(0) + good(1));
  await expect.poll(() => release.size).toBe(2);
  release.get('/1')!();
  await wait(10);
  const drained = server.drain(3000);
  await wait(10);
  release.get('/0')!();
  await wait(10);
  // After an immediate timers come before the reading.
  await new Promise((turn) => setImmediate(turn));
  socket.write(good(2));
  await drained;
  const text = await closed;
  expect(text.match(/(?<=\r\n\r\n)\/\d+/g)).toEqual(['/0', '/1', '/2']);
  expect(text.match(/connection: close/gi)).toHaveLength(1);
});

test('a request that came while the process stood still in a drain is answered, though its connection was idle long', async () => {
  const { port, server } = await listening({ limits: { idleGraceMs: 1000 } });
  const { socket, closed } = dial(port, good(1));
  await new Promise((answered) => socket.once('data', answered));
  const drained = server.drain(60_000);
  await wait(50);
  // After an immediate timers come before the reading.
  await new Promise((turn) => setImmediate(turn));
  socket.write(good(2));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1100);
  await drained;
  expect(statusesOf(await closed)).toEqual([200, 200]);
});

test('bodies that do not come hold up a drain no longer than they are waited for', async () => {
  const { port, server } = await listening({ limits: { slowRequestMs: 50, idleGraceMs: 20 } });
  const clients = Array.from({ length: 4 }, () => dial(port, post('Content-Length: 10\r\n', 'hel')));
  await wait(30);
  // One that is whole by then, and one whose client has gone: neither is waited for.
  clients[0]!.socket.write('lo you.');
  clients[1]!.socket.destroy();
  await expect.poll(() => statusesOf(clients[0]!.text())).toEqual([200]);
  const drained = server.drain(60_000);
  for (const { closed } of clients.slice(2)) {
    const text = await closed;
    expect(statusesOf(text)).toEqual([503]);
    expect(text).toContain('"code":"draining"');
  }
  await drained;
  expect(statusesOf(await clients[0]!.closed)).toEqual([200]);
});

test('nor do heads that do not come', async () => {
  const limits = { slowRequestMs: 50, checkIntervalMs: 20, idleGraceMs: 20, headersTimeoutMs: 60_000 };
  const { port, server } = await listening({ limits });
  const clients = [dial(port), dial(port, 'POST / HT'), dial(port, `${good(1)}POST / HTTP/1.1\r\nHost`)];
  await expect.poll(() => statusesOf(clients[2]!.text())).toEqual([200]);
  await server.drain(60_000);
  expect(await Promise.all(clients.map(async ({ closed }) => statusesOf(await closed)))).toEqual([
    expect.anything(),
    [408],
    [200, 408],
  ]);
});

test('a request is concluded before a drain is over, although its client has gone', async () => {
  let [isAsked, isConcluded] = [false, false];
  const gateway: Gateway = async ({ signal }) => {
    isAsked = true;
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    await wait(100);
    isConcluded = true;
    return reply(200, '{}');
  };
  const { port, server } = await listening({ gateway });
  const { socket } = dial(port, good(0));
  await expect.poll(() => isAsked).toBe(true);
  socket.destroy();
  await server.drain(60_000);
  expect(isConcluded).toBe(true);
});
