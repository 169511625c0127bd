import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, readdirSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startMotif, testedNode } from '../../support/processes/program.ts';
import { freePort } from '../../support/servers/free-port.ts';
import { certificates, tlsMissing } from '../../support/servers/tls.ts';
import { ask, fileOf, gatewayProcess, type GatewayProcess, workersOf } from '../../support/servers/gateway-process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const patient = { timeout: 20_000, interval: 100 };

const countOf = (gateway: GatewayProcess, message: string): number =>
  gateway.log().filter((line) => line.message === message).length;

/** The fingerprint of the certificate that a new connection is shown. */
function shownAt(port: number): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate()?.fingerprint256);
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

test.skipIf(tlsMissing)(
  `a new worker shows the certificate of the others, whose files are gone ${tlsMissing ?? ''}`,
  async () => {
    const { cert, key } = certificates().good;
    const files = { 'tls.crt': cert, 'tls.key': key };
    const listen = ', workers: 2, tls: { cert: tls.crt, key: tls.key }';
    const gateway = await gatewayProcess(fileOf({ listen }), { files });
    gateway.write(fileOf({ listen: ', workers: 2' }));
    await gateway.logged('a changed listen or admin holds from the next start');
    for (const name of Object.keys(files)) rmSync(join(gateway.folder, name));
    for (const worker of workersOf(gateway)) process.kill(worker, 'SIGKILL');
    await expect.poll(() => countOf(gateway, 'a worker listens'), patient).toBe(4);
    expect(await shownAt(gateway.port)).toBe(new X509Certificate(cert).fingerprint256);
  },
);

/** True for each of some connections in turn that went on with the session. */
async function sessionsAt(port: number, session?: Buffer) {
  const connected = async () => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, maxVersion: 'TLSv1.2', session });
    await once(socket, 'secureConnect');
    const made = { isReused: socket.isSessionReused(), session: socket.getSession() };
    socket.destroy();
    return made;
  };
  const all = [];
  for (let count = 0; count < 4; count += 1) all.push(await connected());
  return { areReused: all.map(({ isReused }) => isReused), session: all[0]!.session };
}

test.skipIf(tlsMissing)(
  `a session of TLS goes on at all workers, also at new ones after a new certificate ${tlsMissing ?? ''}`,
  async () => {
    const { good, selfSigned } = certificates();
    const listen = ', workers: 2, tls: { cert: tls.crt, key: tls.key }';
    const files = { 'tls.crt': good.cert, 'tls.key': good.key };
    const gateway = await gatewayProcess(fileOf({ listen }), { files });
    writeFileSync(join(gateway.folder, 'tls.crt'), selfSigned.cert);
    writeFileSync(join(gateway.folder, 'tls.key'), selfSigned.key);
    const fresh = new X509Certificate(selfSigned.cert).fingerprint256;
    const shown = async () => [await shownAt(gateway.port), await shownAt(gateway.port)];
    await expect.poll(shown, patient).toEqual([fresh, fresh]);
    const { session } = await sessionsAt(gateway.port);
    expect((await sessionsAt(gateway.port, session)).areReused).toEqual([true, true, true, true]);
    process.kill(workersOf(gateway)[0]!, 'SIGKILL');
    await expect.poll(() => countOf(gateway, 'a worker listens'), patient).toBe(3);
    expect((await sessionsAt(gateway.port, session)).areReused).toEqual([true, true, true, true]);
  },
);

const answerAt = async (port: number): Promise<number | undefined> => (await ask(port).catch(() => undefined))?.status;

test('workers that replace all others, which ended at once, take the free port of those', async () => {
  const gateway = await gatewayProcess(fileOf({ listen: ', workers: 2' }));
  for (const worker of workersOf(gateway)) process.kill(worker, 'SIGKILL');
  await expect.poll(() => answerAt(gateway.port), patient).toBe(200);
});

test('new workers serve what the others did while somebody writes the gateway file, half of which lacks a policy', async () => {
  const whole = fileOf({ listen: ', workers: 2' });
  const gateway = await gatewayProcess(whole);
  const path = join(gateway.folder, 'gateway.yaml');
  const write = (more: number) => writeFileSync(path, whole.replace('policies: [words]', '') + '#'.repeat(more));
  write(0);
  for (const worker of workersOf(gateway)) process.kill(worker, 'SIGKILL');
  const answers: unknown[] = [];
  for (let more = 1; more < 25; more++) {
    write(more);
    await wait(300);
    answers.push(
      await ask(gateway.port, 'forbidden', undefined)
        .then(({ json }) => json.blocked)
        .catch(() => undefined),
    );
  }
  expect(new Set(answers)).toEqual(new Set([undefined, true]));
  writeFileSync(path, whole);
  await expect.poll(() => answerAt(gateway.port), patient).toBe(200);
  expect((await ask(gateway.port, 'forbidden')).json.blocked).toBe(true);
}, 20_000);

test.each([
  { name: 'while a reload came', isAway: false },
  { name: 'that was away', isAway: true },
])(
  'a new worker reads no half of a word list that somebody is writing $name',
  async ({ isAway }) => {
    const whole = fileOf({ listen: ', workers: 2' }).replace('words: [forbidden]', 'file: words.txt');
    const gateway = await gatewayProcess(whole, { files: { 'words.txt': 'first\nforbidden\n' } });
    const faulty = 'a part of the gateway file is faulty';
    const path = join(gateway.folder, 'words.txt');
    rmSync(path);
    if (isAway) await expect.poll(() => countOf(gateway, faulty), patient).toBe(2);
    await wait(500);
    const writing = setInterval(() => appendFileSync(path, 'first\n'), 200);
    onTestFinished(() => clearInterval(writing));
    await wait(1000);
    if (!isAway) gateway.write(`${whole}# new\n`);
    await expect.poll(() => countOf(gateway, faulty), patient).toBe(2);
    await wait(500);
    for (const worker of workersOf(gateway)) process.kill(worker, 'SIGKILL');
    const blockedAt = () =>
      ask(gateway.port, 'forbidden').then(
        ({ json }) => json.blocked,
        () => undefined,
      );
    await expect.poll(blockedAt, patient).toBeDefined();
    expect(await blockedAt()).toBe(true);
  },
  30_000,
);

/** True while a process reads a document. */
function readsDocument(pid: number): boolean {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).some((name) => {
    try {
      return readlinkSync(join(folder, name)).endsWith('.md');
    } catch {
      // It was closed meanwhile.
      return false;
    }
  });
}

test('a worker that was loading when the last of the others ended takes the free port of those, too', async () => {
  // Many small documents, so that a look at its descriptors finds one open on a fast machine, too.
  const page = '# Tea\nTea wants hot water, and some minutes.\n'.repeat(10);
  const files = Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`d-${at}.md`, `${at} ${page}`]));
  const knowledge = { top: "knowledge: { k: { files: 'd-*.md' } }", motif: '    knowledge: [k]\n' };
  const gateway = await gatewayProcess(fileOf({ listen: ', workers: 2', ...knowledge }), { files });
  const [one, other] = workersOf(gateway);
  process.kill(one!, 'SIGKILL');
  const isLoading = () => workersOf(gateway).some((worker) => ![one, other].includes(worker) && readsDocument(worker));
  await expect.poll(isLoading, { timeout: 10_000, interval: 1 }).toBe(true);
  process.kill(other!, 'SIGKILL');
  const ports = () => gateway.log().flatMap(({ message, port }) => (message === 'a worker listens' ? [port] : []));
  await expect.poll(ports, { ...patient, timeout: 80_000 }).toEqual(Array(4).fill(gateway.port));
});

test.each([
  {
    name: 'was killed',
    isAll: false,
    code: 12,
    says: /a worker was ended before it listened.*SIGKILL[^]*no worker could listen/,
  },
  // In one of five tries the order to end met a worker that had just ended, a few milliseconds after it began.
  { name: 'ended with the gateway', isAll: true, code: 0, says: /^(?!.*a worker was ended)/s, tries: 10 },
])(
  'of a first worker that $name before it listened, the log says so if it was killed',
  async ({ isAll, code, says, tries = 1 }) => {
    const path = join(temporaryFolder(), 'gateway.yaml');
    writeFileSync(path, fileOf({ listen: ', workers: 2' }));
    for (let left = tries; left > 0; left -= 1) {
      const { process: main, ended } = startMotif(['serve', '-c', path]);
      const first = () => workersOf({ pid: main.pid! })[0]!;
      await expect.poll(first, { timeout: 10_000, interval: 1 }).toBeGreaterThan(0);
      await wait(tries - left);
      process.kill(isAll ? main.pid! : first(), isAll ? 'SIGTERM' : 'SIGKILL');
      const { code: exitCode, stderr } = await ended;
      expect(exitCode).toBe(code);
      expect(stderr).toMatch(says);
    }
  },
  40_000,
);

/** Has the program start its workers by a link to Node. */
function linkedNode() {
  const folder = join(temporaryFolder(), 'bin');
  const preload = join(temporaryFolder(), 'link.cjs');
  writeFileSync(preload, `process.execPath = ${JSON.stringify(join(folder, 'node'))};\n`);
  return {
    within: ['env', `NODE_OPTIONS=--require=${preload}`],
    /** Puts the link there, or what keeps the system from finding it. */
    put: (what: 'link' | 'folder' | 'file'): void => {
      rmSync(folder, { recursive: true, force: true });
      if (what === 'file') return writeFileSync(folder, '');
      mkdirSync(folder);
      if (what === 'link') symlinkSync(testedNode, join(folder, 'node'));
    },
  };
}

describe.each([
  { name: 'cannot start, of which Node tells later', found: 'folder', code: 'ENOENT' },
  { name: 'refuses to start, which Node throws', found: 'file', code: 'ENOTDIR' },
] as const)('a worker that the system $name', ({ found, code }) => {
  test('is started again until it can be, and holds up no end', async () => {
    const { put, within } = linkedNode();
    put('link');
    const gateway = await gatewayProcess(fileOf({ listen: ', workers: 2' }), { within });
    put(found);
    for (const worker of workersOf(gateway)) process.kill(worker, 'SIGKILL');
    await expect.poll(() => countOf(gateway, 'a worker could not be started'), patient).toBeGreaterThan(3);
    put('link');
    await expect.poll(() => countOf(gateway, 'a worker listens'), patient).toBe(4);
    expect(await answerAt(gateway.port)).toBe(200);
    gateway.kill('SIGTERM');
    expect(await gateway.ended).toMatchObject({ code: 0 });
  });

  test('ends the gateway where it is the first, which says why', async () => {
    const { put, within } = linkedNode();
    put(found);
    const path = join(temporaryFolder(), 'gateway.yaml');
    writeFileSync(path, fileOf({ listen: ', workers: 2' }));
    const { ended } = startMotif(['serve', '-c', path], { within });
    const { code: exitCode, stderr } = await ended;
    expect(exitCode).toBe(12);
    expect(stderr).toMatch(new RegExp(`a worker could not be started.*${code}[^]*no worker could listen`));
  });
});

test('a worker that cannot listen ends, and is replaced until it can', async () => {
  const port = await freePort();
  const gateway = await gatewayProcess(fileOf({ listen: ', workers: 2' }).replace('port: 0', `port: ${port}`));
  for (const worker of workersOf(gateway)) process.kill(worker, 'SIGKILL');
  const other = createServer();
  onTestFinished(() => void other.close());
  const listens = () =>
    new Promise((resolve) => other.once('error', resolve).listen(port, '127.0.0.1', () => resolve(true)));
  await expect.poll(listens, { timeout: 2000, interval: 5 }).toBe(true);
  await expect.poll(() => countOf(gateway, 'a worker ended and is replaced'), patient).toBeGreaterThan(3);
  other.close();
  await expect.poll(() => answerAt(port), patient).toBe(200);
});
