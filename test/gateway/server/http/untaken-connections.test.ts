import type { Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { UntakenConnections } from '../../../../src/gateway/server/http/untaken-connections.ts';

interface Message {
  readonly act?: string;
  readonly seq?: number;
  readonly key?: string;
}

/** A worker as Node's process above it sees it, and the way in which Node hands it a connection. */
function workers(count: number, max = 1000) {
  let dropped = 0;
  let resets = 0;
  let seq = 0;
  const processorMs = (): number => 0;
  const untaken = new UntakenConnections({
    max,
    dropped: () => (dropped += 1),
    reset: () => (resets += 1),
    processorMs,
  });
  const made = Array.from({ length: count }, () => {
    const got: { readonly name: string; readonly seq: number | undefined }[] = [];
    const child = Object.assign(new EventEmitter(), {
      send(message: Message, connection?: { readonly name: string }) {
        if (connection !== undefined) got.push({ name: connection.name, seq: message.seq });
        return true;
      },
      // As Node's, where the worker has not said yet that it has what is under way to it: it tells nothing.
      disconnect() {},
    });
    untaken.serve({ process: child } as unknown as Worker);
    const tell = (message: object): boolean => child.emit('internalMessage', message);
    return {
      child,
      got: () => got.map(({ name }) => name),
      answer: (accepted: boolean) => tell({ cmd: 'NODE_CLUSTER', ack: got.at(-1)!.seq, accepted }),
      lacks: () => tell({ cmd: 'NODE_HANDLE_NACK' }),
    };
  });
  const closed: string[] = [];
  const reset = new Set<string>();
  let next = 0;
  const come = (address: string | undefined, name: string): void => {
    const { child } = made[(next += 1) % count]!;
    const own = (seq += 1);
    const getpeername = (into: { address?: string }): number => {
      if (address === undefined || reset.has(name)) return -1;
      into.address = address;
      return 0;
    };
    const connection = { name, close: () => void closed.push(name), getpeername };
    let isHeard = false;
    child.once('internalMessage', ({ ack, accepted }: { ack: number; accepted: boolean }) => {
      isHeard = ack === own && accepted;
      // As Node does.
      connection.close();
    });
    child.send({ act: 'newconn', seq: own }, connection);
    expect(isHeard).toBe(true);
  };
  return { untaken, made, come, closed, reset, dropped: () => dropped, resets: () => resets };
}

test('of thousands from one address and one from another, the one is the next', () => {
  const { made, come, closed } = workers(2, 5000);
  for (let count = 0; count < 3000; count++) come('10.0.0.1', `many ${count}`);
  come('10.0.0.2', 'one');
  expect(made.map(({ got }) => got())).toEqual([['many 1'], ['many 0']]);
  made[0]!.answer(true);
  made[0]!.answer(true);
  expect(made[0]!.got()).toEqual(['many 1', 'many 2', 'one']);
  expect(closed).toHaveLength(2);
});

test('the oldest of the address that has the most makes room, and is counted', () => {
  const { made, come, closed, dropped } = workers(1, 3);
  for (let count = 0; count < 4; count++) come('10.0.0.1', `many ${count}`);
  expect(closed).toEqual([]);
  come('10.0.0.2', 'one');
  come('10.0.0.3', 'another');
  expect([closed, dropped()]).toEqual([['many 1', 'many 2'], 2]);
  for (let count = 0; count < 3; count++) made[0]!.answer(true);
  expect(made[0]!.got()).toEqual(['many 0', 'many 3', 'one', 'another']);
});

test('one that a worker does not take any more goes to another', () => {
  const { made, come, closed } = workers(2);
  come('10.0.0.1', 'a');
  come('10.0.0.1', 'b');
  come('10.0.0.1', 'c');
  made[1]!.answer(false);
  expect([made[1]!.got(), closed]).toEqual([['a'], []]);
  for (let count = 0; count < 3; count++) made[0]!.answer(true);
  expect([made[0]!.got(), closed]).toEqual([
    ['b', 'c', 'a'],
    ['b', 'c', 'a'],
  ]);
});

test.each([{ ends: ['disconnect', 'exit'] }, { ends: ['exit'] }])(
  'one that did not reach its worker, was reset, or whose worker ended is closed: $ends',
  ({ ends }) => {
    const { made, come, closed } = workers(1);
    come(undefined, 'reset');
    come('10.0.0.1', 'lost');
    come('10.0.0.1', 'under way');
    come('10.0.0.1', 'waits');
    made[0]!.lacks();
    expect(closed).toEqual(['reset', 'lost']);
    for (const end of ends) made[0]!.child.emit(end);
    expect(closed).toEqual(['reset', 'lost', 'under way', 'waits']);
    // It had said so before its end.
    made[0]!.answer(true);
    expect(made[0]!.got()).toEqual(['lost', 'under way']);
  },
);

test('what is under way to a worker whose line is closed goes to another, and Node hands it no more', () => {
  const { made, come, closed } = workers(2);
  let isTold = false;
  made[1]!.child.once('disconnect', () => (isTold = true));
  come('10.0.0.1', 'a');
  come('10.0.0.1', 'b');
  made[1]!.child.disconnect();
  expect([isTold, closed]).toEqual([true, []]);
  for (let count = 0; count < 2; count++) made[0]!.answer(true);
  expect([made[0]!.got(), closed]).toEqual([
    ['b', 'a'],
    ['b', 'a'],
  ]);
});

test('what is under way to the last worker is closed once its line is', () => {
  const { made, come, closed } = workers(1);
  come('10.0.0.1', 'a');
  made[0]!.child.disconnect();
  expect(closed).toEqual(['a']);
});

test('those that are reset while they wait are given to no worker', () => {
  const { made, come, closed, reset, resets } = workers(1);
  for (const name of ['under way', 'b', 'c', 'one']) come('10.0.0.1', name);
  for (const name of ['b', 'c']) reset.add(name);
  made[0]!.answer(true);
  expect(made[0]!.got()).toEqual(['under way', 'one']);
  expect(closed).toEqual(['under way', 'b', 'c']);
  expect(resets()).toBe(2);
});

test('before the end the port is closed, once none comes any more, and those that wait are handed on', async () => {
  const { untaken, made, come } = workers(2);
  const left: string[] = [];
  for (const [at, { child }] of made.entries()) {
    child.send({ key: `port ${at}` });
    child.on('internalMessage', ({ act, key }: { act?: string; key?: string }) => {
      if (act === 'close') left.push(key!);
    });
  }
  for (const name of ['a', 'b', 'c', 'd']) come('10.0.0.1', name);
  let isOver = false;
  const over = untaken.closePort().then(() => (isOver = true));
  expect(left).toEqual([]);
  come('10.0.0.1', 'late');
  await expect.poll(() => left).toEqual(['port 0', 'port 1']);
  for (const { answer } of made) answer(true);
  await Promise.resolve();
  expect(isOver).toBe(false);
  made[0]!.answer(true);
  await over;
  expect(made.map(({ got }) => got())).toEqual([
    ['b', 'c', 'late'],
    ['a', 'd'],
  ]);
  made[1]!.child.emit('exit');
  await untaken.closePort();
  expect(left).toEqual(['port 0', 'port 1', 'port 0']);
});
