import { afterEach, expect, test } from 'vitest';
import { createSend } from '../../src/transport/send.ts';
import {
  answerEach,
  end,
  type FaultServer,
  faultServer,
  readHead,
  send as sendBytes,
  type Step,
} from '../support/servers/fault-server.ts';
import { tunnel } from '../support/servers/toxics.ts';

const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}';
const open = 'HTTP/1.1 200 Connection established\r\n\r\n';
const servers: FaultServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(...steps: Step[]): Promise<FaultServer> {
  const server = await faultServer(steps);
  servers.push(server);
  return server;
}

/** The status of a service that is asked through a proxy, which answers in these pieces, or why there is none. */
async function statusThrough(pieces: readonly string[], ...last: Step[]): Promise<number | string> {
  const service = await serve(answerEach(answer));
  const proxy = await serve(readHead, ...pieces.map((piece) => sendBytes(piece)), ...last);
  const connection = { connectTimeoutMs: 5000, proxy: { url: `http://127.0.0.1:${proxy.port}`, from: 'a test' } };
  const post = { method: 'POST' as const, url: `http://127.0.0.1:${service.port}/`, headers: {}, body: '{}' };
  const limits = { connection, deadlineAt: Date.now() + 10_000, bodyBytesMax: 100 };
  return await createSend({ now: () => Date.now() })(post, limits).then(
    ({ status }) => status,
    (error: unknown) => String(error),
  );
}

const interim = {
  'a continue': 'HTTP/1.1 100 Continue\r\n\r\n',
  'one without a reason': 'HTTP/1.0 102\r\n\r\n',
  'one with headers': 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n',
  'thirty-two of them': 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(32),
};

test.each(Object.keys(interim) as (keyof typeof interim)[])(
  'a proxy opens the way behind %s, in whatever pieces they come',
  async (which) => {
    const all = interim[which] + open;
    const cuts = [1, 9, 12, interim[which].length - 1, interim[which].length, interim[which].length + 5, all.length];
    const statuses = cuts.map((at) => statusThrough([all.slice(0, at), all.slice(at)].filter(Boolean), tunnel));
    expect(await Promise.all(statuses)).toEqual(cuts.map(() => 200));
  },
);

test.each([
  { said: 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 407 Who\r\n\r\n', says: 'asks for a name and a password: 407 Who' },
  { said: 'HTTP/1.1 100 Continue\r\n\r\n', says: 'closed the connection without an answer' },
  { said: 'HTTP/1.1 101 Switching\r\n\r\n', says: 'refused to connect to' },
  { said: 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(33) + open, says: 'refused to connect to' },
])('a proxy that says no behind them, or nothing more: $says', async ({ said, says }) => {
  expect(await statusThrough([said], end)).toContain(says);
});
