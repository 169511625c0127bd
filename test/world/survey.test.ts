import * as fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { zoo } from '../support/processes/zoo.ts';

const caught = async (work: Promise<unknown>) =>
  await work.then(
    () => 'no fault',
    (error: unknown) => error,
  );

describe('survey', () => {
  test('regular files alone, by name, with size and time', async () => {
    const { folder, files, at } = zoo();
    fs.writeFileSync(at('a'), 'longer');
    fs.utimesSync(at('a'), 1000.5, 1000.5);
    const found = await files.survey(folder);
    expect(found.map(({ name, size }) => [name, size])).toEqual([
      ['a', 6],
      ['plain', 5],
    ]);
    expect(found[0]?.modifiedAt).toBe(1_000_500);
  });

  test('nothing where there is no such folder, and a fault where there is another thing', async () => {
    const { files } = zoo();
    expect(await files.survey('nowhere')).toEqual([]);
    expect(await caught(files.survey('plain'))).toMatchObject({ code: 'ENOTDIR', path: 'plain' });
  });
});

describe('removeAll', () => {
  test('those that are named, and debris that is old; what is not there is no fault', async () => {
    const { folder, files, at } = zoo();
    fs.writeFileSync(at('other'), '');
    fs.writeFileSync(at('.motif-1a.tmp'), 'leftover');
    fs.utimesSync(at('.motif-1a.tmp'), 1000, 1000);
    await files.removeAll(folder, ['plain', 'missing', 'link']);
    const left = fs.readdirSync(folder);
    expect(left).toContain('other');
    for (const name of ['plain', 'link', '.motif-1a.tmp']) expect(left).not.toContain(name);
  });

  test('what cannot be removed is a fault, and what stood before it is gone', async () => {
    const { folder, files, at } = zoo();
    expect(await caught(files.removeAll(folder, ['plain', 'folder', 'link']))).toMatchObject({ path: folder });
    expect(fs.existsSync(at('plain'))).toBe(false);
    expect(fs.lstatSync(at('link')).isSymbolicLink()).toBe(true);
  });
});
