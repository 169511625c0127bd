import fc from 'fast-check';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { createServer as createTlsServer } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { runs } from '../support/runs.ts';
import { listen } from '../support/servers/fault-server.ts';
import { ask, gatewayProcess, token } from '../support/servers/gateway-process.ts';
import { certificates, tlsMissing } from '../support/servers/tls.ts';

const key = 'sk-canary7Qx93LmZp40VtRw81BhYc26';

async function serving(server: Server): Promise<number> {
  onTestFinished(() => void server.close());
  return await listen(server);
}

/** Answers with the prompt and its own name. A kept connection it may close instead, as a prompt wants it. */
function answering(name: string, seen: string[]) {
  const known = new WeakSet<Socket>();
  return createHttpServer((request: IncomingMessage, response: ServerResponse) => {
    void text(request).then((body) => {
      const prompt = (JSON.parse(body) as { messages: { content: string }[] }).messages.at(-1)!.content;
      seen.push(prompt);
      const isKept = known.has(request.socket);
      known.add(request.socket);
      if (prompt.startsWith('drop') && isKept) return request.socket.destroy();
      if (prompt.startsWith('cut'))
        return response.writeHead(200, { 'content-length': 99 }).end('{', () => response.destroy());
      const answer = JSON.stringify({
        choices: [{ message: { content: `${name} ${prompt}` }, finish_reason: 'stop' }],
      });
      if (prompt.startsWith('last')) response.setHeader('connection', 'close');
      return response.end(answer);
    });
  });
}

type Fault = {
  readonly kind: 'none' | 'reset' | 'garbage' | 'cut' | 'flip' | 'expired' | 'wrongName' | 'selfSigned';
  readonly at: number;
};
const fault: fc.Arbitrary<Fault> = fc.record({
  kind: fc.constantFrom(
    'none',
    'none',
    'none',
    'reset',
    'garbage',
    'cut',
    'flip',
    'expired',
    'wrongName',
    'selfSigned',
  ),
  at: fc.nat(2500),
});
const prompts = fc.array(fc.constantFrom('hello', 'drop', 'drop', 'last', 'cut'), { minLength: 2, maxLength: 8 });

test.skipIf(tlsMissing)(
  'whatever TLS does on the way, nobody gets a wrong answer, and nothing runs twice unmarked',
  async () => {
    const [seen, seenLocal]: [string[], string[]] = [[], []];
    const faults: Fault[] = [];
    const backend = answering('up', seen);
    const tlsPorts = new Map<string, number>();
    for (const name of ['good', 'expired', 'wrongName', 'selfSigned'] as const) {
      const server = createTlsServer(certificates()[name], (socket) =>
        backend.emit(
          'connection',
          socket.on('error', () => undefined),
        ),
      );
      tlsPorts.set(name, await serving(server.on('tlsClientError', () => undefined)));
    }
    const front = createServer((client) => {
      const { kind, at } = faults.shift() ?? { kind: 'none', at: 0 };
      client.on('error', () => undefined);
      if (kind === 'reset') return void client.resetAndDestroy();
      if (kind === 'garbage') return void client.once('data', () => client.end('no TLS\r\n\r\n'));
      const server = connect(tlsPorts.get(kind) ?? tlsPorts.get('good')!, '127.0.0.1').on('error', () => undefined);
      let passed = 0;
      server.on('data', (bytes: Buffer) => {
        const place = at - passed;
        passed += bytes.length;
        const isHere = place >= 0 && place < bytes.length;
        if (isHere && kind === 'flip') bytes[place]! ^= 1;
        if (isHere && kind === 'cut') return void client.end(bytes.subarray(0, place));
        client.write(bytes);
      });
      client.on('data', (bytes: Buffer) => server.write(bytes)).on('close', () => server.destroy());
      server.on('close', () => client.end());
    });
    const [frontPort, localPort] = [await serving(front), await serving(answering('local', seenLocal))];
    const gateway = await gatewayProcess(
      `listen: { port: 0 }
audit: { file: audit.jsonl }
providers:
  up: { kind: openai, base_url: "https://localhost:${frontPort}/v1", key: ${key}, ca: ca.pem, retries: 1, timeout: 1s }
  local: { kind: openai, base_url: "http://127.0.0.1:${localPort}/v1" }
motifs: { bot: { provider: up, model: m, fallback: local, tokens: [{ id: t1, sha256: ${token.sha256} }] } }
`,
      { files: { 'ca.pem': certificates().ca } },
    );
    let made = 0;
    const statuses = new Map<unknown, number>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(prompts, { minLength: 1, maxLength: 3 }),
        fc.array(fault, { maxLength: 8 }),
        async (all, next) => {
          faults.splice(0, Infinity, ...next);
          await Promise.all(
            all.map(async (names) => {
              for (const name of names) {
                const prompt = `${name} n${(made += 1)}.`;
                const { status, json } = await ask(gateway.port, prompt);
                statuses.set(json.prompt_id, status);
                const line = gateway.audit().find(({ prompt_id }) => prompt_id === json.prompt_id);
                const runsIn = (list: readonly string[]): number => list.filter((each) => each === prompt).length;
                const [runsOf, runsOfLocal] = [runsIn(seen), runsIn(seenLocal)];
                expect(line).toMatchObject({ status, fallback: runsOfLocal > 0 });
                // A record whose length came out longer is waited for.
                expect([200, 502, 504]).toContain(status);
                if (status === 200) expect(json.response).toBe(`${line!.fallback === true ? 'local' : 'up'} ${prompt}`);
                expect(runsOf + runsOfLocal).toBeLessThanOrEqual(line!.resent === true ? 2 : 1);
                expect(runsOf === 0 || runsOfLocal === 0, `${prompt} ran at both`).toBe(true);
              }
            }),
          );
        },
      ),
      { ...runs(10), endOnFailure: true },
    );
    faults.splice(0);
    expect((await ask(gateway.port, 'hello again')).json.response).toBe('up hello again');
    gateway.kill('SIGTERM');
    expect(await gateway.ended).toMatchObject({ code: 0 });
    expect(JSON.stringify([gateway.log(), gateway.audit()])).not.toContain(key);
  },
);
