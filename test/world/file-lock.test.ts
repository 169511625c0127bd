import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { fakeWorld } from '../support/world.ts';

function place() {
  const world = fakeWorld();
  return { world, files: world.files, lock: join(world.folder, 'gateway.yaml.lock'), folder: world.folder };
}

test('one at a time, and the next when it is let go', async () => {
  const { files, lock, folder } = place();
  const release = await files.lock('gateway.yaml');
  expect(release).toBeTypeOf('function');
  expect(await files.lock('gateway.yaml')).toBeUndefined();
  expect(await files.lock('other.yaml')).toBeTypeOf('function');
  release?.();
  expect(existsSync(lock)).toBe(false);
  expect(await files.lock('gateway.yaml')).toBeTypeOf('function');
  expect(readdirSync(folder)).toEqual(['gateway.yaml.lock', 'other.yaml.lock']);
});

test.each([
  { what: 'is a folder', make: (lock: string) => mkdirSync(lock) },
  { what: 'is a symbolic link', make: (lock: string) => symlinkSync('nowhere', lock) },
  { what: 'is a symbolic link', make: (lock: string) => symlinkSync('.', lock) },
  { what: 'is a pipe (FIFO)', make: (lock: string) => execFileSync('mkfifo', [lock]) },
])('what $what in the place of a lock is named at once, and not waited for', async ({ what, make }) => {
  const { world, files, lock } = place();
  make(lock);
  const startedAt = world.monotonic();
  await expect(files.lock('gateway.yaml', 60_000)).rejects.toMatchObject({
    path: lock,
    message: `${what} in the place of a lock: remove it`,
  });
  expect(world.monotonic()).toBe(startedAt);
});

test("another program's file in the place of a lock stays", async () => {
  const { files, lock } = place();
  writeFileSync(lock, 'name = "poetry"\n');
  utimesSync(lock, 0, 0);
  await expect(files.lock('gateway.yaml', 60_000)).rejects.toMatchObject({
    path: lock,
    message: 'is no lock of motif, but stands in the place of one: move it away',
  });
  expect(readFileSync(lock, 'utf8')).toBe('name = "poetry"\n');
});

describe('a lock that was left behind', () => {
  const ended = spawnSync(process.execPath, ['-e', '']).pid;
  const host = hostname();
  const spaceHere = async (): Promise<unknown> => {
    const { files, lock } = place();
    await files.lock('gateway.yaml');
    return JSON.parse(readFileSync(lock, 'utf8')).space;
  };

  test.each([
    { name: 'of a process that has ended', holder: { pid: ended, started: null, host }, isFree: true },
    {
      name: 'of a process whose number another one has now',
      holder: { pid: process.pid, started: '1', host },
      isFree: true,
    },
    { name: 'of a process that lives', holder: { pid: process.pid, started: null, host }, isFree: false },
    {
      name: 'of another machine or container, whose numbers say nothing here',
      holder: { pid: ended, started: null, host, space: 'elsewhere' },
      isFree: false,
    },
  ])('$name', async ({ holder, isFree }) => {
    const { files, lock, folder } = place();
    writeFileSync(lock, JSON.stringify({ space: await spaceHere(), ...holder }));
    expect((await files.lock('gateway.yaml')) !== undefined).toBe(isFree);
    expect(JSON.parse(readFileSync(lock, 'utf8'))).toMatchObject({ pid: isFree ? process.pid : holder.pid });
    expect(readdirSync(folder)).toEqual(['gateway.yaml.lock']);
  });

  test.skipIf(process.platform !== 'linux')(
    'by a process that has ended but was never waited for is taken',
    async () => {
      const { files, lock } = place();
      // It ends after the shell has become a program that waits for nobody.
      const parent = spawn('sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
      onTestFinished(() => void parent.kill('SIGKILL'));
      const pid = Number(await new Promise((resolve) => parent.stdout.once('data', resolve)));
      const stat = () => readFileSync(`/proc/${pid}/stat`, 'utf8');
      while (!stat().includes(') Z ')) await new Promise((wake) => setTimeout(wake, 10));
      writeFileSync(lock, JSON.stringify({ pid, started: null, host, space: await spaceHere() }));
      expect(await files.lock('gateway.yaml')).toBeTypeOf('function');
    },
  );

  const elsewhere = (changes = {}) => JSON.stringify({ pid: 1, started: '7', host, space: 'elsewhere', ...changes });

  test('by a killed container is taken once nobody has renewed it for 30 s while it was watched', async () => {
    const { files, lock, world } = place();
    writeFileSync(lock, elsewhere());
    const startedAt = world.now();
    expect(await files.lock('gateway.yaml', 35_000)).toBeTypeOf('function');
    expect(world.now() - startedAt).toBeGreaterThanOrEqual(30_000);
  });

  test('of another container is watched by whoever waits for no other, and said', async () => {
    const { files, lock } = place();
    writeFileSync(lock, elsewhere());
    let said = 0;
    const watch = { ms: 35_000, begins: () => void (said += 1) };
    expect(await files.lock('gateway.yaml', 0, watch)).toBeTypeOf('function');
    expect(await files.lock('gateway.yaml', 0, watch)).toBeUndefined();
    expect(said).toBe(1);
  });

  test('watched in several short waits is taken as well', async () => {
    const { files, lock, world } = place();
    writeFileSync(lock, elsewhere());
    expect(await files.lock('gateway.yaml', 2000)).toBeUndefined();
    await world.advance(29_000);
    expect(await files.lock('gateway.yaml')).toBeTypeOf('function');
  });

  test('by a container that goes on renewing it is never taken', async () => {
    const { files, lock, world } = place();
    writeFileSync(lock, elsewhere());
    for (let beat = 1; beat <= 10; beat += 1) {
      expect(await files.lock('gateway.yaml', 5000)).toBeUndefined();
      utimesSync(lock, beat, beat);
    }
    expect(world.slept.length).toBeGreaterThan(100);
  });

  test('beside a file is swept with the next save in its folder, and no foreign one with it', async () => {
    const { files, lock, folder } = place();
    writeFileSync(lock, JSON.stringify({ pid: ended, started: null, host, space: await spaceHere() }));
    writeFileSync(join(folder, 'yarn.lock'), '{"pid":1}');
    writeFileSync(join(folder, 'other.yaml.lock'), elsewhere());
    await files.writeAtomic('saved', 'x');
    expect(readdirSync(folder)).toEqual(['other.yaml.lock', 'saved', 'yarn.lock']);
  });

  test('by one that was killed before it could write its name does not turn away a run that would watch', async () => {
    const { files, lock, world } = place();
    writeFileSync(lock, '');
    const startedAt = world.now();
    let said = 0;
    expect(await files.lock('gateway.yaml', 0, { ms: 35_000, begins: () => void (said += 1) })).toBeTypeOf('function');
    expect(world.now() - startedAt).toBeLessThan(11_000);
    expect(said).toBe(0);
  });

  test('by one that was killed before it could write its name is waited for a while', async () => {
    const { files, lock } = place();
    writeFileSync(lock, '');
    expect(await files.lock('gateway.yaml')).toBeUndefined();
    utimesSync(lock, 0, 0);
    expect(await files.lock('gateway.yaml')).toBeTypeOf('function');
  });

  test('is not let go by one whom it does not belong to', async () => {
    const { files, lock } = place();
    const release = await files.lock('gateway.yaml');
    writeFileSync(lock, 'of somebody else');
    release?.();
    expect(readFileSync(lock, 'utf8')).toBe('of somebody else');
  });
});

test('what is no file of ours stays where it is, and keeps nobody waiting', async () => {
  const { files, lock, folder } = place();
  writeFileSync(
    join(folder, 'stale'),
    JSON.stringify({ pid: 1, started: 'long ago', host: hostname(), space: 'elsewhere' }),
  );
  symlinkSync(join(folder, 'stale'), lock);
  await expect(files.lock('gateway.yaml')).rejects.toMatchObject({ code: 'ENOTFILE' });
  rmSync(lock);
  spawnSync('mkfifo', [lock]);
  await expect(files.lock('gateway.yaml')).rejects.toMatchObject({ code: 'ENOTFILE' });
  expect(readdirSync(folder)).toEqual(['gateway.yaml.lock', 'stale']);
});

test("a person's own link has the lock of the file to which it leads", async () => {
  const { files, lock, folder } = place();
  mkdirSync(join(folder, 'dotfiles'));
  writeFileSync(join(folder, 'dotfiles/real.yaml'), '');
  symlinkSync('dotfiles/real.yaml', join(folder, 'gateway.yaml'));
  const release = await files.lock('dotfiles/real.yaml');
  expect(await files.lock('gateway.yaml')).toBeUndefined();
  expect(files.lockPath('gateway.yaml')).toBe(join(folder, 'dotfiles/real.yaml.lock'));
  expect(existsSync(lock)).toBe(false);
  release?.();
  expect(await files.lock('gateway.yaml')).toBeTypeOf('function');
});

test('where no file can be made, the fault names the file', async () => {
  await expect(place().files.lock('gone/gateway.yaml')).rejects.toMatchObject({
    code: 'ENOENT',
    path: 'gone/gateway.yaml',
  });
});
