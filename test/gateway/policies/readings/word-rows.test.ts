import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WordRows } from '../../../../src/gateway/policies/readings/word-rows.ts';
import { runs } from '../../../support/runs.ts';

const words = ['o', 'six', 'zéro', 'three', 'kilo'];
const rows = new WordRows(words, ' ,-', 5);
const word = `(?:${words.join('|')})`;
const row = new RegExp(`(?<!\\p{L})(?:${word}[ ,-]{1,3}){4}${word}(?!\\p{L})`, 'giu');

test('property: each row stands in one part, wherever it is and however its letters are written', () => {
  const written = fc.constantFrom(...words, 'O', '\u017fix', 'SIX', 'Z\u00c9RO', '\u212AILO');
  const one = fc.tuple(written, fc.constantFrom(' ', ' ', '-', ', ')).map((parts) => parts.join(''));
  const other = fc.constantFrom('the ', 'zero ', '7', '\u00e9 ', 'threes ', '.');
  const pieces = fc.array(fc.oneof({ weight: 7, arbitrary: one }, { weight: 1, arbitrary: other }), { maxLength: 24 });
  let count = 0;
  fc.assert(
    fc.property(pieces, (some) => {
      const text = some.join('');
      const parts = rows.partsOf(text);
      for (const { 0: found, index } of text.matchAll(row)) {
        count++;
        const isInside = parts.some(({ start, end }) => start <= index && index + found.length <= end);
        expect(isInside, found).toBe(true);
      }
    }),
    runs(3_000),
  );
  expect(count).toBeGreaterThan(30);
});

test.each([
  { name: 'one word', text: 'The kettle boils within three minutes and can be returned.', parts: [] },
  { name: 'words in sentences', text: 'Three of us had six, the other three had kilos of them.', parts: [] },
  { name: 'a row in a sentence', text: 'It is three o six kilo o, or so.', parts: [' three o six kilo o, o'] },
  { name: 'two rows', text: 'o o o o o; six six six o o', parts: ['o o o o o', ' six six six o o'] },
  { name: 'the shortest row', text: 'o o o o o', parts: ['o o o o o'] },
  { name: 'less than a row', text: 'o o o o', parts: [] },
  { name: 'no text', text: '', parts: [] },
])('$name: $parts', ({ text, parts }) => {
  expect(rows.partsOf(text).map(({ start, end }) => text.slice(start, end))).toEqual(parts);
});
