import fc from 'fast-check';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { newToken } from '../../src/gateway/access/token.ts';
import { runs } from '../support/runs.ts';
import { answersIn, exchange, manner, type Manner } from '../support/servers/conversation.ts';
import { listen } from '../support/servers/fault-server.ts';
import { gatewayProcess, token } from '../support/servers/gateway-process.ts';
import { certificates, tlsMissing } from '../support/servers/tls.ts';

const key = 'sk-canary7Qx93LmZp40VtRw81BhYc26';
const [foreign, tight] = [newToken(), newToken()];

/** Does as the prompt says: `answer 7`, `reset 7`. Knows what it was asked, and how many of `tight` at once. */
async function startProvider() {
  const seen: string[] = [];
  let [tightNow, tightMost] = [0, 0];
  const does: Readonly<Record<string, (response: ServerResponse, prompt: string) => unknown>> = {
    leak: (response, prompt) => response.end(answerOf(`${prompt} ${key} ${btoa(key)}`)),
    reset: (response) => response.socket?.resetAndDestroy(),
    garbage: (response) => response.socket?.end('\0\x01 no answer\r\n\r\n'),
    refuse: (response) => response.writeHead(401).end(`{"error":{"message":"no such key: ${key}"}}`),
  };
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const prompt = (JSON.parse(await text(request)) as { messages: { content: string }[] }).messages.at(-1)!.content;
    const [what, id] = prompt.split(' ') as [string, string];
    seen.push(id);
    if (what === 'tight') tightMost = Math.max(tightMost, (tightNow += 1));
    if (what === 'slow' || what === 'tight') await wait(40);
    if (what === 'tight') tightNow -= 1;
    (does[what] ?? (() => response.end(answerOf(prompt))))(response, prompt);
  }
  const server = createServer((request, response) => void answer(request, response));
  onTestFinished(() => server.close().closeAllConnections());
  return { port: await listen(server), seen, tightMost: () => tightMost };
}

function answerOf(content: string): string {
  const choices = [{ message: { role: 'assistant', content }, finish_reason: 'stop' }];
  return JSON.stringify({ choices, usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } });
}

const fileOf = (provider: number, isTls: boolean): string => `listen:
  { port: 0, workers: 2${isTls ? ', tls: { cert: tls.crt, key: tls.key }' : ''} }
tenant: acme
audit: { file: audit.jsonl }
providers: { up: { kind: openai, base_url: "http://127.0.0.1:${provider}/v1", key: ${key}, retries: 0 } }
policies: { words: { kind: words, words: [forbidden] } }
motifs:
  bot:
    { provider: up, model: m, policies: [words], users: [ana], tokens: [${tokenOf(token, 'ana')}, ${tokenOf(foreign, 'eve')}] }
  tight: { provider: up, model: m, users: [ana], limits: { in_flight: 2 }, tokens: [${tokenOf(tight, 'ana')}] }
`;
const tokenOf = ({ sha256 }: { readonly sha256: string }, user: string): string =>
  `{ id: t-${sha256.slice(0, 8)}, sha256: ${sha256}, user: ${user} }`;

/**
 * `asks`: the provider may be asked. `isLast`: nothing behind it is answered. `isUnread`: it is refused before its body
 * is read, which makes it the last one if that has not come by then. On a busy machine it may have to wait meanwhile.
 */
interface Sent {
  readonly statuses: readonly number[];
  readonly asks?: boolean;
  readonly isLast?: boolean;
  readonly isUnread?: true;
  readonly does?: string;
  readonly motif?: 'bot' | 'tight';
  readonly as?: string;
  readonly headers?: string;
  readonly framing?: (body: string) => string;
  readonly line?: string;
}

const ofLength = (body: string): string => `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const inChunks = (body: string): string =>
  `Transfer-Encoding: chunked\r\n\r\n5\r\n${body.slice(0, 5)}\r\n` +
  `${(body.length - 5).toString(16)}\r\n${body.slice(5)}\r\n0\r\n\r\n`;
function bytesOf(id: string, { does = 'answer', motif = 'bot', as = token.text, ...sent }: Sent): string {
  const { line = `POST /api/v1/apps/${motif}/prompts HTTP/1.1`, headers = '', framing = ofLength } = sent;
  const body = JSON.stringify({ messages: [{ role: 'user', content: `${does} ${id}` }] });
  const ours = `Host: gw\r\nAuthorization: Bearer ${as}\r\nContent-Type: application/json\r\n`;
  return `${line}\r\n${ours}${headers}${framing(body)}`;
}

const asks = { statuses: [200], asks: true } as const;
const last = { statuses: [400], isLast: true } as const;
const unread = { isUnread: true } as const;
const requests: Readonly<Record<string, Sent>> = {
  'a prompt': { ...asks },
  'a slow prompt': { ...asks, does: 'slow', framing: inChunks },
  'a prompt that waits for 100': { ...asks, headers: 'Expect: 100-continue\r\n' },
  'a prompt at a limit': { ...asks, does: 'tight', motif: 'tight', as: tight.text, statuses: [200, 429] },
  'a key in the answer': { ...asks, does: 'leak' },
  'a reset of the provider': { ...asks, does: 'reset', statuses: [502] },
  'no answer of the provider': { ...asks, does: 'garbage', statuses: [502] },
  'a refusal of the provider': { ...asks, does: 'refuse', statuses: [502] },
  'a blocked prompt': { does: 'forbidden', statuses: [200] },
  'a token without a tenant': { ...unread, as: foreign.text, statuses: [403] },
  'a token of another Motif': { ...unread, as: tight.text, statuses: [401] },
  'a compressed body': { ...unread, headers: 'Content-Encoding: gzip\r\n', statuses: [415] },
  'a key twice': { framing: (body) => ofLength(`{"messages":[],${body.slice(1)}`), statuses: [400] },
  'half of a pair': { framing: (body) => ofLength(body.replace('"}', String.raw`\ud800"}`)), statuses: [400] },
  'an upgrade': { ...asks, headers: 'Connection: Upgrade\r\nUpgrade: h2c\r\n', isLast: true },
  'a last prompt': { ...asks, headers: 'Connection: close\r\n', isLast: true },
  'a prompt of HTTP/1.0': { ...asks, line: 'POST /api/v1/apps/bot/prompts HTTP/1.0', isLast: true },
  'two lengths': { ...last, headers: 'Content-Length: 3\r\n' },
  'a length beside chunks': { ...last, headers: 'Content-Length: 3\r\n', framing: inChunks },
  'two hosts': { ...last, headers: 'Host: other\r\n' },
  'a tunnel': { ...last, line: 'CONNECT gw:443 HTTP/1.1', statuses: [405], framing: () => '\r\n' },
  'another method': { ...unread, line: 'GET /api/v1/apps/bot/prompts HTTP/1.1', statuses: [405] },
  'another path': { ...unread, line: 'POST /api/v1/apps/bot/prompts/ HTTP/1.1', statuses: [404] },
};

interface Conversation extends Manner {
  readonly names: readonly string[];
}

/** Requests of one connection, and how their client sends them. */
const conversation: fc.Arbitrary<Conversation> = fc
  .tuple(fc.array(fc.constantFrom(...Object.keys(requests)), { minLength: 1, maxLength: 5 }), manner)
  .map(([names, how]) => ({ names, ...how }))
  // The end of a prompt that was left is known to the provider a little later than to the gateway.
  .map((made) => (made.names.includes('a prompt at a limit') ? { ...made, leaves: null } : made));

const inPieces = { cuts: [], shapes: [200], leaves: null };

test.each(tlsMissing ? ['http'] : ['http', 'https'])(
  'whatever many connections send over %s in whatever pieces, each gets what it may have, and nobody else does',
  async (scheme) => {
    const isTls = scheme === 'https';
    const provider = await startProvider();
    const { cert, key: itsKey } = isTls ? certificates().good : { cert: '', key: '' };
    const files = { 'tls.crt': cert, 'tls.key': itsKey };
    const gateway = await gatewayProcess(fileOf(provider.port, isTls), { files });
    const answered: ReturnType<typeof answersIn> = [];
    const forbidden = new Set<string>();
    let texts = '';
    let made = 0;
    async function converse({ names, ...sent }: Conversation) {
      const lastAt = names.findIndex((name) => requests[name]!.isLast);
      const heardMost = lastAt === -1 ? names.length : lastAt + 1;
      const ids = names.map(() => `n${(made += 1)}.`);
      const forbidBehind = (heard: number): void => {
        for (const [index, name] of names.entries())
          if (index >= heard || !requests[name]!.asks) forbidden.add(ids[index]!);
      };
      forbidBehind(heardMost);
      const bytes = names.map((name, index) => {
        const sent = requests[name]!;
        const close = index === names.length - 1 && lastAt === -1 ? 'Connection: close\r\n' : '';
        return bytesOf(ids[index]!, { ...sent, headers: `${sent.headers ?? ''}${close}` });
      });
      const received = await exchange(gateway.port, isTls, bytes.join(''), sent);
      texts += received;
      if (sent.leaves !== null) return;
      const answers = answersIn(received);
      answered.push(...answers);
      const heard = answers.length;
      expect(heard).toBeLessThanOrEqual(heardMost);
      if (requests[names[heard - 1] ?? '']?.isUnread === undefined) expect(heard).toBe(heardMost);
      forbidBehind(heard);
      for (const [index, { status, json }] of answers.entries()) {
        const name = names[index]!;
        expect(requests[name]!.statuses, name).toContain(status);
        expect(json.blocked, name).toBe(status === 200 ? name === 'a blocked prompt' : undefined);
        if (json.blocked === false) expect(json.response).toContain(` ${ids[index]}`);
      }
    }
    await fc.assert(
      fc.asyncProperty(fc.array(conversation, { minLength: 1, maxLength: 8 }), async (conversations) => {
        await Promise.all(conversations.map(converse));
      }),
      { ...runs(40), endOnFailure: true },
    );
    const madeBefore = made;
    const last = Array.from({ length: 4 }, () =>
      converse({ names: Array.from({ length: 5 }, () => 'a slow prompt'), ...inPieces }),
    );
    // One that has yet to be read is left to another connection, for the reply before it says that this one closes.
    const areAsked = () => provider.seen.filter((id) => Number(id.slice(1, -1)) > madeBefore).length;
    await expect.poll(areAsked, { interval: 1 }).toBe(20);
    gateway.kill('SIGTERM');
    await Promise.all(last);
    expect(await gateway.ended).toMatchObject({ code: 0 });

    expect(provider.seen.filter((id) => forbidden.has(id))).toEqual([]);
    expect(provider.tightMost()).toBeLessThanOrEqual(2);
    const lines = gateway.audit().filter(({ refused }) => refused === undefined);
    const statuses = new Map(lines.map(({ prompt_id, status }) => [prompt_id, status]));
    expect(statuses.size).toBe(lines.length);
    for (const { status, json } of answered.filter(({ status }) => status === 200 || status === 502))
      expect(statuses.get(json.prompt_id), String(json.prompt_id)).toBe(status);
    texts += JSON.stringify([gateway.log(), lines]);
    for (const secret of [key, btoa(key), token.text, foreign.text, tight.text]) expect(texts).not.toContain(secret);
  },
);
