import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Gateway } from '../../../src/gateway/contract.ts';
import { dial, follow, listening, post, reply } from '../../support/servers/http-server.ts';

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
