import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Gateway, requestHeaders } from '../../../../src/gateway/contract.ts';
import type { Refusal } from '../../../../src/gateway/refusal.ts';
import { failureReply } from '../../../../src/gateway/server/http/head.ts';
import { dial, follow, listening, post, reply, statusesOf } from '../../../support/servers/http-server.ts';
import { certificates, tlsMissing } from '../../../support/servers/tls.ts';

// Node's parser takes no word and no second one for the length of a body.
const repeatable = requestHeaders.filter((name) => name !== 'content-length');

test.each(repeatable)('the header %s reaches the gateway as it was sent, and twice as a list', async (name) => {
  const heard: unknown[] = [];
  const gateway: Gateway = async ({ headers }) => {
    heard.push(headers[name]);
    return reply(200, '{}');
  };
  const { port } = await listening({ gateway });
  const sent = `${name.toUpperCase()}: one\r\n`;
  await dial(port, post(`${sent}Content-Length: 0\r\n`) + post(`${sent}${sent}Connection: close\r\n`)).closed;
  expect(heard).toEqual(['one', 'one, one']);
});

test('the length of a body reaches the gateway before the body does', async () => {
  const heard: unknown[] = [];
  const gateway: Gateway = async ({ headers }) => {
    heard.push(headers['content-length']);
    return reply(403, '{}');
  };
  const { port } = await listening({ gateway });
  await dial(port, `${post('Content-Length: 15\r\nConnection: close\r\n')}{"messages":[]}`).closed;
  expect(heard).toEqual(['15']);
});

describe('a client that goes', () => {
  test.each([
    { name: 'resets', leave: (socket: Socket) => socket.resetAndDestroy() },
    { name: 'closes', leave: (socket: Socket) => socket.destroy() },
    { name: 'half-closes', leave: (socket: Socket) => socket.end() },
  ])('and $name is known to have gone', async ({ leave }) => {
    let signal: AbortSignal | undefined;
    const gateway: Gateway = async (request) => {
      ({ signal } = request);
      await new Promise((resolve) => request.signal.addEventListener('abort', resolve));
      return reply(499, '{}');
    };
    const { port } = await listening({ gateway });
    const { socket } = dial(port, post('Content-Length: 0\r\n'));
    await expect.poll(() => signal).toBeInstanceOf(AbortSignal);
    leave(socket);
    await expect.poll(() => signal?.aborted).toBe(true);
  });

  test.each([
    { name: 'its head', sent: 'POST /api/v1/apps/bot/prompts HTTP/1.1\r\nHost: a\r\n' },
    { name: 'its body', sent: post('Content-Length: 10\r\n', 'hel') },
    { name: 'a request that waits for its answer', sent: post('Content-Length: 0\r\n') },
    { name: 'nothing', sent: '' },
  ])('half-closes after $name: it is closed wholly, and nothing is left open', async ({ sent }) => {
    const gateway: Gateway = async (request) => {
      await request.readBody(1000).catch(() => undefined);
      if (!request.signal.aborted) await new Promise((resolve) => request.signal.addEventListener('abort', resolve));
      return reply(499, '{}');
    };
    const { port, metrics } = await listening({ gateway });
    const { socket, closed } = dial(port, sent);
    await expect.poll(() => metrics.snapshot().motif_gateway_connections).toBe(1);
    socket.end();
    expect(await closed).not.toContain(' 200 ');
    await expect.poll(() => metrics.snapshot().motif_gateway_connections).toBe(0);
  });

  test('in the middle of its body: the read ends, and nothing is left open', async () => {
    let ended: unknown;
    const gateway: Gateway = async (request) => {
      ended = await request.readBody(1000).catch((error: unknown) => error);
      return reply(499, '{}');
    };
    const { port, metrics } = await listening({ gateway });
    const { socket } = dial(port, post('Content-Length: 10\r\n', 'hel'));
    await wait(50);
    socket.resetAndDestroy();
    await expect.poll(() => ended).toMatchObject({ code: 'client_gone' });
    await expect.poll(() => metrics.snapshot().motif_gateway_connections).toBe(0);
  });
});

test.each([
  { how: 'a chunk of no length', sent: 'zz\r\n', code: 'malformed_request' },
  { how: 'a chunk that is longer than it says', sent: '2\r\nhello\r\n', code: 'malformed_request' },
  { how: 'much beside the length of a chunk', sent: `2;${'x'.repeat(20_000)}\r\n`, code: 'body_too_large' },
  { how: 'a long trailer', sent: `0\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`, code: 'headers_too_large' },
  { how: 'too little for too long', sent: '2\r\nh', code: 'request_timeout' },
])('of a body that brings $how the gateway learns what its client is told', async ({ sent, code }) => {
  let ended: unknown;
  let promptId: string | undefined;
  const gateway: Gateway = async (request) => {
    promptId = request.promptId;
    ended = await request.readBody(1000).catch((error: unknown) => error);
    return failureReply(ended as Refusal, promptId!);
  };
  const { port } = await listening({ gateway, limits: { headersTimeoutMs: 100, requestTimeoutMs: 150 } });
  const text = await dial(port, post('Transfer-Encoding: chunked\r\n', sent)).closed;
  await expect.poll(() => ended).toMatchObject({ code });
  expect(promptId).toEqual(expect.any(String));
  expect(JSON.parse(text.split('\r\n\r\n')[1]!)).toMatchObject({ code, prompt_id: promptId });
});

test.each([
  { name: 'at once', waitMs: 0, bytesMax: undefined, sent: 'zz\r\n' },
  { name: 'once it was looked up', waitMs: 20, bytesMax: undefined, sent: 'zz\r\n' },
  { name: 'in the middle of its body', waitMs: 0, bytesMax: 3, sent: '5\r\nhello\r\nzz\r\n' },
])('a request that the gateway refuses $name is told that, though its body breaks too', async (row) => {
  let body: unknown;
  const gateway: Gateway = async (request) => {
    if (row.bytesMax !== undefined) body = await request.readBody(row.bytesMax).catch((error: unknown) => error);
    await wait(row.waitMs);
    return reply(429, JSON.stringify({ code: 'limited', prompt_id: request.promptId }));
  };
  const { port } = await listening({ gateway });
  const text = await dial(port, post('Transfer-Encoding: chunked\r\n', row.sent)).closed;
  expect(statusesOf(text)).toEqual([429]);
  expect(text).toContain('connection: close');
  expect(JSON.parse(text.split('\r\n\r\n')[1]!)).toMatchObject({ code: 'limited' });
  if (row.bytesMax !== undefined) expect(body).toMatchObject({ code: 'body_too_large' });
});

test('a body that broke before it is asked for is refused as broken', async () => {
  const gateway: Gateway = async (request) => {
    await wait(20);
    const refusal = await request.readBody(1000).catch((error: unknown) => error);
    return failureReply(refusal as Refusal, request.promptId!);
  };
  const { port } = await listening({ gateway });
  const text = await dial(port, post('Transfer-Encoding: chunked\r\n', 'zz\r\n')).closed;
  expect(JSON.parse(text.split('\r\n\r\n')[1]!)).toMatchObject({ code: 'malformed_request' });
});

describe('draining', () => {
  test('answers what has come in and asks its connection to close; a new connection is refused', async () => {
    let answer = (): void => undefined;
    const gateway: Gateway = () => new Promise((resolve) => (answer = () => resolve(reply(200, '{"late":true}'))));
    const { port, server } = await listening({ gateway });
    const { closed } = dial(port, post('Content-Length: 0\r\n'));
    await wait(50);
    const drained = server.drain(5000);
    await wait(50);
    const refused = connect({ port, host: '127.0.0.1' });
    const error = await new Promise<NodeJS.ErrnoException>((resolve) => refused.once('error', resolve));
    expect(error.code).toBe('ECONNREFUSED');
    answer();
    const text = await closed;
    expect(text).toContain('{"late":true}');
    expect(text.toLowerCase()).toContain('connection: close');
    await drained;
  });

  test('answers those whose connections wait to be accepted, for the system would reset them', async () => {
    const { port, server } = await listening();
    const clients = Array.from({ length: 40 }, () => dial(port, post('Content-Length: 0\r\n')));
    await Promise.all(clients.map(({ socket }) => once(socket, 'connect')));
    await server.drain(5000);
    const texts = await Promise.all(clients.map(({ closed }) => closed));
    expect(texts.filter((text) => text.includes(' 200 '))).toHaveLength(40);
  });

  test('an idle connection may bring one more request before it is closed', async () => {
    const { port, server } = await listening({ limits: { idleGraceMs: 300 } });
    const { socket, text, closed } = dial(port, post('Content-Length: 0\r\n'));
    await expect.poll(text).toContain('200 OK');
    const drained = server.drain(5000);
    socket.write(post('Content-Length: 2\r\n', 'hi'));
    expect(await closed).toContain('"length":2');
    await drained;
  });
});

describe.skipIf(tlsMissing)(`TLS ${tlsMissing ?? ''}`, () => {
  const peerName = async (port: number): Promise<string> => {
    const socket = connectTls({ port, host: '127.0.0.1', ca: [certificates().ca, certificates().selfSigned.cert] });
    onTestFinished(() => void socket.destroy());
    await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject));
    return String(socket.getPeerCertificate().subject.CN);
  };

  test('a new certificate is shown to new connections, and an open one goes on', async () => {
    const { port, server } = await listening({ tls: certificates().good });
    const socket = connectTls({ port, host: '127.0.0.1', ca: certificates().ca });
    const { text, closed } = follow(socket, post('Content-Length: 0\r\n'));
    await expect.poll(text).toContain('200 OK');
    server.setTls(certificates().selfSigned);
    expect(await peerName(port)).toBe('self');
    socket.write(post('Content-Length: 2\r\nConnection: close\r\n', 'hi'));
    expect(await closed).toContain('"length":2');
  });

  test('keys are agreed on over curves alone, also after a reload: in a large field they take an eighth of a second', async () => {
    const { port, server } = await listening({ tls: certificates().good });
    const agreed = async (ecdhCurve: string): Promise<boolean> => {
      const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false, ecdhCurve });
      onTestFinished(() => void socket.destroy());
      return new Promise((resolve) => {
        socket.once('secureConnect', () => resolve(true)).once('error', () => resolve(false));
      });
    };
    for (let reloads = 0; reloads < 2; reloads++) {
      for (const curve of ['X25519', 'P-256', 'P-384', 'P-521']) expect(await agreed(curve), curve).toBe(true);
      for (const field of ['ffdhe2048', 'ffdhe8192']) expect(await agreed(field), field).toBe(false);
      server.setTls(certificates().selfSigned);
    }
  });

  test('a client that speaks HTTP/1.0 alone, and says so in its handshake, is answered', async () => {
    const { port } = await listening({ tls: certificates().good });
    const socket = connectTls({ port, host: '127.0.0.1', ca: certificates().ca, ALPNProtocols: ['http/1.0'] });
    const { closed } = follow(socket, post('Content-Length: 2\r\n', 'hi').replace('HTTP/1.1', 'HTTP/1.0'));
    expect(await closed).toContain('"length":2');
  });

  test('plain HTTP to a TLS port, and a handshake that never ends, are closed', async () => {
    const { port } = await listening({ tls: certificates().good, limits: { headersTimeoutMs: 100 } });
    expect(await dial(port, post('Content-Length: 0\r\n')).closed).not.toContain('200 OK');
    expect(await dial(port).closed).toBe('');
  });
});

// An error that nobody hears ends the process; here it ends the run of all tests.
test('a client that goes away behind a tunnel, before it has its earlier reply, ends nothing', async () => {
  let answer = (): void => undefined;
  const held: Gateway = async () => {
    await new Promise<void>((resolve) => (answer = resolve));
    return reply(200, '{}');
  };
  const { port, metrics } = await listening({ gateway: held });
  const open = (): unknown => metrics.snapshot().motif_gateway_connections;
  const { socket } = dial(
    port,
    `${post('Content-Length: 2\r\n', 'hi')}CONNECT gw:443 HTTP/1.1\r\nHost: gw:443\r\n\r\n`,
  );
  await expect.poll(open).toBe(1);
  await wait(20);
  socket.resetAndDestroy();
  await expect.poll(open).toBe(0);
  answer();
});

test('what follows a CONNECT, also of a connection in slices, is read by nobody', async () => {
  const get = 'GET /nothing HTTP/1.1\r\nHost: gw\r\n\r\n';
  const heard: string[] = [];
  const gateway: Gateway = async ({ path }) => {
    heard.push(path);
    return reply(200, '{}');
  };
  const { port } = await listening({ gateway, limits: { lingerMs: 600_000 } });
  const inSlices = dial(port, get.repeat(2000), { allowHalfOpen: true });
  await expect.poll(() => heard.length, { timeout: 20_000 }).toBe(2000);
  inSlices.socket.write('CONNECT gw:443 HTTP/1.1\r\nHost: gw:443\r\n\r\n');
  await expect.poll(inSlices.text).toContain(' 405 ');
  // Node reads this one with the parser of the one before.
  const other = dial(port, 'GET /other HTTP/1.1\r\nHost: gw\r\n');
  await once(other.socket, 'connect');
  inSlices.socket.write(`\r\n${get}`);
  await once(dial(port, get.replace('/nothing', '/last')).socket, 'data');
  other.socket.write('\r\n');
  await once(other.socket, 'data');
  expect(heard.slice(2000)).toEqual(['/last', '/other']);
});

test('much that is no request is refused, and its client gets to read that', async () => {
  const { port } = await listening({ limits: { lingerMs: 5000 } });
  const { socket, text } = dial(port);
  socket.pause();
  for (const sent of ['garbage', 'g'.repeat(200_000), 'g'.repeat(200_000)]) {
    socket.write(sent);
    await wait(20);
  }
  socket.resume();
  await expect.poll(() => statusesOf(text())).toEqual([400]);
  expect(text()).toContain('"code":"malformed_request"');
});
