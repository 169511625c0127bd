import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { readAtOnce, readWholeYaml } from '../../src/documents/yaml.ts';
import { atOnce } from '../../src/text/turns.ts';

/** The most values of a document whose places are compared: an alias may repeat thousands. */
const placesMax = 500;

function pathsIn(value: unknown): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [];
  const steps: (string | number)[] = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return steps.flatMap((step) => {
    const inner = pathsIn((value as Record<string | number, unknown>)[step]);
    return [[step], ...inner.map((path) => [step, ...path])];
  });
}

/** Expects the same of a text that is read in pieces as of one that is read at once: values, faults and places. */
function expectAlike(text: string): void {
  const pieces = atOnce(readWholeYaml(text, 'a.yaml'));
  const whole = readAtOnce(text, 'a.yaml');
  expect(pieces.value, text).toEqual(whole.value);
  expect(pieces.faults, text).toEqual(whole.faults);
  for (const path of pathsIn(whole.value).slice(0, placesMax))
    expect(pieces.at(path), `${text}\n${path.join('/')}`).toEqual(whole.at(path));
}

/** Lines as people write them into such files, some of which go together. */
const lines = [
  'k1: plain',
  'k2:',
  'k3: two words # and a remark',
  '# a remark',
  '',
  '- item',
  '- k4: in a list',
  '-',
  '- - nested',
  'k5: >',
  'k6: >-',
  'k7: |+2',
  'a line of a text: with a colon',
  'k8: "in quotes \\n that',
  'go on"',
  "k9: 'it''s'",
  'k10: [a, b,',
  'c]',
  'k11: { a: 1, b: { c: [2] } }',
  'k12: &anchor',
  'k13: &anchor value',
  'k14: *anchor',
  '<<: *anchor',
  '? asked',
  ': answered',
  '"quoted key": 1',
  'k15: !tag x',
  'k16: ~',
  'k17: 0x1f',
  '---',
  '...',
  '\tk18: tab',
  ': no key',
  'k19: ${NAME}',
  'k20: [${NAME}]',
  'k1: again\r',
  'k21: {',
  'k22: [a, { b: "c',
  "k23: 'open",
  '}',
  'k24: @at',
];

test('random lines mean the same in pieces as at once, and have the same faults', () => {
  const line = fc.tuple(fc.constantFrom(0, 0, 2, 2, 2, 4, 4, 6, 3), fc.constantFrom(...lines));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 14 }), (each) =>
      expectAlike(each.map(([indent, text]) => ' '.repeat(indent) + text).join('\n')),
    ),
    { numRuns: 1000 },
  );
});

/** Signs of maps and lists in brackets, most of them in their places. */
const signs = fc.constantFrom(
  ...'{|{ |}|} |[| ]|]|,|, |, |,\n| , | # a remark\n|\n  |\n| '.split('|'),
  ...'a: 1|b: |"c": |"d":2|e|? g|: h|- i|&j |*j|!k l|${M}|"n'.split('|'),
  "'f'",
  'o: |\n  p\n',
);

test('random signs in brackets mean the same in pieces as at once, and have the same faults', () => {
  const some = fc.array(signs, { maxLength: 12 }).map((each) => each.join(''));
  const many = fc.tuple(some, fc.nat({ max: 20 })).map(([each, count]) => `${each}, `.repeat(count));
  const parts = fc.array(fc.oneof(some, many), { maxLength: 5 }).map((each) => each.join(''));
  const around = fc.constantFrom(
    ['{', '}'],
    ['[', ']'],
    ['k: {', '}'],
    ['k:\n  l: [', ']\nm: 1'],
    ['{ k: [{', '}], l: {} }'],
    ['', ''],
  );
  fc.assert(
    fc.property(parts, around, (inner, [open = '', close = '']) => expectAlike(`${open}${inner}${close}`)),
    { numRuns: 800 },
  );
});

test('JSON with one sign too few or too many means the same in pieces as at once', () => {
  const value = fc.dictionary(fc.string(), fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 20 }));
  const sign = fc.constantFrom('', ',', '{', '}', '[', ']', '"', ':', '\n', '# ');
  fc.assert(
    fc.property(value, fc.nat(), sign, fc.nat({ max: 1 }), fc.constantFrom(0, 1), (each, at, put, cut, indent) => {
      const text = JSON.stringify({ a: each, b: each }, undefined, indent);
      const from = at % (text.length + 1);
      expectAlike(text.slice(0, from) + put + text.slice(from + cut));
    }),
    { numRuns: 300 },
  );
});

/** The shapes in which public files of gateways, clusters and services write an entry. */
const entries = [
  'plain: { provider: mock }',
  'folded:\n  system: >\n    You answer\n    kindly.\n  policies: [a, b]',
  'stripped:\n  system: >-\n    One.\n\n    Two.\n',
  'kept:\n  system: |+\n    One.\n\n',
  'quoted:\n  "system": "a \\"b\\" \\u00e9: c"\n  users: [\'it\'\'s\']',
  'long:\n  system: plain words\n    that go on # and a remark\n  users:\n  - ana',
  'broken: "over\n  two lines"',
  'flow: {\n    provider: mock,  # why\n    users: [ana,\n      bo]\n  }',
  'tilde: ~',
  'none:',
  'anchored: &one\n  provider: mock\n  policies: &two [a, b]',
  'alias: *one',
  'inner:\n  policies: *two',
  'merged:\n  <<: *one\n  users: [ana]',
  '# a remark between',
  '',
  'numbers: [1e3, .5, 0o17, -2, +3, .inf, 012]',
  '? asked\n: answered',
  'many:\n' + Array.from({ length: 40 }, (_, at) => `  - id: t${at}\n    at: ${at}`).join('\n'),
  'deep:\n  a:\n    b:\n' + Array.from({ length: 20 }, (_, at) => `      c${at}: >\n        x ${at}`).join('\n'),
  'same: 1\nsame: 2',
  'tagged: !x 1',
  'unclosed: [a',
];

test('sections of many entries mean the same in pieces as at once', () => {
  const chosen = fc.array(fc.nat({ max: entries.length - 1 }), { maxLength: 50 });
  const section = chosen.map((numbers) =>
    // Those with faults stand in few files, and each key in one entry.
    numbers
      .map((number, at) => entries[number]!.replace(/^(\w+):/, `$1-${at}:`))
      .filter((_, at) => !(numbers[at]! >= 20 && at > 1)),
  );
  const top = fc.array(section, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(
      top,
      fc.constantFrom('', '# head\n\n', '---\n'),
      fc.constantFrom('\n', '\r\n'),
      (sections, head, end) => {
        const text = sections.map((each, at) => `s${at}:\n${each.join('\n').replace(/^(?=.)/gm, '  ')}\n`).join('');
        expectAlike((head + text).replaceAll('\n', end));
      },
    ),
    { numRuns: 100 },
  );
});

test('what is written by a YAML writer means the same in pieces as at once', () => {
  const value = fc.jsonValue({ maxDepth: 5 });
  fc.assert(
    fc.property(fc.dictionary(fc.string(), value, { maxKeys: 40 }), fc.constantFrom(20, 80), (each, lineWidth) =>
      expectAlike(stringify(each, { lineWidth, blockQuote: lineWidth === 20 ? 'folded' : true })),
    ),
    { numRuns: 100 },
  );
});

const motif = '    provider: mock\n    system: plain words\n    policies: [words]\n';

test.each([
  { name: 'a folded text', entry: motif.replace('plain words', '>\n      plain\n      words') },
  { name: 'a literal text that keeps its end', entry: motif.replace('plain words', '|+\n      plain\n\n') },
  { name: 'a text that goes on in the next line', entry: motif.replace('plain', 'plain\n     ') },
  { name: 'an escape in quotes', entry: motif.replace('plain words', '"plain \\n words"') },
  { name: 'quotes over two lines', entry: motif.replace('plain words', '"plain\n      words"') },
  { name: 'a map in brackets over lines', entry: '    {\n      provider: mock, # why\n      users: [a]\n    }\n' },
  { name: 'anchors and aliases', entry: `${motif}    users: &one [a]\n    groups: *one\n` },
  { name: 'numbers in other forms', entry: `${motif}    top: 1e3\n` },
  { name: 'a list of many lines', entry: `    tokens:\n${'      - id: t1\n        team: >\n          a\n'.repeat(3)}` },
  { name: 'a mark of the beginning', head: '--- # a gateway\n' },
  { name: 'a byte order mark', head: '\ufeff' },
  { name: 'line ends of Windows', end: '\r\n' },
])('a file with $name is read in pieces of some entries', ({ entry = motif, head = '', end = '\n' }) => {
  const count = 200;
  const motifs = Array.from({ length: count }, (_, at) => `  m-${at}:\n${entry}`).join('');
  const work = readWholeYaml(`${head}motifs:\n${motifs}`.replaceAll('\n', end), 'a.yaml');
  let pieces = 0;
  let step = work.next();
  for (; step.done !== true; step = work.next()) pieces++;
  expect(step.value.faults).toEqual([]);
  expect(Object.keys((step.value.value as { readonly motifs: object }).motifs)).toHaveLength(count);
  // One for each entry that is made, and one for each whose values are read.
  expect(pieces).toBeGreaterThan(2 * count);
});

test.each([
  { name: 'a bracket that is not closed at its end', end: '  x: {\n' },
  { name: 'a tab', end: '\tx: 1\n' },
  { name: 'a placeholder without quotes', end: '  x: [${NAME}]\n' },
  { name: 'a quote too few in each entry', entry: '    system: "plain\n' },
  { name: 'a sign in each entry that begins no text', entry: '    system: @plain\n' },
])('a file with $name is read in pieces of some entries, too', ({ entry = motif, end = '' }) => {
  const count = 200;
  const motifs = Array.from({ length: count }, (_, at) => `  m-${at}:\n${entry}`).join('');
  const work = readWholeYaml(`motifs:\n${motifs}${end}`, 'a.yaml');
  let pieces = 0;
  let step = work.next();
  for (; step.done !== true; step = work.next()) pieces++;
  expect(step.value.faults).not.toEqual([]);
  expect(pieces).toBeGreaterThan(count / 2);
});

test('thousands of aliases are found by one look at the document', () => {
  const count = 9000;
  const text = `first: &one a\n${Array.from({ length: count }, (_, at) => `k${at}: *one\n`).join('')}`;
  const { value, faults } = atOnce(readWholeYaml(text, 'a.yaml'));
  expect(faults).toEqual([]);
  expect(new Set(Object.values(value as object))).toEqual(new Set(['a']));
});
