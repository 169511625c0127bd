import { expect, test } from 'vitest';
import { readDigitRows, rowSymbols } from '../../../../src/gateway/policies/readings/digit-rows.ts';
import { digitRunsOf, findNumberAreas } from '../../../../src/gateway/policies/readings/number-areas.ts';
import { entities } from '../../../../src/gateway/policies/rules/pii/entities.ts';

function rowsOf(text: string): string {
  let rows = '';
  readDigitRows(text, digitRunsOf(text), {
    add: (symbol) => (rows += rowSymbols[symbol]),
    end: () => (rows += ' '),
  });
  return rows.trimEnd();
}

test.each([
  { text: 'no figure', rows: '' },
  { text: '4539 1488-0343 6467', rows: 'dddd' },
  { text: 'on 2026-11-22, at noon, 4539148803436467', rows: 'BdbbB Dp' },
  { text: '12 figures here, 34 there, 56 there', rows: 'bG DbE EbE' },
  { text: '1'.repeat(40), rows: 'z' },
  { text: '(AB) 12 34 56 C', rows: 'BbbbA' },
  { text: 'RSSMRA85T10A562S', rows: 'FbAbAcA' },
  { text: 'a word     12     ab', rows: 'b' },
  { text: String.raw`and\nAB123456C`, rows: 'ZfA' },
  { text: String.raw`1 \n2`, rows: 'aZa' },
  { text: 'notifications 123', rows: 'Hc' },
  { text: '\uff11\uff12 4539 \u212a \u017f', rows: 'd' },
])('the rows of digits of "$text" are "$rows"', ({ text, rows }) => {
  expect(rowsOf(text)).toBe(rows);
});

test.each([
  '\u4eca\u65e5\u306f\u826f 4539 1488, 7',
  '\u043d\u043e\u043c\u0435\u0440 12:34 \u0438 \uff15 6',
  'a\u0301 1\ud8002',
])('the runs of digits of "%s" are where they stand in it', (text) => {
  expect(digitRunsOf(text)).toEqual(
    [...text.matchAll(/\d+/g)].flatMap(({ 0: run, index }) => [index, index + run.length]),
  );
});

test.each([
  { name: 'two parts', text: `on 2026-11-22 ${'word '.repeat(9)} 4539148803436467` },
  { name: 'a run that the end of a part cuts', text: `4539148803436467 ${'x'.repeat(10)} 7 1234 ${'word '.repeat(9)}` },
  {
    name: 'a run that the start of a part cuts',
    text: `${'word '.repeat(9)} 123 ${'x'.repeat(12)} 4539148803436467`,
  },
  { name: 'a moment, which is no part', text: 'at 2026-11-22 18:10:31,544 it was; then came 4539148803436467' },
])('$name: the runs of joined parts are those of the text', ({ text }) => {
  const runs = digitRunsOf(text);
  const areas = findNumberAreas(text, runs, { digitsMin: 6, withLettersMin: 4, gapMax: 5, margin: 14 });
  expect(areas?.text).not.toBe(undefined);
  expect(areas?.runsOf(runs)).toEqual(digitRunsOf(areas!.text));
});

const formsWithRuns = entities.flatMap(({ name, sample, forms }) =>
  forms.flatMap(({ pattern, runs, shape }) =>
    runs === undefined && shape === undefined ? [] : [{ name, sample, pattern, runs, shape }],
  ),
);
/** Lengths of groups of figures, as numbers of persons and of money are written. */
const groupings =
  '4 4 4 4|4 6 5|4 6 4|8 8|4 4 4 4 2|6 13|4 4 4|4 5 6|1 1 1 1 1 1 1 1 1 1 1 1 1|4 4 1|4 6 2|2 6 3|3 3 4|1 3 3 4|3 2 4|5 4|3 6|4 3 3|3 3 3|3 3 3 2|9 2|2 3 3 3|6 5|6 7|6 3|6 4|8 4|4 5 1|4 5 1 1|1 4 5 2 1|6 4 3|6 4 2 1|3 3 2 2|1 3 3 2 2|1 2 3 4|2 7|2 2 2|2 4|4 2'
    .split('|')
    .map((lengths) => lengths.split(' ').map(Number))
    .concat(Array.from({ length: 20 }, (_, index) => [index + 4]));
const signsBetween = [' ', '-', '.', '/', '_', ':', '  ', ' - ', ' / ', '\t', '\r\n  ', ') '];
const firstDigits = [
  '0123456789',
  '1512010203',
  '2345678901',
  '4012010512',
  '7101230405',
  '8406129999',
  '9121311234',
  '0612345678',
  '1985010112',
];

/** All groupings of such digits, with letters as some numbers have around them. */
function* groupedDigits(): Generator<string> {
  for (const lengths of groupings) {
    for (const sign of signsBetween) {
      for (const first of firstDigits) {
        let digits = first.repeat(6);
        const groups = lengths.map((length) => {
          const group = digits.slice(0, length);
          digits = digits.slice(length);
          return group;
        });
        const text = groups.join(sign);
        yield* [
          text,
          `DE ${text}`,
          `AB${text}C`,
          `(${text}`,
          `MORGA${text}SM9IJ`,
          `S${text}C`,
          `${text}Z`,
          `${text}A123`,
          `passport: ${text}`,
          `%B${text}^DOE`,
          `EUR${text}`,
          `${text}12/27`,
        ];
      }
    }
  }
}

test('a form that is told by its runs of digits matches nowhere else', () => {
  const matched = new Set<RegExp>();
  const missed: string[] = [];
  for (const text of [...groupedDigits(), '138 1234 5678', ...formsWithRuns.map(({ sample }) => sample)]) {
    const rows = rowsOf(`on ${text}, `);
    const digits = rows.replace(/[A-Z]/g, '');
    for (const { name, pattern, runs, shape } of formsWithRuns) {
      pattern.lastIndex = 0;
      if (!pattern.test(`on ${text}, `)) continue;
      matched.add(pattern);
      if (runs?.test(digits) === false || shape?.test(rows) === false) missed.push(`${name}: ${text}`);
    }
  }
  expect(missed).toEqual([]);
  expect(
    formsWithRuns
      .filter(({ pattern }) => !matched.has(pattern))
      .map(({ name, runs, shape }) => `${name} ${runs?.source ?? shape?.source}`),
  ).toEqual([]);
});

const spaced = [
  'AB 12 34 56 C',
  'MORGA 657054 SM9 IJ',
  '15 070649 C 103',
  'X 1234567 L',
  '1EG4-TE5-MK73',
  'S2740116C',
  'A200501505',
  'G123456(A)',
];

test.each([...signsBetween, '\\', ' \\ ', '\r\n  '])('a shape has its letters where "%s" parts them', (sign) => {
  const missed: string[] = [];
  for (const parts of spaced) {
    for (const text of [parts.replaceAll(' ', sign), `and\\n${parts.replaceAll(' ', sign)}`, `\\${parts}\\`]) {
      const rows = rowsOf(text);
      for (const { name, pattern, shape } of formsWithRuns) {
        pattern.lastIndex = 0;
        if (shape !== undefined && pattern.test(text) && !shape.test(rows)) missed.push(`${name}: ${text}`);
      }
    }
  }
  expect(missed).toEqual([]);
});
