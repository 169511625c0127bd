import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { newToken } from '../../src/gateway/access/token.ts';
import { hostileBodies } from '../fixtures/hostile-bodies.ts';
import { freePort } from '../support/servers/free-port.ts';
import { ask, gatewayProcess, processorMs, token } from '../support/servers/gateway-process.ts';

const noisy = newToken();

/** Two Motifs without policies, so that what is dear is the body itself. */
const fileOf = (admin: number): string => `listen: { port: 0 }
admin: { port: ${admin} }
providers: { mock: { kind: mock } }
motifs:
  bot: { provider: mock, tokens: [{ id: t1, sha256: ${token.sha256} }] }
  noisy: { provider: mock, tokens: [{ id: t2, sha256: ${noisy.sha256} }] }
`;

const connections = 12;
const attackMs = 700;

/** Sends a body over and over on several connections until it is stopped, each once the answer before it has come. */
function attack(port: number, body: string): () => void {
  const bytes = Buffer.from(body);
  const head =
    `POST /api/v1/apps/noisy/prompts HTTP/1.1\r\nHost: gw\r\nAuthorization: Bearer ${noisy.text}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${bytes.length}\r\n\r\n`;
  const request = Buffer.concat([Buffer.from(head), bytes]);
  let goesOn = true;
  const sockets = Array.from({ length: connections }, () => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.on('data', (part: Buffer) => {
      if (goesOn && part.includes('HTTP/1.1 ')) socket.write(request);
    });
    socket.write(request);
    return socket;
  });
  return () => {
    goesOn = false;
    for (const socket of sockets) socket.destroy();
  };
}

/** Milliseconds of work of the gateway's event loop meanwhile. */
async function workDuring(wait: Promise<unknown>, pid: number): Promise<number> {
  const before = processorMs(pid);
  await wait;
  return processorMs(pid) - before;
}

const worstOf = (waits: readonly number[]): number =>
  Math.round(waits.toSorted((one, other) => one - other).at(-1 - Math.floor(waits.length / 50)) ?? 0);

/** Others are answered within 100 ms; what this process is kept from reading in time counts, too. */
const patienceMs = 250;

test('bodies of any shape, sent without a pause, hold up neither the admin port nor another token', async () => {
  const admin = await freePort();
  const gateway = await gatewayProcess(fileOf(admin));
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const live = (): Promise<unknown> =>
    new Promise((resolve, reject) => {
      get({ host: '127.0.0.1', port: admin, path: '/livez', agent }, (reply) => reply.on('end', resolve).resume()).on(
        'error',
        reject,
      );
    });
  const neighbourAsks = async (): Promise<void> => {
    expect((await ask(gateway.port, 'hello', agent)).status).toBe(200);
  };
  const { pid } = gateway;
  await ask(gateway.port);
  const waits: Record<string, { readonly livez: number; readonly neighbour: number }> = {};
  for (const { name, body } of hostileBodies(900_000)) {
    const stop = attack(gateway.port, body);
    onTestFinished(stop);
    await wait(100);
    const until = performance.now() + attackMs;
    const livez: number[] = [];
    const neighbour: number[] = [];
    while (performance.now() < until) {
      livez.push(await workDuring(live(), pid));
      neighbour.push(await workDuring(neighbourAsks(), pid));
      await wait(5);
    }
    stop();
    waits[name] = { livez: worstOf(livez), neighbour: worstOf(neighbour) };
    await workDuring(live(), pid);
  }
  expect(Object.entries(waits).filter(([, wait]) => Math.max(wait.livez, wait.neighbour) > patienceMs)).toEqual([]);
}, 180_000);

test('a connection that is open is heard however many new ones bring bodies in small pieces', async () => {
  const { port, pid } = await gatewayProcess(fileOf(await freePort()));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  await ask(port, 'hello', agent);
  const pieces =
    `POST /api/v1/apps/noisy/prompts HTTP/1.1\r\nHost: gw\r\nAuthorization: Bearer ${noisy.text}\r\n` +
    `Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(60_000)}`;
  const until = performance.now() + 5000;
  const attacking = Array.from({ length: 24 }, async () => {
    while (performance.now() < until) {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      socket.resume().write(pieces);
      await wait(200);
      socket.destroy();
    }
  });
  await wait(500);
  const waits: number[] = [];
  while (performance.now() < until) {
    waits.push(await workDuring(ask(port, 'hello', agent), pid));
    await wait(20);
  }
  await Promise.all(attacking);
  // One took as long as the attack, and longer. Each new connection is read once before it is known.
  expect(Math.max(...waits)).toBeLessThan(1000);
});
