import fc from 'fast-check';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Gateway, GatewayRequest } from '../../../../src/gateway/contract.ts';
import type { Refusal } from '../../../../src/gateway/refusal.ts';
import { failureReply } from '../../../../src/gateway/server/http/head.ts';
import { httpLimits } from '../../../../src/gateway/server/http/limits.ts';
import { dial, listening, post, reply, statusesOf } from '../../../support/servers/http-server.ts';

const good = (name: number): string => `POST /${name} HTTP/1.1\r\nHost: gw\r\nContent-Length: 2\r\n\r\nhi`;

const refusalOf = (request: GatewayRequest): Promise<Refusal | undefined> =>
  request.readBody(1000).then(
    () => undefined,
    (refusal: unknown) => refusal as Refusal,
  );

/** Answers with the path, after a wait that makes later requests ready before earlier ones. */
const uneven: Gateway = async (request) => {
  const refusal = await refusalOf(request);
  if (refusal !== undefined) return failureReply(refusal, request.promptId!);
  await wait(Number(request.path.slice(1)) % 2 === 0 ? 4 : 0);
  return reply(200, request.path);
};

/** Bytes that are no request, behind good ones. */
const tail = fc.oneof(
  fc.constantFrom(
    'garbage\r\n\r\n',
    '\0',
    'POST',
    '\x16\x03\x01\x02\x00',
    'GET / HTTP/1.1\r\n: a\r\n\r\n',
    'POST / HTTP/2.0\r\nHost: gw\r\n\r\n',
    'POST / HTTP/1.1\r\nHost:\r\n\r\n',
    'CONNECT gw:443 HTTP/1.1\r\nHost: gw:443\r\n\r\n',
    'CONNECT gw:443 HTTP/1.1\r\nHost: gw:443\r\n\r\n\x16\x03',
    'POST / HTTP/1.1\r\nHost: gw\r\nExpect: more\r\n\r\n',
    'POST / HTTP/1.1\r\nHost: gw/other\r\n\r\n',
    post('Content-Length: ten\r\n', 'hello'),
    post('Content-Length: -1\r\n'),
    post('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'),
    post('Transfer-Encoding: chunked\r\n', 'zz\r\n'),
    post('Transfer-Encoding: chunked\r\n', '2\r\nhello\r\n'),
  ),
  fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 40 }).map((text) => `${text}\r\n\r\n`),
);

describe('behind good requests', () => {
  test('property: whatever comes costs none of them its reply, and every reply is JSON or a path', async () => {
    const limits = { headersTimeoutMs: 150, requestTimeoutMs: 200, lingerMs: 20 };
    const { port } = await listening({ gateway: uneven, limits });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 12 }), tail, async (count, sent) => {
        const names = Array.from({ length: count }, (_, name) => name);
        const { socket, closed } = dial(port, names.map(good).join('') + sent);
        const ending = setTimeout(() => socket.end(), 600);
        const text = await closed;
        clearTimeout(ending);
        const statuses = statusesOf(text);
        expect(statuses.slice(0, count)).toEqual(names.map(() => 200));
        expect(statuses.slice(count).every((status) => status >= 400)).toBe(true);
        const bodies = text.split(/HTTP\/1\.1 [^]*?\r\n\r\n/).slice(1);
        expect(bodies.slice(0, count)).toEqual(names.map((name) => `/${name}`));
        for (const body of bodies.slice(count)) expect(JSON.parse(body)).toHaveProperty('code');
      }),
      { numRuns: 60 },
    );
  });

  test('a request whose body breaks is refused under the ID that the gateway was asked with, if it was', async () => {
    const asked = new Map<string, string | undefined>();
    const gateway: Gateway = async (request) => {
      asked.set(request.path, request.promptId);
      const refusal = await refusalOf(request);
      await wait(5);
      return refusal === undefined ? reply(200, request.path) : failureReply(refusal, request.promptId!);
    };
    const { port } = await listening({ gateway });
    const broken = post('Transfer-Encoding: chunked\r\n', 'zz\r\n');
    for (const before of [0, 1, 7, 8, 9, 20]) {
      asked.clear();
      const names = Array.from({ length: before }, (_, name) => name + 1);
      const text = await dial(port, names.map(good).join('') + broken).closed;
      await wait(20);
      const refusal = JSON.parse(text.slice(text.lastIndexOf('\r\n\r\n'))) as { prompt_id: string };
      expect(asked.size).toBeGreaterThanOrEqual(before);
      if (asked.size > before) expect([...asked.values()].at(-1)).toBe(refusal.prompt_id);
    }
  });

  test('a refusal of one that did not wait for 100 costs what came behind it none of its replies', async () => {
    const gateway: Gateway = async (request) => {
      await wait(2);
      return request.path === '/refused' ? reply(415, request.path) : uneven(request);
    };
    const { port } = await listening({ gateway });
    const eager = good(0).replace('/0', '/refused').replace('Content', 'Expect: 100-continue\r\nContent');
    for (const before of ['', good(1)]) {
      const { text } = dial(port, `${before}${eager}${good(2)}${good(3)}`);
      await expect.poll(text).toContain('/3');
      expect(statusesOf(text()).slice(-4)).toEqual([100, 415, 200, 200]);
    }
  });

  test('a body that was not announced is refused after the reply', async () => {
    const { port } = await listening({ gateway: uneven });
    const text = await dial(port, 'POST /0 HTTP/1.1\r\nHost: gw\r\n\r\n{"messages":[]}').closed;
    expect(statusesOf(text)).toEqual([200, 400]);
  });
});

test('a limited number of requests of a connection is worked on at once, the others in their turn', async () => {
  let inWork = 0;
  let most = 0;
  let seen = 0;
  const release: (() => void)[] = [];
  const gateway: Gateway = async (request) => {
    seen += 1;
    most = Math.max(most, (inWork += 1));
    await request.readBody(1000);
    await new Promise<void>((resolve) => release.push(resolve));
    inWork -= 1;
    return reply(200, request.path);
  };
  const { port } = await listening({ gateway });
  const count = 3000;
  const names = Array.from({ length: count }, (_, name) => name);
  const { socket, text } = dial(port, names.map(good).join(''));
  await expect.poll(() => inWork).toBe(8);
  await wait(30);
  expect(seen).toBe(8);
  const answering = setInterval(() => release.splice(0).forEach((each) => each()), 0);
  await expect.poll(() => statusesOf(text()).length, { timeout: 10_000 }).toBe(count);
  clearInterval(answering);
  expect(most).toBe(8);
  expect(text().match(/(?<=\r\n\r\n)\/\d+/g)).toEqual(names.map((name) => `/${name}`));
  socket.destroy();
});

test('a client that sends on behind a refusal before it reads gets its replies', async () => {
  const refusing: Gateway = async (request) => {
    if (request.path === '/1') return reply(401, request.path);
    await request.readBody(1000);
    return reply(200, request.path);
  };
  const { port } = await listening({ gateway: refusing, limits: { lingerMs: 5000 } });
  const { socket, text } = dial(port);
  socket.pause().write(`${good(0)}POST /1 HTTP/1.1\r\nHost: gw\r\nContent-Length: 2\r\n\r\n`);
  await wait(50);
  socket.write('hi');
  for (let count = 0; count < 5; count++) {
    await wait(10);
    socket.write(good(2));
  }
  await wait(10);
  socket.resume();
  await expect.poll(() => statusesOf(text())).toEqual([200, 401]);
});

test.each([
  {
    name: 'a client that says that its request is the last',
    last: post('Connection: close\r\nContent-Length: 2\r\n', 'hi'),
  },
  {
    name: 'one that says so before a tab',
    last: post('Connection: close\t\r\nContent-Length: 2\r\n', 'hi'),
  },
  { name: 'one of HTTP/1.0', last: 'POST / HTTP/1.0\r\nContent-Length: 2\r\n\r\nhi' },
  {
    name: 'one that asks for an upgrade',
    last: post('Upgrade: h2c\r\nConnection: upgrade\r\nContent-Length: 2\r\n', 'hi'),
  },
])('$name, and yet sends on before it reads, gets its reply', async ({ last }) => {
  const gateway: Gateway = async () => {
    await wait(20);
    return reply(200, '{}');
  };
  const { port } = await listening({ gateway, limits: { lingerMs: 5000 } });
  const { socket, text } = dial(port);
  socket.pause().write(last);
  for (let count = 0; count < 8; count++) {
    await wait(10);
    socket.write(count % 2 === 0 ? good(2) : 'garbage\r\n\r\n');
  }
  await wait(10);
  socket.resume();
  await expect.poll(() => statusesOf(text())).toEqual([200]);
});

describe.each([
  { name: 'that went out before', answersIn: 0 },
  { name: 'that goes out meanwhile', answersIn: 100 },
])('a long reply $name', ({ answersIn }) => {
  async function draining({ slowRequestMs, pausesMs }: { slowRequestMs: number; pausesMs?: number }) {
    let otherHasCome = (): void => undefined;
    const isOtherThere = new Promise<void>((resolve) => (otherHasCome = resolve));
    const gateway: Gateway = async (request) => {
      if (request.path !== '/long') otherHasCome();
      await wait(answersIn);
      return reply(200, request.path === '/long' ? 'x'.repeat(16_000_000) : 'heard');
    };
    const limits = { slowRequestMs, idleGraceMs: 20, writeTimeoutMs: 60_000 };
    const { port, server, metrics } = await listening({ gateway, limits });
    const client = dial(port, 'POST /long HTTP/1.1\r\nHost: gw\r\nContent-Length: 0\r\n\r\n');
    client.socket.once('data', () => {
      client.socket.pause();
      if (pausesMs !== undefined) setTimeout(() => client.socket.resume(), pausesMs);
    });
    await wait(50);
    const other = dial(port, good(1));
    await isOtherThere;
    const dropped = (): number | undefined =>
      metrics.snapshot()['motif_gateway_connections_dropped_total{reason="unread"}'];
    return { client, other, drained: server.drain(60_000), dropped };
  }

  test('is not cut where its client takes it in time', async () => {
    const { client, drained, dropped } = await draining({ slowRequestMs: 30_000, pausesMs: 300 });
    expect((await client.closed).endsWith('x'.repeat(1000))).toBe(true);
    await drained;
    expect(client.text().length).toBeGreaterThan(16_000_000);
    expect(dropped()).toBeUndefined();
  });

  test('that nobody reads holds up a drain no longer than it is waited for', async () => {
    const { other, drained, dropped } = await draining({ slowRequestMs: 200 });
    await drained;
    expect(await other.closed).toContain('heard');
    expect(dropped()).toBe(1);
  });
});

test('replies that wait for each other on a connection hold up a drain no longer than one', async () => {
  const long = 'x'.repeat(16_000_000);
  const limits = { slowRequestMs: 400, idleGraceMs: 20, writeTimeoutMs: 60_000 };
  const { port, server, metrics } = await listening({ gateway: async () => reply(200, long), limits });
  const count = 6;
  const socket = connect(port, '127.0.0.1', () =>
    socket.write('POST /long HTTP/1.1\r\nHost: gw\r\nContent-Length: 0\r\n\r\n'.repeat(count)),
  );
  onTestFinished(() => void socket.destroy());
  let bytes = 0;
  // It takes one after the other, each in time.
  socket
    .on('error', () => undefined)
    .on('data', (chunk) => {
      const before = Math.floor(bytes / long.length);
      bytes += chunk.length;
      if (Math.floor(bytes / long.length) === before) return;
      socket.pause();
      setTimeout(() => socket.resume(), 300);
    });
  await once(socket, 'data');
  await wait(50);
  await server.drain(60_000);
  expect(metrics.snapshot()['motif_gateway_connections_dropped_total{reason="unread"}']).toBeGreaterThan(0);
  expect(bytes).toBeLessThan((count - 1) * long.length);
});

test('what a slow request takes of a drain is 10 s, its refusal and all', () => {
  const { slowRequestMs, checkIntervalMs, lingerMs } = httpLimits;
  expect(slowRequestMs + checkIntervalMs + lingerMs).toBeLessThanOrEqual(10_000);
});
