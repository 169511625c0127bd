import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Gateway } from '../../../../src/gateway/contract.ts';
import { requestHeaderBytesMax, tenantCharactersMax, tokenCharactersMax } from '../../../../src/text/limits.ts';
import { parseToken } from '../../../../src/text/token-form.ts';
import { dial, echo, listening, path, post, reply, statusesOf } from '../../../support/servers/http-server.ts';

const idPattern = /"prompt_id":"[0-9A-Z]+"/;

describe('a client that takes its time', () => {
  const limits = { headersTimeoutMs: 80, requestTimeoutMs: 160 };
  test.each([
    { name: 'says nothing', sends: '' },
    { name: 'never ends its headers', sends: 'POST / HTTP/1.1\r\nHost: gw\r\nX-A: ' },
    { name: 'never sends its body', sends: post('Content-Length: 500\r\n') },
    { name: 'never ends its chunks', sends: post('Transfer-Encoding: chunked\r\n', '5\r\nhello\r\n') },
  ])('$name: 408, and closed', async ({ sends }) => {
    const { port } = await listening({ limits });
    const text = await dial(port, sends).closed;
    expect(text).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(text).toMatch(idPattern);
    expect(text).toContain('"code":"request_timeout"');
  });

  test('drips its headers: the time is not counted anew', async () => {
    const { port } = await listening({ limits });
    const { socket, closed } = dial(port, 'POST / HTTP/1.1\r\nHost: gw\r\n');
    const drip = setInterval(() => socket.write('X-A: b\r\n'), 20);
    expect(await closed).toContain('408');
    clearInterval(drip);
  });

  test('1,000 of them do not keep another one from its answer', async () => {
    const { port } = await listening({ limits: { headersTimeoutMs: 20_000 } });
    const slow = Array.from({ length: 1000 }, () => dial(port, 'POST / HTTP/1.1\r\nX-'));
    const { closed } = dial(port, post('Content-Length: 2\r\nConnection: close\r\n', 'hi'));
    expect(await closed).toContain('"length":2');
    for (const { socket } of slow) socket.destroy();
  });
});

async function pausedAtFirstBytes(socket: Socket): Promise<void> {
  await new Promise<void>((resolve) => {
    socket.once('data', () => {
      socket.pause();
      resolve();
    });
  });
}

test('a client that does not read its reply is let go', async () => {
  const huge: Gateway = async () => reply(200, 'x'.repeat(20_000_000));
  const { port } = await listening({ gateway: huge, limits: { writeTimeoutMs: 150 } });
  const { socket, text } = dial(port, post('Content-Length: 0\r\n'));
  await pausedAtFirstBytes(socket);
  await wait(600);
  socket.resume();
  await new Promise((resolve) => socket.once('close', resolve));
  expect(text().length).toBeLessThan(20_000_000);
});

test('nor does one get more time by asking for several replies at once', async () => {
  let asked = 0;
  const huge: Gateway = async () => {
    const body = 'x'.repeat(asked++ === 0 ? 1 : 20_000_000);
    if (asked === 1) await wait(50);
    return reply(200, body);
  };
  const { port } = await listening({ gateway: huge, limits: { writeTimeoutMs: 150 } });
  const { socket, text } = dial(port, post('Content-Length: 0\r\n') + post('Content-Length: 0\r\n'));
  await pausedAtFirstBytes(socket);
  await wait(600);
  socket.resume();
  const isClosed = new Promise((resolve) => socket.once('close', () => resolve('closed')));
  expect(await Promise.race([isClosed, wait(3000)])).toBe('closed');
  expect(text().length).toBeLessThan(20_000_000);
});

test('connections beyond the limit are closed, and those within are answered', async () => {
  const { port } = await listening({ limits: { connectionsMax: 2 } });
  const first = [dial(port), dial(port)];
  await Promise.all(first.map(({ socket }) => new Promise((resolve) => socket.once('connect', resolve))));
  await wait(50);
  expect(await dial(port, post('Content-Length: 0\r\n')).closed).toBe('');
  first[0]?.socket.write(post('Content-Length: 0\r\nConnection: close\r\n'));
  expect(await first[0]?.closed).toContain('200 OK');
});

describe('bodies', () => {
  const bodies = [
    {
      name: 'is as long as it says',
      sends: post('Content-Length: 5\r\nConnection: close\r\n', 'hello'),
      status: '200 OK',
    },
    { name: 'says that it is too long', sends: post('Content-Length: 2000\r\n'), status: '413 Payload Too Large' },
    {
      name: 'is too long in chunks',
      sends: post('Transfer-Encoding: chunked\r\n', `7d0\r\n${'x'.repeat(2000)}\r\n`),
      status: '413 Payload Too Large',
    },
    {
      name: 'has chunk extensions without end',
      sends: post('Transfer-Encoding: chunked\r\n', `5;${'x'.repeat(20_000)}\r\nhello`),
      status: '413 Payload Too Large',
    },
    {
      name: 'lies about its length with a word',
      sends: post('Content-Length: ten\r\n', 'hello'),
      status: '400 Bad Request',
    },
    { name: 'has a negative length', sends: post('Content-Length: -5\r\n', 'hello'), status: '400 Bad Request' },
  ];
  test.each(bodies)('one that $name is $status', async ({ sends, status }) => {
    const { port } = await listening();
    expect(await dial(port, sends).closed).toContain(`HTTP/1.1 ${status}`);
  });

  test('a client that is still sending gets to see why it was refused', async () => {
    const { port } = await listening({ limits: { lingerMs: 2000 } });
    const { socket, closed } = dial(port, post('Content-Length: 3000000\r\n'));
    for (let sent = 0; sent < 3_000_000; sent += 100_000) {
      socket.write(Buffer.alloc(100_000));
      await wait(1);
    }
    const text = await closed;
    expect(text).toContain('413 Payload Too Large');
    expect(text).toContain('"code":"body_too_large"');
  });

  test('a body without end is not read for ever', async () => {
    const { port } = await listening({ gateway: async () => reply(401, '{}'), limits: { lingerMs: 100 } });
    const { socket, closed } = dial(port, post('Transfer-Encoding: chunked\r\n'));
    const flood = setInterval(() => socket.write(`400\r\n${'x'.repeat(1024)}\r\n`), 1);
    expect(await closed).toContain('401 Unauthorized');
    clearInterval(flood);
  });

  test('Expect: 100-continue is asked for the body only once it is wanted', async () => {
    const { port } = await listening();
    const wanted = dial(port, post('Content-Length: 2\r\nExpect: 100-continue\r\nConnection: close\r\n'));
    await expect.poll(wanted.text).toContain('100 Continue');
    wanted.socket.write('hi');
    expect(await wanted.closed).toContain('"length":2');
    const refused = dial(port, post('Content-Length: 2000\r\nExpect: 100-continue\r\n'));
    expect(await refused.closed).toMatch(/^HTTP\/1\.1 413 /);
    expect(await dial(port, post('Content-Length: 2\r\nExpect: a miracle\r\n')).closed).toMatch(/^HTTP\/1\.1 417 /);
  });
});

describe('headers', () => {
  test.each([
    { name: 'too many', sends: post(`${'a: b\r\n'.repeat(150)}Content-Length: 0\r\n`) },
    { name: 'more than Node would keep', sends: post(`${'a:\r\n'.repeat(2500)}Content-Length: 0\r\n`) },
    { name: 'too large', sends: post(`a: ${'b'.repeat(requestHeaderBytesMax)}\r\n`) },
  ])('$name: 431', async ({ sends }) => {
    const { port } = await listening();
    const text = await dial(port, sends).closed;
    expect(text).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
    expect(text).toMatch(idPattern);
  });

  test('the longest token and tenant that the client takes are read', async () => {
    const { port } = await listening();
    const token = parseToken('x'.repeat(tokenCharactersMax)).reveal();
    const tenant = 'y'.repeat(tenantCharactersMax);
    const lines = `Authorization: Bearer ${token}\r\nx-service-tenant-id: ${tenant}\r\n`;
    const text = await dial(port, post(`${lines}Content-Length: 2\r\nConnection: close\r\n`, 'hi')).closed;
    expect(text).toContain('"length":2');
  });

  test('one that is sent twice is seen twice', async () => {
    let seen = '';
    const gateway: Gateway = async ({ headers }) => {
      seen = headers.authorization ?? '';
      return reply(200, '{}');
    };
    const { port } = await listening({ gateway });
    await dial(
      port,
      post('Authorization: Bearer a\r\nAuthorization: Bearer b\r\nContent-Length: 0\r\nConnection: close\r\n'),
    ).closed;
    expect(seen).toBe('Bearer a, Bearer b');
  });
});

describe('what two servers in a row could read in two ways', () => {
  const chunked = '0\r\n\r\n';
  const cases: readonly [name: string, sends: string][] = [
    ['a length and chunks', post('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', chunked)],
    ['chunks and a length', post('Transfer-Encoding: chunked\r\nContent-Length: 5\r\n', chunked)],
    ['two lengths', post('Content-Length: 5\r\nContent-Length: 6\r\n', 'hello')],
    ['two lengths in one', post('Content-Length: 5, 6\r\n', 'hello')],
    ['a length with a plus', post('Content-Length: +5\r\n', 'hello')],
    ['a length in hex', post('Content-Length: 0x5\r\n', 'hello')],
    ['another encoding before chunked', post('Transfer-Encoding: gzip, chunked\r\n', chunked)],
    ['chunked twice', post('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n', chunked)],
    ['chunked, then identity', post('Transfer-Encoding: chunked, identity\r\n', chunked)],
    ['an encoding that is none', post('Transfer-Encoding: xchunked\r\n', chunked)],
    ['a folded header', post('X-A: a\r\n b\r\nContent-Length: 0\r\n')],
    ['a space before the colon', post('Content-Length : 5\r\n', 'hello')],
    ['a tab before the colon', post('Transfer-Encoding\t: chunked\r\n', chunked)],
    ['a NUL in a header', post('X-A: a\0b\r\nContent-Length: 0\r\n')],
    ['a NUL in the path', `POST /\0 HTTP/1.1\r\nHost: gw\r\n\r\n`],
    ['a bare line feed', `POST ${path} HTTP/1.1\nHost: gw\nContent-Length: 0\n\n`],
    ['a bare carriage return', post('X-A: a\rX-B: b\r\n')],
    ['a header without a name', post(': a\r\n')],
    ['a header without a colon', post('X-A\r\n')],
    ['an empty Host', `POST ${path} HTTP/1.1\r\nHost:\r\nContent-Length: 0\r\n\r\n`],
    ['a version that this parser is not for', `POST ${path} HTTP/2.0\r\nHost: gw\r\nContent-Length: 0\r\n\r\n`],
    ['no Host', `POST ${path} HTTP/1.1\r\nContent-Length: 0\r\n\r\n`],
    ['two Hosts', post('Host: other\r\nContent-Length: 0\r\n')],
    ['a Host of two words', `POST ${path} HTTP/1.1\r\nHost: a b\r\n\r\n`],
    ['a version that is none', `POST ${path} HTTP/1.9\r\nHost: gw\r\n\r\n`],
    ['HTTP/2 without a word', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a version with letters', `POST ${path} HTTX/1.1\r\nHost: gw\r\n\r\n`],
    ['chunks in HTTP/1.0', `POST ${path} HTTP/1.0\r\nHost: gw\r\nTransfer-Encoding: chunked\r\n\r\n${chunked}`],
    ['a chunk size that is none', post('Transfer-Encoding: chunked\r\n', 'zz\r\nhello\r\n0\r\n\r\n')],
    ['a chunk that is longer than it says', post('Transfer-Encoding: chunked\r\n', '3\r\nhello\r\n0\r\n\r\n')],
    ['a chunk size that overflows', post('Transfer-Encoding: chunked\r\n', 'fffffffffffffffff\r\n')],
    ['TLS to a plain port', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['no HTTP at all', 'hello there\r\n\r\n'],
    ['a method that is none', `POSTX ${path} HTTP/1.1\r\nHost: gw\r\n\r\n`],
    ['a blank in the path', `POST /a b HTTP/1.1\r\nHost: gw\r\n\r\n`],
  ];

  test.each(cases)('%s: 400 as JSON with an ID, and nothing behind it is read', async (_, sends) => {
    const seen: string[] = [];
    const gateway: Gateway = async (request) => {
      seen.push(request.path);
      return await echo(request);
    };
    const { port, metrics } = await listening({ gateway });
    const text = await dial(port, Buffer.from(`${sends}GET /smuggled HTTP/1.1\r\nHost: gw\r\n\r\n`, 'latin1')).closed;
    expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(text).toMatch(/\{"error":"[^"]+","code":"malformed_request","prompt_id":"[0-9A-Z]+"\}$/);
    expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(seen).not.toContain('/smuggled');
    // A request that the gateway was asked is counted by it, and by nobody else.
    const counted = metrics.snapshot()['motif_gateway_requests_total{status="400"}'] ?? 0;
    expect(counted + seen.length).toBe(1);
  });

  test('CONNECT opens no tunnel', async () => {
    const { port } = await listening();
    expect(await dial(port, 'CONNECT evil:443 HTTP/1.1\r\nHost: evil\r\n\r\n').closed).toMatch(/^HTTP\/1\.1 405 /);
  });

  test('an upgrade is not taken up', async () => {
    const { port } = await listening();
    const sends = post('Upgrade: websocket\r\nConnection: Upgrade\r\nContent-Length: 0\r\n');
    expect(await dial(port, sends).closed).toMatch(/^HTTP\/1\.1 200 /);
  });

  // Node throws away what comes in one piece with it, and reads on at the next piece: in the middle of a body, perhaps.
  test.each([
    { name: 'with a length', asks: post('Upgrade: h2c\r\nConnection: Upgrade\r\nContent-Length: 2\r\n', 'hi') },
    {
      name: 'in chunks',
      asks: post('Upgrade: h2c\r\nConnection: upgrade\r\nTransfer-Encoding: chunked\r\n', '2\r\nhi\r\n0\r\n\r\n'),
    },
    {
      name: 'that expects to be told to go on',
      asks: post('Upgrade: h2c\r\nConnection: Upgrade\r\nExpect: 100-continue\r\nContent-Length: 2\r\n', 'hi'),
    },
  ])('nothing behind an upgrade $name is answered', async ({ asks }) => {
    const seen: string[] = [];
    const slow: Gateway = async (request) => {
      seen.push(request.path);
      await request.readBody(1000);
      await wait(60);
      return reply(200, '{}');
    };
    const { port } = await listening({ gateway: slow });
    const { socket, closed } = dial(port, `${asks}POST /whole HTTP/1.1\r\nHost: gw\r\nContent-Length: 90\r\n\r\n`);
    await wait(20);
    socket.write('POST /in-a-body HTTP/1.1\r\nHost: gw\r\nContent-Length: 0\r\n\r\n'.padEnd(90));
    const text = await closed;
    expect(statusesOf(text).filter((status) => status >= 200)).toEqual([200]);
    expect(text).toContain('connection: close');
    expect(seen).toEqual([path]);
  });

  test('pipelined requests are answered in their order, and a broken one behind them does not speak for them', async () => {
    const slow: Gateway = async (request) => {
      if (request.path === '/1') await wait(60);
      return reply(200, request.path);
    };
    const { port } = await listening({ gateway: slow });
    const one = (name: string, more = '') => `POST /${name} HTTP/1.1\r\nHost: gw\r\nContent-Length: 0\r\n${more}\r\n`;
    const text = await dial(port, one('1') + one('2', 'Connection: close\r\n')).closed;
    expect(text.indexOf('/1')).toBeLessThan(text.indexOf('/2'));
    const broken = await dial(port, `${one('1')}broken\r\n\r\n`).closed;
    expect(statusesOf(broken)).toEqual([200, 400]);
    expect(broken.indexOf('/1')).toBeLessThan(broken.indexOf('malformed_request'));
  });
});
