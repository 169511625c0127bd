import { Agent } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { newToken } from '../../src/gateway/access/token.ts';
import { listen } from '../support/servers/fault-server.ts';
import { ask, gatewayProcess, processorMs, token } from '../support/servers/gateway-process.ts';

const prompts = 24;
const headers = 'a: b\r\n'.repeat(100_000);
const noisy = newToken();

test.each([
  { place: 'before the body', answer: `HTTP/1.1 200 OK\r\n${headers}\r\n` },
  { place: 'behind it', answer: `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n${headers}\r\n` },
])(
  'answers of a provider with 100,000 headers $place, all at once, hold up nobody',
  async ({ answer }) => {
    const asked: Socket[] = [];
    const provider = createServer((socket) => {
      onTestFinished(() => void socket.destroy());
      socket.on('error', () => undefined).once('data', () => asked.push(socket));
    });
    onTestFinished(() => void provider.close());
    const providerPort = await listen(provider);
    const { port, pid } = await gatewayProcess(`listen: { port: 0 }
providers: { mock: { kind: mock }, evil: { kind: openai, base_url: "http://127.0.0.1:${providerPort}" } }
motifs:
  bot: { provider: mock, tokens: [{ id: t1, sha256: ${token.sha256} }] }
  noisy: { provider: evil, model: m, tokens: [{ id: t2, sha256: ${noisy.sha256} }] }
`);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    await ask(port, 'hello', agent);
    const failing = Array.from({ length: prompts }, () =>
      ask(port, 'hello', undefined, { motif: 'noisy', token: noisy.text }),
    );
    await expect.poll(() => asked.length, { timeout: 10_000 }).toBe(prompts);
    for (const socket of asked) socket.write(answer);
    const waits: number[] = [];
    for (let count = 0; count < 20; count++) {
      const before = processorMs(pid);
      expect((await ask(port, 'hello', agent)).status).toBe(200);
      waits.push(processorMs(pid) - before);
    }
    const failed = await Promise.all(failing);
    expect(new Set(failed.map(({ status }) => status))).toEqual(new Set([502]));
    expect(Math.max(...waits)).toBeLessThan(250);
  },
  60_000,
);
