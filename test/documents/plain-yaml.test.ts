import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { readPlainYaml } from '../../src/documents/plain-yaml.ts';
import { parseYaml, readWholeYaml } from '../../src/documents/yaml.ts';
import { atOnce } from '../../src/text/turns.ts';

/** The value of a text, the same from both parsers; undefined where the fast one leaves it to the whole one. */
function readBoth(text: string): unknown {
  const plain = atOnce(readPlainYaml(text, 64));
  if (plain === undefined) return undefined;
  const whole = atOnce(readWholeYaml(text, 'a.yaml'));
  expect(whole.faults, text).toEqual([]);
  expect(plain.value, text).toEqual(whole.value);
  const yaml = parseYaml(text, 'a.yaml');
  for (const path of pathsIn(whole.value)) expect(yaml.at(path), `${text}\n${path.join('/')}`).toEqual(whole.at(path));
  return JSON.parse(JSON.stringify(plain.value));
}

function pathsIn(value: unknown): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [];
  const steps: (string | number)[] = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return steps.flatMap((step) => {
    const inner = (value as Record<string | number, unknown>)[step];
    return [[step], ...pathsIn(inner).map((path) => [step, ...path])];
  });
}

test('the form of a gateway file is read the fast way', () => {
  const text = `# a remark
tenant: acme-7f3a   # another
listen: { host: 127.0.0.1, port: 8080, public_url: https://gw.acme.dev, tls: { cert: tls.crt, key: tls.key } }
providers:
  azure:  { kind: azure, api_version: "2025-04-01", key: "\${file:/run/secrets/azure}" }
knowledge:
  handbook: { files: docs/**/*.md, top: 4 }

motifs:
  support-bot:
    system: You answer for Acme support, kindly.
    temperature: 0.5
    empty:
    users: [ana, 'bo']
    policies:
    - no-pii
    - no-secrets
    tokens:
      - id: t1
        sha256: ${'ab'.repeat(32)}
        created: 2026-11-20
      - { id: t2, user: ana }
      - - x
        - y
`;
  expect(readBoth(text)).toMatchObject({
    tenant: 'acme-7f3a',
    knowledge: { handbook: { files: 'docs/**/*.md' } },
    motifs: {
      'support-bot': {
        empty: null,
        policies: ['no-pii', 'no-secrets'],
        tokens: [{ id: 't1' }, { id: 't2' }, ['x', 'y']],
      },
    },
  });
});

describe('what YAML would read in another way is left to it', () => {
  test.each([
    'a: b: c',
    'a:b',
    'a : b',
    '- ',
    'a: -',
    'a: - b',
    'a: [b',
    'a: {b}',
    'a: [b,,c]',
    'a: [b: c]',
    'a: {b: c',
    'a: "b\\n"',
    "a: 'it''s'",
    'a: "b" c',
    'a: "b"#c',
    'a: b\n  c',
    'a:\n  b\n',
    'a: |\n  b',
    'a: >\n  b',
    'a: &x b',
    'a: *x',
    'a: !x b',
    'a: ~',
    'a: null',
    'a: True',
    'a: 012',
    'a: 0x1f',
    'a: 1e3',
    'a: 1.',
    'a: .5',
    'a: -5',
    'a: +5',
    'a: .inf',
    'a: 1234567890123456',
    'a: 1\na: 2',
    '? a\n: b',
    '---\na: b',
    'a: b\n...',
    '%YAML 1.2\n---\na: b',
    'a:\tb',
    'a: b\r\n',
    '\ufeffa: b',
    'a: \u0085b',
    'a: b\n b: c',
    '  a: b\nc: d',
    '- a\nb: c',
    'a: @b',
    'a: `b`',
    '',
    '<<: {a: b}',
    'a: b #\u2028c',
    'a: {b: c, b: d}',
    '"a": "b"c',
    'a: [b]c',
    'a: {b: c}: d',
    'a:\n- b\n - c',
    'a: %b',
    '# only',
  ])('%j', (text) => {
    expect(atOnce(readPlainYaml(text, 64))).toBeUndefined();
  });

  test('and so is what is nested too deep', () => {
    expect(atOnce(readPlainYaml('[[[[x]]]]', 64))).toBeUndefined();
    expect(atOnce(readPlainYaml('a: [[[[x]]]]', 4))).toBeUndefined();
    expect(atOnce(readPlainYaml('a: [[[x]]]', 4))?.value).toEqual({ a: [[['x']]] });
  });
});

test('what is written by a YAML writer means the same', () => {
  const word = fc.oneof(
    fc.constantFrom(
      'no',
      'true',
      'null',
      '2026-11-20',
      '1.2.3',
      '0x1f',
      '1e5',
      '12',
      'a: b',
      'a #b',
      'a#b',
      '#a',
      'https://x/y',
      '-',
      '~',
      '',
    ),
    fc.string({ maxLength: 8 }),
    fc
      .array(fc.constantFrom('a', 'b ', ' c', '', '# d', 'e: f'), { minLength: 2, maxLength: 6 })
      .map((lines) => lines.join('\n')),
  );
  const { value } = fc.letrec((tie) => ({
    leaf: fc.oneof(word, fc.integer(), fc.double({ noNaN: true }), fc.boolean(), fc.constant(null)),
    value: fc.oneof(
      { maxDepth: 4 },
      tie('leaf'),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(word, tie('value'), { maxKeys: 3 }),
    ),
  }));
  const style = fc.record({
    indentSeq: fc.boolean(),
    indent: fc.integer({ min: 1, max: 4 }),
    lineWidth: fc.constantFrom(0, 40),
  });
  fc.assert(
    fc.property(value, style, fc.boolean(), (written, options, isFlow) => {
      readBoth(isFlow ? `a: ${JSON.stringify(written)}\n` : stringify({ a: written }, options));
    }),
    { numRuns: 500 },
  );
});

test('a literal keeps its lines', () => {
  const text = 'a:\n  b: |   # kept\n    one: 1\n\n      # two\n    three\n\n\n  c: |-\n   x\n  d: y\ne: |\n - z\n';
  expect(readBoth(text)).toEqual({ a: { b: 'one: 1\n\n  # two\nthree\n', c: 'x', d: 'y' }, e: '- z\n' });
});

test('what is put together of its own pieces means the same, or is left to YAML', () => {
  const piece = fc.constantFrom(
    'a',
    'b',
    '1',
    '"c"',
    "'d'",
    ': ',
    ':',
    '- ',
    '-',
    '\n',
    '\n  ',
    '\n    ',
    ' ',
    ', ',
    ',',
    '[',
    ']',
    '{',
    '}',
    '#',
    ' #',
    '?',
    '&',
    '*',
    '!',
    '|',
    '|\n    ',
    '|-\n  ',
    '>',
    '.',
    '0',
    'e',
    '=',
    '<',
    '\u00a0',
    'é',
    '😀',
  );
  let read = 0;
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      if (readBoth(pieces.join('')) !== undefined) read += 1;
    }),
    { numRuns: 5000 },
  );
  // Both read a few of a hundred; with none at all, nothing would have been compared.
  expect(read).toBeGreaterThan(0);
});

test.each([
  { name: 'on a line each', open: '', between: '\n', close: '\n' },
  { name: 'on one line', open: '{ ', between: ', ', close: ' }' },
])('the places of 100,000 values are found as soon as they are read, $name', ({ open, between, close }) => {
  const keys = Array.from({ length: 100_000 }, (_, at) => `key-${at}`);
  const text = `${open}${keys.map((key) => `${key}: 1`).join(between)}${close}`;
  const { at } = parseYaml(text, 'a.yaml', { bytesMax: text.length });
  const found = keys.map((key) => at([key]));
  const isOneLine = open !== '';
  const lines = isOneLine ? [1, 1] : [1, 100_000];
  expect([found[0]!.line, found.at(-1)!.line]).toEqual(lines);
  expect(at([keys[0]!])).toEqual(found[0]);
  expect(found.at(-1)!.column).toBe(isOneLine ? text.length - 2 : 'key-99999: 1'.length);
});

test('it is linear in hostile texts', () => {
  const texts = [' ', 'a ', 'a: ', 'a:', '#', ' #', '- ', '"', 'a: [', 'a: [b,', ': ', '\n', 'a\n'].map((part) =>
    part.repeat(50_000),
  );
  for (const text of texts) expect(atOnce(readPlainYaml(text, 64)), text.slice(0, 8)).toBeUndefined();
});
