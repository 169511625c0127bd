import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import type { Gateway } from '../../../../src/gateway/contract.ts';
import { countRounds } from '../../../support/rounds.ts';
import { listening, reply } from '../../../support/servers/http-server.ts';
import { certificates, tlsMissing } from '../../../support/servers/tls.ts';

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: gw\r\n\r\n`;
const prompt = (token: string, bytes: number): string =>
  `POST /known HTTP/1.1\r\nHost: gw\r\nAuthorization: Bearer ${token}\r\nContent-Length: ${bytes}\r\n\r\n${'x'.repeat(bytes)}`;
const connections = 150;
/** Of a record, which is read as a whole. */
const inRecord = 300;
const asks = 5;

test.skipIf(tlsMissing).each([
  { who: 'strangers', first: get('/nothing'), bytes: 0 },
  { who: 'strangers', first: get('/nothing'), bytes: 30_000 },
  { who: 'holders of another token', first: prompt('other', 0), bytes: 0 },
  { who: 'holders of another token', first: prompt('other', 0), bytes: 30_000 },
])(
  'an open connection with prompts of $bytes bytes, one at a time, waits for few of the records of 150 $who that flood',
  async ({ first, bytes }) => {
    let begun = 0;
    const gateway: Gateway = async (request) => {
      begun += 1;
      if (request.path !== '/known') return reply(404, '{}');
      await request.readBody(bytes);
      return reply(200, '{}', request.headers['authorization']);
    };
    // No connection is closed meanwhile, however many requests wait.
    const limits = { waitingMax: 1_000_000 };
    const { port } = await listening({ gateway, limits, tls: certificates().good });
    const open = async (sent: string): Promise<Socket> => {
      const below = connect(port, '127.0.0.1');
      const socket = connectTls({ socket: below, rejectUnauthorized: false }).on('error', () => undefined);
      onTestFinished(() => void below.destroy());
      socket.write(sent);
      await once(socket, 'data');
      return socket;
    };
    const neighbour = await open(prompt('known', 0));
    const flooding = await Promise.all(Array.from({ length: connections }, () => open(first)));
    for (const socket of flooding) socket.resume().write(get('/nothing').repeat(inRecord * 2));
    const heard = begun;
    await expect.poll(() => begun, { interval: 1 }).toBeGreaterThan(heard + 100);
    const rounds = countRounds();
    for (let asked = 0; asked < asks; asked++) {
      neighbour.write(prompt('known', bytes));
      await once(neighbour, 'data');
    }
    expect(rounds.passed()).toBeLessThan(60);
    expect(begun).toBeLessThan(connections * inRecord);
  },
  30_000,
);

const many = 2000;
const asking = `
  const { port, connections, first, more } = require('node:worker_threads').workerData;
  for (let count = 0; count < connections; count++) {
    const socket = require('node:net').connect(port, '127.0.0.1').on('error', () => undefined);
    socket.on('connect', () => socket.write(first)).on('data', () => socket.write(more));
  }`;

const strangers = { who: 'strangers', first: get('/nothing'), more: get('/nothing') };
const wanting = { who: 'holders of a token that ask for nothing', first: prompt('other', 0), more: get('/nothing') };
const answered = {
  who: 'holders of another token that are answered',
  first: prompt('other', 0),
  more: prompt('other', 0),
};

test.each([
  { ...strangers, which: 'an open', bytes: 0 },
  { ...strangers, which: 'an open', bytes: 30_000 },
  { ...strangers, which: 'a new', bytes: 30_000 },
  { ...strangers, which: 'a refused', bytes: 0 },
  { ...wanting, which: 'an open', bytes: 0 },
  { ...answered, which: 'an open', bytes: 0 },
  { ...answered, which: 'an open', bytes: 30_000 },
  { ...answered, which: 'a new', bytes: 30_000 },
])(
  '$which connection with a prompt of $bytes bytes waits for few of 2000 $who, one at a time',
  async ({ which, first, more, bytes }) => {
    let begun = 0;
    const gateway: Gateway = async (request) => {
      begun += 1;
      // Or the others would take longer to ask than the server to answer.
      for (const until = performance.now() + 0.1; performance.now() < until;);
      await request.readBody(bytes);
      if (request.path !== '/known') return reply(401, '{}');
      return reply(which === 'a refused' ? 502 : 200, '{}', request.headers['authorization']);
    };
    const { port } = await listening({ gateway });
    const open = (): Socket => {
      const socket = connect(port, '127.0.0.1');
      onTestFinished(() => void socket.destroy());
      return socket;
    };
    const kept = open();
    const waitOf = async (socket: Socket): Promise<number> => {
      const before = begun;
      socket.write(prompt('known', bytes));
      await once(socket, 'data');
      return begun - before;
    };
    await waitOf(kept);
    const workerData = { port, connections: many, first, more };
    const worker = new Worker(asking, { eval: true, workerData });
    onTestFinished(async () => void (await worker.terminate()));
    await expect.poll(() => begun, { timeout: 20_000 }).toBeGreaterThan(2 * many);
    const waits: number[] = [];
    while (waits.length < 20) {
      waits.push(await waitOf(which === 'a new' ? open() : kept));
      await wait(10);
    }
    // Most waited for all of them, for a connection that was heard rested until each of the others was.
    expect(waits.sort((one, other) => one - other)[17]).toBeLessThan(many / 10);
  },
  60_000,
);

const uploaded = 4_000_000;
/** Floods in a thread of its own: what is sent in the server's own one would come in as slowly as that reads. */
const flooding = `
  const { port, isTls, connections, more } = require('node:worker_threads').workerData;
  const options = { port, host: '127.0.0.1', rejectUnauthorized: false };
  function open() {
    const socket = require(isTls ? 'node:tls' : 'node:net').connect(options).on('error', () => undefined).resume();
    const send = () => { while (!socket.destroyed && socket.write(more)); };
    socket.on(isTls ? 'secureConnect' : 'connect', send).on('drain', send).on('close', open);
  }
  for (let count = 0; count < connections; count++) open();`;

test.each(tlsMissing ? ['plain HTTP'] : ['plain HTTP', 'TLS'])(
  'over %s a large body that is wanted comes in within its time beside 150 strangers that flood',
  { timeout: 120_000 },
  async (way) => {
    const isTls = way === 'TLS';
    let begun = 0;
    const gateway: Gateway = async (request) => {
      begun += 1;
      if (request.path !== '/upload') return reply(401, '{}');
      return reply(200, String((await request.readBody(uploaded)).length));
    };
    // Its body is meant, and a handshake and a head take seconds here where other tests run as well.
    const limits = { headersTimeoutMs: 50_000 };
    const { port } = await listening({ gateway, limits, ...(isTls && { tls: certificates().good }) });
    const workerData = { port, isTls, connections, more: get('/nothing').repeat(2000) };
    const worker = new Worker(flooding, { eval: true, workerData });
    onTestFinished(async () => void (await worker.terminate()));
    await expect.poll(() => begun, { timeout: 20_000 }).toBeGreaterThan(connections);
    const options = { port, host: '127.0.0.1', rejectUnauthorized: false };
    const upload = isTls ? connectTls(options) : connect(options);
    onTestFinished(() => void upload.destroy());
    upload.write(`POST /upload HTTP/1.1\r\nHost: gw\r\nContent-Length: ${uploaded}\r\n\r\n`);
    upload.write(Buffer.alloc(uploaded));
    const [answer] = (await once(upload, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1.1 200 /);
  },
);
