import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeBlobs } from '../../src/suites/merge.ts';
import { type Case, keyOf } from '../../src/suites/case.ts';
import { type ChosenSuite, selectCases, shardOf } from '../../src/suites/selection.ts';
import { parseStoredRun } from '../../src/suites/stored.ts';
import { reportOf, resultOf } from '../support/rooms/suites.ts';

const ids = Array.from({ length: 12 }, (_, index) => `case-${index}`);
const results = ids.map((id, line) => resultOf({ id, line }));

const plainCase: Case = {
  id: '',
  file: '',
  line: 1,
  tags: [],
  turns: [],
  repeat: 1,
  minPass: 1,
  known: undefined,
  providerAnswer: undefined,
  motif: undefined,
  timeoutMs: undefined,
  digest: '',
};

/** Each part of a suite as it was stored and read again. */
function blobsOf(of: number, change: (text: string, index: number) => string = (text) => text) {
  return Array.from({ length: of }, (_, at) => {
    const own = results.filter(({ file, id }) => shardOf(`${file}#${id}`, of) === at + 1);
    const report = reportOf(own, { shard: { index: at + 1, of }, suite: { digest: 'd', cases: results.length } });
    const text = JSON.stringify(report);
    const file = `part-${at + 1}.json`;
    return { file, run: parseStoredRun(change(text, at + 1), { file, report: 'blob' }) };
  });
}

describe('shards', () => {
  const anySuites = fc.uniqueArray(
    fc.record({ file: fc.constantFrom('a.yaml', 'b.yaml', 'rows.csv'), id: fc.string({ minLength: 1, maxLength: 8 }) }),
    { maxLength: 60, selector: ({ file, id }) => `${file}#${id}` },
  );

  test('of any suites and up to 50 parts: no two share a case, and merged they are the whole', () => {
    fc.assert(
      fc.property(anySuites, fc.integer({ min: 1, max: 50 }), (keys, of) => {
        const chosen = chosenOf(keys);
        const parts = Array.from({ length: of }, (_, at) => selectCases(chosen, { shard: { index: at + 1, of } }));
        expect(parts.flat().map(keyOf).sort()).toEqual(selectCases(chosen, {}).map(keyOf).sort());
        const blobs = parts.map((part, at) => {
          const report = reportOf(
            part.map(({ file, id }) => resultOf({ file, id })),
            { shard: { index: at + 1, of }, suite: { digest: 'd', cases: keys.length } },
          );
          return { file: `${at}`, run: parseStoredRun(JSON.stringify(report), { file: `${at}`, report: 'blob' }) };
        });
        expect(mergeBlobs(blobs).results).toHaveLength(keys.length);
        if (of > 1) expect(() => mergeBlobs(blobs.slice(1))).toThrow('part 1');
      }),
      { numRuns: 60 },
    );
  });

  test('a case stays in its part, whatever else is added', () => {
    fc.assert(
      fc.property(anySuites, anySuites, fc.integer({ min: 1, max: 50 }), (keys, more, of) => {
        const shard = { index: 1, of };
        const before = selectCases(chosenOf(keys), { shard }).map(keyOf);
        const after = new Set(selectCases(chosenOf([...keys, ...more]), { shard }).map(keyOf));
        expect(before.filter((key) => !after.has(key))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  test('parts of one suite made by different versions fit together: the part of a case never changes', () => {
    expect(['a.yaml#one', 'a.yaml#two', 'rows.csv#3'].map((key) => shardOf(key, 50))).toEqual([26, 46, 6]);
  });
});

function chosenOf(keys: readonly { readonly file: string; readonly id: string }[]): readonly ChosenSuite[] {
  const cases = keys.map((key) => ({ ...plainCase, ...key }));
  return [{ suite: { name: 'any', file: 'any', cases }, line: undefined }];
}

describe('merge', () => {
  test('makes the whole of its parts, in the order of the suite', () => {
    const merged = mergeBlobs(blobsOf(3).reverse());
    expect(merged.results.map(({ id }) => id)).toEqual(ids);
    expect(merged).toMatchObject({ left: 0, motifId: 'support-bot', suite: { cases: 12 } });
  });

  test.each([
    { name: 'nothing', blobs: () => [], says: 'there is nothing to merge' },
    { name: 'a missing part', blobs: () => blobsOf(3).slice(1), says: 'part 1 of 3 is missing' },
    { name: 'missing parts', blobs: () => blobsOf(4).slice(2), says: 'parts 1, 2 of 4 are missing' },
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
    '%s is no stored run',
    (text) => {
      expect(() => parseStoredRun(text, { file: 'x.json', report: 'json' })).toThrow(/x\.json/);
    },
  );

  test.each([
    { text: '{"cases":', report: 'blob', says: 'it has to be what --report blob=FILE wrote' },
    { text: '[]', report: 'blob', says: 'motif check --shard i/n --report blob=FILE writes one' },
    { text: '{"cases":', report: 'json', says: 'it has to be what --report json=FILE wrote' },
    { text: '[]', report: 'json', says: 'motif check --report json=FILE writes one' },
  ] as const)('$text in the place of a $report is told the report that makes one', ({ text, report, says }) => {
    const parse = () => parseStoredRun(text, { file: 'x.json', report });
    expect(parse).toThrow(expect.objectContaining({ hints: [says] }) as Error);
  });

  test('has what was written', () => {
    const report = reportOf([resultOf({ id: 'a', answer: 'x', messages: [{ role: 'user', content: 'y' }] })]);
    expect(parseStoredRun(JSON.stringify(report), { file: 'x', report: 'json' }).cases).toEqual(report.cases);
  });
});
