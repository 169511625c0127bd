import { afterEach, expect, test } from 'vitest';
import type { ProviderKind } from '../../../src/gateway/config.ts';
import { ProviderFailure } from '../../../src/gateway/vocabulary.ts';
import { Secret } from '../../../src/text/secret.ts';
import { createSend } from '../../../src/transport/send.ts';
import {
  answerEach,
  drip,
  end,
  endless,
  type FaultServer,
  faultServer,
  hang,
  readRequest,
  reset,
  send,
  type Step,
} from '../../support/servers/fault-server.ts';
import { keyText, onlyProvider, providerConfig, smallRequest } from './provider-config.ts';

type UpstreamKind = Exclude<ProviderKind, 'mock'>;

/** A provider over the real transport and a real socket, as no script can stand for it. */
const servers: FaultServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(...steps: Step[]): Promise<FaultServer> {
  const server = await faultServer(steps);
  servers.push(server);
  return server;
}

function provider({ port }: FaultServer, kind: UpstreamKind) {
  const config = providerConfig({
    kind,
    baseUrl: `http://127.0.0.1:${port}`,
    headers: { 'x-extra': new Secret('canary-header') },
    azure: { deployment: 'chat', apiVersion: '2025-04-01' },
  });
  const monotonic = () => performance.now();
  return onlyProvider(config, {
    send: createSend({ now: monotonic }),
    now: Date.now,
    monotonic,
    sleep: () => Promise.resolve(),
    random: () => 0,
  });
}

const http = (status: string, body: string, more = '') =>
  `HTTP/1.1 ${status}\r\ncontent-length: ${body.length}\r\n${more}\r\n${body}`;

/** The header with the key, and an answer, of each kind. */
const exchanges: Readonly<Record<UpstreamKind, { readonly header: string; readonly body: string }>> = {
  openai: {
    header: `authorization: Bearer ${keyText}`,
    body: '{"choices":[{"message":{"content":"Yes"},"finish_reason":"stop"}]}',
  },
  azure: {
    header: `api-key: ${keyText}`,
    body: '{"choices":[{"message":{"content":"Yes"},"finish_reason":"stop"}]}',
  },
  anthropic: {
    header: `x-api-key: ${keyText}`,
    body: '{"content":[{"type":"text","text":"Yes"}],"stop_reason":"end_turn"}',
  },
  gemini: {
    header: `x-goog-api-key: ${keyText}`,
    body: '{"candidates":[{"content":{"parts":[{"text":"Yes"}]},"finishReason":"STOP"}]}',
  },
};

test.each(Object.keys(exchanges) as UpstreamKind[])('%s gets its key in the header it expects', async (kind) => {
  const { header, body } = exchanges[kind];
  const server = await serve(answerEach(http('200 OK', body)));
  const inference = await provider(server, kind).ask(smallRequest, { deadlineAt: performance.now() + 5000 });
  expect(inference).toMatchObject({ text: 'Yes', finishReason: 'stop' });
  expect(server.received()).toContain(`\r\n${header}\r\n`);
  expect(server.received()).toContain('\r\nx-extra: canary-header\r\n');
});

test('a redirect is not followed, so that no key goes anywhere else', async () => {
  const elsewhere = await serve(answerEach(http('200 OK', '{}')));
  const location = `location: http://127.0.0.1:${elsewhere.port}/v1/chat/completions\r\n`;
  const server = await serve(answerEach(http('307 Temporary Redirect', '', location)));
  const asked = provider(server, 'openai').ask(smallRequest, { deadlineAt: performance.now() + 5000 });
  await expect(asked).rejects.toMatchObject({ status: 502, surelyDidNotRun: true });
  expect(elsewhere.received()).toBe('');
});

const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const part = '{"choices":[{"message":{"content":"Ye';

test.each([
  { name: 'a reset instead of an answer', steps: [reset], status: 502, still: true },
  {
    name: 'a reset in the middle',
    steps: [send(`${head}content-length: 90\r\n\r\n${part}`), reset],
    status: 502,
    still: true,
  },
  {
    name: 'an end in the middle',
    steps: [send(`${head}content-length: 90\r\n\r\n${part}`), end],
    status: 502,
    still: true,
  },
  {
    name: 'JSON cut off, all of it there',
    steps: [send(`${head}connection: close\r\n\r\n${part}`), end],
    status: 502,
    still: false,
  },
  { name: 'silence', steps: [hang], status: 504, still: true },
  {
    name: 'a slow drip',
    steps: [send(`${head}content-length: 90\r\n\r\n`), drip(part, 1, 20)],
    status: 504,
    still: true,
  },
  {
    name: 'a length over the cap',
    steps: [send(`${head}content-length: 16777217\r\n\r\n`), hang],
    status: 502,
    still: false,
  },
  {
    name: 'more than the cap, of no length',
    steps: [send(`${head}\r\n`), endless(Buffer.alloc(2 ** 16, ' '))],
    status: 502,
    still: false,
  },
  { name: 'no HTTP', steps: [send('SSH-2.0-canary\r\n\r\n'), end], status: 502, still: false },
  {
    name: 'an encoding that was not asked for',
    steps: [send(`${head}content-encoding: br\r\ncontent-length: 1\r\n\r\nx`)],
    status: 502,
    still: false,
  },
])('$name is a $status, and is not sent twice', async ({ steps, status, still }) => {
  const server = await serve(readRequest, ...steps);
  const failure: unknown = await provider(server, 'openai')
    .ask(smallRequest, { deadlineAt: performance.now() + (status === 504 ? 300 : 8000) })
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ProviderFailure);
  expect(failure).toMatchObject({ status, mayStillRun: still, surelyDidNotRun: false });
  expect(server.connections()).toBe(1);
});

test('where nobody listens it is tried again, and then it surely did not run', async () => {
  const server = await serve(hang);
  await server.close();
  const asked = provider(server, 'openai').ask(smallRequest, { deadlineAt: performance.now() + 5000 });
  await expect(asked).rejects.toMatchObject({ status: 502, surelyDidNotRun: true, mayStillRun: false });
});
