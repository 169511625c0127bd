import { renameSync, writeFileSync } from 'node:fs';
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
  const hasChanged = createChangeCheck(source, { files: world.files, sleep });
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

test('before a 401 one that got the inode of the file before counts as changed where it ends as that did', async () => {
  const world = fakeWorld();
  const path = join(world.folder, 'gateway.yaml');
  const files = withInodeReused(world.files);
  writeFileSync(path, 'one\nend\n');
  const source = gatewayFileSource(path, { files });
  await source.readText();
  const hasChanged = createChangeCheck(source, { files, sleep: async () => undefined });
  const replace = (text: string) => {
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
  };
  replace('two\n');
  expect(await hasChanged()).toBe(false);
  replace('two\none\nend\n');
  expect(await hasChanged()).toBe(true);
});
