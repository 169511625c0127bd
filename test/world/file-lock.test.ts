import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fakeWorld } from '../support/world.ts';

function place() {
  const world = fakeWorld();
  return { files: world.files, lock: join(world.folder, 'gateway.yaml.lock'), folder: world.folder };
}

test('one at a time, and the next when it is let go', async () => {
  const { files, lock, folder } = place();
  const release = await files.lock('gateway.yaml');
  expect(release).toBeDefined();
  expect(await files.lock('gateway.yaml')).toBeUndefined();
  expect(await files.lock('other.yaml')).toBeDefined();
  release?.();
  expect(existsSync(lock)).toBe(false);
  expect(await files.lock('gateway.yaml')).toBeDefined();
  expect(readdirSync(folder)).toEqual(['gateway.yaml.lock', 'other.yaml.lock']);
});

describe('fault 130: a lock that was left behind', () => {
  const ended = spawnSync(process.execPath, ['-e', '']).pid;
  const host = hostname();

  test.each([
    ['of a process that has ended', { pid: ended, started: null, host }, true],
    ['of a process whose number another one has now', { pid: process.pid, started: '1', host }, true],
    ['of a process that lives', { pid: process.pid, started: null, host }, false],
    ['of another machine', { pid: ended, started: null, host: `not-${host}` }, false],
  ])('%s', async (_name, holder, isFree) => {
    const { files, lock, folder } = place();
    writeFileSync(lock, JSON.stringify(holder));
    expect((await files.lock('gateway.yaml')) !== undefined).toBe(isFree);
    expect(JSON.parse(readFileSync(lock, 'utf8'))).toMatchObject({ pid: isFree ? process.pid : holder.pid });
    expect(readdirSync(folder)).toEqual(['gateway.yaml.lock']);
  });

  test('by one that was killed before it could write its name is waited for a while', async () => {
    const { files, lock } = place();
    writeFileSync(lock, '');
    expect(await files.lock('gateway.yaml')).toBeUndefined();
    utimesSync(lock, 0, 0);
    expect(await files.lock('gateway.yaml')).toBeDefined();
  });

  test('is not let go by one whom it does not belong to', async () => {
    const { files, lock } = place();
    const release = await files.lock('gateway.yaml');
    writeFileSync(lock, 'of somebody else');
    release?.();
    expect(readFileSync(lock, 'utf8')).toBe('of somebody else');
  });
});

test('fault 79: what is no file of ours is held for ever, and keeps nobody waiting', async () => {
  const { files, lock, folder } = place();
  writeFileSync(join(folder, 'stale'), JSON.stringify({ pid: 1, started: 'long ago', host: hostname() }));
  symlinkSync(join(folder, 'stale'), lock);
  expect(await files.lock('gateway.yaml')).toBeUndefined();
  rmSync(lock);
  spawnSync('mkfifo', [lock]);
  expect(await files.lock('gateway.yaml')).toBeUndefined();
  expect(readdirSync(folder)).toEqual(['gateway.yaml.lock', 'stale']);
});

test('where no file can be made, the fault names the file', async () => {
  await expect(place().files.lock('gone/gateway.yaml')).rejects.toMatchObject({
    code: 'ENOENT',
    path: 'gone/gateway.yaml',
  });
});
