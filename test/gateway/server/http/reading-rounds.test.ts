import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Gateway } from '../../../../src/gateway/contract.ts';
import { Refusal } from '../../../../src/gateway/refusal.ts';
import { countRounds } from '../../../support/rounds.ts';
import { dial, listening, post, reply, statusesOf } from '../../../support/servers/http-server.ts';
import { certificates, tlsMissing } from '../../../support/servers/tls.ts';

const get = 'GET /nothing HTTP/1.1\r\nHost: gw\r\n\r\n';
const pieces = 4000;
const inPieces = post('Transfer-Encoding: chunked\r\n', `${'1\r\nx\r\n'.repeat(pieces)}0\r\n\r\n`);
const connections = 20;
/** The bytes of one read; those of the read in which a round has enough are worked on to its end. */
const readBytes = 64 * 1024;

describe.each(tlsMissing ? ['http'] : ['http', 'https'])('connections that send all at once, over %s', (scheme) => {
  /** All of them are served before the first one floods, so that they are read in the same round. */
  async function flood(gateway: Gateway, bytes: string): Promise<readonly Socket[]> {
    const identity = scheme === 'https' ? certificates().good : undefined;
    const answering: Gateway = (request) =>
      request.path === '/first' ? Promise.resolve(reply(200, '{}')) : gateway(request);
    const { port } = await listening({ gateway: answering, ...(identity && { tls: identity }) });
    const sockets = await Promise.all(
      Array.from({ length: connections }, async () => {
        const socket = identity
          ? connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
          : connect(port, '127.0.0.1');
        onTestFinished(() => void socket.destroy());
        socket.on('error', () => undefined).resume();
        socket.write('GET /first HTTP/1.1\r\nHost: gw\r\n\r\n');
        await once(socket, 'data');
        return socket;
      }),
    );
    for (const socket of sockets) socket.write(bytes);
    return sockets;
  }

  test.each([
    // Node itself comes to a stop over TLS where more than a thousand come at once.
    { headers: 0, requests: 500, most: 128 },
    { headers: 90, requests: 60, most: 80 },
  ])(
    'are heard $most requests of $headers headers at a time, and all in the end',
    async ({ headers, requests, most }) => {
      const rounds = countRounds();
      const gateway: Gateway = async () => {
        rounds.count();
        return reply(404, '{}');
      };
      const one = get.replace('\r\n\r\n', `${'\r\na: b'.repeat(headers)}\r\n\r\n`);
      await flood(gateway, one.repeat(requests));
      await expect.poll(rounds.all, { timeout: 20_000 }).toBe(connections * requests);
      expect(rounds.most()).toBeLessThanOrEqual(most);
    },
  );

  test('nor are more pieces of bodies read in one round', async () => {
    const rounds = countRounds();
    let whole = 0;
    const gateway: Gateway = async (request) => {
      await request.readBody(10_000, () => {
        rounds.count();
        return undefined;
      });
      whole += 1;
      return reply(200, '{}');
    };
    await flood(gateway, inPieces);
    await expect.poll(() => whole, { timeout: 20_000 }).toBe(connections);
    expect(rounds.all()).toBe(connections * pieces);
    expect(rounds.most()).toBeLessThanOrEqual(128 * 16 + readBytes / 6);
  });
});

describe.each([
  { name: 'opened before', opensFirst: true },
  { name: 'opened meanwhile', opensFirst: false },
])('a connection $name that sends a request at a time', ({ opensFirst }) => {
  test('is answered within a few rounds while forty others send all at once', async () => {
    let served = 0;
    const gateway: Gateway = async ({ path }) => {
      served += 1;
      return reply(200, path);
    };
    const { port } = await listening({ gateway });
    const open = (): Socket => {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      onTestFinished(() => void socket.destroy());
      return socket;
    };
    const polite = opensFirst ? open() : undefined;
    const flooding = Array.from({ length: 40 }, open);
    for (const socket of flooding) socket.write(get.repeat(20_000));
    await Promise.all(flooding.map((socket) => once(socket.resume(), 'data')));
    const asking = polite ?? open();
    const rounds = countRounds();
    const waits: number[] = [];
    for (let count = 0; count < 10; count++) {
      const before = rounds.passed();
      asking.write('GET /polite HTTP/1.1\r\nHost: gw\r\n\r\n');
      await once(asking, 'data');
      waits.push(rounds.passed() - before);
    }
    waits.sort((one, other) => one - other);
    expect(waits[4]).toBeLessThanOrEqual(12);
    // Rounds also pass while a busy machine carries the bytes; all the others have to say takes 25,000 rounds.
    expect(waits.at(-1)).toBeLessThanOrEqual(100);
    expect(served).toBeLessThan(40 * 20_000);
  }, 20_000);
});

test('of requests that take a millisecond each to begin, fewer are heard in a round', async () => {
  const rounds = countRounds();
  const gateway: Gateway = async ({ path }) => {
    if (path === '/first') return reply(404, '{}');
    const until = performance.now() + 1;
    while (performance.now() < until);
    rounds.count();
    return reply(404, '{}');
  };
  const { port } = await listening({ gateway });
  const sockets: Socket[] = [];
  while (sockets.length < 120) {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    socket.write(get.replace('/nothing', '/first'));
    await once(socket, 'data');
    sockets.push(socket);
  }
  for (const socket of sockets) socket.on('data', () => socket.write(get)).write(get);
  await expect.poll(rounds.all, { timeout: 20_000 }).toBeGreaterThan(1500);
  // A quarter of a round whatever it takes, 10 ms, and a quarter of what waits.
  expect(rounds.most()).toBeLessThanOrEqual(32 + 10 + 32);
});

describe.each([
  // A request takes a hundredth of a round and more: fewer connections than that are all heard in each.
  { connections: 110, openedFirst: 110, atOnce: 1 },
  { connections: 160, openedFirst: 160, atOnce: 1 },
  { connections: 160, openedFirst: 160, atOnce: 12 },
  { connections: 160, openedFirst: 40, atOnce: 1 },
  { connections: 160, openedFirst: 40, atOnce: 12 },
  { connections: 300, openedFirst: 300, atOnce: 1 },
  { connections: 300, openedFirst: 1, atOnce: 1 },
])('of $connections connections that ask again, most $atOnce times at once, $openedFirst opened before', (row) => {
  test('none waits for the others to be heard more than a few times', async () => {
    const gateway: Gateway = async (request) => reply(200, String((await request.readBody(1000)).length));
    const { port } = await listening({ gateway });
    const one = post('Content-Length: 1\r\n', 'x');
    const answered: number[] = [];
    const patient = { timeout: 20_000 };
    const open = async (): Promise<Socket> => {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      onTestFinished(() => void socket.destroy());
      await once(socket, 'connect');
      return socket;
    };
    const startAll = (sockets: readonly Socket[]): void => {
      for (const socket of sockets) {
        const at = answered.push(0) - 1;
        const requests = at % 4 === 0 ? 1 : row.atOnce;
        let replies = 0;
        socket.on('data', (bytes: Buffer) => {
          replies += statusesOf(bytes.toString('latin1')).length;
          if (replies % requests !== 0) return;
          answered[at]! += 1;
          socket.write(one.repeat(requests));
        });
        socket.write(one.repeat(requests));
      }
    };
    const opened = (count: number): Promise<readonly Socket[]> => Promise.all(Array.from({ length: count }, open));
    startAll(await opened(row.openedFirst));
    await expect.poll(() => Math.max(...answered), patient).toBeGreaterThan(2);
    startAll(await opened(row.connections - row.openedFirst));
    // Of new connections one is accepted in each round.
    await expect.poll(() => answered.filter((count) => count > 0).length, patient).toBe(row.connections);
    const before = [...answered];
    const since = (): number[] => answered.map((count, at) => count - before[at]!);
    await expect.poll(() => Math.max(...since()), { ...patient, interval: 1 }).toBeGreaterThan(24);
    // Some have three where the machine has a load of 15; those that were passed over had none.
    expect(since().filter((count) => count < 3)).toEqual([]);
  });
});

test('connections that leave many requests behind cost no stacks, and those of all else stay as they were', async () => {
  let begun = 0;
  const gateway: Gateway = () => {
    begun += 1;
    return new Promise(() => undefined);
  };
  const { port } = await listening({ gateway });
  const frames: number[] = [];
  const before = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace');
  const restore = (): void => {
    if (before === undefined) Reflect.deleteProperty(Error, 'prepareStackTrace');
    else Object.defineProperty(Error, 'prepareStackTrace', before);
  };
  onTestFinished(restore);
  const socket = connect(port, '127.0.0.1');
  socket.write(get.repeat(500));
  await expect.poll(() => begun).toBe(8);
  Error.prepareStackTrace = (error, calls) => {
    if (error.message === 'aborted') frames.push(calls.length);
    return String(error);
  };
  socket.destroy();
  await expect.poll(() => frames.length).toBe(500);
  expect(Math.max(...frames)).toBe(0);
  expect(Error.stackTraceLimit).toBeGreaterThan(0);
});

describe('a body of which 9,000 pieces come', () => {
  const gateway: Gateway = async (request) => {
    const length = await request.readBody(100_000).then(
      (body) => body.length,
      (error: unknown) => (error instanceof Refusal ? error.message : 'broken'),
    );
    return reply(200, String(length));
  };
  const sent = (piece: string): string => {
    const chunk = `${piece.length.toString(16)}\r\n${piece}\r\n`;
    return post('Transfer-Encoding: chunked\r\nConnection: close\r\n', `${chunk.repeat(9000)}0\r\n\r\n`);
  };

  test.each([
    { name: 'of a byte each is refused', piece: 'x', says: 'the body comes in too small pieces' },
    { name: 'of ten bytes each is read', piece: '1234567890', says: '90000' },
  ])('$name', async ({ piece, says }) => {
    const { port } = await listening({ gateway });
    expect((await dial(port, sent(piece)).closed).split('\r\n\r\n')[1]).toBe(says);
  });

  test('is not waited for where the request was refused for something else', async () => {
    const refusing: Gateway = async () => reply(401, '{}');
    const { port } = await listening({ gateway: refusing, limits: { lingerMs: 600_000 } });
    expect(statusesOf(await dial(port, sent('x')).closed)).toEqual([401]);
  });

  test('of ten bytes each is heard to its end, so that the client sees the refusal', async () => {
    const refusing: Gateway = async () => reply(413, '{}');
    const { port } = await listening({ gateway: refusing });
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    let error: Error | undefined;
    socket.on('error', (fault) => (error = fault));
    const text = sent('1234567890');
    socket.write(text.slice(0, 80_000));
    await once(socket, 'readable');
    // The rest comes once the reply is out.
    socket.end(text.slice(80_000));
    await once(socket.resume(), 'close');
    expect(error).toBeUndefined();
  });
});
