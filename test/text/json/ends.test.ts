import fc from 'fast-check';
import { expect, test } from 'vitest';
import { endOfString, endOfValue } from '../../../src/text/json/ends.ts';

test.each([
  { name: 'a string', text: '"a"', end: 3 },
  { name: 'a string with an escaped quote', text: String.raw`"a\"b"`, end: 6 },
  { name: 'a string that ends with a backslash', text: String.raw`"a\\"`, end: 5 },
  { name: 'a number', text: '-1.5e+3', end: 7 },
  { name: 'a constant', text: 'null', end: 4 },
  { name: 'an empty list', text: '[]', end: 2 },
  { name: 'a map with brackets in its strings', text: '{"]}":["}"]}', end: 12 },
])('the value that begins at a place ends behind $name', ({ text, end }) => {
  for (const after of ['', ',1]', ' ', '}']) expect(endOfValue(`x${text}${after}`, 1)).toBe(1 + end);
});

test('every value ends where it was written, and so does every string', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom('', ', 2', ']', '}'), (json, after) => {
      expect(endOfValue(json + after, 0)).toBe(json.length);
      if (json.startsWith('"')) expect(endOfString(json + after, 0)).toBe(json.length);
    }),
  );
});

test('a string ends where it was written, however many escapes are in it and wherever they stand', () => {
  const parts = fc.array(
    fc.constantFrom('"', '\\', 'a', '\n', 'a'.repeat(29), 'a'.repeat(61), '\\'.repeat(31), '"'.repeat(17)),
  );
  fc.assert(
    fc.property(parts, fc.constantFrom('', '"', ',"a"', '\\"'), (words, after) => {
      const json = JSON.stringify(words.join(''));
      expect(endOfString(json + after, 0)).toBe(json.length);
    }),
    { numRuns: 1000 },
  );
});

test('a text that is cut off ends its last value', () => {
  for (const text of ['"abc', '"abc\\', '"abc\\"', `"${'a'.repeat(31)}\\`])
    expect(endOfString(text, 0)).toBe(text.length);
  expect(endOfValue('{"a":[1', 0)).toBe(7);
});
