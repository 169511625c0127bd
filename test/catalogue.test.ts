import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const here = resolve(import.meta.dirname);
const entries = 181;

/** The rows of the fault catalogue: number, fault, and the tests that cover it or the reason why none does. */
const rows = [...readFileSync(join(here, 'faults/README.md'), 'utf8').matchAll(/^\| (\d+) \| (.+) \| (.+) \|$/gm)].map(
  ([, entry, , covered = '']) => ({ entry: Number(entry), covered }),
);

test('the catalogue has every entry once, in order', () => {
  expect(rows.map(({ entry }) => entry)).toEqual(Array.from({ length: entries }, (_, index) => index + 1));
});

test.each(rows)('entry $entry is covered by tests that exist, or says why not', ({ covered }) => {
  const files = [...covered.matchAll(/`([^`]+\.ts)`/g)].map((match) => match[1] ?? '');
  expect(files.filter((file) => !existsSync(join(here, file)))).toEqual([]);
  if (files.length === 0) expect(covered.split(' ').length).toBeGreaterThan(3);
});
