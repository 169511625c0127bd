import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newToken } from '../../../../src/gateway/access/token.ts';
import { FileFault } from '../../../../src/world/world.ts';
import { admin, file, fileIn } from '../../../support/rooms/admin.ts';
import type { FakeWorld } from '../../../support/world.ts';

/** The file as an editor leaves it that took a token out. */
const byHand = file.replace(/.*id: t1.*\n/, '');

/** The same where it took out all of them. */
const withoutTokens = file.replace(/ *- \{ id: t.*\n/g, '').replace(/tokens: *\n/, 'tokens: []\n');

const write = ({ folder }: FakeWorld, text = byHand): void => writeFileSync(join(folder, 'gateway.yaml'), text);

/** A world in which an editor saves the file just before the command, which has looked at it, has the lock. */
function editedBeforeLocked(world: FakeWorld, text: string): void {
  const { files } = world;
  const lock: typeof files.lock = async (...which) => {
    const release = await files.lock(...which);
    write(world, text);
    return release;
  };
  Object.assign(world, { files: { ...files, lock } });
}

/** A world in which an editor, which knows no lock, saves the file while the command has what it puts in its place. */
function editedBeforeReplaced(world: FakeWorld): void {
  const { files } = world;
  const writeAtomic: typeof files.writeAtomic = async (path, ...rest) => {
    if (path === 'gateway.yaml') write(world);
    await files.writeAtomic(path, ...rest);
  };
  Object.assign(world, { files: { ...files, writeAtomic } });
}

describe('a gateway file that somebody else changed since it was read keeps that change', () => {
  test.each([
    { words: ['rotate', '--grace', '0'] },
    { words: ['rotate', '--keep', '--token-out', 't.txt'] },
    { words: ['create', 'other', '--provider', 'mock'] },
    { words: ['revoke', 'support-bot', 't0'] },
  ])('$words', async ({ words }) => {
    const run = await admin(words, file, { prepare: editedBeforeReplaced });
    expect(run).toMatchObject({ exitCode: 12, stdout: '' });
    expect(run.stderr).toMatch(/gateway.yaml was changed meanwhile by somebody else.*\n.*type the command again/);
    expect(fileIn(run)).toBe(byHand);
  });

  test('also where a change is taken back, because nobody got its token', async () => {
    const prepare = (world: FakeWorld): void => {
      const { files } = world;
      // Into a file that holds a token a new one is written last.
      writeFileSync(join(world.folder, 't.txt'), newToken().text);
      const writeAtomic: typeof files.writeAtomic = async (path, ...rest) => {
        if (path !== 't.txt') return await files.writeAtomic(path, ...rest);
        write(world);
        throw new FileFault(path, 'ENOSPC', 'the disk is full');
      };
      Object.assign(world, { files: { ...files, writeAtomic } });
    };
    const run = await admin(['rotate', '--token-out', 't.txt'], file, { prepare });
    expect(run).toMatchObject({ exitCode: 12, stdout: '' });
    expect(run.stderr).toMatch(/the new token t-[0-9a-f]{8} is lost/);
    expect(fileIn(run)).toBe(byHand);
  });
});

test('one that somebody else made while init was about to write its own stays, and no token is given', async () => {
  const run = await admin(['init'], null, { prepare: (world) => editedBeforeLocked(world, byHand) });
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain('gateway.yaml exists already and stays as it is');
  expect(fileIn(run)).toBe(byHand);
  expect(await run.world.files.info('gateway.yaml.lock')).toBeUndefined();
});

test('revoke --all says that nothing was revoked where another one took out all tokens before', async () => {
  const prepare = (world: FakeWorld): void => editedBeforeLocked(world, withoutTokens);
  const run = await admin(['revoke', '--all', '--yes'], file, { prepare });
  expect(run).toMatchObject({ exitCode: 0 });
  expect(run.stderr).toMatch(/^motif: Motif support-bot has no token; nothing was revoked\n/);
  expect(fileIn(run)).toBe(withoutTokens);
});
