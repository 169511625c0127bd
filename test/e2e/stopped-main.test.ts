import { Agent } from 'node:http';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newToken } from '../../src/gateway/access/token.ts';
import { ask, fileOf, gatewayProcess, startLoad, token, workersOf } from '../support/servers/gateway-process.ts';

/** More would open other connections, which wait for the process above the workers. */
const kept = 4;

test('where the process above the workers is stopped prompts are refused and not held, and then answered as before', async () => {
  const gateway = await gatewayProcess(fileOf({ listen: ', workers: 2', motif: `    limits: { rpm: 100 }\n` }));
  onTestFinished(() => gateway.kill('SIGCONT'));
  const agent = new Agent({ keepAlive: true, maxSockets: kept });
  onTestFinished(() => agent.destroy());
  const askAll = async () => {
    const answers = await Promise.all(Array.from({ length: kept }, () => ask(gateway.port, 'hello', agent)));
    return answers.map(({ status, json }) => json.code ?? status);
  };
  expect(await askAll()).toEqual(Array(kept).fill(200));
  gateway.kill('SIGSTOP');
  expect(await askAll()).toEqual(Array(kept).fill('limits_unavailable'));
  gateway.kill('SIGCONT');
  await gateway.logged('limits can be counted again');
  // A worker that was not asked again knows it with its next answer.
  await expect.poll(async () => (await ask(gateway.port)).status).toBe(200);
  const told = gateway.log().filter(({ message }) => /no limit can be counted/.test(String(message)));
  expect(told.length).toBeLessThanOrEqual(2);
}, 30_000);

test('no worker starts by a version before one that the process above never read, for it was stopped', async () => {
  const first = fileOf({ listen: ', workers: 2' });
  const gateway = await gatewayProcess(first);
  onTestFinished(() => gateway.kill('SIGCONT'));
  const count = (message: string): number => gateway.log().filter((line) => line.message === message).length;
  const patient = { timeout: 20_000, interval: 100 };
  const [one] = workersOf(gateway);
  gateway.kill('SIGSTOP');
  const second = first.replace(token.sha256, newToken().sha256);
  gateway.write(second);
  await expect.poll(() => count('the gateway file was read again'), patient).toBe(2);
  rmSync(join(gateway.folder, 'gateway.yaml'));
  process.kill(one!, 'SIGKILL');
  // It has stood still for long enough: the workers have read the file, and settled.
  await new Promise((wake) => setTimeout(wake, 1600));
  gateway.kill('SIGCONT');
  const told = 'the gateway file has changed while this process stood still; no worker starts until it can be read';
  await gateway.logged(told);
  await new Promise((wake) => setTimeout(wake, 3000));
  expect(count('a worker listens')).toBe(2);
  gateway.write(second);
  await expect.poll(() => count('a worker listens'), patient).toBe(3);
  const statuses = await Promise.all(Array.from({ length: 8 }, async () => (await ask(gateway.port)).status));
  expect(new Set(statuses)).toEqual(new Set([401]));
}, 60_000);

// A worker that is stopped in the middle of its work sends more before it learns of it; not all are.
test.each([1, 2, 3])('workers whose process above is killed end without a crash (%i)', async () => {
  const gateway = await gatewayProcess(fileOf({ listen: ', workers: 2' }));
  const load = startLoad(gateway.port, 32);
  await load.more(100);
  const workers = workersOf(gateway);
  for (const worker of workers) process.kill(worker, 'SIGSTOP');
  gateway.kill('SIGKILL');
  await new Promise((wake) => setTimeout(wake, 100));
  for (const worker of workers) process.kill(worker, 'SIGCONT');
  await load.stop();
  const { stderr } = await gateway.ended;
  expect(stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{'))).toEqual([]);
});
