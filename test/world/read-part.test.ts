import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fakeWorld } from '../support/world.ts';

test.each([
  [0, 4, 'abcd'],
  [3, 4, 'defg'],
  [8, 4, 'ij'],
  [10, 4, ''],
  [99, 4, ''],
  [0, 0, ''],
])('a part of a file from %s, at most %s bytes: %j', async (start, bytesMax, expected) => {
  const { files, folder } = fakeWorld();
  writeFileSync(join(folder, 'a.txt'), 'abcdefghij');
  const { bytes, info } = await files.readPart('a.txt', start, bytesMax);
  expect(Buffer.from(bytes).toString()).toBe(expected);
  expect(info.size).toBe(10);
});

test('what is no regular file is refused as everywhere', async () => {
  const { files } = fakeWorld();
  await expect(files.readPart('.', 0, 1)).rejects.toMatchObject({ code: 'EISDIR' });
  await expect(files.readPart('gone', 0, 1)).rejects.toMatchObject({ code: 'ENOENT' });
});
