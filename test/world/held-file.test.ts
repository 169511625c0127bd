import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createFiles } from '../../src/world/files/files.ts';
import { nextTick } from '../support/file-clock.ts';

/** A file system in memory gives an inode to no other file for a long time; that of a disk, to the next one. */
const roots = ['/dev/shm', '/var/tmp'].filter((root) => fs.existsSync(root));

function put(path: string, text: string): void {
  fs.writeFileSync(`${path}.new`, text);
  fs.renameSync(`${path}.new`, path);
}

test.each(
  [
    { name: 'left alone', change: () => undefined, became: 'same' },
    { name: 'written in place', change: (path: string) => fs.writeFileSync(path, 'new'), became: 'same' },
    { name: 'replaced at once', change: (path: string) => put(path, 'new'), became: 'replaced' },
    {
      name: 'replaced by a file that was written for a while',
      change: (path: string) => {
        fs.writeFileSync(`${path}.new`, 'n');
        nextTick();
        fs.appendFileSync(`${path}.new`, 'ew');
        fs.renameSync(`${path}.new`, path);
      },
      became: 'replaced',
    },
    {
      name: 'replaced twice, and the second file was synced before',
      change: (path: string) => {
        put(path, 'new');
        nextTick();
        fs.writeFileSync(`${path}.new`, 'newer');
        nextTick();
        fs.renameSync(`${path}.new`, path);
      },
      became: 'replaced',
    },
    {
      name: 'replaced by an older file',
      change: (path: string) => {
        fs.writeFileSync(`${path}.new`, 'new');
        fs.utimesSync(`${path}.new`, 1, 1);
        fs.renameSync(`${path}.new`, path);
      },
      became: 'replaced',
    },
    {
      name: 'another one behind a link',
      change: (_path: string, folder: string) => {
        fs.mkdirSync(`${folder}/v2`);
        fs.writeFileSync(`${folder}/v2/file`, 'new');
        fs.unlinkSync(`${folder}/current`);
        fs.symlinkSync('v2', `${folder}/current`);
      },
      became: 'replaced',
    },
    {
      name: 'removed and made anew',
      change: (path: string) => {
        fs.unlinkSync(path);
        nextTick();
        fs.writeFileSync(path, 'half');
      },
      became: 'maybe written',
    },
    {
      name: 'moved away and made anew',
      change: (path: string) => {
        fs.renameSync(path, `${path}.old`);
        nextTick();
        fs.writeFileSync(path, 'half');
      },
      became: 'maybe written',
    },
    {
      name: 'replaced, and then written in place',
      change: (path: string) => {
        put(path, 'new');
        nextTick();
        fs.writeFileSync(path, 'half');
      },
      became: 'maybe written',
    },
    { name: 'removed', change: (path: string) => fs.unlinkSync(path), became: 'maybe written' },
  ].flatMap((row) => roots.map((root) => ({ ...row, root }))),
)('a held file that was $name, in $root: $became', async ({ change, root, became }) => {
  const folder = fs.mkdtempSync(join(root, 'motif-held-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  fs.mkdirSync(`${folder}/v1`);
  fs.symlinkSync('v1', `${folder}/current`);
  const path = `${folder}/current/file`;
  fs.writeFileSync(path, 'old');
  nextTick();
  const held = await createFiles().hold(path);
  const { ino } = fs.statSync(path);
  change(path, folder);
  expect(held?.()).toBe(became);
  if (became !== 'same') expect(fs.statSync(path, { throwIfNoEntry: false })?.ino).not.toBe(ino);
});

test('nothing is held where there is no regular file', async () => {
  expect(await createFiles().hold(tmpdir())).toBeUndefined();
  expect(await createFiles().hold(join(tmpdir(), 'not-there'))).toBeUndefined();
});
