import { Agent } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { ask, fileOf, gatewayProcess } from '../support/servers/gateway-process.ts';

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
