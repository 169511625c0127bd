import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseYaml } from '../../../src/documents/yaml.ts';
import type { YamlEdit } from '../../../src/documents/editing/edit.ts';
import { editYaml } from '../../../src/documents/editing/yaml-edit.ts';
import { runs } from '../../support/runs.ts';

const edited = (text: string, change: (edit: YamlEdit) => void) => editYaml(text, 1024 * 1024, change);
const valueOf = (text: string): unknown => JSON.parse(JSON.stringify(parseYaml(text, 'a.yaml').value));

const written = `# Our gateway. Ask ana before you change it.
tenant: acme-7f3a      # as the console shows it
listen: {host: 127.0.0.1,   port: 8080}

providers:
    azure:  { kind: azure }   # two blanks
    mock:   { kind: mock }

motifs:
    # the bot of the support desk
    support-bot:
        provider: "mock"
        policies: [no-pii,no-secrets]
        system: |
          long
            text

        tokens: # do not share
            - { id: t1, sha256: 'ab' }   # ana's laptop
            - id: t2
              sha256: cd   # the build server

    other: { provider: mock }
# the end
`;

/** Lines that are in one text and not in the other. */
function difference(one: string, other: string): string[] {
  const there = new Set(other.split('\n'));
  return one.split('\n').filter((line) => !there.has(line));
}

describe('an edit touches its own lines alone', () => {
  test.each<[string, (edit: YamlEdit) => void, string[], string[]]>([
    ['nothing', () => undefined, [], []],
    [
      'a new token',
      (edit) => edit.append(['motifs', 'support-bot', 'tokens'], { id: 't3' }),
      [],
      ['            - { id: t3 }'],
    ],
    [
      'a token less',
      (edit) => edit.remove(['motifs', 'support-bot', 'tokens', 0]),
      ["            - { id: t1, sha256: 'ab' }   # ana's laptop"],
      [],
    ],
    [
      'a value of a token',
      (edit) => edit.set(['motifs', 'support-bot', 'tokens', 1, 'sha256'], 'ef'),
      ['              sha256: cd   # the build server'],
      ['              sha256: ef   # the build server'],
    ],
    [
      'a new Motif',
      (edit) => edit.set(['motifs', 'new'], { provider: 'mock', policies: ['no-pii'] }),
      [],
      ['    new:', '        provider: mock', '        policies: [no-pii]'],
    ],
    [
      'the first token of a Motif on one line',
      (edit) => edit.append(['motifs', 'other', 'tokens'], { id: 't1' }),
      ['    other: { provider: mock }'],
      ['    other: { provider: mock, tokens: [{ id: t1 }] }'],
    ],
  ])('%s', (_name, change, gone, added) => {
    const text = edited(written, change);
    expect(difference(written, text)).toEqual(gone);
    expect(difference(text, written)).toEqual(added);
  });
});

/** Entries that are printed in other letters, or of which printing changes all columns. */
const odd: readonly string[] = [
  '  %:\n    system: "Gr\\u00fc\\u00dfe"\n    provider:   p\n',
  '  %:\n    policies: [a,b,]\n    provider:   p\n',
  '  %:\n    system: "one\n      two\n\n      three"\n    provider:   p\n',
  '  %:\n    # its\u2028name\n    provider:   p\n',
  '  %:\n    system: "a\tb"\n    provider:   p\n',
  '  %:\n    params: { seed: 0x1F,  top: .5 }\n    provider:   p\n',
  '  ? %\n  :\n    provider:   p\n',
  '  %:\n    users:\n    - ana\n    - bo\n    provider:   p\n',
  '  %: {\n    policies: [\n      a,\n    ],\n    provider:   p }\n',
];
const plain =
  '  bot:\n    provider:   p   # ours\n\n    tokens:\n      - id: t1\n        sha256:  "ab"\n      - id:  t2\n  next: { provider:   p }\n';

const smallEdits: readonly {
  readonly name: string;
  readonly change: (edit: YamlEdit) => void;
  readonly lines: number;
}[] = [
  { name: 'a new entry', change: (edit) => edit.set(['motifs', 'new'], { provider: 'p' }), lines: 2 },
  { name: 'a new key', change: (edit) => edit.set(['motifs', 'bot', 'tokens', 0, 'expires'], '2027-01-01'), lines: 1 },
  { name: 'a new token', change: (edit) => edit.append(['motifs', 'bot', 'tokens'], { id: 't3' }), lines: 1 },
  { name: 'a token less', change: (edit) => edit.remove(['motifs', 'bot', 'tokens', 0]), lines: 0 },
];

describe.each(smallEdits)('$name touches its own lines alone', ({ change, lines }) => {
  test.each(odd)('beside %j', (form) => {
    const text = `motifs:   # all\n${form.replace('%', 'a')}${plain}${form.replace('%', 'z')}  last: { provider:   p }\n`;
    const now = edited(text, change);
    expect(difference(now, text)).toHaveLength(lines);
    expect(difference(text, now).filter((line) => !/^ {6}- id: t1$|^ {8}sha256:/.test(line))).toEqual([]);
  });

  test('and all that stands far from it, whatever stands there', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(odd.length - 1), { maxLength: 12 }),
        fc.nat(12),
        fc.boolean(),
        (kinds, at, isCrlf) => {
          const forms = kinds.map((kind, index) => odd[kind]!.replace('%', `m${index}`));
          const before = forms.slice(0, at).join('');
          const behind = forms.slice(at).join('');
          const lineEnd = isCrlf ? '\r\n' : '\n';
          const text = `motifs:\n${before}${plain}${behind}  last: { provider:   p }\n`.replaceAll('\n', lineEnd);
          const now = edited(text, change);
          expect(now.startsWith(text.slice(0, text.indexOf('  bot:')))).toBe(true);
          expect(now).toContain(text.slice(text.indexOf('  next:')).trimEnd());
        },
      ),
      runs(200),
    );
  });
});

/** Each edit with the lines that go and those that come, in lists and maps as people write them. */
test.each<[string, string, (edit: YamlEdit) => void, string]>([
  [
    'a value, and the blanks before it stay',
    'a:\n    b:\n      c:   "\\u00fc"\n      d:   [{ id: t1 }]   # d\n',
    (edit) => edit.set(['a', 'b', 'd'], []),
    'a:\n    b:\n      c:   "\\u00fc"\n      d:   []   # d\n',
  ],
  ['the only item', 'a: # all\n  - b # x\n# end\n', (edit) => edit.remove(['a', 0]), 'a: [] # all\n# end\n'],
  [
    'the only items of two lists at the columns of their keys',
    'a:\n  b: # all\n  - id: t\n\n    end: e\n  c:\n  - id: t\n',
    (edit) => {
      edit.remove(['a', 'c', 0]);
      edit.remove(['a', 'b', 0]);
      edit.set(['a', 'd'], 'x');
    },
    'a:\n  b: [] # all\n  c: []\n  d: x\n',
  ],
  ['the first item after none', 'a: [] # all\nb: c\n', (edit) => edit.append(['a'], 'x'), 'a: # all\n  - x\nb: c\n'],
  [
    'an item below its hyphen',
    'a:\n  # one\n  - b\n  # two\n  -\n    # within\n    id: t\n    # still\n\n  # three\n  - c\n',
    (edit) => edit.remove(['a', 1]),
    'a:\n  # one\n  - b\n  # two\n\n  # three\n  - c\n',
  ],
  [
    'an item of brackets on several lines',
    'a: [ # all\n    {b: 1}, # one\n    {b: 2}, # two\n  ]\n',
    (edit) => edit.remove(['a', 0]),
    'a: [ # all\n    {b: 2}, # two\n  ]\n',
  ],
  [
    'an item behind the last one in brackets, which keeps its remark',
    'a: [\n    {b: 1}, # one\n    {b: 2} # two\n  ]\n',
    (edit) => edit.append(['a'], { b: 3 }),
    'a: [\n    {b: 1}, # one\n    {b: 2}, # two\n    {b: 3}\n  ]\n',
  ],
  [
    'an item of brackets on one line',
    'a:   [{b: 1},{b: 2},]\nc:  d\n',
    (edit) => edit.remove(['a', 1]),
    'a:   [{b: 1},]\nc:  d\n',
  ],
  ['a text in a block', 'a:\n  b: |\n    x\n  c:   d', (edit) => edit.set(['a', 'b'], 'y'), 'a:\n  b: y\n  c:   d'],
  ['a list in a block', 'a:\n  - {b:  1}\n  - 2\nc:  d\n', (edit) => edit.set(['a'], []), 'a: []\nc:  d\n'],
  ['a key at the end', 'a:   b\n# end', (edit) => edit.set(['c', 'd'], 1), 'a:   b\nc:\n  d: 1\n# end'],
  [
    'a key behind a hyphen',
    'a:\n  - b:  1\n  - 2\n',
    (edit) => edit.set(['a', 0, 'c'], 'x'),
    'a:\n  - b:  1\n    c: x\n  - 2\n',
  ],
])('%s', (_name, text, change, wanted) => {
  expect(edited(text, change)).toBe(wanted);
  expect(edited(text.replaceAll('\n', '\r\n'), change)).toBe(wanted.replaceAll('\n', '\r\n'));
});

test('a value that others are by their aliases is not changed for them', () => {
  const text = 'a: { end: &e 2027-01-01 }\nb: { end: *e }\n';
  expect(() => edited(text, (edit) => edit.set(['a', 'end'], '2026-01-01'))).toThrow('another part of the file is *e');
  const alone = text.replace('*e', 'x');
  expect(edited(alone, (edit) => edit.set(['a', 'end'], '2026'))).toBe(alone.replace('2027-01-01', '"2026"'));
});

test('what is written can always be read again as it was meant', () => {
  const word = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.constantFrom('no', '123', '1e5', 'a: b', '# x', '2026-11-20', '{', ''),
  );
  fc.assert(
    fc.property(
      fc.dictionary(word, word, { maxKeys: 4 }),
      fc.constantFrom(written, '{}', 'motifs: {}', 'motifs:\n  a: {x: 1}\n', '# only\n'),
      (value, text) => {
        const before = (valueOf(text) ?? {}) as { readonly motifs?: object };
        const after = edited(text, (edit) => edit.set(['motifs', 'new'], value));
        expect(valueOf(after)).toEqual({
          ...before,
          motifs: { ...before.motifs, new: JSON.parse(JSON.stringify(value)) as unknown },
        });
      },
    ),
  );
});

test('an empty map opens up', () => {
  expect(edited('motifs: {}\n', (edit) => edit.set(['motifs', 'bot'], { provider: 'mock' }))).toBe(
    'motifs:\n  bot:\n    provider: mock\n',
  );
});

test('a list below its key stays there', () => {
  expect(edited('a:\n- b # x\n', (edit) => edit.append(['a'], 'c'))).toBe('a:\n- b # x\n- c\n');
});

/** Gateway files whose texts look like the file around them. */
const gatewayFile = fc
  .record({
    text: fc.constantFrom(
      'Dear team:\n  hello',
      'Error:\n      at x:\n        y',
      'tokens:\n- { id: x }',
      '[ a ]:\n b',
      'a\tb:\n\tc',
    ),
    indicator: fc.constantFrom('|', '|-', '|+', '|2'),
    policies: fc.constantFrom('[ a,b ]', '[a]   # ours', "['it''s']"),
    column: fc.constantFrom('    ', '      '),
    remark: fc.constantFrom('', '    # ours\n', '\n'),
    tail: fc.constantFrom('', '# the end\n', '\nnote:   { a: "b" }\n'),
    lineEnd: fc.constantFrom('\n', '\r\n'),
    isEnded: fc.boolean(),
  })
  .map(({ text, indicator, policies, column, remark, tail, lineEnd, isEnded }) => {
    const system = text.replaceAll(/^/gm, '      ');
    const tokens = `${column}- {id: t1,   sha256: x}\n${column}- id: t2   # two\n${column}  sha256: y\n`;
    const motif = `    system: ${indicator}\n${system}\n    policies: ${policies}\n    tokens:\n${tokens}${remark}`;
    const whole = `motifs:\n  hr:\n    provider: m\n${motif}    model:   x\n${tail}`;
    return (isEnded ? whole : whole.replace(/\n+$/, '')).replaceAll('\n', lineEnd);
  });

test.each<[string, (edit: YamlEdit) => void, number]>([
  ['a new key of a token', (edit) => edit.set(['motifs', 'hr', 'tokens', 1, 'expires'], 'z'), 0],
  ['a new key of a token on one line', (edit) => edit.set(['motifs', 'hr', 'tokens', 0, 'expires'], 'z'), 1],
  ['a token less', (edit) => edit.remove(['motifs', 'hr', 'tokens', 0]), 1],
  ['a token more', (edit) => edit.append(['motifs', 'hr', 'tokens'], { id: 't3' }), 0],
  ['a new Motif', (edit) => edit.set(['motifs', 'new'], { provider: 'm', tokens: [{ id: 't3' }] }), 0],
])('%s leaves all other lines, whatever the texts look like', (_name, change, goneMax) => {
  fc.assert(
    fc.property(gatewayFile, (text) => {
      const after = edited(text, change);
      const gone = difference(text.replaceAll('\r', '').trimEnd(), after.replaceAll('\r', ''));
      expect(gone.length, JSON.stringify([text, after])).toBeLessThanOrEqual(goneMax);
      if (text.includes('\r\n')) expect(after).not.toMatch(/[^\r]\n/);
    }),
    { numRuns: 150 },
  );
});
