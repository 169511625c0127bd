import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shorten } from '../../../src/documents/editing/nearby-entries.ts';
import { parseYaml } from '../../../src/documents/yaml.ts';
import type { YamlEdit } from '../../../src/documents/editing/edit.ts';
import { editYaml } from '../../../src/documents/editing/yaml-edit.ts';
import { runs } from '../../support/runs.ts';

const parse = (text: string): unknown => parseYaml(text, 'a.yaml').value;
const edited = (text: string, change: (edit: YamlEdit) => void) => editYaml(text, 1024 * 1024, change);

/** Forms in which a person may write an entry; `%` is its number. */
const forms: readonly string[] = [
  'bot-%:\n    provider: p\n    tokens:\n      - { id: t%, sha256: "0%" }   # of ana\n',
  '# about the next one\n\n  "bot-%":   # with its name in quotes\n    tokens: [{ id: t%, sha256: x }]\n    provider: p\n',
  "'bot-%':\n    system: |\n      motifs:\n        like-a-key: 1\n\n      # no comment\n    tokens:\n    - id: t%\n      sha256: y\n    - id: u%\n      sha256: z\n",
  'bot-%: { provider: p, users: [a, b ], tokens: [ {id: t%} ] }\n# at the edge\n\n',
  'bot-%:\n    provider: "p: q"\n    system: one\n      two\n\n      three\n    tokens:\n      - id: t%\n\n\n',
];
const filler = `    note: plain ${'word '.repeat(30)}\n`;

const fileOf = (kinds: readonly number[], end: string): string =>
  `# ours\nproviders: {p: { kind: mock }}\nmotifs:   # all of them\n${kinds
    .map((kind, at) => `  ${forms[kind]!.replaceAll('%', String(at))}`)
    .join('')
    .replaceAll(/^ {4}tokens:/gm, `${filler}    tokens:`)}${end}`;

const many = Array.from({ length: 200 }, (_, at) => (at * 7) % forms.length);
const ends = ['', 'groups: { a: [b] }   # behind\n', '# the end'];

/** The same edit among all entries: an anchor far from it has none left out. */
function editedWholly(text: string, change: (edit: YamlEdit) => void): string {
  return edited(anchored(text), change).replace('note: &a plain', 'note: plain');
}

function anchored(text: string): string {
  const at = text.indexOf('note: plain', text.length / 2);
  return `${text.slice(0, at)}note: &a plain${text.slice(at + 'note: plain'.length)}`;
}

const changes: readonly { readonly name: string; readonly of: (at: number) => (edit: YamlEdit) => void }[] = [
  {
    name: 'a new entry',
    of: (at) => (edit) => edit.set(['motifs', `new-${at}`], { provider: 'p', tokens: [{ id: 't' }] }),
  },
  { name: 'a new token', of: (at) => (edit) => edit.append(['motifs', `bot-${at}`, 'tokens'], { id: 'new' }) },
  {
    name: 'a new token, and an end of the one before',
    of: (at) => (edit) => {
      edit.append(['motifs', `bot-${at}`, 'tokens'], { id: 'new' });
      edit.set(['motifs', `bot-${at}`, 'tokens', 0, 'expires'], '2027-01-01');
    },
  },
  { name: 'a token less', of: (at) => (edit) => edit.remove(['motifs', `bot-${at}`, 'tokens', 0]) },
  { name: 'an entry less', of: (at) => (edit) => edit.remove(['motifs', `bot-${at}`]) },
  {
    name: 'a change of two entries',
    of: (at) => (edit) => {
      edit.set(['motifs', `bot-${at}`, 'provider'], 'other');
      edit.set(['motifs', `bot-${(at + 100) % 200}`, 'provider'], 'other');
    },
  },
];

describe.each(changes)('$name in a map of 200', ({ of }) => {
  test('is as it is where all entries are looked at', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(forms.length - 1), { minLength: 200, maxLength: 200 }),
        fc.nat(199),
        fc.constantFrom(...ends),
        fc.boolean(),
        (kinds, at, end, isCrlf) => {
          const text = fileOf(kinds, end).replaceAll('\n', isCrlf ? '\r\n' : '\n');
          const now = edited(text, of(at));
          expect(parse(now)).toEqual(parse(editedWholly(text, of(at))));
          // All lines but a few are as they were: those of the entry, and those that its neighbours share with it.
          const known = new Set(text.split('\n'));
          expect(now.split('\n').filter((line) => !known.has(line)).length).toBeLessThan(40);
        },
      ),
      runs(10),
    );
  });
});

describe.each(changes)('$name in a map of 200', ({ of }) => {
  test.each([0, 1, 2, 77, 197, 198, 199])(
    'at entry %i changes what it changes among all entries, byte for byte',
    (at) => {
      const text = fileOf(
        many.map(() => 0),
        ends[1]!,
      );
      expect(edited(text, of(at))).toBe(editedWholly(text, of(at)));
    },
  );
});

test('most of a text is left out, and put back as it was', () => {
  const text = fileOf(many, ends[1]!);
  const short = shorten(text, ['motifs', 'bot-77', 'tokens'], parse(text), parse)!;
  expect(short.text.length).toBeLessThan(text.length / 10);
  expect(short.holds(['motifs', 'bot-78'])).toBe(true);
  expect(short.holds(['motifs', 'bot-80'])).toBe(false);
  expect(short.restored(short.text)?.text).toBe(text);
});

test.each([
  { name: 'an anchor is in what would be left out', text: anchored(fileOf(many, '')) },
  { name: 'there are few entries', text: fileOf(many.slice(0, 30), '') },
  { name: 'the map is one of JSON', text: JSON.stringify(parse(fileOf(many, '')), null, 2) },
  {
    name: 'the section is on a line with its entries',
    text: `motifs: { ${many.map((_, at) => `b${at}: {}`).join(', ')} }`,
  },
])('nothing is left out where $name', ({ text }) => {
  expect(shorten(text, ['motifs', 'bot-77'], parse(text), parse)).toBeUndefined();
});

test('what cannot be put back is not', () => {
  const text = fileOf(many, '');
  const short = shorten(text, ['motifs', 'bot-77'], parse(text), parse)!;
  expect(short.restored(short.text.replaceAll('bot-76', 'bot-0a'))).toBeUndefined();
  expect(short.restored(short.text.replaceAll('bot-198', 'bot-99'))).toBeUndefined();
});
