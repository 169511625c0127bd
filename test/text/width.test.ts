import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clip, columnsOf, fold, wrap } from '../../src/text/width.ts';
import { anyText } from '../fixtures/any-text.ts';
import { runs } from '../support/runs.ts';

const layoutText = fc
  .array(
    fc.oneof(
      fc.string({ maxLength: 8 }),
      anyText(4),
      fc.constantFrom(
        ' ',
        '  ',
        '\t',
        '\n',
        '日本語',
        '、',
        '\u{1f469}\u{1f3fd}\u200d\u{1f680}',
        '\u{1f1e9}',
        'e\u0301',
        '\u200d',
        '\ufe0f',
      ),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

test.each([
  { text: '', columns: 0 },
  { text: 'plain', columns: 5 },
  { text: 'żółć', columns: 4 },
  { text: 'e\u0301', columns: 1 },
  { text: '日本語', columns: 6 },
  { text: 'ｱ', columns: 1 },
  { text: 'Ａ', columns: 2 },
  { text: '한국', columns: 4 },
  { text: '\u1112\u1161\u11ab', columns: 2 },
  { text: '\u{1f600}', columns: 2 },
  { text: '\u{1f469}\u{1f3fd}\u200d\u{1f680}', columns: 2 },
  { text: '\u{1f1e9}\u{1f1ea}', columns: 2 },
  { text: '\u2764', columns: 1 },
  { text: '\u2764\ufe0f', columns: 2 },
  { text: '1\ufe0f\u20e3', columns: 2 },
  { text: '…·─', columns: 3 },
  { text: 'ไทย', columns: 3 },
  { text: '\u0e01\u0e34', columns: 1 },
  { text: '\u{20000}', columns: 2 },
  { text: 'a\tb', columns: 10 },
])('$text takes $columns columns', ({ text, columns }) => {
  expect(columnsOf(text)).toBe(columns);
});

test.each([
  { name: 'nothing', text: '', columns: 10, lines: [''] },
  { name: 'what fits', text: 'two  words', columns: 10, lines: ['two  words'] },
  { name: 'at a blank', text: 'one two three', columns: 7, lines: ['one two', 'three'] },
  { name: 'several blanks at a break', text: 'one     two', columns: 5, lines: ['one', 'two'] },
  { name: 'an indent', text: '  one two', columns: 6, lines: ['  one', 'two'] },
  { name: 'lines of its own', text: 'one\n\ntwo', columns: 10, lines: ['one', '', 'two'] },
  { name: 'a long word', text: 'a abcdefgh b', columns: 3, lines: ['a', 'abc', 'def', 'gh', 'b'] },
  { name: 'Japanese', text: '日本語、日本語。', columns: 6, lines: ['日本', '語、日', '本語。'] },
  {
    name: 'an emoji, never inside',
    text: '\u{1f469}\u200d\u{1f680}\u{1f469}\u200d\u{1f680}',
    columns: 3,
    lines: ['\u{1f469}\u200d\u{1f680}', '\u{1f469}\u200d\u{1f680}'],
  },
  { name: 'wide characters on one column', text: '日本', columns: 1, lines: ['日', '本'] },
  { name: 'no columns at all', text: 'ab', columns: 0, lines: ['a', 'b'] },
])('wraps $name', ({ text, columns, lines }) => {
  expect(wrap(text, columns)).toEqual(lines);
});

test.each([
  { text: 'abc', columns: 3, clipped: 'abc' },
  { text: 'abcd', columns: 3, clipped: 'ab…' },
  { text: 'abcd', columns: 1, clipped: '…' },
  { text: 'abcd', columns: 0, clipped: '' },
  { text: '日本語', columns: 4, clipped: '日…' },
  { text: 'e\u0301e\u0301e\u0301', columns: 2, clipped: 'e\u0301…' },
])('$text in $columns columns is $clipped', ({ text, columns, clipped }) => {
  expect(clip(text, columns)).toBe(clipped);
});

test('wrapping loses nothing but blanks, and no line is longer than allowed', () => {
  fc.assert(
    fc.property(layoutText, fc.integer({ min: 2, max: 30 }), (text, columns) => {
      const lines = wrap(text, columns);
      for (const line of lines) expect(columnsOf(line)).toBeLessThanOrEqual(columns);
      expect(lines.join('').replaceAll(/[ \t]/g, '')).toBe(text.replaceAll(/[ \t\n]/g, ''));
    }),
    runs(5000),
  );
});

test('clipping keeps the beginning and the limit', () => {
  fc.assert(
    fc.property(layoutText, fc.integer({ min: 0, max: 30 }), (text, columns) => {
      const clipped = clip(text, columns);
      expect(columnsOf(clipped)).toBeLessThanOrEqual(columns);
      expect(text.startsWith(clipped.replace(/…$/, ''))).toBe(true);
    }),
    runs(5000),
  );
});

test.each([
  { line: 'motif: one two three', columns: 12, rows: ['motif: one', '  two three'] },
  { line: '  hint of words', columns: 10, rows: ['  hint of', '  words'] },
  {
    line: 'see https://gw.example/a/very/long/path now',
    columns: 10,
    rows: ['see', '  https://gw.example/a/very/long/path', '  now'],
  },
  { line: 'short', columns: 80, rows: ['short'] },
  { line: '', columns: 80, rows: [''] },
])('fold breaks between words alone: $line', ({ line, columns, rows }) => {
  expect(fold(line, columns, '  ').split('\n')).toEqual(rows);
});

test.each([
  { name: 'a command alone', line: '  motif check one.yaml --motif a', rows: ['  motif check one.yaml --motif a'] },
  {
    name: 'behind words that introduce it',
    line: 'written; next: motif check one.yaml --motif a; motif help ci',
    rows: ['written; next:', '  motif check one.yaml --motif a;', '  motif help ci'],
  },
  {
    name: 'one of two, and a bracket',
    line: 'unset A, or motif profile use NAME (all: motif profile list)',
    rows: ['unset A, or', '  motif profile use NAME', '  (all:', '  motif profile list)'],
  },
  {
    name: 'and what it does',
    line: 'motif admin rotate bot --user ana replaces t-1; motif check shows all',
    rows: ['motif admin rotate bot --user ana', '  replaces t-1;', '  motif check shows', '  all'],
  },
  {
    name: 'in quotes nothing ends it',
    line: `motif check 'a; b (1).yaml' "it's  so:" one\\' two; three four five`,
    rows: [`motif check 'a; b (1).yaml' "it's  so:" one\\' two;`, '  three four five'],
  },
  {
    name: 'a wide gap ends it',
    line: 'motif chat -c --demo -q      go on with the latest',
    rows: ['motif chat -c --demo -q', '  go on with the', '  latest'],
  },
  {
    name: 'in the middle of a sentence',
    line: 'the log of motif serve names one a minute',
    rows: ['the log of', '  motif serve names', '  one a minute'],
  },
  {
    name: 'a group of verbs',
    line: 'did you mean motif admin audit list?',
    rows: ['did you mean', '  motif admin audit list?'],
  },
  {
    name: 'variables for a shell',
    line: 'or export MOTIF_URL=https://a MOTIF_TOKEN=b',
    rows: ['or', '  export MOTIF_URL=https://a MOTIF_TOKEN=b'],
  },
  {
    name: 'a page of the manual in brackets',
    line: 'what counts is told there (motif help limits) too',
    rows: ['what counts is told', '  there', '  (motif help limits)', '  too'],
  },
  {
    name: 'flags, placeholders and files of one in a sentence',
    line: 'so does motif check -p bot --id ID one.yaml again',
    rows: ['so does', '  motif check -p bot --id ID one.yaml', '  again'],
  },
  {
    name: 'a quoted text of one in a sentence',
    line: 'see motif prompt "a b c d e f g" for that',
    rows: ['see', '  motif prompt "a b c d e f g"', '  for that'],
  },
  {
    name: 'a sentence ends it',
    line: 'say motif demo. It ends with motif help.',
    rows: ['say motif demo. It', '  ends with', '  motif help.'],
  },
  {
    name: 'the name in prose takes one word along',
    line: 'a place that motif never follows is told',
    rows: ['a place that', '  motif never', '  follows is told'],
  },
])('fold breaks no command: $name', ({ line, rows }) => {
  expect(fold(line, 20, '  ').split('\n')).toEqual(rows);
});

test('fold loses nothing but blanks, and each row that has room fits', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 12 })), fc.integer({ min: 0, max: 40 }), (words, columns) => {
      const line = words.join(' ').replaceAll('\n', '');
      const folded = fold(line, columns, '  ');
      expect(folded.replace(/[ \n]/g, '')).toBe(line.replaceAll(' ', ''));
      for (const row of folded.split('\n')) {
        if (row.trim().includes(' ')) expect(columnsOf(row)).toBeLessThanOrEqual(columns);
      }
    }),
  );
});
