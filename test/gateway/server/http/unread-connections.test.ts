import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import type { Slicing } from '../../../../src/gateway/server/http/slices.ts';
import { UnreadConnections } from '../../../../src/gateway/server/http/unread-connections.ts';

const slicingOf = (isUpload: boolean): Slicing => ({
  parse: () => undefined,
  untold: 32,
  reader: undefined,
  bytesMin: 256,
  bytes: 256,
  bytesKept: 0,
  debt: 0,
  isUpload,
  isStopped: false,
});

test('a body that is wanted is read before all others that wait, but for one whose turns take much', () => {
  const unread = new UnreadConnections();
  const resumed: string[] = [];
  const add = (name: string, slicing: Slicing): void => {
    const socket = new Socket();
    socket.resume = () => {
      resumed.push(name);
      return socket;
    };
    if (name === 'stranger') unread.noteReply(socket, undefined);
    unread.add(socket, Buffer.alloc(65_536), 0, slicing);
  };
  const dear = slicingOf(true);
  unread.noteTurn(new Socket(), dear, 128, 65_536);
  add('dear upload', dear);
  for (let count = 0; count < 100; count++) add('stranger', slicingOf(false));
  add('upload', slicingOf(true));
  unread.resume(4, new Set());
  expect(resumed).toEqual(['upload', 'dear upload', 'stranger', 'stranger']);
  // The pieces of a body make up for it.
  unread.noteTurn(new Socket(), dear, 0.25, 65_536);
  add('dear upload', dear);
  unread.resume(4, new Set());
  expect(resumed[4]).toBe('dear upload');
});

test('a new one with TLS and a prompt beyond 4 KiB waits for few others, and in the middle of its record for none', () => {
  const unread = new UnreadConnections();
  const resumed: string[] = [];
  /** Returns a function that has it wait, from there on of a record that is whole or is not. */
  const open = (name: string): ((at: number, isKeeping: boolean) => void) => {
    const [socket, above] = [new Socket(), new Socket()];
    Object.defineProperty(socket, 'remoteAddress', { value: name });
    socket.resume = () => {
      resumed.push(name);
      return socket;
    };
    if (name === 'stranger') unread.noteReply(above, undefined);
    const reader = { above, isWanted: true, sliceLength: (bytes: Buffer) => bytes.length };
    return (at, isKeeping) =>
      unread.add(socket, Buffer.alloc(16_384), at, { ...slicingOf(false), reader: { ...reader, isKeeping } });
  };
  const readInRounds = (count: number): string[] => {
    resumed.length = 0;
    for (let round = 0; round < count; round++) unread.resume(4, new Set());
    return resumed.filter((name) => name !== 'stranger');
  };
  for (let count = 0; count < 100; count++) open('stranger')(0, false);
  const one = open('192.0.2.1');
  for (const other of [one, one, open('192.0.2.2')]) other(0, false);
  expect(readInRounds(1)).toEqual(['192.0.2.1']);
  one(4096, true);
  expect(readInRounds(1)).toEqual(['192.0.2.1']);
  one(8192, false);
  expect(readInRounds(4)).toEqual(['192.0.2.2']);
  expect(readInRounds(4)).toEqual(['192.0.2.1']);
});

test('of new ones with larger prompts those come first whose networks used the least', () => {
  const unread = new UnreadConnections();
  const resumed: string[] = [];
  const reader = { above: undefined, isWanted: true, isKeeping: false, sliceLength: (bytes: Buffer) => bytes.length };
  const slicing = { ...slicingOf(false), reader };
  const add = (network: string): void => {
    const socket = new Socket();
    Object.defineProperty(socket, 'remoteAddress', { value: network });
    socket.resume = () => {
      resumed.push(network);
      unread.noteTurn(socket, { ...slicing }, network === '192.0.2.1' ? 128 : 1, 16_384);
      return socket;
    };
    unread.add(socket, Buffer.alloc(16_384), 0, slicing);
  };
  for (let count = 0; count < 8; count++) for (const last of [1, 2]) add(`192.0.2.${last}`);
  // Connections that are open ask with no turn of these.
  const open = new Socket();
  Object.defineProperty(open, 'remoteAddress', { value: '192.0.2.2' });
  unread.noteTurn(open, { ...slicing }, 10_000, 16_384);
  // Others wait beside them in all of the rounds.
  for (let count = 0; count < 200; count++) unread.addOther(new Socket(), new Socket());
  for (let round = 0; round < 32; round++) unread.resume(4, new Set());
  expect(resumed.filter((network) => network === '192.0.2.1')).toHaveLength(1);
});

/** Connections that are brief, and rounds of which the first that is read takes all. */
function fullRounds() {
  const unread = new UnreadConnections();
  const taken: Socket[] = [];
  const open = (token: string | undefined): Socket => {
    const socket = new Socket();
    socket.resume = () => {
      taken.push(socket);
      return socket;
    };
    unread.noteReply(socket, token);
    return socket;
  };
  const waits = (socket: Socket, at = 0): void => unread.add(socket, Buffer.alloc(256), at, slicingOf(false));
  /** Those that were read in rounds that had no room for more. */
  const resting = new Set<Socket>();
  const nextRead = (): Socket => {
    unread.resume(32, resting);
    const [read, ...others] = taken.splice(0);
    for (const socket of others) waits(socket);
    resting.add(read!);
    return read!;
  };
  return { open, waits, nextRead };
}

test('one that found no room in its turn comes first in the next round, whoever has more connections', () => {
  const { open, waits, nextRead } = fullRounds();
  const all = Array.from({ length: 100 }, () => open('greedy'));
  for (const socket of all) waits(socket);
  const one = open('known');
  const read: Socket[] = [];
  for (let asks = 0; asks < 20; asks++) {
    waits(one);
    for (let rounds = 0; read.at(-1) !== one; rounds++) {
      read.push(nextRead());
      if (read.at(-1) !== one) waits(read.at(-1)!, 100);
      expect(rounds).toBeLessThan(3);
    }
  }
  while (read.length < 300) {
    read.push(nextRead());
    waits(read.at(-1)!, 100);
  }
  expect(new Set(read).size).toBe(101);
});

test('brief ones that fill each round do not keep the others waiting for ever', () => {
  const { open, waits, nextRead } = fullRounds();
  const brief = Array.from({ length: 100 }, () => open('greedy'));
  const others = Array.from({ length: 10 }, () => open(undefined));
  for (const socket of [...brief, ...others]) waits(socket);
  const read = Array.from({ length: 200 }, () => {
    const socket = nextRead();
    waits(socket, 100);
    return socket;
  });
  const timesOf = (one: Socket): number => read.filter((socket) => socket === one).length;
  expect(others.filter((socket) => timesOf(socket) < 3)).toEqual([]);
});

test('one with a token that asks much at a time has as many turns as all strangers together', () => {
  const unread = new UnreadConnections();
  const resumed: string[] = [];
  const add = (name: string, token: string | undefined, isHeld = false): void => {
    const socket = new Socket();
    socket.resume = () => {
      resumed.push(name);
      return socket;
    };
    unread.noteReply(socket, token);
    if (isHeld) unread.addOther(socket, socket);
    else unread.add(socket, Buffer.alloc(65_536), 0, { ...slicingOf(false), debt: 1 });
  };
  for (let count = 0; count < 100; count++) add('stranger', undefined);
  for (let count = 0; count < 100; count++) add('greedy', 'token of many');
  add('pipelining', 'token of one');
  add('held', 'another token', true);
  unread.resume(8, new Set());
  const turn = ['stranger', 'greedy'];
  expect(resumed).toEqual([...turn, 'pipelining', 'held', ...turn, ...turn]);
});

test('a token whose turns take little work has more of them, however many tokens another Motif has', () => {
  const unread = new UnreadConnections();
  const turns = { dear: 0, one: 0 };
  const slicing = slicingOf(false);
  const add = (name: keyof typeof turns, token: string): void => {
    const socket = new Socket();
    socket.resume = () => {
      turns[name] += 1;
      unread.noteTurn(socket, slicing, name === 'one' ? 1 : 8, 256);
      add(name, token);
      return socket;
    };
    unread.noteReply(socket, token);
    unread.add(socket, Buffer.alloc(256), 0, slicingOf(false));
  };
  for (let count = 0; count < 100; count++) add('dear', `flooded t${count}`);
  add('one', 'bot own');
  for (let round = 0; round < 25; round++) unread.resume(4, new Set());
  expect(turns.one).toBeGreaterThan(50);
});
