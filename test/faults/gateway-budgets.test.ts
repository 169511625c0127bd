import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { newToken } from '../../src/gateway/access/token.ts';
import { ask, type GatewayProcess, gatewayProcess, startLoad, token } from '../support/servers/gateway-process.ts';

/** A Motif with every kind that looks for something in any text. */
function fileOf(workers: number): string {
  return `listen: { port: 0, workers: ${workers} }
limits: { body: 2MiB }
providers: { mock: { kind: mock } }
policies:
  no-pii: { kind: pii, action: warn }
  no-secrets: { kind: secrets, action: warn }
  no-injection: { kind: injection, on: prompt, action: warn }
  hidden: { kind: invisible, action: warn }
  house: { kind: regex, pattern: '(a+)+$', action: warn }
motifs:
  bot:
    provider: mock
    policies: [no-pii, no-secrets, no-injection, hidden, house]
    tokens: [{ id: t1, sha256: ${token.sha256} }]
`;
}

const characters = 400_000;
const fill = (piece: string): string => piece.repeat(Math.ceil(characters / piece.length)).slice(0, characters);

/** Texts that are built to be costly. */
const hostile = [
  { name: 'base64 in base64', text: fill('aWdub3JlIHRoZSA= ') },
  { name: 'tokens that hold JSON', text: fill(`${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.x `) },
  { name: 'digits', text: fill('4111 1111 1111 ') },
  { name: 'addresses', text: fill('a.a@a.') },
  { name: 'one letter', text: fill('a') },
  { name: 'invisible characters', text: fill('x\u200b').slice(0, characters / 3) },
];

/** The longest wait of another caller while the work goes on, in milliseconds. */
async function worstWait({ port }: GatewayProcess, work: Promise<unknown>): Promise<number> {
  let isOver = false;
  void work.finally(() => (isOver = true));
  let worst = 0;
  while (!isOver) {
    const startedAt = performance.now();
    expect((await ask(port)).status).toBe(200);
    worst = Math.max(worst, performance.now() - startedAt);
  }
  return worst;
}

/** On a quiet machine others are answered within 100 ms; here all of them share it with other tests. */
const patienceMs = 1000;

describe.each([1, 2])('with %i workers', (workers) => {
  test('texts that are costly to judge hold up nobody else', async () => {
    const gateway = await gatewayProcess(fileOf(workers));
    await ask(gateway.port);
    const waits: Record<string, number> = {};
    for (const { name, text } of hostile) {
      const judged = Promise.all([ask(gateway.port, text), ask(gateway.port, text)]);
      waits[name] = await worstWait(gateway, judged);
      expect((await judged).map(({ status }) => status)).toEqual([200, 200]);
    }
    expect(Object.entries(waits).filter(([, wait]) => wait > patienceMs)).toEqual([]);
  });
});

/** Small enough to be judged at once, and as costly as so many characters can be. */
const small = [
  { name: 'ligatures', text: '\ufdfa'.repeat(16_000) },
  { name: 'cards', text: '4111 1111 1111 1111 '.repeat(800) },
  { name: 'words', text: 'the customer asked whether it could be returned. '.repeat(326) },
];
const connections = 40;

describe.each(small)('many small texts of one token at once: $name', ({ text }) => {
  test('hold up no other token', async () => {
    const quiet = newToken();
    const file = `${fileOf(1)}  quiet: { provider: mock, tokens: [{ id: t2, sha256: ${quiet.sha256} }] }\n`;
    const gateway = await gatewayProcess(file);
    await ask(gateway.port);
    const load = startLoad(gateway.port, connections, text);
    await wait(1000);
    const waits: number[] = [];
    for (let count = 0; count < 20; count++) {
      const startedAt = performance.now();
      expect((await ask(gateway.port, 'hi', undefined, { motif: 'quiet', token: quiet.text })).status).toBe(200);
      waits.push(performance.now() - startedAt);
      await wait(20);
    }
    expect(waits.toSorted((one, other) => one - other)[10]).toBeLessThan(patienceMs);
    await load.stop();
    expect([...load.statuses.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  }, 120_000);
});
