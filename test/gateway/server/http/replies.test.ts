import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { connect as connectSecurely } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Gateway } from '../../../../src/gateway/contract.ts';
import { dial, follow, listening, post, reply } from '../../../support/servers/http-server.ts';
import { certificates, tlsMissing } from '../../../support/servers/tls.ts';

const request = post('Content-Length: 0\r\n');

describe('a reply is told to be taken', () => {
  const long = 'x'.repeat(4_000_000);

  /** Four long replies on a connection whose client does as it is told; those that were told to be taken. */
  async function asked(does: (socket: Socket) => void): Promise<ReadonlySet<string>> {
    const taken = new Set<string>();
    const gateway: Gateway = async (request) => {
      await request.readBody(1000);
      return { ...reply(200, long), taken: () => void taken.add(request.path) };
    };
    const { port } = await listening({ gateway });
    const socket = connect(port, '127.0.0.1').pause();
    onTestFinished(() => void socket.destroy());
    socket
      .on('error', () => undefined)
      .write([0, 1, 2, 3].map((name) => request.replace('bot', String(name))).join(''));
    await wait(200);
    expect(taken.size).toBeLessThan(3);
    does(socket);
    return taken;
  }

  test.each([
    { name: 'reads them', does: (socket: Socket) => void socket.resume() },
    { name: 'goes away', does: (socket: Socket) => void socket.destroy() },
    { name: 'breaks off', does: (socket: Socket) => void socket.resetAndDestroy() },
  ])('once its client $name', async ({ does }) => {
    const taken = await asked(does);
    await expect.poll(() => taken.size).toBe(4);
  });

  test('at once where it is short', async () => {
    let taken = 0;
    const gateway: Gateway = async () => ({ ...reply(200, '{}'), taken: () => void (taken += 1) });
    const { port } = await listening({ gateway });
    const { socket } = dial(port, request);
    await once(socket, 'data');
    expect(taken).toBe(1);
  });
});

test('a long reply is handed to its connection as its client takes it, and comes whole', async () => {
  const body = 'Größe 漢字 🙂 '.repeat(400_000);
  let held: Socket | undefined;
  const note = (message: unknown): void => void (held = (message as { socket: Socket }).socket);
  subscribe('net.server.socket', note);
  onTestFinished(() => void unsubscribe('net.server.socket', note));
  const { port } = await listening({ gateway: async () => reply(200, body) });
  const socket = connect(port, '127.0.0.1').pause();
  const { closed } = follow(socket, post('Content-Length: 0\r\nConnection: close\r\n'));
  socket.pause();
  await expect.poll(() => held?.writableLength).toBeGreaterThan(0);
  expect(held?.writableLength).toBeLessThan(1 << 20);
  socket.resume();
  expect(
    Buffer.from(await closed, 'latin1')
      .toString()
      .split('\r\n\r\n')[1] === body,
  ).toBe(true);
});

describe('a client that closes its half of the connection while it takes its replies gets all that are made', () => {
  const long = 'x'.repeat(5_000_000);
  const short = 'y'.repeat(200_000);

  test.each([
    { name: 'a long one', bodies: [long], isSecure: false },
    { name: 'a long one over TLS', bodies: [long], isSecure: true },
    { name: 'long ones', bodies: [long, long, long], isSecure: false },
    { name: 'short ones behind a long one', bodies: [long, short, short], isSecure: false },
    { name: 'short ones behind a long one over TLS', bodies: [long, short, short], isSecure: true },
    { name: 'more short ones than the system takes', bodies: Array<string>(40).fill(short), isSecure: false },
    { name: 'a long one that is the last of its connection', bodies: [long], isSecure: false, connection: 'close' },
  ])('$name', async ({ bodies, isSecure, connection = 'keep-alive' }) => {
    if (isSecure && tlsMissing) return;
    let made = 0;
    const gateway: Gateway = async ({ path }) => {
      made += 1;
      return reply(200, bodies[Number(path.slice(1))]!);
    };
    const { port, metrics } = await listening({ gateway, ...(isSecure && { tls: certificates().good }) });
    const options = { port, host: '127.0.0.1', allowHalfOpen: true };
    const socket = isSecure ? connectSecurely({ ...options, rejectUnauthorized: false }) : connect(options);
    const { closed } = follow(socket.pause(), '');
    socket.pause();
    const heads = bodies.map((_, index) => {
      const isLast = index === bodies.length - 1;
      return `POST /${index} HTTP/1.1\r\nHost: gw\r\nConnection: ${isLast ? connection : 'keep-alive'}\r\nContent-Length: 0\r\n\r\n`;
    });
    socket.write(heads.join(''));
    await expect.poll(() => made).toBe(bodies.length);
    await wait(50);
    socket.end();
    await wait(50);
    socket.resume();
    const text = await closed;
    expect(text.split(/HTTP\/1\.1 200 OK[^]*?\r\n\r\n/).map(({ length }) => length)).toEqual([
      0,
      ...bodies.map(({ length }) => length),
    ]);
    await expect.poll(() => metrics.snapshot().motif_gateway_connections).toBe(0);
  });

  test('and has gone for what is still in work behind them', async () => {
    let isAborted = false;
    const gateway: Gateway = async ({ path, signal }) => {
      if (path === '/0') return reply(200, long);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      isAborted = true;
      return reply(499, '{}');
    };
    const { port } = await listening({ gateway });
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const { closed } = follow(socket, '');
    socket.pause().end(['/0', '/1'].map((path) => request.replace(/(?<=POST )\S+/, path)).join(''));
    await wait(100);
    expect(isAborted).toBe(false);
    socket.resume();
    expect((await closed).length).toBeGreaterThan(long.length);
    expect(isAborted).toBe(true);
  });
});
