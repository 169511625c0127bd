import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

/** Each entry of the fault catalogue has a test that names it, or a reason why it has none. */
const here = resolve(import.meta.dirname);
const entries = 181;

test('every entry of the fault catalogue is covered or explained', () => {
  const named = numbersIn(titles());
  const explained = numbersIn([...explanations()].map((entry) => `fault ${entry}`));
  const all = Array.from({ length: entries }, (_, index) => index + 1);
  expect(all.filter((entry) => !named.has(entry) && !explained.has(entry))).toEqual([]);
  expect(
    [...explained].filter((entry) => named.has(entry)),
    'explained, but covered',
  ).toEqual([]);
});

function titles(): string[] {
  return readdirSync(here, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && file !== 'catalogue.test.ts')
    .flatMap((file) => readFileSync(join(here, file), 'utf8').match(/\bfaults? \d+(?:(?:, | and |-)\d+)*/g) ?? []);
}

function explanations(): string[] {
  const table = readFileSync(join(here, 'faults/README.md'), 'utf8');
  return [...table.matchAll(/^\| ([\d, -]+) \| \S.* \|$/gm)].map(([, numbers = '']) => numbers);
}

function numbersIn(texts: readonly string[]): Set<number> {
  const numbers = new Set<number>();
  for (const text of texts) {
    for (const [, first, last] of text.matchAll(/(\d+)(?:-(\d+))?/g)) {
      for (let entry = Number(first); entry <= Number(last ?? first); entry += 1) numbers.add(entry);
    }
  }
  return numbers;
}
