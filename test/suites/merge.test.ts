import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeBlobs } from '../../src/suites/merge.ts';
import { shardOf } from '../../src/suites/selection.ts';
import { parseStoredRun } from '../../src/suites/stored.ts';
import { reportOf, resultOf } from '../support/suites.ts';

const ids = Array.from({ length: 12 }, (_, index) => `case-${index}`);
const results = ids.map((id, line) => resultOf({ id, line }));

/** Each part of a suite as it was stored and read again. */
function blobsOf(of: number, change: (text: string, index: number) => string = (text) => text) {
  return Array.from({ length: of }, (_, at) => {
    const own = results.filter(({ file, id }) => shardOf(`${file}#${id}`, of) === at + 1);
    const report = reportOf(own, { shard: { index: at + 1, of }, suite: { digest: 'd', cases: results.length } });
    const text = JSON.stringify(report);
    return { file: `part-${at + 1}.json`, run: parseStoredRun(change(text, at + 1), `part-${at + 1}.json`) };
  });
}

describe('shards', () => {
  test('of any suite and any number of parts: together they are all, and no two share a case', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 60 }),
        fc.integer({ min: 1, max: 50 }),
        (keys, of) => {
          const parts = Array.from({ length: of }, (_, at) => keys.filter((key) => shardOf(key, of) === at + 1));
          expect(parts.flat().sort()).toEqual([...keys].sort());
        },
      ),
      { numRuns: 60 },
    );
  });

  test('a case stays in its part, whatever else is added', () => {
    expect(['a#1', 'a#2', 'b#1'].map((key) => shardOf(key, 4))).toEqual(
      ['a#1', 'a#2', 'b#1'].map((key) => shardOf(key, 4)),
    );
  });
});

describe('merge', () => {
  test('makes the whole of its parts, in the order of the suite', () => {
    const merged = mergeBlobs(blobsOf(3).reverse());
    expect(merged.results.map(({ id }) => id)).toEqual(ids);
    expect(merged).toMatchObject({ left: 0, motifId: 'support-bot', suite: { cases: 12 } });
  });

  test.each([
    { name: 'nothing', blobs: () => [], says: 'there is nothing to merge' },
    { name: 'a missing part', blobs: () => blobsOf(3).slice(1), says: 'part 1 of 3 is missing' },
    { name: 'a doubled part', blobs: () => [...blobsOf(3), blobsOf(3)[0]!], says: 'are both part 1' },
    {
      name: 'a part of another split',
      blobs: () => [...blobsOf(3).slice(1), blobsOf(2)[0]!],
      says: 'is of 2 parts, part-2.json of 3',
    },
    {
      name: 'a stale part',
      blobs: () =>
        blobsOf(3, (text, at) => (at === 2 ? text.replace('"digest":"d","cases"', '"digest":"old","cases"') : text)),
      says: 'are not of the same cases',
    },
    {
      name: 'a part of another Motif',
      blobs: () => blobsOf(3, (text, at) => (at === 2 ? text.replace('support-bot', 'other') : text)),
      says: 'different Motifs',
    },
    {
      name: 'a foreign case',
      blobs: () => blobsOf(3, (text, at) => (at === 2 ? text.replaceAll('"case-', '"odd-') : text)),
      says: 'which is of another part',
    },
    {
      name: 'a case too few',
      blobs: () => blobsOf(3, (text) => text.replace('"cases":12', '"cases":13')),
      says: 'they hold 12 cases of 13',
    },
    {
      name: 'a whole run',
      blobs: () => blobsOf(1, (text) => text.replace('"shard":{"index":1,"of":1}', '"shard":null')),
      says: 'was made without --shard',
    },
  ])('refuses $name', ({ blobs, says }) => {
    expect(() => mergeBlobs(blobs())).toThrow(says);
  });
});

describe('a stored run', () => {
  test.each(['', '[]', '{"cases":1}', '{"cases":[{}]}', '{"cases":[{"id":"a","file":"b","verdict":"odd"}]}'])(
    '%s is none',
    (text) => {
      expect(() => parseStoredRun(text, 'x.json')).toThrow(/x\.json/);
    },
  );

  test('has what was written', () => {
    const report = reportOf([resultOf({ id: 'a', answer: 'x', messages: [{ role: 'user', content: 'y' }] })]);
    expect(parseStoredRun(JSON.stringify(report), 'x').cases).toEqual(report.cases);
  });
});
