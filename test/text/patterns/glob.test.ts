import fc from 'fast-check';
import { expect, test } from 'vitest';
import { globBase, hasWildcard, matchesGlob } from '../../../src/text/patterns/glob.ts';
import { anyText } from '../../fixtures/any-text.ts';
import { runs } from '../../support/runs.ts';

test.each([
  { pattern: 'a.txt', matches: ['a.txt'], misses: ['b.txt', 'a.txt2', 'xa.txt', '', 'aXtxt'] },
  { pattern: '*.md', matches: ['a.md', 'long name.md'], misses: ['.md', '.a.md', 'a/b.md', 'a.mdx'] },
  { pattern: '.*', matches: ['.env', '.'], misses: ['env'] },
  { pattern: 'a?c', matches: ['abc', 'a\u{1f600}c', 'a.c'], misses: ['ac', 'a/c', 'abbc'] },
  { pattern: '?env', matches: ['xenv'], misses: ['.env'] },
  { pattern: 'src/*/x', matches: ['src/a/x'], misses: ['src/x', 'src/a/b/x', 'src/.git/x'] },
  { pattern: '[a-c]1', matches: ['a1', 'c1'], misses: ['d1', 'A1', '-1'] },
  { pattern: '[!a-c]1', matches: ['d1', '-1'], misses: ['a1', '/1', '.1'] },
  { pattern: '[^a]1', matches: ['b1'], misses: ['a1'] },
  { pattern: '[]x]', matches: [']', 'x'], misses: ['[', ''] },
  { pattern: '[a-]', matches: ['a', '-'], misses: ['b'] },
  { pattern: 'x[.]y', matches: ['x.y'], misses: ['xzy'] },
  { pattern: '[.]y', matches: [], misses: ['.y'] },
  { pattern: '[z-a]', matches: [], misses: ['m', 'z', 'a'] },
  { pattern: '[open', matches: ['[open'], misses: ['o'] },
  { pattern: 'a[/]b', matches: ['a[/]b'], misses: ['a/b'] },
  { pattern: '**', matches: ['a', 'a/b', 'a/b/c.md'], misses: ['.a', 'a/.b', 'a/.b/c'] },
  { pattern: '**/*.md', matches: ['a.md', 'x/a.md', 'x/y/z/a.md'], misses: ['x/.y/a.md', '.x/a.md', 'a.txt', '/a.md'] },
  {
    pattern: 'src/**/x.ts',
    matches: ['src/x.ts', 'src/a/x.ts', 'src/a/b/x.ts'],
    misses: ['src/ax.ts', 'x.ts', 'src/a/x.tsx'],
  },
  { pattern: 'src/**', matches: ['src/a', 'src/a/b'], misses: ['src', 'lib/a', 'src/.a'] },
  { pattern: 'a**b', matches: ['ab', 'axxb'], misses: ['a/b', 'ax/xb'] },
  { pattern: '***', matches: ['abc'], misses: ['a/b'] },
  { pattern: '*.{md,txt}', matches: ['a.md', 'a.txt'], misses: ['a.ts', 'a.{md,txt}'] },
  { pattern: '{a,b/c}/d', matches: ['a/d', 'b/c/d'], misses: ['b/d'] },
  { pattern: '{a,{b,c}}x', matches: ['ax', 'bx', 'cx'], misses: ['x', 'dx'] },
  { pattern: 'a{,b}', matches: ['a', 'ab'], misses: ['b'] },
  { pattern: '{a,**/b}', matches: ['a', 'b', 'x/y/b'], misses: ['x/a'] },
  { pattern: '{a}', matches: ['{a}'], misses: ['a'] },
  { pattern: '{a,b', matches: ['{a,b'], misses: ['a', 'b'] },
  { pattern: '\\*.md', matches: ['*.md'], misses: ['a.md', '\\a.md'] },
  { pattern: '\\{a,b\\}', matches: ['{a,b}'], misses: ['a'] },
  { pattern: 'a\\', matches: ['a\\'], misses: ['a'] },
  { pattern: '../*.md', matches: ['../a.md'], misses: ['a.md'] },
  { pattern: '/etc/*', matches: ['/etc/hosts'], misses: ['etc/hosts', '/etc/ssl/x'] },
])('$pattern', ({ pattern, matches, misses }) => {
  expect(matches.filter((path) => !matchesGlob(pattern, path))).toEqual([]);
  expect(misses.filter((path) => matchesGlob(pattern, path))).toEqual([]);
});

test.each([
  { name: 'stars', pattern: '*a'.repeat(500) + 'b', path: 'a'.repeat(1000) },
  { name: 'folders', pattern: '**/a/'.repeat(300) + 'b', path: 'a/'.repeat(500) },
  { name: 'empty choices', pattern: '{,}'.repeat(1000) + 'b', path: 'a' },
  { name: 'choices of stars', pattern: '{*a,*,a*}'.repeat(100) + 'b', path: 'a'.repeat(2000) },
  { name: 'choices inside choices', pattern: '{a,'.repeat(1000) + 'b' + '}'.repeat(1000), path: 'c' },
  { name: 'empty choices inside choices', pattern: '{,'.repeat(1300) + '}'.repeat(1300), path: 'c' },
  { name: 'many more choices inside choices', pattern: '{,'.repeat(3000) + '}'.repeat(3000), path: 'c' },
  { name: 'braces that are no choice', pattern: '{'.repeat(1000) + '}'.repeat(1000), path: 'a' },
  { name: 'braces never closed', pattern: '{a,'.repeat(1300), path: 'a' },
  { name: 'brackets never closed', pattern: '['.repeat(4000), path: 'a' },
  { name: 'a pattern longer than a path can be', pattern: '{a,'.repeat(100_000) + '}'.repeat(100_000), path: 'a' },
])('a pattern of many $name ends', ({ pattern, path }) => {
  expect(matchesGlob(pattern, path)).toBe(false);
  expect(globBase(pattern)).toBe('');
  expect(hasWildcard(pattern)).toBeTypeOf('boolean');
});

test.each([
  { pattern: '*.md', base: '', wild: true },
  { pattern: 'docs/*.md', base: 'docs', wild: true },
  { pattern: 'docs/a*/b/c', base: 'docs', wild: true },
  { pattern: 'docs/deep/**/*.md', base: 'docs/deep', wild: true },
  { pattern: '/etc/*.conf', base: '/etc', wild: true },
  { pattern: '/*', base: '/', wild: true },
  { pattern: './a/?', base: './a', wild: true },
  { pattern: '{a,b}/c', base: '', wild: true },
  { pattern: 'docs/a\\*b/[x]', base: 'docs/a*b', wild: true },
  { pattern: 'docs/a.md', base: 'docs', wild: false },
  { pattern: 'a.md', base: '', wild: false },
  { pattern: 'what is {this}', base: '', wild: false },
  { pattern: 'a\\*', base: '', wild: false },
  { pattern: 'x[y', base: '', wild: false },
])('$pattern begins in "$base"', ({ pattern, base, wild }) => {
  expect(globBase(pattern)).toBe(base);
  expect(hasWildcard(pattern)).toBe(wild);
});

test('any text matches itself once its signs are escaped, and a star takes any visible name', () => {
  fc.assert(
    fc.property(anyText(20), (name) => {
      expect(matchesGlob(name.replaceAll(/[*?[\]{},!^\\-]/g, '\\$&'), name)).toBe(true);
      expect(matchesGlob('*', name)).toBe(!name.startsWith('.') && !name.includes('/'));
    }),
    runs(10_000),
  );
});

/** The plain definition, exponential and only good for short texts: every way a pattern can begin is tried in turn. */
function matchesSlowly(pattern: string, path: string, startsName = true): boolean {
  if (pattern === '') return path === '';
  const isHidden = startsName && path.startsWith('.');
  const rest = () => matchesSlowly(pattern.slice(1), path.slice(1), path.startsWith('/'));
  if (pattern.startsWith('*')) {
    if (isHidden) return false;
    if (matchesSlowly(pattern.slice(1), path, startsName)) return true;
    return path !== '' && !path.startsWith('/') && matchesSlowly(pattern, path.slice(1), false);
  }
  if (path === '') return false;
  if (pattern.startsWith('?')) return !path.startsWith('/') && !isHidden && rest();
  return pattern[0] === path[0] && rest();
}

test('stars and question marks mean what the plain definition says', () => {
  const sign = fc.constantFrom('*', '?', 'a', 'b', '.', '/');
  const signs = fc.array(sign, { maxLength: 7 }).map((parts) => parts.join('').replaceAll(/\*+/g, '*'));
  const path = fc.array(fc.constantFrom('a', 'b', '.', '/'), { maxLength: 7 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(
      signs.map((text) => text.replaceAll(/\*+/g, '*')),
      path,
      (pattern, candidate) => {
        expect(matchesGlob(pattern, candidate)).toBe(matchesSlowly(pattern, candidate));
      },
    ),
    runs(20_000),
  );
});
