import fc from 'fast-check';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { runs } from '../../support/runs.ts';
import { answersIn, exchange, manner, type Manner } from '../../support/servers/conversation.ts';
import { listen } from '../../support/servers/fault-server.ts';
import { freePort } from '../../support/servers/free-port.ts';
import { ask, gatewayProcess, token } from '../../support/servers/gateway-process.ts';
import { faults, goodRequest, toBytes } from '../../support/servers/raw-request.ts';
import { certificates, tlsMissing } from '../../support/servers/tls.ts';

/** Answers with the prompt, some later than others, and knows the trace of each that it was asked. */
async function startProvider() {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      const { content } = (JSON.parse(body) as { messages: { content: string }[] }).messages.at(-1)!;
      seen.push(String(request.headers.traceparent));
      await wait((Number(/\d+/.exec(content)) * 7) % 30);
      response.end(JSON.stringify({ choices: [{ message: { content }, finish_reason: 'stop' }] }));
    });
  });
  onTestFinished(() => server.close().closeAllConnections());
  return { port: await listen(server), seen };
}

interface Conversation {
  readonly made: readonly { readonly trace: string; readonly says: string; readonly bytes: string }[];
  /** The place of the request with a fault, or beyond all. */
  readonly badAt: number;
  readonly sent: Manner;
}

let next = 0;

/** Good requests of one connection, each in other words, mostly one that is broken, and others behind it. */
const conversationWith = (fault: string): fc.Arbitrary<Conversation> =>
  fc
    .integer({ min: 1, max: 12 })
    .chain((count) => fc.tuple(fc.constant(count), fc.nat(count), manner))
    .chain(([count, badAt, sent]) => {
      const one = (index: number) => {
        const trace = `00-${(next += 1).toString(16).padStart(32, '0')}-${'1'.repeat(16)}-01`;
        const isEnd = index === count - 1 && badAt >= count;
        const says = `n${next}. ${'x'.repeat(next % 200)}`;
        const body = JSON.stringify({ messages: [{ role: 'user', content: says }] });
        return goodRequest(token.text, { traceparent: trace }, body).map((made) => {
          const request = isEnd ? { ...made, headers: [...made.headers, 'Connection: close'] } : made;
          const bytes = index === badAt ? faults[fault]!(request) : toBytes(request);
          return { trace, says: index === badAt ? fault : says, bytes };
        });
      };
      const made = fc.tuple(...Array.from({ length: count }, (_, index) => one(index)));
      return fc.record({ made, badAt: fc.constant(badAt), sent: fc.constant(sent) });
    });
const conversation = fc.constantFrom(...Object.keys(faults)).chain(conversationWith);

test.each(tlsMissing ? ['http'] : ['http', 'https'])(
  'good requests over %s are answered in their order up to the first fault, and nothing behind it is asked',
  async (scheme) => {
    const isTls = scheme === 'https';
    const provider = await startProvider();
    const { cert, key } = isTls ? certificates().good : { cert: '', key: '' };
    const adminPort = await freePort();
    const gateway = await gatewayProcess(
      `listen: { port: 0, workers: 2${isTls ? ', tls: { cert: tls.crt, key: tls.key }' : ''} }
admin: { port: ${adminPort} }
audit: { file: audit.jsonl }
providers: { up: { kind: openai, base_url: "http://127.0.0.1:${provider.port}/v1", retries: 0 } }
motifs: { bot: { provider: up, model: m, tokens: [{ id: t1, sha256: ${token.sha256} }] } }
`,
      { files: { 'tls.crt': cert, 'tls.key': key } },
    );
    const forbidden = new Set<string>();
    const answered = new Map<string, number>();
    async function converse({ made, badAt, sent }: Conversation) {
      for (const { trace } of made.slice(badAt)) forbidden.add(trace);
      const received = await exchange(gateway.port, isTls, made.map(({ bytes }) => bytes).join(''), sent);
      if (sent.leaves !== null) return;
      const answers = answersIn(received);
      const told = made[badAt]?.says ?? 'no fault';
      for (const [index, { trace, says }] of made.slice(0, badAt).entries()) {
        expect(answers[index], `${told}: ${index} of ${made.length}: ${says}`).toMatchObject({
          status: 200,
          json: { response: says },
        });
        answered.set(trace, 200);
      }
      const rest = answers.slice(Math.min(badAt, made.length));
      expect(rest.length, told).toBeLessThanOrEqual(badAt < made.length ? 1 : 0);
      for (const { status, json } of rest) {
        expect([400, 405, 408, 431, 501, 505], told).toContain(status);
        expect(json, told).toMatchObject({
          error: expect.any(String),
          code: expect.any(String),
          prompt_id: expect.any(String),
        });
      }
    }
    await Promise.all(Object.keys(faults).map((fault) => converse(fc.sample(conversationWith(fault), 1)[0]!)));
    await fc.assert(
      fc.asyncProperty(fc.array(conversation, { minLength: 1, maxLength: 8 }), async (conversations) => {
        await Promise.all(conversations.map(converse));
      }),
      { ...runs(40), endOnFailure: true },
    );
    const metrics = async () => await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
    await expect.poll(metrics, { timeout: 10_000 }).toMatch(/gateway_in_flight 0\n[^]*gateway_connections 0\n/);
    if (!isTls) expect((await ask(gateway.port, 'n1.')).json.response).toBe('n1.');
    gateway.kill('SIGTERM');
    expect(await gateway.ended).toMatchObject({ code: 0 });

    expect(provider.seen.filter((trace) => forbidden.has(trace))).toEqual([]);
    const lines = gateway.audit();
    for (const trace of provider.seen.filter((trace) => trace !== 'undefined')) {
      const own = lines.filter(({ traceparent }) => traceparent === trace);
      expect(own, trace).toHaveLength(1);
      if (answered.has(trace)) expect(own[0]!.status).toBe(200);
    }
    expect(new Set(provider.seen).size).toBe(provider.seen.length);
  },
);
