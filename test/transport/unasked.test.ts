import fc from 'fast-check';
import { readFile, stat } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { createSend } from '../../src/transport/send.ts';
import type { Connection, Send } from '../../src/wire/http.ts';
import { runs } from '../support/runs.ts';
import { listen } from '../support/servers/fault-server.ts';
import { certificates, tlsMissing } from '../support/servers/tls.ts';

/** The side of the peer of a connection, and the requests that came over it. */
interface Peer {
  readonly socket: Socket;
  requests: number;
  /** The rest of bytes that nobody asked for, which goes out before the next answer. */
  rest: string;
}

type Way = 'plain' | 'TLS' | 'a tunnel' | 'TLS in a tunnel';
const ways: readonly Way[] =
  tlsMissing === undefined ? ['plain', 'TLS', 'a tunnel', 'TLS in a tunnel'] : ['plain', 'a tunnel'];

const answerOf = (body: string): string => `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

/** A server that answers each request with its body, in this way. */
async function startPeer(way: Way, say: (body: string) => string = (body) => answerOf(body)) {
  const peers: Peer[] = [];
  const hear = (socket: Socket): void => {
    const peer: Peer = { socket, requests: 0, rest: '' };
    peers.push(peer);
    let heard = '';
    socket.on('error', () => undefined);
    socket.on('data', (part: Buffer) => {
      heard += part.toString('latin1');
      const body = /\r\n\r\n(ask \d+;)$/.exec(heard)?.[1];
      if (body === undefined) return;
      heard = '';
      peer.requests += 1;
      socket.write(peer.rest + say(body), 'latin1');
      peer.rest = '';
    });
  };
  const identity = way.startsWith('TLS') ? certificates().good : undefined;
  const secure = (socket: Socket): void =>
    hear(identity === undefined ? socket : new TLSSocket(socket, { isServer: true, ...identity }));
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    if (!way.endsWith('tunnel')) return secure(socket);
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      secure(socket);
    });
  });
  onTestFinished(() => void server.close());
  const port = await listen(server);
  const proxied = way.endsWith('tunnel') ? { proxy: { url: `http://127.0.0.1:${port}`, from: 'a test' } } : {};
  const connection: Connection = {
    connectTimeoutMs: 4000,
    ...(identity && { ca: [certificates().ca] }),
    ...proxied,
  };
  return { peers, url: `${identity === undefined ? 'http' : 'https'}://127.0.0.1:${port}/`, connection };
}

type Server = Pick<Awaited<ReturnType<typeof startPeer>>, 'url' | 'connection'>;

let asked = 0;

/** Asks with a body of its own, and says how the reply differs from an answer to that. */
async function ask(send: Send, { url, connection }: Server, laterMs = 0): Promise<void> {
  const body = `ask ${(asked += 1)};`;
  const limits = { connection, bodyBytesMax: 2 ** 20, deadlineAt: performance.now() + laterMs + 8000 };
  const reply = await send({ method: 'POST', url, headers: {}, body }, limits);
  expect([reply.status, Buffer.from(reply.body).toString()]).toEqual([200, body]);
}

const foreign = answerOf('foreign');
const unasked: Readonly<Record<string, string>> = {
  'an answer': foreign,
  'an answer without a body': 'HTTP/1.1 204 No Content\r\n\r\n',
  'an answer behind line ends': `\r\n\r\n${foreign}`,
  'an answer behind a continue': `HTTP/1.1 100 Continue\r\n\r\n${foreign}`,
  'an answer behind a hint': `HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${foreign}`,
  'an answer behind many of these': `${'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(40)}${foreign}`,
  'two answers': foreign + foreign,
  'an answer to the end': 'HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nforeign',
  'an answer in chunks': 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n7\r\nforeign\r\n0\r\n\r\n',
  'the end of a wait': 'HTTP/1.1 408 Slow\r\nconnection: close\r\ncontent-length: 0\r\n\r\n',
  garbage: 'foreign',
};

/** Moments between an answer and the next request, as what has the next request sent once the bytes are written. */
const moments: Readonly<Record<string, (then: () => void) => void>> = {
  'at once': (then) => then(),
  'in a microtask': (then) => queueMicrotask(then),
  'in the round of the event loop that read something': (then) => stat('/', then),
  'in that round, a little later': (then) => readFile('/proc/self/stat', () => void Promise.resolve().then(then)),
  'in the round after': (then) => void setImmediate(then),
  'with a timer': (then) => void setTimeout(then, 0),
  'a little later': (then) => void setTimeout(then, 3),
};

interface Unasked {
  readonly way: Way;
  readonly bytes: string;
  /** So many of these bytes go out before the next request; the rest once that one is there. */
  readonly share: number;
  readonly before: string;
  readonly between: string;
}

/** An answer, then bytes that nobody asked for, then requests: each of them gets its own answer. */
async function attack({ way, bytes, share, before, between }: Unasked): Promise<void> {
  const peer = await startPeer(way);
  const send = createSend({ now: () => performance.now() });
  await ask(send, peer);
  const text = unasked[bytes]!;
  const early = Math.max(1, Math.ceil(text.length * share));
  await new Promise<void>((resolve, reject) => {
    moments[before]!(() => {
      const last = peer.peers.at(-1)!;
      last.rest = text.slice(early);
      last.socket.write(text.slice(0, early), 'latin1');
      moments[between]!(() => void ask(send, peer).then(resolve, reject));
    });
  });
  await ask(send, peer);
  expect(peer.peers[0]!.requests).toBe(1);
}

const some = fc.record({
  way: fc.constantFrom(...ways),
  bytes: fc.constantFrom(...Object.keys(unasked)),
  share: fc.constantFrom(0, 0.02, 0.1, 0.3, 0.5, 0.9, 1, 1),
  before: fc.constantFrom(...Object.keys(moments)),
  between: fc.constantFrom(...Object.keys(moments)),
});

test('bytes that come over a kept connection before a request are no part of an answer to it, and end it', async () => {
  await fc.assert(fc.asyncProperty(some, attack), { ...runs(600), endOnFailure: true });
});

test.each(ways.flatMap((way) => Object.keys(unasked).map((bytes) => ({ way, bytes }))))(
  'over $way, behind an answer in one write: $bytes',
  async ({ way, bytes }) => {
    let at = 0;
    const peer = await startPeer(way, (body) => answerOf(body) + (at++ % 2 === 0 ? unasked[bytes]! : ''));
    const send = createSend({ now: () => performance.now() });
    for (let count = 0; count < 4; count += 1) await ask(send, peer);
    await wait(5);
    await ask(send, peer);
    expect(peer.peers.length).toBeGreaterThan(1);
  },
);

test('bytes that wait for their turn to be read behind those of another server are no part of an answer', async () => {
  const other = await startPeer('plain', () => '');
  const peer = await startPeer('plain');
  const send = createSend({ now: () => performance.now() });
  const answered = send(
    { method: 'POST', url: other.url, headers: {}, body: 'ask 0;' },
    {
      connection: other.connection,
      bodyBytesMax: 2 ** 20,
      deadlineAt: performance.now() + 8000,
      // To read this answer takes the whole turn of the round.
      received: () => {
        for (const until = performance.now() + 30; performance.now() < until;);
        return undefined;
      },
    },
  );
  await ask(send, peer);
  while (other.peers[0]?.requests !== 1) await wait(1);
  const kept = new Promise((resolve, reject) => {
    stat('/', () => {
      other.peers[0]!.socket.write(answerOf('late'));
      peer.peers[0]!.socket.write(foreign);
      ask(send, peer).then(resolve, reject);
    });
  });
  await Promise.all([answered, kept]);
  expect(peer.peers.map(({ requests }) => requests)).toEqual([1, 1]);
});

/** The number of connections of five requests, one after the other, with a pause behind each. */
async function connectionsOf(bytes: string, way: Way = 'plain'): Promise<{ connections: number; notes: number }> {
  let notes = 0;
  const { peers, url, connection } = await startPeer(way);
  const peer = { url, connection: { ...connection, onUnasked: () => void (notes += 1) } };
  const send = createSend({ now: () => performance.now() });
  for (let count = 0; count < 5; count += 1) {
    await ask(send, peer);
    if (count === 0) peers[0]!.socket.write(bytes, 'latin1');
    await wait(20);
  }
  return { connections: peers.length, notes };
}

test.each(ways)('over %s, no connection is kept of a server that sent an answer nobody asked for', async (way) => {
  expect(await connectionsOf(foreign, way)).toEqual({ connections: 5, notes: 1 });
});

test.each([
  { name: 'line ends', bytes: '\r\n\r\n' },
  { name: 'a 408', bytes: unasked['the end of a wait']! },
])('$name end a connection, and further ones are kept', async ({ bytes }) => {
  expect(await connectionsOf(bytes)).toEqual({ connections: 2, notes: 0 });
});

test('an hour later connections of such a server are kept again, until it does so again', async () => {
  let laterMs = 0;
  let notes = 0;
  const { peers, url, connection } = await startPeer('plain');
  const peer = { url, connection: { ...connection, onUnasked: () => void (notes += 1) } };
  const send = createSend({ now: () => performance.now() + laterMs });
  const askThrice = async (): Promise<number> => {
    const before = peers.length;
    for (let count = 0; count < 3; count += 1) await ask(send, peer, laterMs);
    return peers.length - before;
  };
  await ask(send, peer, 0);
  peers[0]!.socket.write(foreign);
  await wait(20);
  expect(await askThrice()).toBe(3);
  laterMs = 3_500_000;
  expect(await askThrice()).toBe(3);
  laterMs = 3_700_000;
  expect(await askThrice()).toBe(1);
  peers.at(-1)!.socket.write(foreign);
  await wait(20);
  expect(await askThrice()).toBe(3);
  expect(notes).toBe(2);
});

test.each([
  { name: 'no content, of some length', head: '204 No Content\r\ncontent-length: 9' },
  { name: 'not modified, in chunks', head: '304 Not Modified\r\ntransfer-encoding: chunked' },
])('behind an answer whose end is unclear no other one is awaited: $name', async ({ head }) => {
  const { peers, url, connection } = await startPeer('plain', () => `HTTP/1.1 ${head}\r\n\r\n`);
  const send = createSend({ now: () => performance.now() });
  const limits = { connection, bodyBytesMax: 2 ** 20, deadlineAt: performance.now() + 8000 };
  for (let count = 0; count < 3; count += 1)
    await send({ method: 'POST', url, headers: {}, body: 'ask 1;' }, limits).catch(() => undefined);
  expect(peers.length).toBe(3);
});

test('more interim answers than are read are none that nobody asked for', async () => {
  let notes = 0;
  const { url, connection } = await startPeer('plain', () => 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(40));
  const peer = { url, connection: { ...connection, onUnasked: () => void (notes += 1) } };
  await expect(ask(createSend({ now: () => performance.now() }), peer)).rejects.toThrow('interim answer');
  expect(notes).toBe(0);
});
