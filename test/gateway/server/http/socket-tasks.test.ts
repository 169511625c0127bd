import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { SocketTasks } from '../../../../src/gateway/server/http/socket-tasks.ts';
import { countRounds } from '../../../support/rounds.ts';
import { dial, listening } from '../../../support/servers/http-server.ts';

/** A turn is full after 5 ms, and nothing here takes less than one. */
const inTurnMax = 8;

function takeMs(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until;);
}

/** Adds 40 tasks, each of which leaves a millisecond of work, and answers how many of them were done in one round. */
async function mostInOneRound(leave: (work: () => void) => void): Promise<number> {
  const rounds = countRounds();
  const tasks = new SocketTasks();
  let left = 40;
  await new Promise<void>((resolve) => {
    const work = (): void => {
      takeMs(1);
      rounds.count();
      if ((left -= 1) === 0) resolve();
    };
    for (let count = left; count > 0; count -= 1) tasks.add(() => leave(work));
  });
  return rounds.most();
}

test.each([
  { name: 'at once', leave: (work: () => void) => work() },
  { name: 'in a tick', leave: (work: () => void) => process.nextTick(work) },
  { name: 'in a promise', leave: (work: () => void) => void Promise.resolve().then(work) },
])('a turn is full after a few tasks that do their work $name, and all get one', async ({ leave }) => {
  expect(await mostInOneRound(leave)).toBeLessThanOrEqual(inTurnMax);
});

test('a round has one turn, also where all else in it takes as long as a turn rests', async () => {
  const most = mostInOneRound((work) => work());
  let isOver = false;
  onTestFinished(() => void (isOver = true));
  const takeSome = (): void => {
    takeMs(8);
    if (!isOver) setImmediate(takeSome);
  };
  setImmediate(takeSome);
  expect(await most).toBeLessThanOrEqual(inTurnMax);
});

test('tasks that come last wait for all others, and one of them that was taken back is never done', async () => {
  const tasks = new SocketTasks();
  const done: string[] = [];
  const gone = (): void => void done.push('gone');
  tasks.addLast('a', gone);
  await new Promise<void>((resolve) => {
    tasks.addLast('a', () => {
      done.push('last');
      resolve();
    });
    tasks.add(() => void done.push('first'));
    tasks.add(() => void done.push('second'));
    tasks.deleteLast('a', gone);
  });
  expect(done).toEqual(['first', 'second', 'last']);
});

test.each([
  { name: 'that end', end: (socket: Socket) => void socket.end(), headersTimeoutMs: 60_000 },
  // Node sees that in one look.
  { name: 'whose time is over', end: () => undefined, headersTimeoutMs: 1000 },
])('clients $name at once in the middle of their heads are refused in turns', async ({ end, headersTimeoutMs }) => {
  const clients = 60;
  const rounds = countRounds();
  const { port, metrics } = await listening({ limits: { headersTimeoutMs, checkIntervalMs: 600 } });
  const count = metrics.count.bind(metrics);
  let refused = 0;
  metrics.count = (...counted) => {
    takeMs(1);
    rounds.count();
    refused += 1;
    count(...counted);
  };
  const sockets = Array.from({ length: clients }, () => dial(port, 'POST / HTTP/1.1\r\nHost:').socket);
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  await expect.poll(() => metrics.snapshot().motif_gateway_connections).toBe(clients);
  for (const socket of sockets) end(socket);
  await expect.poll(() => refused, { timeout: 5000 }).toBe(clients);
  expect(rounds.most()).toBeLessThanOrEqual(inTurnMax);
  await expect.poll(() => metrics.snapshot().motif_gateway_connections).toBe(0);
});

test('a process that stood still in a task goes on with the next ones a second later', async () => {
  const tasks = new SocketTasks();
  let endedAt = 0;
  tasks.add(() => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3000);
    endedAt = performance.now();
  });
  await new Promise<void>((resolve) => tasks.add(resolve));
  expect(performance.now() - endedAt).toBeLessThan(2000);
});
