import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { searchFiles } from '../../src/world/files/file-search.ts';
import { fakeWorld } from '../support/world.ts';

const tree = ['a.md', 'b.txt', '.hidden.md', 'docs/a.md', 'docs/deep/b.md', 'docs/.secret/c.md', '.git/d.md', 'é ü.md'];

function grow(names: readonly string[] = tree) {
  const { folder, files } = fakeWorld();
  for (const name of names) {
    fs.mkdirSync(dirname(join(folder, name)), { recursive: true });
    fs.writeFileSync(join(folder, name), name);
  }
  return { folder, files };
}

test.each([
  ['*.md', ['a.md', 'é ü.md']],
  ['docs/*.md', ['docs/a.md']],
  ['docs/*/*.md', ['docs/deep/b.md']],
  ['docs/**/*.md', ['docs/a.md', 'docs/deep/b.md']],
  ['**/*.md', ['a.md', 'docs/a.md', 'docs/deep/b.md', 'é ü.md']],
  ['.*.md', ['.hidden.md']],
  ['**/.secret/*.md', ['docs/.secret/c.md']],
  ['.git/*', ['.git/d.md']],
  ['[ab].*', ['a.md', 'b.txt']],
  ['{a,b}.{md,txt}', ['a.md', 'b.txt']],
  ['docs/{a,deep/b}.md', ['docs/a.md', 'docs/deep/b.md']],
  ['a.md', ['a.md']],
  ['docs', []],
  ['absent/**', []],
  ['b.txt/*', []],
])('%s', async (pattern, expected) => {
  expect(await grow().files.glob(pattern)).toEqual(expected);
});

test('a whole path stays whole', async () => {
  const { folder, files } = grow();
  expect(await files.glob(`${folder}/docs/*.md`)).toEqual([`${folder}/docs/a.md`]);
});

test.each([
  ['docs/**/*.md', ['docs/a.md', 'docs/link.md']],
  ['docs/*/*.md', ['docs/else/b.md', 'docs/here/a.md', 'docs/here/link.md']],
])('links: %s', async (pattern, expected) => {
  const { folder, files } = grow(['docs/a.md', 'else/b.md']);
  fs.symlinkSync('.', join(folder, 'docs/here'));
  fs.symlinkSync('../else', join(folder, 'docs/else'));
  fs.symlinkSync('a.md', join(folder, 'docs/link.md'));
  fs.symlinkSync('nowhere', join(folder, 'docs/gone.md'));
  expect(await files.glob(pattern)).toEqual(expected);
});

test('a folder that cannot be read is told with its fault, and one that is gone is not', async () => {
  const { folder } = grow(['docs/a.md', 'docs/gone/b.md', 'docs/locked/c.md']);
  const places: Readonly<Record<string, string>> = { 'docs/gone': 'nowhere', 'docs/locked': 'x'.repeat(300) };
  const told: unknown[] = [];
  const found = await searchFiles('docs/**/*.md', (path) => join(folder, places[path] ?? path), {
    skipped: (...facts) => void told.push(facts),
  });
  expect(found).toEqual(['docs/a.md']);
  const words = 'cannot be read: the name is too long';
  expect(told).toEqual([['docs/locked', words, expect.objectContaining({ code: 'ENAMETOOLONG' })]]);
});

test('the names looked at have a cap', async () => {
  const { folder } = grow(['a/1', 'a/2', 'a/3', 'b/4']);
  const place = (path: string) => join(folder, path);
  expect(await searchFiles('**/*', place, { namesMax: 6 })).toHaveLength(4);
  await expect(searchFiles('**/*', place, { namesMax: 5 })).rejects.toThrow(
    'looks at more than 5 names; begin it in a deeper folder',
  );
});

test('a pattern without ** goes no deeper than it reaches', async () => {
  const { folder } = grow(['a.md', 'docs/1', 'docs/2', 'docs/3']);
  expect(await searchFiles('*.md', (path) => join(folder, path), { namesMax: 2 })).toEqual(['a.md']);
});

test('a search hears an interruption while it goes on', async () => {
  const { folder } = grow(Array.from({ length: 2001 }, (_, index) => `${index}.md`));
  const stop = new AbortController();
  const reason = new Error('Ctrl-C');
  const search = searchFiles('*.md', (path) => join(folder, path), { signal: stop.signal });
  setImmediate(() => stop.abort(reason));
  await expect(search).rejects.toBe(reason);
});
