import { existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newToken } from '../../src/gateway/access/token.ts';
import { configsIn } from '../../src/gateway/records/metrics.ts';
import { freePort } from '../support/servers/free-port.ts';
import { certificates, tlsMissing } from '../support/servers/tls.ts';
import {
  ask,
  fileOf,
  gatewayProcess,
  type GatewayProcess,
  token,
  workersOf,
} from '../support/servers/gateway-process.ts';

const patient = { timeout: 15_000 };
const utf16 = Uint8Array.of(0xff, 0xfe, 0x41, 0x00);

/** The file with another token, or with none. */
const withTokens = (text: string) => fileOf().replace(`[{ id: t1, sha256: ${token.sha256} }]`, text);

test('a token that was just made is accepted at once, and a revoked one ends although a document cannot be read', async () => {
  const other = newToken();
  const gateway = await gatewayProcess(withTokens(`[{ id: t2, sha256: ${other.sha256} }]`));
  expect((await ask(gateway.port)).status).toBe(401);
  gateway.write(fileOf());
  // Shorter than a round of the watch, which therefore cannot have seen the change.
  expect((await ask(gateway.port)).status).toBe(200);
  writeFileSync(join(gateway.folder, 'bad.md'), utf16);
  const broken = `knowledge: { notes: { files: bad.md } }\n${withTokens('[]')}  second: { provider: mock, knowledge: [notes] }\n`;
  gateway.write(broken);
  await expect.poll(async () => (await ask(gateway.port)).status, patient).toBe(401);
  expect(String((await gateway.logged('a part of the gateway file is faulty')).part)).toBe('knowledge.notes');
});

/** Ends the workers of a gateway, each once another listens for the one before: the last would take the port along. */
async function replaceWorkers(gateway: GatewayProcess): Promise<void> {
  const listening = () => gateway.log().filter(({ message }) => message === 'a worker listens').length;
  for (const worker of workersOf(gateway)) {
    const before = listening();
    process.kill(worker, 'SIGKILL');
    await expect.poll(listening, patient).toBe(before + 1);
  }
}

test('a worker that is replaced while files cannot be read serves what the others do', async () => {
  const admin = await freePort();
  const text = fileOf({ top: `admin: { port: ${admin} }`, listen: ', workers: 2' }).replace(
    'words: [forbidden]',
    'file: words.txt',
  );
  const gateway = await gatewayProcess(text, { files: { 'words.txt': 'forbidden' } });
  const isBlocked = async () => (await ask(gateway.port, 'forbidden')).json.blocked;
  const list = join(gateway.folder, 'words.txt');
  writeFileSync(list, utf16);
  await gateway.logged('a part of the gateway file is faulty');
  await replaceWorkers(gateway);
  expect(await Promise.all([isBlocked(), isBlocked(), isBlocked()])).toEqual([true, true, true]);
  // The new workers follow what comes later, as those before them did.
  writeFileSync(list, 'forbidden\nlate');
  await expect.poll(async () => (await ask(gateway.port, 'late')).json.blocked, patient).toBe(true);
  gateway.write('motifs: [');
  await gateway.logged('the gateway file was not applied; the one before it stays');
  await replaceWorkers(gateway);
  expect(await Promise.all([isBlocked(), isBlocked(), isBlocked()])).toEqual([true, true, true]);
  expect(await adminPage(admin, 'readyz')).toMatch(/^ready\n(?:.*\n)*faulty: gateway file\n/);
});

/** The statuses where a gateway listens all of whose workers were replaced once the file named another place. */
async function statusesAfter(listen: string, files: Readonly<Record<string, string>> = {}): Promise<number[]> {
  const text = fileOf({ listen: ', workers: 2' });
  const gateway = await gatewayProcess(text, { files });
  gateway.write(text.replace(/^listen: .*/, `listen: { workers: 2, ${listen} }`));
  await gateway.logged('a changed listen or admin holds from the next start');
  await replaceWorkers(gateway);
  return await Promise.all([1, 2, 3].map(async () => (await ask(gateway.port)).status));
}

test('a worker that is replaced listens where the others do, though the file names another port by now', async () => {
  const other = await freePort();
  expect(await statusesAfter(`port: ${other}`)).toEqual([200, 200, 200]);
  await expect(ask(other)).rejects.toThrow('ECONNREFUSED');
});

test.skipIf(tlsMissing)(
  `a worker that is replaced has no certificate where the others have none ${tlsMissing ?? ''}`,
  async () => {
    const { cert, key } = certificates().good;
    const listen = 'port: 0, tls: { cert: tls.crt, key: tls.key }';
    expect(await statusesAfter(listen, { 'tls.crt': cert, 'tls.key': key })).toEqual([200, 200, 200]);
  },
);

test('a gateway file that names itself as the audit ends a revoked token, and gets no lines', async () => {
  const gateway = await gatewayProcess(fileOf({ top: 'audit: { file: audit.jsonl }' }));
  const own = `audit: { file: gateway.yaml }\n${withTokens('[]')}`;
  gateway.write(own);
  await expect.poll(async () => (await ask(gateway.port)).status, patient).toBe(401);
  await gateway.logged('the audit file that the gateway file names cannot be opened');
  expect(readFileSync(join(gateway.folder, 'gateway.yaml'), 'utf8')).toBe(own);
});

test.each([
  { whenFull: 'warn', status: 200 },
  { whenFull: 'refuse', status: 503 },
])('a worker that is replaced while the audit cannot be opened answers with $status: $whenFull', async (row) => {
  const top = `audit: { file: audit.jsonl, when_full: ${row.whenFull} }`;
  const gateway = await gatewayProcess(fileOf({ top, listen: ', workers: 2' }));
  const path = join(gateway.folder, 'audit.jsonl');
  renameSync(path, join(gateway.folder, 'moved.jsonl'));
  mkdirSync(path);
  await replaceWorkers(gateway);
  const statuses = async () => new Set([(await ask(gateway.port)).status, (await ask(gateway.port)).status]);
  expect(await statuses()).toEqual(new Set([row.status]));
  rmdirSync(path);
  const isWritten = async () =>
    (await ask(gateway.port)).status === 200 && existsSync(path) && readFileSync(path, 'utf8').includes('"prompt_id"');
  await expect.poll(isWritten, patient).toBe(true);
});

async function adminPage(port: number, path: string): Promise<string> {
  return await (await fetch(`http://127.0.0.1:${port}/${path}`)).text();
}

test('a worker that does not answer holds up no probe, and is known to serve the file of before', async () => {
  const admin = await freePort();
  const text = fileOf({ top: `admin: { port: ${admin} }`, listen: ', workers: 2' });
  const gateway = await gatewayProcess(text);
  const configs = async () => configsIn(await adminPage(admin, 'metrics'));
  await expect.poll(configs, patient).toHaveLength(1);
  const [before] = await configs();
  const [stopped] = workersOf(gateway);
  process.kill(stopped!, 'SIGSTOP');
  onTestFinished(() => void process.kill(stopped!, 'SIGCONT'));
  gateway.write(text.replace('t1', 't2'));
  await gateway.logged('the gateway file was read again');
  await expect.poll(configs, patient).toHaveLength(2);
  expect(await configs()).toContain(before);
  expect(await adminPage(admin, 'readyz')).toBe('ready\n');
});

test.each([1, 2])(
  'with %s workers, connections that somebody opens keep neither a revoked token alive nor the audit closed',
  async (workers) => {
    const text = fileOf({ top: 'audit: { file: audit.jsonl }', listen: `, workers: ${workers}` });
    const within = ['sh', '-c', 'ulimit -n 120; exec "$0" "$@"'];
    const gateway = await gatewayProcess(text, { within });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const status = async () => (await ask(gateway.port, 'hello', agent)).status;
    expect(await status()).toBe(200);
    const idle = Array.from({ length: 300 }, () => connect(gateway.port, '127.0.0.1').on('error', () => undefined));
    onTestFinished(() => idle.forEach((socket) => socket.destroy()));
    await expect.poll(() => idle.filter(({ destroyed }) => destroyed).length, patient).toBeGreaterThan(100);
    renameSync(join(gateway.folder, 'audit.jsonl'), join(gateway.folder, 'audit.jsonl.1'));
    await gateway.logged('the audit file was moved, removed or replaced, and is opened again');
    gateway.write(text.replace('id: t1', 'expires: 2020-01-01, id: t1'));
    await expect.poll(status, patient).toBe(401);
    gateway.kill('SIGTERM');
    await gateway.logged('connections dropped in the last minute: too many are open');
  },
);

test('a connection that was on its way to a worker which ends is closed, and not left open for ever', async () => {
  const gateway = await gatewayProcess(fileOf({ listen: ', workers: 2' }));
  const [stopped] = workersOf(gateway);
  process.kill(stopped!, 'SIGSTOP');
  const waiting = Array.from({ length: 8 }, () => {
    const state = { isOpen: true };
    void ask(gateway.port)
      .finally(() => (state.isOpen = false))
      .catch(() => undefined);
    return state;
  });
  const open = () => waiting.filter(({ isOpen }) => isOpen).length;
  await expect.poll(open, patient).toBe(1);
  process.kill(stopped!, 'SIGKILL');
  await expect.poll(open, patient).toBe(0);
});

test.each([1, 2])(
  'that nobody can ask a Motif is said at the start, and once, and of one that lost its token (%i workers)',
  async (workers) => {
    const rest = `  spare: { provider: mock, policies: [words] }\n`;
    const text = `${fileOf({ listen: `, workers: ${workers}` })}${rest}`;
    const gateway = await gatewayProcess(text);
    const told = () =>
      gateway
        .log()
        .flatMap(({ level, message }) =>
          level === 'warn' && /nobody can ask/.test(String(message)) ? [String(message)] : [],
        );
    expect(told()).toEqual([
      expect.stringMatching(
        /:\d+:\d+: motifs\.spare has no token, so nobody can ask it: motif admin rotate spare -c \S+ makes one$/,
      ),
    ]);
    gateway.write(text.replace(/tokens: \[.*\]/, 'tokens: []'));
    await expect
      .poll(told, { timeout: 15_000 })
      .toEqual([expect.stringContaining('motifs.spare'), expect.stringContaining('motifs.bot has no token')]);
  },
);
