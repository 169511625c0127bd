import { createServer, type Server, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { TransportError } from '../../src/errors.ts';
import { createSend } from '../../src/transport/send.ts';
import { answerBytesMax } from '../../src/text/limits.ts';
import { listen } from '../support/servers/fault-server.ts';

const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nKeep-Alive: timeout=30\r\n\r\nhi';
const monotonic = () => performance.now();

/** A server that answers the first request of a connection, and does what it is told at the next one. */
async function server(next: (socket: Socket) => void) {
  let requests = 0;
  let lines = 0;
  const listening: Server = createServer((socket) => {
    lines += 1;
    let own = 0;
    socket.on('error', () => undefined);
    socket.on('data', () => {
      requests += 1;
      own += 1;
      if (own === 1) socket.write(answer);
      else next(socket);
    });
  });
  onTestFinished(() => void listening.close());
  return { port: await listen(listening), requests: () => requests, lines: () => lines };
}

/** Two requests in a row: what came of the second, and how often it was sent again. */
async function second(next: (socket: Socket) => void, asksAgain = true, leftMs = 300) {
  const { port, requests } = await server(next);
  const send = createSend({ now: monotonic });
  let resent = 0;
  const request = { method: 'POST', url: `http://127.0.0.1:${port}/`, headers: {}, body: '{}' } as const;
  const options = {
    connection: { connectTimeoutMs: 1000 },
    bodyBytesMax: answerBytesMax,
    ...(asksAgain && { onResend: () => void (resent += 1) }),
  };
  await send(request, { ...options, deadlineAt: monotonic() + 5000 });
  const outcome = await send(request, { ...options, deadlineAt: monotonic() + leftMs }).then(
    ({ status }) => status,
    (error: unknown) => (error instanceof TransportError ? error.kind : error),
  );
  return { outcome, resent, requests: requests() };
}

const timedOut = (connection: string) => `HTTP/1.1 408 Slow\r\nConnection: ${connection}\r\nContent-Length: 0\r\n\r\n`;

test.each<{ name: string; next: (socket: Socket) => void }>([
  { name: 'is closed', next: (socket) => socket.end() },
  { name: 'is reset', next: (socket) => socket.resetAndDestroy() },
  { name: 'ends with a 408', next: (socket) => socket.end(timedOut('close')) },
  { name: 'ends with a 408 and is left open', next: (socket) => socket.write(timedOut('Close')) },
])(
  'a kept connection that $name before a byte of an answer came back: the request is sent once more, on a new one',
  async ({ next }) => {
    expect(await second(next)).toEqual({ outcome: 200, resent: 1, requests: 3 });
  },
);

test.each<{
  name: string;
  next: (socket: Socket) => void;
  asksAgain?: boolean;
  leftMs?: number;
  outcome: unknown;
}>([
  { name: 'the 408 leaves its connection open', next: (socket) => socket.write(timedOut('keep-alive')), outcome: 408 },
  {
    name: 'nobody asks for it after a 408',
    next: (socket) => socket.end(timedOut('close')),
    asksAgain: false,
    outcome: 408,
  },
  {
    name: 'the 408 took a while',
    next: (socket) => void setTimeout(() => socket.end(timedOut('close')), 1100),
    leftMs: 3000,
    outcome: 408,
  },
  { name: 'nobody asks for it', next: (socket) => socket.end(), asksAgain: false, outcome: 'network' },
  { name: 'a byte came back', next: (socket) => socket.end('H'), outcome: 'network' },
  {
    name: 'an interim answer came',
    next: (socket) => socket.end('HTTP/1.1 102 Processing\r\n\r\n'),
    outcome: 'network',
  },
  { name: 'it only takes too long', next: () => undefined, outcome: 'timeout' },
  { name: 'the answer is broken', next: (socket) => socket.end('nonsense\r\n\r\n'), outcome: 'service' },
])('nothing is sent twice where $name', async ({ next, asksAgain, leftMs, outcome }) => {
  expect(await second(next, asksAgain, leftMs)).toEqual({ outcome, resent: 0, requests: 2 });
});

describe('a sleep of the machine', () => {
  /** Two requests, one after the other; the clocks jump by an hour where `sleeps`. */
  async function asked(sleeps: 'while an answer is awaited' | 'between two requests', clock: 'both' | 'time of day') {
    let lines = 0;
    const skew = { monotonic: 0, timeOfDay: 0 };
    const sleep = (): void => {
      skew.timeOfDay += 3_600_000;
      if (clock === 'both') skew.monotonic += 3_600_000;
    };
    const listening = createServer((socket) => {
      lines += 1;
      socket.on('error', () => undefined);
      socket.once('data', () => {
        if (sleeps === 'while an answer is awaited') sleep();
        socket.write(answer);
        // Too late for the client's next request on this connection.
        socket.once('data', () => socket.resetAndDestroy());
      });
    });
    onTestFinished(() => void listening.close());
    const port = await listen(listening);
    const now = (): number => monotonic() + skew.monotonic;
    const send = createSend({ now, timeOfDay: () => Date.now() + skew.timeOfDay });
    const connection = { connectTimeoutMs: 1000 };
    const request = { method: 'POST', url: `http://127.0.0.1:${port}/`, headers: {}, body: '{}' } as const;
    const ask = () => send(request, { connection, bodyBytesMax: answerBytesMax, deadlineAt: now() + 9_000_000 });
    await ask();
    if (sleeps === 'between two requests') sleep();
    await ask();
    return lines;
  }

  test.each([
    { sleeps: 'while an answer is awaited', clock: 'both' },
    { sleeps: 'while an answer is awaited', clock: 'time of day' },
    { sleeps: 'between two requests', clock: 'both' },
    { sleeps: 'between two requests', clock: 'time of day' },
  ] as const)('$sleeps, on $clock: the next request has a new connection', async ({ sleeps, clock }) => {
    expect(await asked(sleeps, clock)).toBe(2);
  });
});

test('a kept connection is used no longer than its server says', async () => {
  let now = 0;
  const { port, requests, lines } = await server((socket) => socket.write(answer));
  const send = createSend({ now: () => now });
  const request = { method: 'POST', url: `http://127.0.0.1:${port}/`, headers: {}, body: '{}' } as const;
  const connection = { connectTimeoutMs: 1000 };
  for (const moment of [0, 28_000, 58_000]) {
    now = moment;
    await send(request, { connection, bodyBytesMax: answerBytesMax, deadlineAt: now + 5000 });
  }
  expect({ requests: requests(), lines: lines() }).toEqual({ requests: 3, lines: 2 });
});
