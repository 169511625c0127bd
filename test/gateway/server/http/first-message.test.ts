import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setImmediate as nextRound } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { FirstMessage, FirstReads, MessageReader } from '../../../../src/gateway/server/http/first-message.ts';
import { listen } from '../../../support/servers/fault-server.ts';

/** A message of a handshake of so many bytes behind its header, in records of so many bytes. */
function records(length: number, recordLength: number): Buffer {
  const message = Buffer.alloc(4 + length);
  message[0] = 1;
  message.writeUIntBE(length, 1, 3);
  const parts: Buffer[] = [];
  for (let at = 0; at < message.length; at += recordLength) {
    const part = message.subarray(at, at + recordLength);
    const header = Buffer.from([22, 3, 1, 0, 0]);
    header.writeUInt16BE(part.length, 3);
    parts.push(header, part);
  }
  return Buffer.concat(parts);
}

const empty = Buffer.from([22, 3, 1, 0, 0]);

describe('the first message of a handshake is whole with its last byte', () => {
  test.each([
    { name: 'in one record', bytes: records(300, 400) },
    { name: 'without anything behind its header', bytes: records(0, 400) },
    { name: 'in records of a byte', bytes: records(300, 1) },
    { name: 'its header in two records', bytes: records(300, 3) },
    { name: 'behind empty records', bytes: Buffer.concat([empty, empty, records(3000, 1000)]) },
  ])('$name', ({ bytes }) => {
    for (const size of [1, 2, 3, 7, 1000]) {
      const reader = new MessageReader();
      const last = bytes.length - ((bytes.length - 1) % size) - 1;
      for (let at = 0; at < last; at += size) expect(reader.read(bytes.subarray(at, at + size))).toBe(false);
      expect(reader.read(bytes.subarray(last))).toBe(true);
    }
  });

  test('unless a record is of another kind', () => {
    const reader = new MessageReader();
    expect(reader.read(records(300, 150).subarray(0, 155))).toBe(false);
    expect(reader.read(Buffer.from([23]))).toBeUndefined();
  });
});

test('of thousands that send something at once a hundred are read in a round, and each has its turn', async () => {
  const count = 600;
  const reads = new FirstReads();
  const taken: Socket[] = [];
  let inRound = 0;
  const rounds: number[] = [];
  const heard = new Set<Socket>();
  const server = createServer((socket) => {
    taken.push(socket);
    void new FirstMessage(socket, reads, 16_384, () => undefined);
    socket.on('data', () => {
      heard.add(socket);
      inRound += 1;
      if (inRound === 1) setImmediate(() => rounds.push(inRound) && (inRound = 0));
    });
  });
  const port = await listen(server);
  const clients = Array.from({ length: count }, () => connect(port, '127.0.0.1'));
  onTestFinished(() => {
    for (const socket of [...clients, ...taken]) socket.destroy();
    server.close();
  });
  await Promise.all(clients.map((client) => once(client, 'connect')));
  await expect.poll(() => taken.length).toBe(count);
  for (const client of clients) client.write(empty);
  await expect.poll(() => heard.size).toBe(count);
  expect(Math.max(...rounds)).toBeLessThanOrEqual(128);
});

test('a round with many first reads is followed by one for new connections, and then each network has its turn', async () => {
  const reads = new FirstReads();
  const started: string[] = [];
  const add = (remoteAddress: string): void => {
    const handle = { reading: true, readStart: () => started.push(remoteAddress), readStop: () => undefined };
    reads.add({ remoteAddress, _handle: handle } as unknown as Socket);
  };
  for (let count = 0; count < 500; count++) add('203.0.113.1');
  add('203.0.113.2');
  for (let count = 0; count < 64; count++) reads.note();
  const until = performance.now() + 200;
  while (performance.now() < until);

  await nextRound();
  expect(started).toEqual([]);

  // No new one came in that round.
  await nextRound();
  expect(started.slice(0, 3)).toEqual(['203.0.113.1', '203.0.113.2', '203.0.113.1']);
});
