import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { fakeWorld } from '../support/world.ts';

/** Files by their paths; what ends in a slash is a folder. */
function tree(files: Readonly<Record<string, string>>) {
  const { folder, files: world } = fakeWorld();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    if (path.endsWith('/')) mkdirSync(join(folder, path), { recursive: true });
    else writeFileSync(join(folder, path), text);
  }
  return (pattern: string) => world.glob(pattern, { withoutIgnored: true });
}

const project = {
  '.git/config.md': '',
  '.gitignore': 'dist/\n*.log.md\n/top.md\n!keep.log.md\n',
  'a.md': '',
  'top.md': '',
  'x.log.md': '',
  'keep.log.md': '',
  'dist/out.md': '',
  'node_modules/p/readme.md': '',
  'docs/.gitignore': 'draft*\n!drafts.md\n',
  'docs/b.md': '',
  'docs/top.md': '',
  'docs/draft.md': '',
  'docs/drafts.md': '',
  'docs/node_modules/q/readme.md': '',
};

test.each([
  {
    name: 'rules of every folder count',
    pattern: '**/*.md',
    found: ['a.md', 'docs/b.md', 'docs/drafts.md', 'docs/top.md', 'keep.log.md'],
  },
  {
    name: 'rules from the top reach a folder below',
    pattern: 'docs/*',
    found: ['docs/b.md', 'docs/drafts.md', 'docs/top.md'],
  },
  { name: 'a folder that git ignores stays out where the pattern names it', pattern: 'dist/*.md', found: [] },
  { name: 'and so does one of packages', pattern: 'node_modules/p/*', found: [] },
  { name: 'hidden folders stay out', pattern: '*/config.md', found: [] },
])('$name: $pattern', async ({ pattern, found }) => {
  expect(await tree(project)(pattern)).toEqual(found);
});

test('whoever works in a folder that git ignores means it', async () => {
  const { folder, files } = fakeWorld();
  for (const path of ['.git', 'dist/deep']) mkdirSync(join(folder, path), { recursive: true });
  for (const path of ['dist/a.md', 'dist/deep/b.md']) writeFileSync(join(folder, path), '');
  writeFileSync(join(folder, '.gitignore'), 'dist\n');
  const at = (path: string) => join(folder, 'dist', path);
  const { searchFiles } = await import('../../src/world/files/file-search.ts');
  const found = (pattern: string) => searchFiles(pattern, at, { withoutIgnored: true });
  expect([await found('*.md'), await found('deep/*')]).toEqual([['a.md'], ['deep/b.md']]);
  expect(await files.glob('dist/*', { withoutIgnored: true })).toEqual([]);
});

test('without a repository the rules from the working folder on count', async () => {
  const files = { 'p/.gitignore': 'x.md\n', 'p/x.md': '', 'p/y.md': '', 'x.md': '' };
  expect(await tree(files)('p/*.md')).toEqual(['p/y.md']);
  expect(await tree(files)('*.md')).toEqual(['x.md']);
  expect(await tree({ '.gitignore': 'p/\n', 'p/x.md': '' })('p/*.md')).toEqual([]);
});

test('a .gitignore that is no file, or too large for one, has no rules', async () => {
  expect(await tree({ '.gitignore/': '', 'a.md': '' })('*.md')).toEqual(['a.md']);
  expect(await tree({ '.gitignore': '*.md\n'.repeat(300_000), 'a.md': '' })('*.md')).toEqual(['a.md']);
});
