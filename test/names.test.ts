import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const src = resolve(import.meta.dirname, '../src');
const sources = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
const read = (file: string) => readFileSync(join(src, file), 'utf8');

test('no name is exported by two files', () => {
  const files = new Map<string, string[]>();
  for (const file of sources) {
    const declared = /^export (?:async |declare )?(?:function\*?|const|class|interface|type) (\w+)/gm;
    for (const [, name = ''] of read(file).matchAll(declared)) files.set(name, [...(files.get(name) ?? []), file]);
  }
  const isShared = ([, names]: [string, string[]]) => new Set(names).size > 1;
  expect([...files].filter(isShared)).toEqual([]);
});

test('the map names no file that is not there', () => {
  const section = read('README.md').split('## Where is')[1]!.split('## Recipes')[0]!;
  const named = [...section.matchAll(/`([\w/-]+\.ts)`/g)].map(([, file = '']) => file);
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((file) => !existsSync(join(src, file)) && !existsSync(join(src, '..', file)))).toEqual([]);
});
