import * as fs from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundleProgram } from '../support/processes/bundle.ts';
import { isRoot, shell } from '../support/processes/child.ts';
import { createHome, loginWords } from '../support/processes/home.ts';
import { missingPrograms } from '../support/processes/programs.ts';
import { program as motif } from '../support/processes/program.ts';
import { type Syscall, trace } from '../support/processes/strace.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

const old = 'old content of the store';
const fresh = 'the new content, which is longer than the old';
const errors = ['EIO', 'ENOSPC', 'EACCES', 'EMFILE'];
/** Moments of a kill: before the call is carried out, and right after. */
const kills = ['error=EIO:signal=KILL', 'signal=KILL'];
const runsAtOnce = 3;

let program: string;
const root = sharedFolder('/tmp');
beforeAll(async () => {
  program = await bundleProgram('test/support/processes/world-program.ts');
});

function store() {
  const folder = fs.mkdtempSync(join(root, 'store-'));
  const path = join(folder, 'file');
  fs.writeFileSync(path, old, { mode: 0o600 });
  const save = [process.execPath, program, 'save', path, fresh];
  return { folder, path, save, read: () => fs.readFileSync(path, 'utf8'), names: () => fs.readdirSync(folder) };
}

/** The calls of one save, from the first look at the target to the end of the last sync. */
async function callsOfSave(umask: string): Promise<readonly Syscall[]> {
  const { folder, save, read } = store();
  const { calls } = await trace(save, undefined, umask);
  expect(read()).toBe(fresh);
  const first = calls.findIndex(({ line }) => line.includes(folder));
  const synced = calls.findLastIndex(({ name }) => name === 'fsync');
  return calls.slice(first, synced + 2).filter(({ line }) => !line.includes('/proc/'));
}

async function everyCall(
  faults: readonly string[],
  judge: (call: Syscall, fault: string) => Promise<void>,
): Promise<void> {
  const calls = await callsOfSave('777');
  const points = calls.flatMap((call) => faults.map((fault) => ({ call, fault })));
  const waiting = points.values();
  const work = async (): Promise<void> => {
    for (const { call, fault } of waiting) await judge(call, fault);
  };
  await Promise.all(Array.from({ length: runsAtOnce }, work));
}

const noStrace = missingPrograms('strace');

describe.skipIf(noStrace)(`a save that the system fails ${noStrace ?? ''}`, () => {
  test('is of the calls we think it is, in an order that survives a power loss', async () => {
    const calls = (await callsOfSave('777')).map(({ name }) => name);
    const saving = ['openat', 'pwrite64', 'statx', 'fchmod', 'fsync', 'close', 'rename', 'openat', 'fsync', 'close'];
    expect(calls.slice(-saving.length)).toEqual(saving);
  });

  test('each call, each error: old or new, told truly, nothing left behind', async () => {
    const wrong: string[] = [];
    let tried = 0;
    const faults = errors.flatMap((error) => [`error=${error}:when=`, `error=${error}:when=+`]);
    await everyCall(faults, async ({ name, nth }, fault) => {
      const { folder, save, read, names } = store();
      const inject = `${name}:${fault.replace(/when=(\+?)$/, `when=${nth}$1`)}`;
      const { code, stderr, signal, calls } = await trace(save, inject, '777');
      // Node's own calls at its start vary; a call that failed before the save says nothing of the save.
      const first = calls.find(({ line }) => line.includes('INJECTED') || line.includes(folder));
      if (first?.line.includes('INJECTED') && !first.line.includes(folder)) return;
      tried += 1;
      const isNew = read() === fresh;
      const isTold = code === 0 ? isNew : code === 12 && !isNew && stderr.startsWith('FileFault: E');
      const isWhole = isNew || read() === old;
      if (!isWhole || !isTold || signal || names().length !== 1)
        wrong.push(`${inject}: ${code} ${stderr} ${names().join()}`);
    });
    expect(wrong).toEqual([]);
    expect(tried).toBeGreaterThan(60);
  });

  test('SIGKILL at each call: old or new, and the next save sweeps', async () => {
    const wrong: string[] = [];
    let debris = 0;
    await everyCall(kills, async ({ name, nth }, fault) => {
      const { folder, save, read, names } = store();
      const { signal } = await trace(save, `${name}:${fault}:when=${nth}`, '777');
      const left = names().filter((each) => each !== 'file');
      debris += left.length;
      const past = new Date(Date.now() - 61_000);
      for (const each of left) fs.utimesSync(join(folder, each), past, past);
      const wasWhole = [old, fresh].includes(read());
      await shell('"$@"', ...save);
      const isSwept = names().length === 1 && read() === fresh;
      if (!wasWhole || !isSwept || signal !== 'SIGKILL') wrong.push(`${name} ${nth} ${fault}: ${names().join()}`);
    });
    expect(wrong).toEqual([]);
    expect(debris).toBeGreaterThan(0);
  });

  test.each([
    ['no room', 'pwrite64:error=ENOSPC', 'ENOSPC: the disk is full'],
    [
      'the bytes do not reach the disk',
      'fsync:error=EIO:when=1',
      'EIO: the disk or device failed (input/output error)',
    ],
    ['the bits cannot be set', 'fchmod:error=EPERM', 'EPERM: the system does not permit it'],
    ['the rename fails', 'rename:error=EIO', 'EIO: the disk or device failed (input/output error)'],
    ['the quota is used up', 'pwrite64:error=EDQUOT', 'EDQUOT: the disk quota is used up'],
    ['read-only', 'rename:error=EROFS', 'EROFS: the file system is read-only'],
  ])('%s: the old content stays, and it is said', async (_, inject, words) => {
    const { save, read, names } = store();
    expect(await trace(save, inject, '777')).toMatchObject({ code: 12, stderr: `FileFault: ${words}\n` });
    expect([read(), names()]).toEqual([old, ['file']]);
  });

  test.each([
    ['fsync', 'EIO', 2],
    ['fsync', 'ENOSPC', 2],
    ['openat', 'EMFILE', undefined],
  ])('%s fails with %s behind the rename: the change stands, and is said to be unsynced', async (name, code, nth) => {
    const { save, read } = store();
    const { calls } = await trace(save);
    const last = nth ?? calls.findLast((call) => call.name === name && call.line.includes('O_RDONLY|O_CLOEXEC'))!.nth;
    const run = await trace(save, `${name}:error=${code}:when=${last}`);
    expect(run).toMatchObject({ code: 0, stderr: `unsynced: ${code}` });
    expect(read()).toBe(fresh);
  });

  test('a file system that cannot sync folders is no failure', async () => {
    const { save, read } = store();
    expect(await trace(save, 'fsync:error=EINVAL')).toMatchObject({ code: 0, stderr: '' });
    expect(read()).toBe(fresh);
  });

  test('after a short write the rest is written where it belongs', async () => {
    const { calls, code } = await trace(store().save, 'pwrite64:retval=10:when=1');
    const writes = calls
      .filter(({ name }) => name === 'pwrite64')
      .map(({ line }) => line.replace(/^pwrite64\(\d+, /, ''));
    expect(code).toBe(0);
    expect(writes[1]).toMatch(new RegExp(`"${fresh.slice(10, 30)}.*, ${fresh.length - 10}, 10\\)`));
  });
});

const noSmallDisk = isRoot ? missingPrograms('unshare', 'mount') : missingPrograms('bwrap');

describe.skipIf(noSmallDisk)(`a disk of 64 KiB ${noSmallDisk ?? ''}`, () => {
  // The file just fits, or needs 1 to 3 pages more than are free.
  test.each([
    [0, 12],
    [1, 12],
    [2, 12],
    [12, 0],
  ])('with %i pages left the save ends with %i', async (pages, expected) => {
    const disk = fs.mkdtempSync(join(root, 'disk-'));
    const content = 'n'.repeat(3 * 4096);
    const line = `cd "$0" && printf old > file && head -c $((4096 * (15 - ${pages}))) /dev/zero > filler
      "$@"; echo $?; head -c 3 file; ls -A | tr '\\n' ' '`;
    const save = [process.execPath, program, 'save', join(disk, 'file'), content];
    const inside = ['/bin/sh', '-c', line, disk, ...save];
    const run = isRoot
      ? shell('unshare -m sh -c \'mount -t tmpfs -o size=64k tmpfs "$0" && exec "$@"\' "$@"', disk, ...inside)
      : shell('bwrap --dev-bind / / --size 65536 --tmpfs "$@"', disk, ...inside);
    const { stdout, stderr } = await run;
    expect(stdout).toBe(`${expected}\n${expected === 0 ? 'nnn' : 'old'}file filler `);
    expect(stderr).toBe(expected === 0 ? '' : 'FileFault: ENOSPC: the disk is full\n');
  });
});

test.skipIf(noStrace)(
  'the names of a new output of batch are on disk before its rows, those of --fresh too',
  async () => {
    const folder = fs.mkdtempSync(join(root, 'batch-'));
    fs.writeFileSync(join(folder, 'in.txt'), 'a\nb\n');
    const run = async (...flags: readonly string[]): Promise<readonly string[]> => {
      const words = ['batch', '--demo', join(folder, 'in.txt'), '-o', join(folder, 'out.jsonl'), ...flags];
      const { code, calls } = await trace([...motif, ...words]);
      expect(code).toBe(0);
      return calls.flatMap(({ line }, at) => {
        const [, made] = /^openat\(.*\/(out\.jsonl[.\w-]*)", [^)]*O_CREAT/.exec(line) ?? [];
        const next = calls.slice(at + 1).find((call) => call.name === 'fsync' || call.name === 'pwrite64');
        return made === undefined || made.includes('.lock') ? [] : [`${made}: ${next?.name}`];
      });
    };
    expect(await run()).toEqual(['out.jsonl: fsync', 'out.jsonl.ordering: fsync']);
    expect(await run('--fresh')).toContain('out.jsonl.before-fresh: fsync');
  },
);

test.skipIf(noStrace)('a network file system that fails to remove a file does not fail a login', async () => {
  const { home, config } = createHome();
  const login = [...motif, ...loginWords('bot'), '--token-file', join(home, 'token')];
  fs.writeFileSync(join(home, 'token'), 'first_token_0123456789');
  const command = ['env', `HOME=${home}`, ...login.filter((word) => word !== '--token-stdin')];
  const { code, stderr } = await trace(command, 'unlink:error=EBUSY');
  expect({ code, bug: /unforeseen/.test(stderr) }).toEqual({ code: 0, bug: false });
  expect(fs.existsSync(join(config, 'profiles/bot.json'))).toBe(true);
});
