import { EventEmitter } from 'node:events';
import { setImmediate as round } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type HttpLine, IdleLines } from '../../src/transport/line.ts';
import { Wakefulness } from '../../src/transport/wakefulness.ts';

/** A line of which so many bytes are still to be written, as Node says. */
function lineWith(writableLength: number) {
  const socket = Object.assign(new EventEmitter(), { writableLength, destroyed: false });
  const client = { destroy: () => void (socket.destroyed = true) };
  const owner = { origin: 'https://gw.test', connection: { connectTimeoutMs: 1 }, token: undefined };
  return { line: { owner, client, socket } as unknown as HttpLine, owner, socket };
}

const idleLines = () => new IdleLines(new Wakefulness({ now: () => performance.now() }));
const answered = { headers: {}, startedAt: performance.now() };

test.each([
  { name: 'all was written, which Node tells a round later', later: 0, isKept: true },
  { name: 'the service answered early', later: 3, isKept: false },
])('a line with bytes to be written is kept: $isKept where $name', async ({ later, isKept }) => {
  const lines = idleLines();
  const { line, owner, socket } = lineWith(5);
  lines.putBack(lines.watch(line), answered);
  // It may carry no request until that is known.
  expect(lines.take(owner)).toBeUndefined();
  socket.writableLength = later;
  await round();
  expect(lines.take(owner)).toBe(isKept ? line : undefined);
  expect(socket.destroyed).toBe(!isKept);
});

test('a line that closes in that round is not kept', async () => {
  const lines = idleLines();
  const { line, owner, socket } = lineWith(5);
  lines.putBack(lines.watch(line), answered);
  Object.assign(socket, { writableLength: 0, destroyed: true }).emit('close');
  await round();
  expect(lines.take(owner)).toBeUndefined();
});

test('a line with nothing to be written is kept at once', () => {
  const lines = idleLines();
  const { line, owner } = lineWith(0);
  lines.putBack(lines.watch(line), answered);
  expect(lines.take(owner)).toBe(line);
});
