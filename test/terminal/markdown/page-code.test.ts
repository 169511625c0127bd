import { expect, test } from 'vitest';
import { fitCode } from '../../../src/terminal/markdown/page-code.ts';

const short = ['motif serve          # the demo', 'motif chat'];

test.each([
  { name: 'what fits stays', lines: short, columns: 40, fitted: short },
  { name: 'comments move together', lines: short, columns: 23, fitted: ['motif serve  # the demo', 'motif chat'] },
  {
    name: 'comments go onto a line above',
    lines: ['a:', '  b: 1   # of Motifs', '  c: 22  # of tokens'],
    columns: 12,
    fitted: ['a:', '  # of Motifs', '  b: 1', '  # of tokens', '  c: 22'],
  },
  {
    name: 'what has no comment stays',
    lines: ['echo "a#b" is longer'],
    columns: 8,
    fitted: ['echo "a#b" is longer'],
  },
])('$name', ({ lines, columns, fitted }) => {
  expect(fitCode(lines, columns, false)).toEqual(fitted);
});

test('a row of a table in a transcript goes on below its last column, as long as there is room', () => {
  const rows = [
    '  ok   settings  https://gw.example, profile support-bot',
    '                 chmod 600 the file of settings',
  ];
  expect(fitCode(rows, 40, true)).toEqual([
    '  ok   settings  https://gw.example,',
    '                 profile support-bot',
    '                 chmod 600 the file of',
    '                 settings',
  ]);
  expect(fitCode(rows.slice(0, 1), 32, true)).toEqual([
    '  ok   settings',
    '       https://gw.example,',
    '       profile support-bot',
  ]);
});

test('a transcript is broken as on a terminal', () => {
  expect(fitCode(['motif: blocked by policy', '  more of it'], 16, true)).toEqual([
    'motif: blocked',
    '  by policy',
    '  more of it',
  ]);
});
