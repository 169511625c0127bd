import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readProfile } from '../../src/settings/profile-file.ts';
import { FileFault } from '../../src/world/world.ts';
import { fakeWorld } from '../support/world.ts';

/** A config folder with one profile, and the files of a world in which it is made only after the first read. */
function madeAfterTheFirstRead() {
  const { folder, files, uid } = fakeWorld();
  mkdirSync(join(folder, 'profiles'), { mode: 0o700 });
  let reads = 0;
  const read: typeof files.read = async (path, options) => {
    reads += 1;
    if (reads === 1) {
      writeFileSync(join(folder, 'profiles/bot.json'), '{}', { mode: 0o600 });
      throw new FileFault(path, 'ENOENT', 'no such file or folder');
    }
    return files.read(path, options);
  };
  return { folder, world: { uid, files: { ...files, read } } };
}

test('a profile that a login makes between the read and the look after it is read', async () => {
  const { folder, world } = madeAfterTheFirstRead();
  expect(await readProfile(world, folder, 'bot')).toMatchObject({ name: 'bot' });
});

test('a link that leads nowhere is no profile that can be used', async () => {
  const { folder, files, uid } = fakeWorld();
  mkdirSync(join(folder, 'profiles'), { mode: 0o700 });
  symlinkSync('nowhere.json', join(folder, 'profiles/bot.json'));
  await expect(readProfile({ files, uid }, folder, 'bot')).rejects.toThrow('cannot be used');
});
