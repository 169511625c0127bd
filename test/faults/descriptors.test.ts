import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { Agent, createServer } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { missingPrograms } from '../support/processes/programs.ts';
import { listen } from '../support/servers/fault-server.ts';
import {
  ask,
  fileOf,
  gatewayProcess,
  type GatewayProcess,
  token,
  workersOf,
} from '../support/servers/gateway-process.ts';

const missing = missingPrograms('prlimit');

/** Takes the processes of a gateway all file descriptors but those that are open; returns what gives them back. */
function takeDescriptors(pids: readonly number[]): () => void {
  const limit = (descriptors: number): void =>
    pids.forEach((pid) => execFileSync('prlimit', ['--pid', String(pid), `--nofile=${descriptors}:`]));
  limit(10);
  return () => limit(1024);
}

const processesOf = (gateway: GatewayProcess): readonly number[] => [gateway.pid, ...workersOf(gateway)];

/** The status, or the error of the connection, over one that is kept or a new one. */
const statusOf = (gateway: GatewayProcess, content?: string, agent = new Agent()): Promise<unknown> =>
  ask(gateway.port, content, agent).then(
    ({ status }) => status,
    (error: NodeJS.ErrnoException) => error.code,
  );

function keptConnection(): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  return agent;
}

const patient = { timeout: 20_000, interval: 100 };

test.skipIf(missing)(
  `workers that had no descriptor left take connections again, and close those of the meantime ${missing ?? ''}`,
  async () => {
    const gateway = await gatewayProcess(fileOf({ listen: ', workers: 2' }));
    const giveBack = takeDescriptors(workersOf(gateway));
    const during = await Promise.all(Array.from({ length: 6 }, () => statusOf(gateway)));
    expect(during).toEqual(Array(6).fill('ECONNRESET'));
    giveBack();
    const after = await Promise.all(Array.from({ length: 6 }, () => statusOf(gateway)));
    expect(after).toEqual(Array(6).fill(200));
  },
);

test.skipIf(missing)(
  `hundreds of connections at once, all of them of one address, leave descriptors for others ${missing ?? ''}`,
  async () => {
    const gateway = await gatewayProcess(fileOf(), { within: ['prlimit', '--nofile=256:256'] });
    const elsewhere = new Agent({ localAddress: '127.0.0.2' });
    gateway.kill('SIGSTOP');
    const flood = Array.from({ length: 800 }, () => connect(gateway.port, '127.0.0.1').on('error', () => undefined));
    onTestFinished(() => flood.forEach((socket) => void socket.destroy()));
    await Promise.all(flood.map((socket) => once(socket, 'connect')));
    const others = Array.from({ length: 5 }, () => statusOf(gateway, 'hello', elsewhere));
    gateway.kill('SIGCONT');
    expect(await Promise.all(others)).toEqual(Array(5).fill(200));
  },
);

describe.skipIf(missing).each([1, 2])(`with %i workers ${missing ?? ''}`, (workers) => {
  const listenLine = `, workers: ${workers}`;

  test('a token that was revoked while no file could be opened is refused once one can be', async () => {
    const gateway = await gatewayProcess(fileOf({ listen: listenLine }));
    const agent = keptConnection();
    expect(await statusOf(gateway, 'hello', agent)).toBe(200);
    const giveBack = takeDescriptors(processesOf(gateway));
    gateway.write(fileOf({ listen: listenLine }).replace(token.sha256, 'f'.repeat(64)));
    const refused = await gateway.logged('the gateway file was not applied; the one before it stays');
    expect(String(refused.reason)).toContain('too many files are open');
    // Whoever looked at the file by then has taken it for read.
    await wait(1000);
    giveBack();
    await expect.poll(() => statusOf(gateway, 'hello', agent), patient).toBe(401);
  });

  test('a provider that could not be asked for want of them is asked once there are some', async () => {
    const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'hello' } }];
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const upstream = createServer((request, response) => {
      request.resume().on('end', () => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ id: 'c1', model: 'm', choices, usage }));
      });
    });
    onTestFinished(() => void upstream.close());
    const provider = `{ kind: openai, base_url: "http://127.0.0.1:${await listen(upstream)}/v1", retries: 0 }`;
    const text = fileOf({ listen: listenLine, motif: '    model: m\n' }).replace('{ kind: mock }', provider);
    const gateway = await gatewayProcess(text);
    const agent = keptConnection();
    expect(await statusOf(gateway, 'forbidden', agent)).toBe(200);
    const giveBack = takeDescriptors(processesOf(gateway));
    expect(await statusOf(gateway, 'hello', agent)).toBe(502);
    giveBack();
    expect(await statusOf(gateway, 'hello', agent)).toBe(200);
    expect(await statusOf(gateway)).toBe(200);
  });
});

test('a worker has the threads that write before its first line, for the system may have none left by then', async () => {
  const gateway = await gatewayProcess(fileOf({ listen: ', workers: 2' }));
  const [worker] = workersOf(gateway);
  const countThreads = (): number => readdirSync(`/proc/${worker}/task`).length;
  const before = countThreads();
  gateway.kill('SIGHUP');
  await gateway.logged('the gateway file was read again');
  await wait(500);
  expect(countThreads()).toBe(before);
});
