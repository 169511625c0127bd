import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Gateway } from '../../../../src/gateway/contract.ts';
import { countRounds } from '../../../support/rounds.ts';
import { heldTls } from '../../../support/servers/held-tls.ts';
import { follow, listening, post, reply, statusesOf } from '../../../support/servers/http-server.ts';
import { certificates, tlsMissing } from '../../../support/servers/tls.ts';

const host = '127.0.0.1';
const get = 'GET /nothing HTTP/1.1\r\nHost: gw\r\n\r\n';

function open(port: number): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  return socket;
}

test('a connection is answered within some rounds while 300 that asked before send thousands of requests each', async () => {
  const { port } = await listening({ gateway: async ({ path }) => reply(200, path) });
  const sockets: Socket[] = [];
  while (sockets.length < 301) {
    const socket = open(port);
    socket.write(get);
    await once(socket, 'data');
    sockets.push(socket);
  }
  const [polite, ...flooding] = sockets;
  for (const socket of flooding) socket.resume().write(get.repeat(2000));
  await once(flooding[0]!, 'data');
  const rounds = countRounds();
  for (let asked = 0; asked < 5; asked++) {
    polite!.write(get);
    await once(polite!, 'data');
  }
  // It took one for each of the others, where each had a round for all that the system reads at once.
  expect(rounds.passed()).toBeLessThan(150);
}, 20_000);

test('of a client that takes no reply no more is read after a while', async () => {
  let begun = 0;
  const gateway: Gateway = async () => {
    begun += 1;
    return reply(200, 'x'.repeat(4000));
  };
  const { port } = await listening({ gateway });
  open(port).pause().write(get.repeat(100_000));
  for (let before = -1; begun === 0 || begun !== before;) {
    before = begun;
    await wait(500);
  }
  // The system takes some thousand, and what it reads at once holds two thousand.
  expect(begun).toBeLessThan(14_000);
}, 30_000);

test('where too many requests wait, connections on which many of them do are closed, and others are not', async () => {
  const held: ((value: void) => void)[] = [];
  const gateway: Gateway = async () => {
    await new Promise<void>((resolve) => held.push(resolve));
    return reply(200, '{}');
  };
  const { port, metrics } = await listening({ gateway, limits: { waitingMax: 100 } });
  const polite = open(port);
  let text = '';
  polite.on('data', (bytes: Buffer) => (text += bytes.toString('latin1'))).write(get.repeat(20));
  const crowds = [open(port), open(port), open(port)];
  const closed = crowds.map((socket) => once(socket.resume(), 'close'));
  for (const socket of crowds) socket.write(get.repeat(200));
  // One that is heard after another was closed is read in slices, and held before so many of its requests wait.
  await Promise.race(closed);
  expect(metrics.snapshot()['motif_gateway_connections_dropped_total{reason="waiting"}']).toBeGreaterThanOrEqual(1);
  const answer = setInterval(() => held.splice(0).forEach((resolve) => resolve()), 5);
  onTestFinished(() => clearInterval(answer));
  await expect.poll(() => statusesOf(text).length).toBe(20);
});

test('a connection that had no answer is closed where fewer wait, and one that had one is not', async () => {
  const held: ((value: void) => void)[] = [];
  const gateway: Gateway = async ({ path }) => {
    if (path !== '/at-once') await new Promise<void>((resolve) => held.push(resolve));
    return reply(200, '{}');
  };
  const { port, metrics } = await listening({ gateway, limits: { waitingMax: 100 } });
  const known = open(port);
  known.write(get.replace('/nothing', '/at-once'));
  await once(known, 'data');
  // Of each 12 wait, which together are half of those that may.
  const strangers = [open(port), open(port), open(port), open(port), open(port)];
  const closed = strangers.map((socket) => once(socket.resume(), 'close'));
  for (const socket of strangers) socket.write(get.repeat(20));
  await Promise.race(closed);
  let text = '';
  known.on('data', (bytes: Buffer) => (text += bytes.toString('latin1'))).write(get.repeat(20));
  await expect.poll(() => held.length).toBeGreaterThan(4 * 8);
  const answer = setInterval(() => held.splice(0).forEach((resolve) => resolve()), 5);
  onTestFinished(() => clearInterval(answer));
  await expect.poll(() => statusesOf(text).length).toBe(20);
  expect(metrics.snapshot()['motif_gateway_connections_dropped_total{reason="waiting"}']).toBeLessThanOrEqual(2);
});

test('of a connection of which much waits to be parsed no more is read', async () => {
  let keptMost = 0;
  const sockets: Socket[] = [];
  const gateway: Gateway = async () => {
    keptMost = Math.max(keptMost, ...sockets.map((socket) => socket.readableLength));
    await wait(1);
    return reply(200, '{}');
  };
  const hear = (message: unknown): void => void sockets.push((message as { socket: Socket }).socket);
  subscribe('net.server.socket', hear);
  onTestFinished(() => void unsubscribe('net.server.socket', hear));
  const { port } = await listening({ gateway });
  let text = '';
  open(port)
    .on('data', (bytes: Buffer) => (text += bytes.toString('latin1')))
    .write(get.repeat(6000));
  await expect.poll(() => statusesOf(text).length, { timeout: 20_000 }).toBe(6000);
  expect(keptMost).toBeGreaterThan(0);
  // The system gives 64 kB at once, and it was twice as much.
  expect(keptMost).toBeLessThanOrEqual(80 * 1024);
}, 30_000);

const bodies = [
  {
    how: 'in many short records',
    parts: [
      post('Transfer-Encoding: chunked\r\n'),
      ...Array.from({ length: 100 }, () => ['8\r\n', 'x'.repeat(8), '\r\n']).flat(),
      '0\r\n\r\n',
    ],
    // It took two for each line of a chunk, where such a record counted as a whole slice.
    roundsMax: 50,
  },
  {
    how: 'in large records',
    parts: [post('Content-Length: 800000\r\n', 'x'.repeat(800_000))],
    // It took one for each slice, though those that end within a record tell of nothing.
    roundsMax: 50,
  },
];

test.skipIf(tlsMissing).each(bodies)(
  'a body over TLS $how is read within some rounds',
  async ({ parts, roundsMax }) => {
    const gateway: Gateway = async (request) => {
      const { length } = await request.readBody(1_000_000);
      return reply(length === 0 ? 404 : 200, String(length));
    };
    let below: Socket | undefined;
    const note = (message: unknown): void => void (below = (message as { socket: Socket }).socket);
    subscribe('net.server.socket', note);
    onTestFinished(() => void unsubscribe('net.server.socket', note));
    const { port } = await listening({ tls: certificates().good, gateway });
    const { client, sendTogether } = await heldTls(port);
    // The server ends its handshake after the client, in turns of its own.
    client.write(get);
    await once(client, 'data');
    await sendTogether(parts);
    // On a busy machine many pass in which there is nothing to be read.
    const rounds = countRounds(() => below!.readableLength > 0);
    const [answer] = (await once(client, 'data')) as [Buffer];
    expect(statusesOf(answer.toString())).toEqual([200]);
    expect(rounds.passed()).toBeLessThan(roundsMax);
  },
);

const slow = post('Content-Length: 2\r\n', 'hi');

describe.each(tlsMissing ? ['http'] : ['http', 'https'])('no more is read over %s', (scheme) => {
  const tls = scheme === 'https' ? { tls: certificates().good } : {};

  test.each([
    {
      name: 'a last request',
      sent: slow.replace('Host', 'Connection: upgrade\r\nUpgrade: other\r\nHost'),
      statuses: [200],
    },
    {
      name: 'a refused one behind another',
      sent: slow + slow.replace('Host', 'Host: other\r\nHost'),
      statuses: [200, 400],
    },
    { name: 'more than may be in work', sent: slow.repeat(9), statuses: Array.from({ length: 9 }, () => 200) },
  ])('behind $name until there are replies', async ({ sent, statuses }) => {
    let [begun, heard] = [0, 0];
    const held: (() => void)[] = [];
    const gateway: Gateway = async (request) => {
      begun += 1;
      await request.readBody(1000);
      await new Promise<void>((resolve) => held.push(resolve));
      return reply(200, '{}');
    };
    const hear = (): void => void (heard += 1);
    subscribe('http.server.request.start', hear);
    onTestFinished(() => void unsubscribe('http.server.request.start', hear));
    const { port } = await listening({ gateway, ...tls });
    const { socket, text } = follow(
      tls.tls ? connectTls({ port, host, rejectUnauthorized: false }) : connect(port, host),
      sent,
    );
    await expect.poll(() => begun).toBe(Math.min(8, statuses.filter((status) => status === 200).length));
    socket.write(get.repeat(200_000));
    await wait(500);
    // The system's one read is heard to its end. All of it was, and to let go of so many requests took a minute.
    expect(heard).toBeLessThan(5000);
    const answering = setInterval(() => held.splice(0).forEach((resolve) => resolve()), 5);
    onTestFinished(() => clearInterval(answering));
    await expect.poll(() => statusesOf(text()).slice(0, statuses.length)).toEqual(statuses);
  });

  test('while requests wait, and the head that has begun gets its time all the same', async () => {
    const held: (() => void)[] = [];
    const gateway: Gateway = async () => {
      await new Promise<void>((resolve) => held.push(resolve));
      return reply(200, '{}');
    };
    // The handshake, too, has no longer than a head.
    const headersTimeoutMs = 1500;
    const { port } = await listening({ gateway, limits: { headersTimeoutMs }, ...tls });
    const { socket, text } = follow(
      tls.tls ? connectTls({ port, host, rejectUnauthorized: false }) : connect(port, host),
      '',
    );
    socket.write(get.repeat(9) + get.slice(0, 20));
    await expect.poll(() => held.length).toBe(8);
    await wait(headersTimeoutMs + 500);
    socket.write(get.slice(20));
    const answering = setInterval(() => held.splice(0).forEach((resolve) => resolve()), 5);
    onTestFinished(() => clearInterval(answering));
    await expect.poll(() => statusesOf(text())).toEqual(Array.from({ length: 10 }, () => 200));
  });
});
