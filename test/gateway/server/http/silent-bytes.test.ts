import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listening, post } from '../../../support/servers/http-server.ts';

const megabyte = 1024 * 1024;

/** The most bytes that a server read in a round of the event loop, of how many connections, and the bytes of all. */
function mostReadInRound(): () => { bytes: number; connections: number; all: number } {
  const sockets: Socket[] = [];
  const note = (message: unknown): void => void sockets.push((message as { socket: Socket }).socket);
  subscribe('net.server.socket', note);
  const before = new Map<Socket, number>();
  const most = { bytes: 0, connections: 0, all: 0 };
  let isOver = false;
  const next = (): void => {
    let [bytes, connections] = [0, 0];
    for (const socket of sockets) {
      const more = socket.bytesRead - (before.get(socket) ?? 0);
      before.set(socket, socket.bytesRead);
      bytes += more;
      if (more > 0) connections += 1;
    }
    most.bytes = Math.max(most.bytes, bytes);
    most.connections = Math.max(most.connections, connections);
    most.all += bytes;
    if (!isOver) setImmediate(next);
  };
  next();
  onTestFinished(() => {
    isOver = true;
    unsubscribe('net.server.socket', note);
  });
  return () => most;
}

test.each([
  { what: 'before the first request', sent: '' },
  { what: 'behind a request', sent: post('Content-Length: 2\r\n', 'hi') },
])('line ends $what, of which the parser tells nothing, are read a few megabytes a round', async ({ sent }) => {
  const { port } = await listening();
  const most = mostReadInRound();
  const all = sent + '\r\n'.repeat(2 * megabyte) + 'GET /last HTTP/1.1\r\nHost: gw\r\n\r\n';
  const replies = Array.from({ length: 20 }, () => {
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    let text = '';
    socket.on('error', () => undefined).on('data', (bytes: Buffer) => void (text += bytes.toString()));
    socket.write(all);
    return () => text.split('HTTP/1.1 ').length - 1;
  });
  const wanted = replies.map(() => (sent === '' ? 1 : 2));
  await expect.poll(() => replies.map((count) => count()), { timeout: 20_000 }).toEqual(wanted);
  expect(most().bytes).toBeLessThan(4 * megabyte);
});

test('where heads begin on 2000 connections at once, some are read in each round', async () => {
  const { port, metrics } = await listening();
  const most = mostReadInRound();
  const clients = Array.from({ length: 2000 }, () => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    return socket;
  });
  await expect.poll(() => metrics.snapshot().motif_gateway_connections, { timeout: 20_000 }).toBe(clients.length);
  for (const socket of clients) socket.write('G');
  await expect.poll(() => most().all, { interval: 1 }).toBe(clients.length);
  // A quarter of a thousand at least is read before the rest is left to the next round.
  expect(most().connections).toBeLessThan(1800);
});
