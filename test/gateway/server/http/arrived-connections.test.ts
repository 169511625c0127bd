import { createServer, connect, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { ArrivedConnections, hearArrivals } from '../../../../src/gateway/server/http/arrived-connections.ts';

/** Connections that have arrived, of networks by their names, and all that was done with each. */
function arrivals(waitingMax = Infinity) {
  const done: string[] = [];
  const gone = new Set<string>();
  const arrived = new ArrivedConnections({
    waitingMax: () => waitingMax,
    reset: () => void done.push('reset'),
  });
  const add = (network: string, name = network, mayOpen = false): number =>
    arrived.add(
      {
        close: () => void done.push(`closed ${name}`),
        getpeername(into) {
          into.address = network;
          return gone.has(name) ? -107 : 0;
        },
      },
      () => void done.push(name),
      mayOpen,
    );
  return { arrived, add, gone, done };
}

test('of connections that have arrived those of different networks are opened in turn, a few at a time', () => {
  const { arrived, add, done } = arrivals();
  for (let count = 0; count < 500; count++) add('192.0.2.1');
  for (const network of ['192.0.2.2', '2001:db8::1', '2001:db8::2']) add(network);
  arrived.open();
  expect(done.slice(0, 4)).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8::1', '192.0.2.1']);
  expect(done.length).toBeLessThan(10);
  arrived.open(Infinity);
  expect([done.length, arrived.open()]).toEqual([503, 0]);
});

test('one is opened at once where there is room, unless others wait', () => {
  const { arrived, add, done } = arrivals();
  add('192.0.2.1', 'first', true);
  add('192.0.2.1', 'second');
  add('192.0.2.2', 'third', true);
  expect(done).toEqual(['first', 'second']);
  arrived.open();
  expect(done).toEqual(['first', 'second', 'third']);
});

test('those that are reset before their turn are closed, and are not opened', () => {
  const { arrived, add, gone, done } = arrivals();
  for (let count = 0; count < 1000; count++) add('192.0.2.1', 'flood');
  add('192.0.2.1', 'honest');
  gone.add('flood');
  add('192.0.2.1', 'flood');
  expect(done.splice(0)).toEqual(['reset', 'closed flood']);
  // Not all of them at once, and yet all of them.
  expect(arrived.open()).toBeGreaterThan(0);
  expect(done.length).toBeLessThan(1000);
  while (arrived.open() > 0);
  expect([done.filter((each) => each === 'reset').length, done.at(-1)]).toEqual([1000, 'honest']);
});

test('where no more may wait some are opened, of networks in turn, also while the open ones come to fill all', () => {
  const { add, arrived, done } = arrivals(3);
  for (let count = 0; count < 4; count++) add('192.0.2.1', `flood ${count}`);
  add('192.0.2.2', 'honest');
  for (let count = 4; count < 7; count++) add('192.0.2.1', `flood ${count}`, count === 6);
  expect(done.slice(0, 6)).toEqual(['flood 0', 'flood 1', 'flood 2', 'flood 3', 'honest', 'flood 4']);
  expect(arrived.open()).toBe(0);
});

test('Node makes a socket of a connection that it accepted once it is opened', async () => {
  const server = createServer((socket) => void socket.end('hello'));
  const open: (() => void)[] = [];
  hearArrivals(server, (connection, openIt) => {
    const peer: { address?: string } = {};
    expect([connection.getpeername(peer), peer.address]).toEqual([0, '127.0.0.1']);
    open.push(openIt);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const sockets = [1, 2].map(() => connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8'));
  while (open.length < 2) await new Promise((resolve) => setImmediate(resolve));
  expect(await new Promise((resolve) => server.getConnections((_, count) => resolve(count)))).toBe(0);
  for (const openIt of open) openIt();
  const heard = await Promise.all(sockets.map((socket) => once(socket, 'data')));
  expect(heard).toEqual([['hello'], ['hello']]);
  for (const socket of sockets) socket.destroy();
  server.close();
});
