import type { Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import type { Log } from '../../../src/gateway/records/log.ts';
import { WorkerStates } from '../../../src/gateway/server/worker-states.ts';
import type { Order, Report } from '../../../src/gateway/server/workers.ts';

function watched() {
  let now = 0;
  const told: string[] = [];
  const tell = (message: string): void => void told.push(message);
  const log: Log = { error: tell, warn: tell, info: tell, debug: tell };
  const states = new WorkerStates(log, () => now);
  const orders: Order[] = [];
  const worker = Object.assign(new EventEmitter(), {
    id: 1,
    process: { pid: 4711 },
    send: (order: Order) => void orders.push(order),
  }) as unknown as Worker;
  states.add(worker, { before: 1 });
  const answer = (): void => {
    for (const order of orders.splice(0))
      if (order.order === 'snapshot')
        worker.emit('message', { report: 'snapshot', id: order.id, snapshot: { after: 1 } } satisfies Report);
  };
  const listening = new Set([worker]);
  const ask = async () => (await states.snapshotsOf(listening))[0];
  return { states, worker, listening, told, answer, ask, pass: (ms: number) => (now += ms) };
}

test('a worker that says nothing for ten seconds hangs, which is told once, and so is that it answers again', async () => {
  const { states, worker, told, answer, ask, pass } = watched();
  expect(await ask()).toEqual({ before: 1 });
  pass(9_999);
  await ask();
  expect([states.isHanging(worker), told]).toEqual([false, []]);
  pass(1);
  expect(await ask()).toEqual({ before: 1 });
  await ask();
  expect([states.isHanging(worker), told]).toEqual([true, ['a worker does not answer']]);
  answer();
  expect([states.isHanging(worker), told.slice(1)]).toEqual([false, ['a worker answers again']]);
  const asked = ask();
  answer();
  expect(await asked).toEqual({ after: 1 });
});

test('a worker that is merely busy, and answers late each time, does not hang', async () => {
  const { states, worker, told, answer, ask, pass } = watched();
  for (let asked = 0; asked < 4; asked++) {
    await ask();
    pass(9_000);
    answer();
    pass(9_000);
  }
  expect([states.isHanging(worker), told]).toEqual([false, []]);
});

test('what a worker had counted still counts once it has ended, and once alone; its gauges end with it', async () => {
  const { states, worker, listening } = watched();
  const counted = { 'motif_gateway_requests_total{status="200"}': 2, motif_gateway_overhead_seconds_count: 2 };
  const snapshot = { ...counted, motif_gateway_connections: 3, 'motif_gateway_config_info{hash="a"}': 1 };
  worker.emit('message', { report: 'snapshot', id: 0, snapshot } satisfies Report);
  const asked = states.snapshotsOf(listening);
  worker.once('exit', () => listening.delete(worker));
  worker.emit('exit', null, 'SIGKILL');
  expect(await asked).toEqual([counted]);
  expect(await states.snapshotsOf(listening)).toEqual([counted]);
});
