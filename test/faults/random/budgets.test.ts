import fc from 'fast-check';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createAccess } from '../../../src/gateway/access/access.ts';
import { ByteBudget } from '../../../src/gateway/access/byte-budget.ts';
import { createCounters } from '../../../src/gateway/access/counters.ts';
import { newToken } from '../../../src/gateway/access/token.ts';
import { assembleMotifs } from '../../../src/gateway/assembly.ts';
import { createGateway } from '../../../src/gateway/gateway.ts';
import { createAudit } from '../../../src/gateway/records/audit/audit.ts';
import { createLog } from '../../../src/gateway/records/log.ts';
import { createMetrics } from '../../../src/gateway/records/metrics.ts';
import { JudgingThreads } from '../../../src/gateway/server/judging-threads.ts';
import { atOnce } from '../../../src/text/turns.ts';
import { createSend } from '../../../src/transport/send.ts';
import { parsed } from '../../gateway/file/config-file.ts';
import { collectGarbage } from '../../support/garbage.ts';
import { runs } from '../../support/runs.ts';
import { rawServer, ways } from '../../support/servers/answer-ways.ts';
import { listening, statusesOf } from '../../support/servers/http-server.ts';

const tokens = { a: newToken(), b: newToken() };
type Holder = keyof typeof tokens;
const holders = ['bot a', 'bot b'];
/** So small that what a few prompts hold is refused at times: a token has a quarter. */
const budgetMax = 4 << 20;
const bytesOf = fc.oneof(fc.nat(100), fc.nat(20_000), fc.integer({ min: 250_000, max: 1_100_000 }));

const way = fc.oneof({ weight: 3, arbitrary: fc.constant('with its length') }, fc.constantFrom(...Object.keys(ways)));

/** The life of a prompt; it stands at the head of its text and of its answer, so that all who are asked know it. */
const plan = fc.record({
  provider: way,
  fallback: way,
  hook: way,
  found: fc.constantFrom(0, 0, 3, 2000),
  says: fc.constantFrom('', '', ' quagga', ' zebra', ' okapi'),
  promptBytes: bytesOf,
  answerBytes: bytesOf,
  /** Letters of six bytes in JSON, of three in UTF-8, and of one. */
  letter: fc.constantFrom('\\u0001', '\u6f22', 'x'),
  writes: fc.constantFrom('at once', 'at once', 'late', 'never'),
});
type Plan = typeof plan extends fc.Arbitrary<infer T> ? T : never;

const client = fc.record({
  token: fc.constantFrom<Holder>('a', 'b'),
  plans: fc.array(plan, { minLength: 1, maxLength: 4 }),
  isChunked: fc.boolean(),
  /** The percentage of its bytes that come. */
  cut: fc.option(fc.integer({ min: 1, max: 99 }), { freq: 1, nil: 100 }),
  readsAfterMs: fc.constantFrom(0, 0, 300),
  leaves: fc.option(
    fc.record({
      how: fc.constantFrom<(socket: Socket) => void>(
        (socket) => void socket.resetAndDestroy(),
        (socket) => void socket.destroy(),
        (socket) => void socket.end(),
      ),
      afterMs: fc.nat(500),
    }),
    { freq: 1, nil: null },
  ),
});
type Client = typeof client extends fc.Arbitrary<infer T> ? T : never;

/** All plans so far: a text names its own by number. */
const plans: Plan[] = [];
const named = (each: Plan): string => `plan=${plans.push(each) - 1}.${each.says} `;
const planIn = (text: string): Plan => plans[Number(/plan=(\d+)/.exec(text)![1])]!;

/** A provider, its fallback and a webhook, each of which answers in the way that the prompt tells. */
async function startPeers(): Promise<number> {
  const { port } = await rawServer((socket, { path, body }) => {
    const each = planIn(body);
    const write = ways[path.startsWith('/hook') ? each.hook : path.startsWith('/up') ? each.provider : each.fallback]!;
    const content = `plan=${plans.indexOf(each)}.${each.says} ${each.letter.repeat(each.answerBytes / Buffer.byteLength(each.letter))}`;
    const findings = Array.from({ length: each.found }, () => ({ rule: 'topic', message: 0, start: 0, length: 4 }));
    const answer = `{"choices":[{"message":{"content":"${content}"},"finish_reason":"stop"}]}`;
    write[1](socket, path.startsWith('/hook') ? JSON.stringify({ findings }) : answer, '');
  });
  return port;
}

async function startGateway(peers: number) {
  const config = await parsed(`limits: { provider_timeout: 600ms, body: 1MiB }
audit: { file: audit.jsonl, text: true, when_full: refuse }
providers:
  up: { kind: openai, base_url: "http://127.0.0.1:${peers}/up/v1" }
  second: { kind: openai, base_url: "http://127.0.0.1:${peers}/second/v1" }
policies:
  stop: { kind: words, words: [quagga] }
  hide: { kind: words, words: [zebra], action: redact }
  note: { kind: words, words: [okapi], action: warn }
  asked: { kind: webhook, url: "http://127.0.0.1:${peers}/hook", timeout: 300ms, action: warn }
motifs:
  bot:
    provider: up
    model: m
    fallback: { provider: second, on: [not_sent, limited, failed, reset, timeout] }
    policies: [stop, hide, note, asked]
    tokens: [{ id: a, sha256: ${tokens.a.sha256} }, { id: b, sha256: ${tokens.b.sha256} }]
`);
  const monotonic = () => performance.now();
  const metrics = createMetrics();
  const log = createLog({ write: () => undefined, now: Date.now, level: 'error' });
  const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));
  const program = new URL('../../../dist/judging-thread.js', import.meta.url);
  const processorMs = () => process.cpuUsage().user / 1000;
  const judging = new JudgingThreads({ program, monotonic, processorMs, log });
  onTestFinished(() => judging.close());
  const write = async (text: string): Promise<void> => {
    const { writes } = text.includes('plan=') ? planIn(text) : { writes: 'at once' };
    if (writes === 'late') await wait(100);
    if (writes === 'never') throw Object.assign(new Error('full'), { written: 0 });
  };
  const audit = await createAudit(config.audit!, {
    open: async () => ({ write, isCurrent: () => true, close: async () => undefined }),
    now: Date.now,
    every: () => () => undefined,
    random,
    log,
    metrics,
  });
  const send = createSend({ now: monotonic });
  const motifs = atOnce(
    assembleMotifs(config, {
      send,
      now: Date.now,
      monotonic,
      sleep: (ms, signal) => wait(ms, undefined, { signal }),
      random: Math.random,
      knowledge: new Map(),
      log,
      pool: judging,
    }),
  );
  const counters = createCounters({ now: Date.now, monotonic, sinceBoot: monotonic });
  const load = { inFlight: 0, bodies: new ByteBudget(budgetMax), answers: new ByteBudget(budgetMax) };
  const access = atOnce(createAccess(config, { now: Date.now, counters }));
  const parts = { access, motifs, now: Date.now, monotonic, audit, metrics, log, load, judging };
  let made = 0;
  const gateway = createGateway(config, { ...parts, newPromptId: () => String((made += 1)) });
  return { gateway, load, audit, judging };
}

function bytesFor({ token, plans, isChunked }: Client): Buffer {
  const requests = plans.map((each) => {
    const content = named(each) + 'x'.repeat(each.promptBytes);
    const body = JSON.stringify({ messages: [{ role: 'user', content }] });
    const head = `Host: gw\r\nAuthorization: Bearer ${tokens[token].text}\r\nContent-Type: application/json`;
    const sized = isChunked
      ? `Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
      : `Content-Length: ${body.length}\r\n\r\n${body}`;
    return `POST /api/v1/apps/bot/prompts HTTP/1.1\r\n${head}\r\n${sized}`;
  });
  return Buffer.from(requests.join(''));
}

test('whatever becomes of prompts, all that was taken of a budget is given back once, and nothing is held', async () => {
  const peers = await startPeers();
  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(fc.array(client, { minLength: 1, maxLength: 6 }), fc.boolean(), async (clients, drains) => {
      const { gateway, load, audit, judging } = await startGateway(peers);
      const held: Record<string, WeakRef<object>[]> = { heads: [], bodies: [], replies: [] };
      const { port, server } = await listening({
        async gateway(request) {
          held.heads!.push(new WeakRef(request.headers));
          const replied = await gateway({
            ...request,
            async readBody(...limits) {
              const body = await request.readBody(...limits);
              // Of a small one the bytes stand among those of others.
              if (body.length > 100_000) held.bodies!.push(new WeakRef(body.buffer));
              return body;
            },
          });
          held.replies!.push(new WeakRef(replied));
          return replied;
        },
      });
      const sockets = clients.map((each) => {
        const socket = connect(port, '127.0.0.1').on('error', () => undefined);
        const bytes = bytesFor(each);
        socket.write(bytes.subarray(0, Math.floor((bytes.length * each.cut) / 100)));
        let text = '';
        setTimeout(() => socket.on('data', (part: Buffer) => (text += part.toString('latin1'))), each.readsAfterMs);
        if (each.leaves !== null) setTimeout(each.leaves.how, each.leaves.afterMs, socket);
        return { socket, statuses: () => statusesOf(text) };
      });
      await wait(drains ? 150 : 600);
      const drained = drains ? server.drain(2000) : undefined;
      const isEmpty = (budget: ByteBudget) =>
        holders.every((each) => budget.hasRoom(each, budgetMax / 4) && !budget.hasRoom(each, budgetMax / 4 + 1));
      // A body that never comes whole is waited for as long as its client is there.
      setTimeout(() => clients.forEach(({ cut }, index) => cut < 100 && sockets[index]!.socket.destroy()), 700);
      await drained;
      await expect
        .poll(() => [load.inFlight, audit.requests, isEmpty(load.bodies), isEmpty(load.answers)], { timeout: 8000 })
        .toEqual([0, 0, true, true]);
      await wait(50);
      expect([isEmpty(load.bodies), isEmpty(load.answers)]).toEqual([true, true]);
      const left = async () => {
        await collectGarbage();
        const counts = Object.entries(held).map(([what, all]) => [what, all.filter((each) => each.deref()).length]);
        return Object.fromEntries(counts) as Record<string, number>;
      };
      await expect.poll(left, { timeout: 3000 }).toEqual({ heads: 0, bodies: 0, replies: 0 });
      for (const each of sockets) {
        for (const status of each.statuses()) statuses.add(status);
        each.socket.destroy();
      }
      judging.close();
      await server.drain(0);
    }),
    { ...runs(40), endOnFailure: true },
  );
  expect([...statuses]).toContain(200);
});
