import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const top = resolve(import.meta.dirname, '..');
const filesIn = (folder: string) =>
  readdirSync(join(top, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.m?[jt]s$/.test(file))
    .map((file) => `${folder}/${file}`);
const sources = filesIn('src');
const read = (file: string) => readFileSync(join(top, file), 'utf8');

function exportsOf(file: string): readonly string[] {
  const declared = /^export (?:async |declare )?(?:function\*?|const|class|interface|type) (\w+)/gm;
  return [...new Set([...read(file).matchAll(declared)].map(([, name = '']) => name))];
}

/** Names in the imports of a file; all words of a file that imports something when it is needed. */
function importsOf(file: string): readonly string[] {
  const text = read(file);
  const clauses = text.match(/(?:import|export)\s[^;'"]*from '\./g) ?? [];
  return (text.includes("import('.") ? [text] : clauses).join(' ').match(/\w+/g) ?? [];
}

test('no name is exported by two files', () => {
  const files = new Map<string, string[]>();
  for (const file of sources) {
    for (const name of exportsOf(file)) files.set(name, [...(files.get(name) ?? []), file]);
  }
  expect([...files].filter(([, names]) => names.length > 1)).toEqual([]);
});

test('what a file exports is imported by another one', () => {
  const users = new Map<string, Set<string>>();
  for (const file of ['src', 'test', 'bin', '.config'].flatMap(filesIn)) {
    for (const name of importsOf(file)) users.set(name, (users.get(name) ?? new Set<string>()).add(file));
  }
  const isUnused = (file: string) => (name: string) => [...(users.get(name) ?? [])].every((user) => user === file);
  const found = [...sources, ...filesIn('test')].flatMap((file) =>
    exportsOf(file)
      .filter(isUnused(file))
      .map((name) => `${file}: ${name}`),
  );
  expect(found).toEqual([]);
});

test('the map names nothing of the code that is not there', () => {
  const named = [...read('src/README.md').matchAll(/`([A-Za-z]\w*[A-Z][a-z]\w*)`/g)].map(([, name = '']) => name);
  const code = sources.map((file) => read(file)).join('\n');
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !new RegExp(`\\b${name}\\b`).test(code))).toEqual([]);
});

test('the map names no file that is not there', () => {
  const section = read('src/README.md').split('## Where is')[1]!.split('## Recipes')[0]!;
  const named = [...section.matchAll(/`([\w/-]+\.ts)`/g)].map(([, file = '']) => file);
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((file) => !existsSync(join(top, 'src', file)) && !existsSync(join(top, file)))).toEqual([]);
});
