import { afterEach, expect, test } from 'vitest';
import { TransportError } from '../../src/errors.ts';
import { Secret } from '../../src/text/secret.ts';
import { createSend } from '../../src/transport/send.ts';
import type { Connection, HttpReply, HttpRequest, Send, SendOptions } from '../../src/wire/http.ts';
import {
  answerEach,
  deafen,
  end,
  type FaultServer,
  faultServer,
  hang,
  readHead,
  readRequest,
  send as sendBytes,
  type Step,
} from '../support/servers/fault-server.ts';
import { tunnel } from '../support/servers/toxics.ts';

const text = '{"ok":true}';
const answer = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`;
const token = new Secret('canary-token-0123456789');
const direct: Connection = { connectTimeoutMs: 2000 };
const servers: FaultServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(...steps: Step[]): Promise<FaultServer> {
  const server = await faultServer(steps);
  servers.push(server);
  return server;
}

const newSend = () => createSend({ now: () => Date.now() });

function ask(
  send: Send,
  { port }: { port: number },
  more: Partial<HttpRequest> = {},
  limits: Partial<SendOptions> = {},
): Promise<HttpReply> {
  const request: HttpRequest = {
    method: 'POST',
    url: `http://127.0.0.1:${port}/base/api/v1/apps/m%20x/prompts?q=1`,
    headers: { accept: 'application/json', authorization: { scheme: 'Bearer', token } },
    body: '{"messages":[]}',
    ...more,
  };
  return send(request, { connection: direct, deadlineAt: Date.now() + 3000, bodyBytesMax: 2 ** 20, ...limits });
}

const settled = (promise: Promise<unknown>) => promise.catch((error: unknown) => error);

test('sends exactly the request that it was given', async () => {
  const server = await serve(answerEach(answer));
  const reply = await ask(newSend(), server);
  expect(server.received()).toBe(
    [
      'POST /base/api/v1/apps/m%20x/prompts?q=1 HTTP/1.1',
      `host: 127.0.0.1:${server.port}`,
      'connection: keep-alive',
      'accept: application/json',
      'authorization: Bearer canary-token-0123456789',
      'content-length: 15',
      '',
      '{"messages":[]}',
    ].join('\r\n'),
  );
  expect(Buffer.from(reply.body).toString()).toBe(text);
  expect(reply.status).toBe(200);
  expect({ ...reply.headers }).toEqual({ 'content-type': 'application/json', 'content-length': '11' });
  expect(reply.timings).toMatchObject({ dnsMs: null, tlsMs: null, sentBytes: 15, receivedBytes: 11 });
  expect(reply.timings.connectMs).toBeLessThanOrEqual(reply.timings.firstByteMs!);
  expect(reply.timings.firstByteMs).toBeLessThanOrEqual(reply.timings.totalMs);
});

test('joins a repeated header, in lower case', async () => {
  const server = await serve(answerEach(answer.replace('\r\n', '\r\nX-Two: a\r\nx-two: b\r\n')));
  expect((await ask(newSend(), server)).headers['x-two']).toBe('a, b');
});

test('keeps a connection for the next request, whose timings then have no connection in them', async () => {
  const server = await serve(answerEach(answer));
  const send = newSend();
  await ask(send, server);
  await ask(send, server);
  const { timings } = await ask(send, server);
  expect(server.connections()).toBe(1);
  expect(timings.connectMs).toBeNull();
});

test('has a connection for each request that runs at the same time, and uses them again', async () => {
  const server = await serve(answerEach(answer));
  const send = newSend();
  const eight = () => Promise.all(Array.from({ length: 8 }, () => ask(send, server)));
  await eight();
  await eight();
  expect(server.connections()).toBe(8);
});

test.each([
  {
    name: 'another token',
    more: { headers: { authorization: { scheme: 'Bearer', token: new Secret('other') } } },
    limits: {},
  },
  { name: 'no token', more: { headers: {} }, limits: {} },
  { name: 'settings resolved anew', more: {}, limits: { connection: { ...direct } } },
] as const)('$name never speaks over a connection that was opened before', async ({ more, limits }) => {
  const server = await serve(answerEach(answer));
  const send = newSend();
  await ask(send, server);
  await ask(send, server, more, limits);
  expect(server.connections()).toBe(2);
});

test('an idle connection that the server has closed is replaced, and nothing is sent twice', async () => {
  const server = await serve(readRequest, sendBytes(answer), end);
  const send = newSend();
  for (let count = 0; count < 5; count += 1) {
    expect((await ask(send, server)).status).toBe(200);
    // A connection that a server closes while a request is on its way is lost, as the next test says.
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  expect(server.received().split('POST ').length - 1).toBe(5);
});

test('a request that a closing server may have read is not sent again', async () => {
  const server = await serve(
    readRequest,
    sendBytes(answer),
    readHead,
    (peer) => peer.until((all) => all.split('POST ').length > 2),
    end,
  );
  const send = newSend();
  await ask(send, server);
  expect(await settled(ask(send, server))).toMatchObject({ kind: 'network', layer: 'http', sent: true });
  expect(server.connections()).toBe(1);
});

test('a connection on which an answer came unasked carries no further request', async () => {
  const server = await serve(readRequest, sendBytes(answer + answer), hang);
  const send = newSend();
  await ask(send, server);
  await ask(send, server);
  expect(server.connections()).toBe(2);
});

test.each(['connection: close', 'proxy-connection: close', 'transfer-encoding: gzip'])(
  'a connection whose answer had the trailer "%s", behind which its parser takes none, carries no further request',
  async (trailer) => {
    const chunks = `${text.length.toString(16)}\r\n${text}\r\n0\r\n${trailer}\r\n\r\n`;
    const server = await serve(answerEach(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`));
    const send = newSend();
    for (let asked = 0; asked < 2; asked++) expect((await ask(send, server)).status).toBe(200);
    expect(server.connections()).toBe(2);
  },
);

test('a connection whose server answered without taking the whole request carries no further one', async () => {
  const server = await serve(readHead, deafen, sendBytes(answer), hang);
  const send = newSend();
  const body = ' '.repeat(15_000_000);
  expect((await ask(send, server, { body })).status).toBe(200);
  expect((await ask(send, server, { body })).status).toBe(200);
  expect(server.connections()).toBe(2);
});

test.each([
  { when: 'before it starts', steps: [hang], abortAfterMs: 0 },
  { when: 'while it waits for the answer', steps: [readRequest, hang], abortAfterMs: 50 },
])('an abort $when rejects with its reason', async ({ steps, abortAfterMs }) => {
  const server = await serve(...steps);
  const stop = new AbortController();
  const reason = new Error('Ctrl-C');
  if (abortAfterMs === 0) stop.abort(reason);
  else setTimeout(() => stop.abort(reason), abortAfterMs);
  expect(await settled(ask(newSend(), server, {}, { signal: stop.signal }))).toBe(reason);
});

test('an abort while the address is looked up rejects with its reason', async () => {
  const stop = new AbortController();
  const reason = new Error('Ctrl-C');
  const send = createSend({ now: () => Date.now(), lookup: () => stop.abort(reason) });
  const call = ask(send, { port: 1 }, { url: 'http://motif.test/' }, { signal: stop.signal });
  expect(await settled(call)).toBe(reason);
});

test.each([
  { leads: ['169.254.169.254'], reaches: false },
  { leads: ['169.254.169.254', '127.0.0.1'], reaches: true },
  { leads: ['127.0.0.1'], reaches: true },
])('a name that leads to $leads, of which one is forbidden: $reaches', async ({ leads, reaches }) => {
  const server = await serve(answerEach(answer));
  const found = leads.map((address) => ({ address, family: 4 }));
  const send = createSend({ now: () => Date.now(), lookup: (_name, _options, callback) => callback(null, found) });
  const connection: Connection = { ...direct, isForbidden: (address) => address.startsWith('169.254.') };
  const url = `http://motif.test:${server.port}/`;
  const reply = await settled(ask(send, server, { url }, { connection }));
  if (reaches) expect(reply).toMatchObject({ status: 200 });
  else expect(reply).toMatchObject({ layer: 'dns', cause: 'EFORBIDDEN', sent: false });
  expect(server.received() !== '').toBe(reaches);
});

test('a deadline that has passed sends nothing', async () => {
  const server = await serve(answerEach(answer));
  const error = await settled(ask(newSend(), server, {}, { deadlineAt: Date.now() - 1 }));
  expect(error).toMatchObject({ kind: 'timeout', sent: false });
  expect(server.received()).toBe('');
});

test('a header that would break out of its line is refused without its value', async () => {
  const server = await serve(answerEach(answer));
  const bad = { authorization: { scheme: 'Bearer', token: new Secret('canary\r\nx: y') } } as const;
  const error = await settled(ask(newSend(), server, { headers: bad }));
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toBeInstanceOf(TransportError);
  expect(String((error as Error).stack)).not.toContain('canary');
  expect(server.received()).toBe('');
});

test('a proxy gets its own credentials, the service the token, and neither the other', async () => {
  const origin = await serve(answerEach(answer));
  const seen: string[] = [];
  const note: Step = (peer) => void seen.push(peer.received());
  const proxy = await serve(readHead, note, sendBytes('HTTP/1.1 200 OK\r\n\r\n'), tunnel);
  const credentials = new Secret('ana:canary:pw');
  const connection = { ...direct, proxy: { url: `http://127.0.0.1:${proxy.port}`, from: '--proxy', credentials } };
  await ask(newSend(), origin, {}, { connection });
  const basic = Buffer.from('ana:canary:pw').toString('base64');
  const to = `127.0.0.1:${origin.port}`;
  expect(seen).toEqual([`CONNECT ${to} HTTP/1.1\r\nHost: ${to}\r\nProxy-Authorization: Basic ${basic}\r\n\r\n`]);
  expect(origin.received()).toContain('Bearer canary-token');
  expect(origin.received()).not.toContain(basic);
});

test.each([
  { name: 'its own limit', connectMs: 30, leftMs: 3000, says: /longer than 30 ms$/, hint: '--connect-timeout' },
  {
    name: 'the time of the whole prompt',
    connectMs: 3000,
    leftMs: 30,
    says: /^the time was over before motif\.test was looked up$/,
    hint: '',
  },
])('a connection that is not there in time names $name', async ({ connectMs, leftMs, says, hint }) => {
  const send = createSend({ now: () => Date.now(), lookup: () => undefined });
  const limits = { connection: { connectTimeoutMs: connectMs }, deadlineAt: Date.now() + leftMs };
  const error = (await settled(ask(send, { port: 1 }, { url: 'http://motif.test/' }, limits))) as TransportError;
  expect(error).toMatchObject({ kind: 'timeout', layer: 'dns', sent: false });
  expect(error.message).toMatch(says);
  expect(error.hints.join()).toContain(hint);
});

const half = (status: string, length: number | 'chunked' = 20) =>
  `HTTP/1.1 ${status}\r\n${length === 'chunked' ? 'transfer-encoding: chunked' : `content-length: ${length}`}\r\n\r\n`;

test.each([
  { how: 'is cut off', steps: (head: string) => [sendBytes(`${head}{"e":`), end] },
  { how: 'never ends', steps: (head: string) => [sendBytes(`${head}{"e":`), hang] },
])('the status of a failure whose text $how is told, one of success is not', async ({ steps }) => {
  for (const status of ['400 No', '429 Slow', '503 Busy', '599 Odd']) {
    const server = await serve(readRequest, ...steps(half(status)), end);
    const reply = await ask(newSend(), server, {}, { deadlineAt: Date.now() + 300 });
    expect([reply.status, String.fromCharCode(...reply.body)]).toEqual([Number.parseInt(status, 10), '{"e":']);
  }
  const server = await serve(readRequest, ...steps(half('200 OK')), end);
  const outcome = await settled(ask(newSend(), server, {}, { deadlineAt: Date.now() + 300 }));
  expect(outcome).toBeInstanceOf(TransportError);
});

test('the status of a failure with chunks that are none is told as well', async () => {
  const server = await serve(readRequest, sendBytes(`${half('429 Slow', 'chunked')}zz\r\n`), hang);
  expect(await ask(newSend(), server)).toMatchObject({ status: 429 });
});

test('an answer is told as it comes, and ends with the error of who hears of it', async () => {
  const server = await serve(answerEach(answer));
  const heard: number[] = [];
  const enough = new Error('enough');
  const received = (bytes: number): Error | undefined => (heard.push(bytes) > 1 ? enough : undefined);
  await ask(newSend(), server, {}, { received });
  expect(heard).toEqual([text.length]);
  expect(await settled(ask(newSend(), server, {}, { received }))).toBe(enough);
});

test('an answer whose head names its length is told whole before it comes, and one that does not as it comes', async () => {
  const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
  const heard: number[][] = [];
  for (const framing of ['content-length: 11\r\n\r\n{"ok"', 'transfer-encoding: chunked\r\n\r\n5\r\n{"ok"\r\n']) {
    const told = heard[heard.push([]) - 1]!;
    const received = (bytes: number): undefined => void told.push(bytes);
    const server = await serve(readRequest, sendBytes(head + framing), hang);
    await settled(ask(newSend(), server, {}, { received, deadlineAt: Date.now() + 500 }));
  }
  expect(heard).toEqual([[11], [5]]);
});
