import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listening, post } from '../../../support/servers/http-server.ts';

const megabyte = 1024 * 1024;

/** The most that a server reads in a round of the event loop, of all its connections. */
function mostReadInRound(): () => number {
  const sockets: Socket[] = [];
  const note = (message: unknown): void => void sockets.push((message as { socket: Socket }).socket);
  subscribe('net.server.socket', note);
  let [before, most, isOver] = [0, 0, false];
  const next = (): void => {
    const read = sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
    most = Math.max(most, read - before);
    before = read;
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
  expect(most()).toBeLessThan(4 * megabyte);
});
