import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { SocketTasks } from '../../../../src/gateway/server/http/socket-tasks.ts';
import { OpenConnections } from '../../../../src/gateway/server/http/open-connections.ts';
import { echo, follow, listening, post, reply } from '../../../support/servers/http-server.ts';
import { certificates, tlsMissing } from '../../../support/servers/tls.ts';

const prompt = post('Content-Length: 0\r\nConnection: close\r\n');

async function opened(port: number, localAddress: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

// Elsewhere a machine has one address alone for itself.
describe.runIf(process.platform === 'linux')('where one client holds all connections', () => {
  test('one of another address gets in, and no other one of its own', async () => {
    const { port, metrics } = await listening({ limits: { connectionsMax: 3 } });
    const held: Socket[] = [];
    for (let count = 0; count < 3; count++) held.push(await opened(port, '127.0.0.1'));
    await expect.poll(() => metrics.snapshot().motif_gateway_connections).toBe(3);
    expect(await follow(await opened(port, '127.0.0.2'), prompt).closed).toContain('200 OK');
    await expect.poll(() => held.map(({ closed }) => closed)).toEqual([true, false, false]);
    await expect.poll(() => metrics.snapshot().motif_gateway_connections).toBe(2);
    held.push(await opened(port, '127.0.0.1'));
    await expect.poll(() => metrics.snapshot().motif_gateway_connections).toBe(3);
    expect(await follow(await opened(port, '127.0.0.1'), prompt).closed).toBe('');
  });

  test('those with a request in work are kept', async () => {
    const answers: (() => void)[] = [];
    const gateway = () =>
      new Promise<ReturnType<typeof reply>>((resolve) => answers.push(() => resolve(reply(200, 'late'))));
    const { port, metrics } = await listening({ gateway, limits: { connectionsMax: 2 } });
    const busy = [await opened(port, '127.0.0.1'), await opened(port, '127.0.0.1')].map((socket) =>
      follow(socket, prompt),
    );
    await expect.poll(() => answers.length).toBe(2);
    expect(await follow(await opened(port, '127.0.0.2'), prompt).closed).toBe('');
    for (const answer of answers) answer();
    for (const { closed } of busy) expect(await closed).toContain('late');
    expect(metrics.snapshot()['motif_gateway_connections_dropped_total{reason="limit"}']).toBe(1);
  });

  test('one that has yet to take its answer is kept', async () => {
    const whole = 'x'.repeat(16 * 1024 * 1024);
    const gateway: typeof echo = async (request) => reply(200, request.headers.traceparent === undefined ? '' : whole);
    const { port, metrics } = await listening({ gateway, limits: { connectionsMax: 2 } });
    const first = await opened(port, '127.0.0.1');
    // Nobody takes more of it than the first bytes, until somebody listens.
    first.write(post('Content-Length: 0\r\nConnection: close\r\ntraceparent: 1\r\n'));
    await expect.poll(() => first.bytesRead).toBeGreaterThan(0);
    const idle = await opened(port, '127.0.0.1');
    await expect.poll(() => metrics.snapshot().motif_gateway_connections).toBe(2);
    expect(await follow(await opened(port, '127.0.0.2'), prompt).closed).toContain('200 OK');
    await expect.poll(() => idle.closed).toBe(true);
    expect((await follow(first, '').closed).length).toBeGreaterThan(whole.length);
  });

  test.skipIf(tlsMissing)(
    'with a handshake done, one of another address gets in, and those in work are kept',
    async () => {
      const answers: (() => void)[] = [];
      const gateway: typeof echo = (request) =>
        request.headers.traceparent === undefined
          ? echo(request)
          : new Promise((resolve) => answers.push(() => resolve(reply(200, 'late'))));
      const limits = { secureConnectionsMax: 2 };
      const { port } = await listening({ gateway, tls: certificates().good, limits });
      const secured = async (localAddress: string): Promise<Socket> => {
        const socket = connectTls({ socket: await opened(port, localAddress), rejectUnauthorized: false });
        await once(
          socket.on('error', () => undefined),
          'secureConnect',
        );
        return socket;
      };
      const busy = follow(
        await secured('127.0.0.1'),
        post('Content-Length: 0\r\nConnection: close\r\ntraceparent: 1\r\n'),
      );
      const idle = await secured('127.0.0.1');
      await expect.poll(() => answers.length).toBe(1);
      expect(await follow(await secured('127.0.0.2'), prompt).closed).toContain('200 OK');
      await expect.poll(() => idle.closed).toBe(true);
      answers[0]!();
      expect(await busy.closed).toContain('late');
    },
  );
});

test('handshakes of clients take turns, however many one of them begins', async () => {
  const tasks = new SocketTasks();
  const order: string[] = [];
  for (const client of ['a', 'a', 'a', 'a', 'b']) tasks.addLast(client, () => void order.push(client));
  await expect.poll(() => order.length).toBe(5);
  expect(order.indexOf('b')).toBe(1);
});

test('those in work that were opened first do not keep the others in their places', () => {
  const [busy, idle] = [Array.from({ length: 200 }, () => ({})), Array.from({ length: 9 }, () => ({}))];
  const dropped: unknown[] = [];
  const isBusy = (socket: unknown): boolean => busy.includes(socket as object);
  const all = new OpenConnections({ connectionsMax: 209, isBusy, drop: (socket) => dropped.push(socket) });
  const socketOf = (socket: object, remoteAddress: string) =>
    Object.assign(socket, { remoteAddress, once: () => undefined }) as unknown as Socket;
  for (const each of [...busy, ...idle]) all.take(socketOf(each, '192.0.2.1'));
  const taken = Array.from({ length: 5 }, (_, at) => all.take(socketOf({}, `192.0.2.${at + 2}`)));
  expect(taken).toEqual([false, false, false, true, true]);
  expect(dropped.slice(-2)).toEqual(idle.slice(0, 2));
});

test('a client that holds few makes no room for another one', () => {
  const dropped: Socket[] = [];
  const all = new OpenConnections({ connectionsMax: 3, isBusy: () => false, drop: (socket) => dropped.push(socket) });
  const socketOf = (remoteAddress: string): Socket => ({ remoteAddress, once: () => undefined }) as unknown as Socket;
  const sockets = ['192.0.2.1', '192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.3', '192.0.2.2'].map((each) =>
    socketOf(each),
  );
  expect(sockets.map((socket) => all.take(socket))).toEqual([true, true, true, true, false, false]);
  expect(dropped).toEqual([sockets[0], sockets[4], sockets[5]]);
  expect(all.size).toBe(3);
});
