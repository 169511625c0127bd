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
  { name: 'a folder that is named is meant, though git ignores it', pattern: 'dist/*.md', found: ['dist/out.md'] },
  { name: 'and so is one of packages', pattern: 'node_modules/p/*', found: ['node_modules/p/readme.md'] },
  { name: 'hidden folders stay out', pattern: '*/config.md', found: [] },
])('$name: $pattern', async ({ pattern, found }) => {
  expect(await tree(project)(pattern)).toEqual(found);
});

test('without a repository the rules from the folder of the pattern on count', async () => {
  const files = { 'p/.gitignore': 'x.md\n', 'p/x.md': '', 'p/y.md': '', 'x.md': '' };
  expect(await tree(files)('p/*.md')).toEqual(['p/y.md']);
  expect(await tree(files)('*.md')).toEqual(['x.md']);
});

test('a .gitignore that is no file, or too large for one, has no rules', async () => {
  expect(await tree({ '.gitignore/': '', 'a.md': '' })('*.md')).toEqual(['a.md']);
  expect(await tree({ '.gitignore': '*.md\n'.repeat(300_000), 'a.md': '' })('*.md')).toEqual(['a.md']);
});
