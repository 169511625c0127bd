import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../support/servers/free-port.ts';
import { ask, fileOf, gatewayProcess, workersOf } from '../support/servers/gateway-process.ts';

const starting = { upTo: 'a worker listens' } as const;

test('a SIGHUP that comes while workers start reads the file again once they do, and ends nothing', async () => {
  const gateway = await gatewayProcess(fileOf({ listen: ', workers: 3' }), starting);
  gateway.kill('SIGHUP');
  await gateway.logged('the gateway file was read again');
  expect((await ask(gateway.port)).status).toBe(200);
});

test.each([
  { name: 'at work', upTo: 'listening', withinMs: 15_000, killed: 1 },
  // One that does not listen yet has nothing to finish.
  { name: 'while others start', upTo: 'a worker listens', withinMs: 5000, killed: 0 },
] as const)(
  'a gateway whose worker was stopped $name ends when it is told to, without that one',
  { timeout: 40_000 },
  async ({ upTo, withinMs, killed }) => {
    const gateway = await gatewayProcess(fileOf({ listen: ', workers: 2' }), { upTo });
    await expect.poll(() => workersOf(gateway), { interval: 5 }).toHaveLength(2);
    // Less than a worker takes to listen, and enough for a new process to become one.
    await wait(50);
    const workers = workersOf(gateway);
    onTestFinished(() => workers.forEach((worker) => isThere(worker) && process.kill(worker, 'SIGKILL')));
    process.kill(workers.at(-1)!, 'SIGSTOP');
    const toldAt = performance.now();
    gateway.kill('SIGTERM');
    expect(await gateway.ended).toMatchObject({ code: 0 });
    expect(performance.now() - toldAt).toBeLessThan(withinMs);
    // The last lines of the log may be read after the end.
    const told = () => gateway.log().filter(({ message }) => message === 'a worker did not end and is killed');
    // One that listens nowhere yet is not waited for.
    await expect.poll(told).toHaveLength(killed);
    expect(workers.filter(isThere)).toEqual([]);
  },
);

test('connections that wait while all workers stand still are answered at the end, once these go on', async () => {
  const gateway = await gatewayProcess(fileOf({ listen: ', workers: 2' }));
  const workers = workersOf(gateway);
  onTestFinished(() => workers.forEach((worker) => isThere(worker) && process.kill(worker, 'SIGKILL')));
  for (const worker of workers) process.kill(worker, 'SIGSTOP');
  const asked = Promise.all(Array.from({ length: 20 }, () => ask(gateway.port)));
  // The process above the workers accepts them.
  await wait(300);
  gateway.kill('SIGTERM');
  const isOpen = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(gateway.port, '127.0.0.1', () => resolve(true));
      socket.on('error', () => resolve(false)).on('connect', () => socket.destroy());
    });
  await expect.poll(isOpen, { timeout: 20_000 }).toBe(false);
  await wait(1500);
  for (const worker of workers) process.kill(worker, 'SIGCONT');
  expect(new Set((await asked).map(({ status }) => status))).toEqual(new Set([200]));
  expect(await gateway.ended).toMatchObject({ code: 0 });
}, 40_000);

test('workers that were stopped are named, and where all are nobody is told that the gateway is ready', async () => {
  const admin = await freePort();
  const gateway = await gatewayProcess(fileOf({ top: `admin: { port: ${admin} }`, listen: ', workers: 2' }));
  const ready = async (): Promise<string> => {
    const response = await fetch(`http://127.0.0.1:${admin}/readyz`);
    return `${response.status} ${await response.text()}`;
  };
  const workers = workersOf(gateway);
  onTestFinished(() => workers.forEach((worker) => isThere(worker) && process.kill(worker, 'SIGCONT')));
  const patient = { timeout: 30_000, interval: 500 };
  process.kill(workers[0]!, 'SIGSTOP');
  await expect.poll(ready, patient).toMatch(/^200 ready\nhanging: worker \d\n$/);
  process.kill(workers[1]!, 'SIGSTOP');
  await expect.poll(ready, patient).toMatch(/^503 not ready\nhanging: worker \d\nhanging: worker \d\n$/);
  for (const worker of workers) process.kill(worker, 'SIGCONT');
  await expect.poll(ready, patient).toBe('200 ready\n');
  await gateway.logged('a worker answers again');
}, 90_000);

test('a worker that ends before it listened is not replaced at once, however long it loaded', async () => {
  const gateway = await gatewayProcess(fileOf({ listen: ', workers: 2' }));
  const newcomer = async (known: readonly number[]): Promise<number> => {
    const isNew = (): number | undefined => workersOf(gateway).find((worker) => !known.includes(worker));
    await expect.poll(isNew, { timeout: 20_000, interval: 10 }).toBeDefined();
    return isNew()!;
  };
  const first = workersOf(gateway);
  process.kill(first[0]!, 'SIGKILL');
  const loading = await newcomer(first);
  process.kill(loading, 'SIGSTOP');
  // Longer than the life of a worker that is replaced at once.
  await wait(2500);
  const killedAt = performance.now();
  process.kill(loading, 'SIGKILL');
  await newcomer([...first, loading]);
  expect(performance.now() - killedAt).toBeGreaterThan(950);
  gateway.kill('SIGTERM');
  expect(await gateway.ended).toMatchObject({ code: 0 });
}, 60_000);

test('what a worker counted is still in the metrics once it was killed', async () => {
  const admin = await freePort();
  const gateway = await gatewayProcess(fileOf({ top: `admin: { port: ${admin} }`, listen: ', workers: 2' }));
  const answered = async (): Promise<number> => {
    const page = await (await fetch(`http://127.0.0.1:${admin}/metrics`)).text();
    return Number(/^motif_gateway_requests_total\{status="200"\} (\d+)$/m.exec(page)?.[1]);
  };
  for (let sent = 0; sent < 10; sent++) await ask(gateway.port);
  await expect.poll(answered).toBe(10);
  for (const worker of workersOf(gateway)) process.kill(worker, 'SIGKILL');
  const listening = () => gateway.log().filter(({ message }) => message === 'a worker listens').length;
  await expect.poll(listening, { timeout: 20_000 }).toBe(4);
  await ask(gateway.port);
  await expect.poll(answered).toBe(11);
}, 60_000);

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
