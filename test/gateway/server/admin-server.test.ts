import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startAdminServer } from '../../../src/gateway/server/admin-server.ts';
import { countRounds } from '../../support/rounds.ts';

test('idle connections cannot hold the admin port', async () => {
  const server = await startAdminServer('127.0.0.1', 0, { isReady: () => true, snapshots: async () => [] });
  onTestFinished(() => server.close());
  const idle: Socket[] = [];
  onTestFinished(() => idle.forEach((socket) => socket.destroy()));
  for (let count = 0; count < 200; count++) {
    const socket = connect(server.port, '127.0.0.1').on('error', () => undefined);
    idle.push(socket);
    await new Promise((resolve) => socket.once('connect', resolve));
  }
  for (const path of ['livez', 'readyz', 'metrics']) {
    expect((await fetch(`http://127.0.0.1:${server.port}/${path}`)).status).toBe(200);
  }
  await expect.poll(() => idle.filter(({ destroyed }) => destroyed).length).toBeGreaterThan(100);
});

test('a connection that has its reply ends though its client sends empty lines, which begin no request', async () => {
  const server = await startAdminServer('127.0.0.1', 0, { isReady: () => true, snapshots: async () => [] }, 300);
  onTestFinished(() => server.close());
  const socket = connect(server.port, '127.0.0.1').on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write('GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const drip = setInterval(() => socket.write('\r\n'), 20);
  onTestFinished(() => clearInterval(drip));
  const [reply] = (await once(socket, 'data')) as [Buffer];
  expect(String(reply)).toContain(' 200 ');
  await closed;
});

test('a client that has ended its half gets its reply, though that takes a while', async () => {
  const snapshots = async () => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    return [];
  };
  const server = await startAdminServer('127.0.0.1', 0, { isReady: () => true, snapshots });
  onTestFinished(() => server.close());
  expect(await firstLine(server.port, 'GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n')).toContain(' 200 ');
});

/** The first line of the reply to a request. */
async function firstLine(port: number, request: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  socket.end(request);
  let reply = '';
  for await (const part of socket) reply += String(part);
  return reply.split('\r\n', 1)[0]!;
}

test.each([
  { host: '127.0.0.1:9464', status: 200 },
  { host: 'localhost:9464', status: 200 },
  { host: 'gateway.localhost', status: 200 },
  { host: '[::1]:9464', status: 200 },
  { host: '10.0.0.7', status: 200 },
  { host: 'attacker.example', status: 403 },
  { host: 'localhost.attacker.example:9464', status: 403 },
  { host: '127.0.0.1.attacker.example', status: 403 },
])('a browser whose page has pointed $host at this machine: $status', async ({ host, status }) => {
  const server = await startAdminServer('127.0.0.1', 0, { isReady: () => true, snapshots: async () => [] });
  onTestFinished(() => server.close());
  expect(await firstLine(server.port, `GET /metrics HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).toContain(` ${status} `);
});

test.each([
  { name: 'two Host headers', head: 'HTTP/1.1\r\nHost: localhost\r\nHost: localhost', status: 400 },
  { name: 'no Host', head: 'HTTP/1.1', status: 400 },
  { name: 'an empty Host', head: 'HTTP/1.1\r\nHost:', status: 400 },
  { name: 'a Host with more beside it', head: 'HTTP/1.1\r\nHost: localhost/other', status: 400 },
  { name: 'another version', head: 'HTTP/2.0\r\nHost: localhost', status: 400 },
  {
    name: 'an encoding that is none',
    head: 'HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked',
    status: 400,
  },
  { name: 'too many headers', head: `HTTP/1.1\r\nHost: localhost${'\r\nX-A: b'.repeat(200)}`, status: 431 },
  { name: 'an older version without Host', head: 'HTTP/1.0', status: 200 },
])('the admin port takes a request with $name as the other one does: $status', async ({ head, status }) => {
  const server = await startAdminServer('127.0.0.1', 0, { isReady: () => true, snapshots: async () => [] });
  onTestFinished(() => server.close());
  expect(await firstLine(server.port, `GET /livez ${head}\r\n\r\n`)).toContain(` ${status} `);
});

test('a thousand requests for a long page at once, which nobody reads, make it a few times and hold up nobody', async () => {
  let made = 0;
  const snapshot = Object.fromEntries(
    Array.from({ length: 5000 }, (_, at) => [`motif_gateway_tokens_total{m="${at}"}`, 1]),
  );
  const snapshots = async () => {
    made += 1;
    return [snapshot];
  };
  const server = await startAdminServer('127.0.0.1', 0, { isReady: () => true, snapshots });
  onTestFinished(() => server.close());
  for (let count = 0; count < 20; count++) {
    const socket = connect(server.port, '127.0.0.1')
      .on('error', () => undefined)
      .pause();
    onTestFinished(() => void socket.destroy());
    socket.write('GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.repeat(50));
  }
  expect(await firstLine(server.port, 'GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')).toContain(' 200 ');
  expect(made).toBeLessThanOrEqual(20);
});

test('of fifty requests of a connection one is answered, hardly another is parsed, and the connection ends', async () => {
  const server = await startAdminServer('127.0.0.1', 0, { isReady: () => true, snapshots: async () => [] });
  onTestFinished(() => server.close());
  let parsed = 0;
  const count = (): void => void (parsed += 1);
  subscribe('http.server.request.start', count);
  onTestFinished(() => void unsubscribe('http.server.request.start', count));
  const socket = connect(server.port, '127.0.0.1').on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  socket.write('GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.repeat(50));
  let replies = '';
  for await (const part of socket) replies += String(part);
  expect(replies.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
  expect(parsed).toBeLessThanOrEqual(4);
});

test('forty connections that send thousands of requests at once are heard a little at a time', async () => {
  const server = await startAdminServer('127.0.0.1', 0, { isReady: () => true, snapshots: async () => [] });
  onTestFinished(() => server.close());
  const rounds = countRounds();
  const count = (): void => rounds.count();
  subscribe('http.server.request.start', count);
  onTestFinished(() => void unsubscribe('http.server.request.start', count));
  const request = 'GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
  for (let opened = 0; opened < 40; opened++) {
    const socket = connect(server.port, '127.0.0.1').on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    socket.resume().write(request.repeat(20_000));
  }
  expect(await firstLine(server.port, request)).toContain(' 200 ');
  // A round has enough after 512; the slice in which that is, of 4 KiB, is worked on to its end.
  expect(rounds.most()).toBeLessThanOrEqual(512 + 4096 / request.length);
});

test('many who ask at once whether it is ready share the facts of the workers', async () => {
  let asked = 0;
  const part = 'motif_gateway_faulty_part_info{part="docs/a.md"}';
  const snapshots = async () => {
    asked += 1;
    await new Promise((wake) => setTimeout(wake, 5));
    return [{ [part]: 1 }];
  };
  let isReady = true;
  const server = await startAdminServer('127.0.0.1', 0, { isReady: () => isReady, snapshots });
  onTestFinished(() => server.close());
  const look = async () => (await fetch(`http://127.0.0.1:${server.port}/readyz`)).text();
  const pages = await Promise.all(Array.from({ length: 50 }, look));
  expect(new Set(pages)).toEqual(new Set(['ready\nfaulty: docs/a.md\n']));
  expect(asked).toBeLessThanOrEqual(10);
  isReady = false;
  expect(await look()).toBe('not ready\n');
});

test('a page that could not be made is a 503, and the next one is made anew', async () => {
  let made = 0;
  const snapshots = () => {
    made += 1;
    if (made === 1) throw new Error('at once');
    return Promise.resolve([]);
  };
  const server = await startAdminServer('127.0.0.1', 0, { isReady: () => true, snapshots });
  onTestFinished(() => server.close());
  const status = async () => (await fetch(`http://127.0.0.1:${server.port}/metrics`)).status;
  expect(await status()).toBe(503);
  await expect.poll(status).toBe(200);
});
