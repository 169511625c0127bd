import { appendFileSync, mkdtempSync, renameSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { gatewayFileSource } from '../../../../src/commands/gateway/source.ts';
import { createChangeCheck } from '../../../../src/commands/gateway/serve/watch.ts';
import { nextTick } from '../../../support/file-clock.ts';
import { fakeWorld } from '../../../support/world.ts';

const put = (path: string, text: string) => {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
};

test('before a 401 a gateway file counts as changed once it has settled, unless it is written in place', async () => {
  const world = fakeWorld();
  const path = join(world.folder, 'gateway.yaml');
  writeFileSync(path, 'one');
  const source = gatewayFileSource(path, world, { isWatched: true });
  await source.readText();
  let parts = 0;
  const sleep = async () => {
    if (parts > 0) put(path, 'x'.repeat((parts -= 1) + 4));
  };
  const hasChanged = createChangeCheck(source, { files: world.files, sleep, now: Date.now });
  expect(await hasChanged()).toBe(false);
  writeFileSync(path, 'half of it, in place');
  expect(await hasChanged()).toBe(false);
  put(path, 'all of it');
  parts = 2;
  const asked = [hasChanged(), hasChanged()];
  expect(await Promise.all(asked)).toEqual([true, true]);
  expect(parts).toBe(0);
  parts = 9;
  expect(await hasChanged()).toBe(false);
  expect(parts).toBe(6);
});

test.each([
  { name: 'just now', ageMs: 1000, isWritten: false, expected: false },
  { name: 'in a moment to come, by another clock', ageMs: -60_000, isWritten: false, expected: false },
  { name: 'long ago, while the process stood still', ageMs: 2400, isWritten: false, expected: true },
  { name: 'long ago, and goes on', ageMs: 60_000, isWritten: true, expected: false },
])('a file that was written in place $name counts as changed: $expected', async ({ ageMs, isWritten, expected }) => {
  const world = fakeWorld();
  const path = join(world.folder, 'gateway.yaml');
  writeFileSync(path, 'one');
  const source = gatewayFileSource(path, world, { isWatched: true });
  await source.readText();
  writeFileSync(path, 'two and more');
  const writtenAt = statSync(path).mtimeMs;
  const sleep = async () => {
    if (isWritten) appendFileSync(path, 'and more');
  };
  const check = createChangeCheck(source, { files: world.files, sleep, now: () => writtenAt + ageMs });
  expect(await check({ late: true })).toBe(expected);
  expect(await check()).toBe(false);
});

test.each([
  {
    name: 'replaced once',
    change: (path: string) => put(path, 'two\n'),
    expected: true,
  },
  {
    name: 'replaced by one with the inode of the file before',
    change: (path: string) => {
      put(path, 'two\n');
      nextTick();
      writeFileSync(`${path}.new`, 'three\n');
      nextTick();
      renameSync(`${path}.new`, path);
    },
    expected: true,
  },
  {
    name: 'replaced by one with that inode, at once, which ends as the file that was read',
    change: (path: string) => {
      put(path, 'two\n');
      nextTick();
      put(path, 'three\none\nend\n');
    },
    expected: true,
  },
  {
    name: 'removed and made anew',
    change: (path: string) => {
      unlinkSync(path);
      nextTick();
      writeFileSync(path, 'half\n');
    },
    expected: false,
  },
  {
    name: 'replaced, and then written in place',
    change: (path: string) => {
      put(path, 'two\n');
      nextTick();
      writeFileSync(path, 'half\n');
    },
    expected: false,
  },
])('before a 401 a file that was $name counts as changed: $expected', async ({ change, expected }) => {
  const world = fakeWorld();
  // A disk gives the inode of a removed file to the next one; the folder of most tests is in memory, which does not.
  const folder = mkdtempSync('/var/tmp/motif-tests-');
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'gateway.yaml');
  writeFileSync(path, 'one\nend\n');
  const source = gatewayFileSource(path, world, { isWatched: true });
  await source.readText();
  const hasChanged = createChangeCheck(source, { files: world.files, sleep: async () => undefined, now: Date.now });
  nextTick();
  change(path);
  expect([await hasChanged(), await hasChanged()]).toEqual([expected, expected]);
});
