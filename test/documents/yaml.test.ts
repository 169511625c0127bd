import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { faultLine } from '../../src/documents/fault.ts';
import { parseYaml } from '../../src/documents/yaml.ts';
import { anyText } from '../fixtures/any-text.ts';

function valueOf(text: string): unknown {
  const { value, faults } = parseYaml(text, 'a.yaml');
  expect(faults).toEqual([]);
  return JSON.parse(JSON.stringify(value));
}

function faultsOf(text: string): string {
  return parseYaml(text, 'a.yaml').faults.map(faultLine).join('\n');
}

describe('what YAML is known for', () => {
  test('no, dates and versions are the texts they look like; a leading zero makes no octal', () => {
    expect(valueOf('a: no\nb: 2026-11-20\nc: 1.2.3\nd: 012\ne: 1_000\nf: "5"\ng: ~\nh: true')).toEqual({
      a: 'no',
      b: '2026-11-20',
      c: '1.2.3',
      d: 12,
      e: '1_000',
      f: '5',
      g: null,
      h: true,
    });
  });

  test.each([
    ['a tag that would be code', 'a: !!js/function x', /a.yaml:1:4: tags are not read/],
    ['a tag of its own', 'a: !thing x', /a.yaml:1:4: tags are not read: !thing/],
    ['bytes', 'a: !!binary aGk=', /a has the tag .*: tags are not read/],
    ['another version of YAML', '%YAML 1.1\n---\na: no', /a.yaml:1:1: directives are not read/],
    ['a second document', 'a: 1\n---\nb: 2', /a.yaml:2:1: a second document begins here/],
    ['a key twice', 'a: 1\nb: 2\na: 3', /a.yaml:3:1: a stands here for the second time/],
    ['a key twice, written in two ways', 'x:\n  a: 1\n  "a": 2', /a.yaml:3:3: x.a stands here for the second time/],
    ['a key that is a list', '? [a]\n: b', /a.yaml:1:3: a key has to be a text/],
    ['a merge key', '<<: 1\n<<: 2', /\["<<"\] stands here for the second time/],
    ['an alias of nothing', 'a: *x', /unresolved alias|a names a part with \*/],
    ['a circle', 'a: &x [*x]', /nested too deep/],
    ['a tab', 'a:\n\tb: 1', /a.yaml:2:1: /],
    ['no end', '{a: 1', /a.yaml:1:1: this bracket is not closed: \} is missing$/],
    ['a reserved sign', 'a: @b', /a.yaml:1:4: a value that begins with @ needs quotes$/],
  ])('%s is refused', (_name, text, words) => {
    expect(faultsOf(text)).toMatch(words);
  });

  test.each([
    [
      'before others that are deeper',
      'b:\n   name: x\n    provider: mock',
      'a.yaml:2:10: the next line, 3, is indented deeper than this one: begin both at the same column',
    ],
    [
      'with lines behind them',
      'b:\n   name: x\n    provider: mock\n    top: 1',
      'a.yaml:3:15: line 4 is taken as a part of this value, because a line above is indented less: mend that one first',
    ],
    [
      'with a second colon in it',
      'b:\n   name: x: y',
      'a.yaml:2:10: there is a second colon: put the text in quotes, or on a line of its own',
    ],
  ])('a line %s is named', (_name, text, words) => {
    expect(faultsOf(text).split('\n')).toContain(words);
  });

  test('a part may be named again', () => {
    expect(valueOf('a: &x [1, 2]\nb: *x')).toEqual({ a: [1, 2], b: [1, 2] });
  });

  test('a bomb of aliases ends as one fault', () => {
    const levels = Array.from(
      { length: 20 },
      (_, level) => `a${level + 1}: &a${level + 1} [${`*a${level},`.repeat(9)}]`,
    );
    expect(parseYaml(`a0: &a0 [x]\n${levels.join('\n')}`, 'a.yaml').faults).toHaveLength(1);
  });

  // Beyond some 15,000 levels the parser does not only fail: Node 20 itself may be ended by force.
  test.each([
    ['brackets', '['.repeat(250_000)],
    ['braces', '{a: '.repeat(60_000)],
    ['brackets on lines of their own', '[\n'.repeat(100_000)],
    ['dashes', '- '.repeat(100_000)],
    ['questions', '? '.repeat(100_000)],
    ['columns', Array.from({ length: 700 }, (_, column) => `${' '.repeat(column)}a:\n`).join('')],
  ])('nesting by %s is refused before it is parsed', (_name, text) => {
    expect(faultsOf(text)).toMatch(/nested too deep to be read/);
  });

  test('what is nested by hand is read', () => {
    const value = Array.from({ length: 60 }).reduce<unknown>((inner) => [inner], 'x');
    expect(valueOf(JSON.stringify(value))).toEqual(value);
    expect(faultsOf(JSON.stringify([[[[[value]]]]]))).toMatch(/is nested too deep/);
  });

  test('the size is judged first, in bytes', () => {
    expect(parseYaml('a: äää', 'a.yaml', { bytesMax: 8 }).faults.map(faultLine)).toEqual([
      'a.yaml:1:1: the file is larger than 8 bytes',
    ]);
    expect(faultsOf(`# ${'x'.repeat(256 * 1024)}`)).toMatch(/larger than 256 KiB/);
  });

  // The parser's own look for keys that stand twice would take minutes for these.
  test('100,000 keys are read', () => {
    const text = Array.from({ length: 100_000 }, (_, key) => `k${key}: 1\n`).join('');
    const { value, faults } = parseYaml(text, 'a.yaml', { bytesMax: 2 * 1024 * 1024 });
    expect(faults).toEqual([]);
    expect(Object.keys(value as object)).toHaveLength(100_000);
  });

  test('names of inherited members are keys like others', () => {
    const { value } = parseYaml('__proto__: 1\nconstructor: 2', 'a.yaml');
    expect(Object.entries(value as object)).toEqual([
      ['__proto__', 1],
      ['constructor', 2],
    ]);
  });
});

describe('where something stands', () => {
  const yaml = parseYaml('# ä\nlist:\n  - one\n  - { key: äö, next: 1 }\ntext: |\n  long\nnothing:\n', 'a.yaml');

  test.each([
    [['list'], '2:1'],
    [['list', 0], '3:5'],
    [['list', 1], '4:5'],
    [['list', 1, 'key'], '4:12'],
    [['list', 1, 'next'], '4:22'],
    [['list', 1, 'gone'], '4:5'],
    [['list', 9, 'gone'], '2:1'],
    [['text'], '5:1'],
    [['nothing'], '7:1'],
    [['gone', 'further'], '1:1'],
  ])('%j at %s', (path, place) => {
    const { line, column } = yaml.at(path);
    expect(`${line}:${column}`).toBe(place);
  });
});

test('any text is read or refused, never thrown at', () => {
  fc.assert(
    fc.property(anyText(200), (text) => {
      const { value, faults } = parseYaml(text, 'a.yaml');
      expect(value !== undefined || faults.length > 0).toBe(true);
      for (const { line, column } of faults) expect(Math.min(line, column)).toBeGreaterThan(0);
    }),
  );
});

test('JSON is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      expect(valueOf(JSON.stringify(value, null, 1))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test.each([
  {
    name: 'in a map of one line',
    text: 'a: { key: ${KEY} }\nb: 1\n',
    says: 'a.yaml:1:11: ${KEY} needs quotes here: "${KEY}"',
  },
  {
    name: 'twice, beside a fault of another kind',
    text: 'a: { x: ${A}, y: "${B}", z: ${C} }\nb: [1\n',
    says: [
      'a.yaml:1:9: ${A} needs quotes here: "${A}"',
      'a.yaml:1:29: ${C} needs quotes here: "${C}"',
      'a.yaml:2:4: this bracket is not closed: ] is missing before the end of the file',
    ].join('\n'),
  },
  { name: 'in JSON', text: '{"a": ${K}}', says: 'a.yaml:1:7: ${K} needs quotes here: "${K}"' },
])('a placeholder without quotes $name is one fault', ({ text, says }) => {
  expect(faultsOf(text)).toBe(says);
});

/** Terms of the YAML grammar, which a writer of gateway files need not know. */
const jargon = /flow|implicit|scalar|collection|mapping|token|node|indicator|compact/i;

test.each([
  { name: 'a bracket without its end', text: 'a: { b: 1\nc: 2\n' },
  { name: 'a list without its end', text: 'a: [1, 2\nc: 2\n' },
  { name: 'no comma', text: 'a: { b: "1" "2" }\n' },
  { name: 'two commas', text: 'a: [1,, 2]\n' },
  { name: 'a quote without its end', text: 'a: "b\nc: 1\n' },
  { name: 'another indentation', text: 'a:\n  b: 1\n c: 2\n' },
  { name: 'a colon in a text', text: 'a: b: c\n' },
  { name: 'a word without a colon', text: 'a: 1\nb\nc: 2\n' },
  { name: 'a list after a key', text: 'a: 1\n- b\n' },
  { name: 'a tab', text: 'a:\n\tb: 1\n' },
  { name: 'a sign that is kept for later', text: 'a: `b`\n' },
  { name: 'a list inside brackets', text: 'a: {\n  b:\n    - 1\n}\n' },
])('$name is told in plain words, once a spot', ({ text }) => {
  const { faults } = parseYaml(text, 'a.yaml');
  expect(faults.length).toBeGreaterThan(0);
  for (const { expected } of faults) expect(expected).not.toMatch(jargon);
  expect(new Set(faults.map(({ line, column }) => `${line}:${column}`)).size).toBe(faults.length);
});

test('a placeholder needs no quotes on a line of its own', () => {
  expect(valueOf('a:\n  key: ${KEY}\n')).toEqual({ a: { key: '${KEY}' } });
});

test.each([
  {
    name: 'a bracket with lines between',
    text: 'a: 1\ntenant: [x\n# a comment\n\nb: 2\nc: 3\n',
    says: '2:9: this bracket is not closed: ] is missing before line 5',
  },
  {
    name: 'a case of a suite, before cases that are in order',
    text: 'cases:\n  - { id: hi, prompt: Say hello\n  - id: b\n    prompt: x\n    tags: [a]\n',
    says: '2:5: this bracket is not closed: } is missing before line 3',
  },
  {
    name: 'one inside another',
    text: 'a: { b: [1, 2 }\nc: 1\n',
    says: '1:9: this bracket is not closed: ] is missing',
  },
  {
    name: 'two of their own',
    text: 'b: {c: 1\nd: [e\nf: 1\n',
    says: [
      '1:4: this bracket is not closed: } is missing before line 2',
      '2:4: this bracket is not closed: ] is missing before line 3',
    ].join('\n'),
  },
  {
    name: 'a quote in a bracket',
    text: 'a: [1, "x\nb: 2\n',
    says: '1:8: this quote is not closed: " is missing before the end of the file',
  },
  {
    name: 'behind a fault of its own',
    text: 'a: @b\nc: [1\nd: 2\n',
    says: [
      '1:4: a value that begins with @ needs quotes',
      '2:4: this bracket is not closed: ] is missing before line 3',
    ].join('\n'),
  },
])('what is not closed is told where it was opened, and nothing of what follows: $name', ({ text, says }) => {
  expect(faultsOf(text).replaceAll('a.yaml:', '')).toBe(says);
});

test('many brackets that are not closed are found in one pass over a large file', () => {
  const text = `${'a: [1\n'.repeat(20_000)}`;
  expect(faultsOf(text).split('\n').length).toBeLessThanOrEqual(101);
});
