import { appendFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gatewayFileSource } from '../../../../src/commands/gateway/source.ts';
import { createChangeCheck } from '../../../../src/commands/gateway/serve/watch.ts';
import { fakeWorld } from '../../../support/world.ts';
import { withInodeReused } from './inode-reused.ts';

test('before a 401 a gateway file counts as changed once it has settled, unless it is written in place', async () => {
  const world = fakeWorld();
  const path = join(world.folder, 'gateway.yaml');
  writeFileSync(path, 'one');
  const source = gatewayFileSource(path, world);
  await source.readText();
  let parts = 0;
  const sleep = async () => {
    if (parts > 0) writeFileSync(path, 'x'.repeat((parts -= 1) + 4));
  };
  const hasChanged = createChangeCheck(source, { files: world.files, sleep, now: Date.now });
  expect(await hasChanged()).toBe(false);
  writeFileSync(path, 'half of it, in place');
  expect(await hasChanged()).toBe(false);
  writeFileSync(`${path}.new`, 'half of it');
  renameSync(`${path}.new`, path);
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
  const source = gatewayFileSource(path, world);
  await source.readText();
  writeFileSync(path, 'two and more');
  const writtenAt = statSync(path).mtimeMs;
  const sleep = async () => {
    if (isWritten) appendFileSync(path, 'and more');
  };
  const check = createChangeCheck(source, { files: world.files, sleep, now: () => writtenAt + ageMs });
  expect(await check()).toBe(expected);
});

test('before a 401 one that got the inode of the file before counts as changed where it ends as that did', async () => {
  const world = fakeWorld();
  const path = join(world.folder, 'gateway.yaml');
  const files = withInodeReused(world.files);
  writeFileSync(path, 'one\nend\n');
  const source = gatewayFileSource(path, { files });
  await source.readText();
  const hasChanged = createChangeCheck(source, { files, sleep: async () => undefined, now: Date.now });
  const replace = (text: string) => {
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
  };
  replace('two\n');
  expect(await hasChanged()).toBe(false);
  replace('two\none\nend\n');
  expect(await hasChanged()).toBe(true);
});
