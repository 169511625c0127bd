import { writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ask, fileOf, gatewayProcess, startLoad, token, workersOf } from '../support/servers/gateway-process.ts';
import { listen } from '../support/servers/fault-server.ts';
import { startMotif } from '../support/processes/program.ts';
import { certificates, tlsMissing } from '../support/servers/tls.ts';

const audit = 'audit: { file: audit.jsonl }';
/**
 * Errors of a connection that comes too late. With workers Node also resets one that was accepted at the last moment
 * and not yet handed on. Nothing of it was read, and the audit proves it: it has no line without an answer.
 */
const tooLate = (workers: number) => (workers === 1 ? ['ECONNREFUSED'] : ['ECONNREFUSED', 'ECONNRESET']);

describe.each([1, 2])('with %i workers', (workers) => {
  const listen = `, workers: ${workers}`;

  test('SIGTERM under load loses no request, and each one that was answered is in the audit', async () => {
    const gateway = await gatewayProcess(fileOf({ top: audit, listen, mock: ', latency: 20ms' }));
    const load = startLoad(gateway.port, 24);
    await load.more(200);
    gateway.kill('SIGTERM');
    expect(await gateway.ended).toMatchObject({ code: 0, signal: null });
    await load.stop();
    expect([...load.statuses.keys()]).toEqual([200]);
    expect([...load.errors.keys()].filter((code) => !tooLate(workers).includes(code))).toEqual([]);
    expect(gateway.audit()).toHaveLength(load.statuses.get(200) ?? 0);
  });

  test('reloads under load lose no request, and a file with a fault changes nothing', async () => {
    const gateway = await gatewayProcess(fileOf({ listen }));
    const load = startLoad(gateway.port, 16);
    for (let version = 0; version < 8; version++) {
      gateway.write(
        version % 2 === 0 ? fileOf({ listen, motif: '    system: "version ' + version + '"\n' }) : 'motifs: {',
      );
      gateway.kill('SIGHUP');
      await load.more(150);
    }
    await load.stop();
    expect([...load.statuses.keys()]).toEqual([200]);
    expect([...load.errors]).toEqual([]);
    expect((await gateway.logged('the gateway file was read again')).level).toBe('info');
    const refused = await gateway.logged('the gateway file was not applied; the one before it stays');
    expect(String(refused.reason)).toMatch(/gateway\.yaml:\d+:\d+: /);
  });

  test('a token that is taken out of the file is refused within a second, also on an open connection', async () => {
    const gateway = await gatewayProcess(fileOf({ listen }));
    const load = startLoad(gateway.port, 4);
    await load.more(20);
    gateway.write(fileOf({ listen }).replace(token.sha256, 'f'.repeat(64)));
    const revokedAt = performance.now();
    while (!load.statuses.has(401)) await wait(10);
    expect(performance.now() - revokedAt).toBeLessThan(1000 * (process.env.CI === 'true' ? 3 : 1));
    await load.stop();
  });

  test('a second signal does not wait for those in flight', async () => {
    const gateway = await gatewayProcess(fileOf({ listen, mock: ', latency: 60s' }));
    const pending = ask(gateway.port).catch((error: unknown) => error);
    await wait(300);
    gateway.kill('SIGTERM');
    await wait(300);
    gateway.kill('SIGTERM');
    expect(await gateway.ended).toMatchObject({ signal: 'SIGTERM' });
    expect(await pending).toBeInstanceOf(Error);
  });
});

test('a worker that is killed under load is replaced, the others answer on, and the audit has whole lines', async () => {
  const gateway = await gatewayProcess(fileOf({ top: audit, listen: ', workers: 2', mock: ', latency: 5ms' }));
  const load = startLoad(gateway.port, 16);
  await load.more(100);
  const [victim] = workersOf(gateway);
  process.kill(victim ?? 0, 'SIGKILL');
  await gateway.logged('a worker ended and is replaced');
  await load.more(500);
  await expect.poll(() => workersOf(gateway), { timeout: 5000 }).toHaveLength(2);
  await load.stop();
  expect([...load.statuses.keys()]).toEqual([200]);
  expect([...load.errors.keys()].filter((code) => code !== 'ECONNRESET')).toEqual([]);
  expect(gateway.audit().length).toBeGreaterThanOrEqual(load.statuses.get(200) ?? 0);
});

test('a gateway that is killed leaves an audit of whole lines, and the next one goes on with it', async () => {
  const gateway = await gatewayProcess(fileOf({ top: audit }));
  const load = startLoad(gateway.port, 16);
  await load.more(300);
  gateway.kill('SIGKILL');
  await gateway.ended;
  const answered = [...load.statuses.values()].reduce((sum, count) => sum + count, 0);
  await load.stop();
  expect(gateway.audit().length).toBeGreaterThanOrEqual(answered);
});

test('a disk that is full: no answer without its line, and the gateway lives on', async () => {
  const limited = ['/bin/sh', '-c', 'ulimit -f 4; exec "$@"', 'sh'];
  const gateway = await gatewayProcess(fileOf({ top: audit }), { within: limited });
  const load = startLoad(gateway.port, 4);
  while (!load.statuses.has(503)) await wait(10);
  const before = load.statuses.get(200) ?? 0;
  await load.more(50);
  await load.stop();
  expect(load.statuses.get(200)).toBe(before);
  expect(gateway.audit().length).toBeGreaterThanOrEqual(before);
  expect((await gateway.logged('an audit line could not be written')).level).toBe('error');
  gateway.kill('SIGTERM');
  expect(await gateway.ended).toMatchObject({ code: 0 });
});

test('200 clients that go away leave no request with the provider and no connection behind', async () => {
  const upstream = new Set<Socket>();
  const server = createServer((socket) => {
    upstream.add(
      socket
        .on('error', () => undefined)
        .on('close', () => upstream.delete(socket))
        .resume(),
    );
  });
  const port = await listen(server);
  onTestFinished(() => void server.close());
  const text = fileOf({ top: 'admin: { port: 0 }' })
    .replace(/kind: mock/, `kind: openai, base_url: "http://127.0.0.1:${port}/v1", key: k`)
    .replace('provider: mock', 'provider: mock\n    model: m');
  const gateway = await gatewayProcess(text);
  for (let round = 0; round < 4; round++) {
    const load = Array.from({ length: 50 }, () => new AbortController());
    const asked = load.map(async ({ signal }) => await hangUp(gateway.port, signal));
    await expect.poll(() => upstream.size, { timeout: 10_000 }).toBe(50);
    for (const controller of load) controller.abort();
    await Promise.all(asked);
    await expect.poll(() => upstream.size, { timeout: 10_000 }).toBe(0);
  }
  gateway.kill('SIGTERM');
  expect(await gateway.ended).toMatchObject({ code: 0 });
});

describe('what keeps it from starting', () => {
  test.each([1, 2])('a port that is in use, with %i workers: 12, said once', async (workers) => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { readonly port: number };
    const error: unknown = await gatewayProcess(
      fileOf({ listen: `, workers: ${workers}` }).replace('port: 0', `port: ${port}`),
    ).catch((failure: unknown) => failure);
    expect(String(error).match(/is in use/g)).toHaveLength(1);
  });

  test.each([1, 2])('both ports of the file in use, with %i workers: both are named at once', async (workers) => {
    const ports = await Promise.all(
      [0, 0].map(async () => {
        const server = createServer();
        onTestFinished(() => void server.close());
        return await listen(server);
      }),
    );
    const [listenPort, adminPort] = ports;
    const file = fileOf({ top: `admin: { port: ${adminPort} }`, listen: `, workers: ${workers}` });
    const error: unknown = await gatewayProcess(file.replace('port: 0', `port: ${listenPort}`)).catch(
      (failure: unknown) => failure,
    );
    expect(String(error)).toContain(`127.0.0.1:${adminPort} is in use, and so is 127.0.0.1:${listenPort}`);
    expect(String(error)).toContain('choose others in the gateway file: admin.port and listen.port');
  });

  test('a host that is not this machine, and a file that is not there', async () => {
    await expect(gatewayProcess(fileOf({ listen: ', host: 192.0.2.1, allow_http: true' }))).rejects.toThrow(
      '192.0.2.1',
    );
    const { code, stderr } = await startMotif(['serve', '-c', '/nonexistent.yaml']).ended;
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('/nonexistent.yaml') as string });
  });
});

describe.skipIf(tlsMissing)(`TLS ${tlsMissing ?? ''}`, () => {
  test('a certificate that is replaced on disk is shown without a restart', async () => {
    const { good, selfSigned } = certificates();
    const gateway = await gatewayProcess(fileOf({ listen: ', tls: { cert: tls.crt, key: tls.key }' }), {
      files: { 'tls.crt': good.cert, 'tls.key': good.key },
    });
    expect(await peerName(gateway.port)).toBe('good');
    writeFileSync(join(gateway.folder, 'tls.key'), selfSigned.key);
    writeFileSync(join(gateway.folder, 'tls.crt'), selfSigned.cert);
    await gateway.logged('the gateway file was read again');
    expect(await peerName(gateway.port)).toBe('self');
  });
});

async function peerName(port: number): Promise<string> {
  const { ca, selfSigned } = certificates();
  const socket = connectTls({ port, host: '127.0.0.1', ca: [ca, selfSigned.cert] });
  await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject));
  const { CN } = socket.getPeerCertificate().subject;
  socket.destroy();
  return String(CN);
}

async function hangUp(port: number, signal: AbortSignal): Promise<void> {
  const body = JSON.stringify({ messages: [{ role: 'user', content: 'hello' }] });
  const headers = { authorization: `Bearer ${token.text}`, 'content-type': 'application/json' };
  await fetch(`http://127.0.0.1:${port}/api/v1/apps/bot/prompts`, { method: 'POST', headers, body, signal }).catch(
    () => undefined,
  );
}
