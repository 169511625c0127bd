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

const password = 'proxyPassw0rdZq81KxMn';
const credentials = `Basic ${Buffer.from(`ana:${password}`).toString('base64')}`;
const established = 'HTTP/1.1 200 Connection established\r\n\r\n';

/** Replies to CONNECT; where the way is open, bytes go on to the port. */
const tunnels: Readonly<Record<string, { readonly says: string; readonly opens?: 'asked' | 'impostor' | 'itself' }>> = {
  open: { says: established, opens: 'asked' },
  plain: { says: 'HTTP/1.0 200\r\n\r\n', opens: 'asked' },
  impostor: { says: established, opens: 'impostor' },
  echo: { says: established, opens: 'itself' },
  body: { says: 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello', opens: 'asked' },
  interim: { says: `HTTP/1.1 100 Continue\r\n\r\n${established}`, opens: 'asked' },
  refusal: { says: `HTTP/1.1 407 ${credentials} ${password} ${key}\r\nx: ${credentials}\r\n\r\n${password}` },
  quote: { says: `HTTP/1.1 502 ${encodeURIComponent(credentials)} ${password.replaceAll(/./g, '$& ')}\r\n\r\n` },
  redirect: { says: `HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1/${key}\r\n\r\n` },
  flood: { says: `HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(30_000)}` },
  lines: { says: 'HTTP/1.1 200 OK\n\n' },
  nothing: { says: '' },
};
const broken = ['impostor', 'echo', 'body', 'refusal', 'quote', 'redirect', 'flood', 'lines', 'nothing'];

/** A proxy that replies as the list says, and opens the way once that is empty. */
function proxying(replies: string[], impostorPort: number): (client: Socket) => void {
  return (client) => {
    client.on('error', () => undefined);
    let head = '';
    client.on('data', function read(bytes: Buffer) {
      head += bytes.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      client.off('data', read);
      const { says, opens } = tunnels[replies.shift() ?? 'open']!;
      if (!head.includes(credentials)) return void client.destroy();
      if (opens === undefined) return void client.end(says);
      client.write(says);
      if (opens === 'itself') return void client.pipe(client);
      const port = opens === 'asked' ? Number(/:(\d+) HTTP/.exec(head)![1]) : impostorPort;
      const server = connect(port, '127.0.0.1').on('error', () => client.destroy());
      client.pipe(server).pipe(client);
      client.on('close', () => server.destroy());
    });
  };
}

test.skipIf(tlsMissing)(
  'whatever a proxy does, its password and the key stay here, and nobody else is asked',
  async () => {
    const [seen, seenLocal, seenByImpostor]: [string[], string[], string[]] = [[], [], []];
    const overTls = (identity: { cert: string; key: string }, serve: (socket: Socket) => void) =>
      createTlsServer(identity, (socket) => serve(socket.on('error', () => undefined))).on(
        'tlsClientError',
        () => undefined,
      );
    const [upstream, impostor] = [answering('up', seen), answering('impostor', seenByImpostor)];
    const { good, selfSigned, ca } = certificates();
    const upPort = await serving(overTls(good, (socket) => upstream.emit('connection', socket)));
    const impostorPort = await serving(overTls(selfSigned, (socket) => impostor.emit('connection', socket)));
    const replies: string[] = [];
    const proxy = proxying(replies, impostorPort);
    const [plainPort, tlsPort] = [await serving(createServer(proxy)), await serving(overTls(good, proxy))];
    const localPort = await serving(answering('local', seenLocal));
    const through = (scheme: string, port: number): string =>
      `{ kind: openai, base_url: "https://localhost:${upPort}/v1", key: ${key}, ca: ca.pem, retries: 1, timeout: 1s,
      proxy: "${scheme}://ana:${password}@localhost:${port}" }`;
    const motif = (provider: string): string =>
      `{ provider: ${provider}, model: m, fallback: local, tokens: [{ id: t1, sha256: ${token.sha256} }] }`;
    const gateway = await gatewayProcess(
      `listen: { port: 0 }
audit: { file: audit.jsonl }
limits: { provider_timeout: 5s }
providers:
  plain: ${through('http', plainPort)}
  tls: ${through('https', tlsPort)}
  local: { kind: openai, base_url: "http://127.0.0.1:${localPort}/v1" }
motifs: { plain: ${motif('plain')}, tls: ${motif('tls')} }
`,
      { files: { 'ca.pem': ca } },
    );
    const askBy = (way: string, prompt: string) =>
      ask(gateway.port, prompt, undefined, { motif: way, token: token.text });
    for (const way of ['plain', 'tls'])
      for (const reply of broken) {
        replies.splice(0, Infinity, reply, reply);
        expect((await askBy(way, `${reply} ${way}`)).json.response, reply).toBe(`local ${reply} ${way}`);
      }
    let made = 0;
    const replied = fc.oneof(fc.constantFrom('open', 'plain', 'interim'), fc.constantFrom(...broken));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom('plain', 'tls'), prompts), { minLength: 1, maxLength: 3 }),
        fc.array(replied, { maxLength: 10 }),
        async (all, next) => {
          replies.splice(0, Infinity, ...next);
          await Promise.all(
            all.map(async ([way, names]) => {
              for (const name of names) {
                const prompt = `${name} n${(made += 1)}.`;
                const { status, json } = await askBy(way, prompt);
                const line = gateway.audit().find(({ prompt_id }) => prompt_id === json.prompt_id);
                expect([200, 502, 504]).toContain(status);
                if (status === 200) expect(json.response).toBe(`${line!.fallback === true ? 'local' : 'up'} ${prompt}`);
                const runsIn = (list: readonly string[]): number => list.filter((each) => each === prompt).length;
                expect(runsIn(seen)).toBeLessThanOrEqual(line!.resent === true ? 2 : 1);
                expect(runsIn(seen) === 0 || runsIn(seenLocal) === 0, `${prompt} ran at both`).toBe(true);
                expect(JSON.stringify(json)).not.toMatch(new RegExp(`${key}|${password}`));
              }
            }),
          );
        },
      ),
      { ...runs(10), endOnFailure: true },
    );
    replies.splice(0);
    for (const way of ['plain', 'tls']) expect((await askBy(way, 'hi')).json.response).toBe('up hi');
    expect(seenByImpostor).toEqual([]);
    gateway.kill('SIGTERM');
    expect(await gateway.ended).toMatchObject({ code: 0 });
    const told = JSON.stringify([gateway.log(), gateway.audit()]);
    expect([key, password, credentials.slice('Basic '.length, 30)].filter((secret) => told.includes(secret))).toEqual(
      [],
    );
  },
);
