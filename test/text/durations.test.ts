import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatDuration, parseDuration, spellDuration } from '../../src/text/durations.ts';

test.each([
  { text: '500ms', ms: 500 },
  { text: '20s', ms: 20_000 },
  { text: '5m', ms: 300_000 },
  { text: '24h', ms: 86_400_000 },
  { text: '30d', ms: 2_592_000_000 },
  { text: '10', ms: 10_000 },
  { text: '0', ms: 0 },
  { text: '1.5s', ms: 1500 },
  { text: '0.25', ms: 250 },
  { text: '1.1s', ms: 1100 },
  { text: '0.0001s', ms: 1 },
])('$text is $ms ms', ({ text, ms }) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each([
  '',
  ' ',
  '-1',
  '+1',
  '1 s',
  ' 1s',
  '1s\n',
  '1.s',
  '.5s',
  '1e3',
  '0x10',
  's',
  '5min',
  '1m30s',
  '5M',
  'NaN',
  'Infinity',
  '٣s',
  '9'.repeat(400),
  '9007199254740993ms',
])('%j is no duration', (text) => {
  expect(parseDuration(text)).toBeUndefined();
});

test.each([
  { ms: 0, words: '0 ms' },
  { ms: 4.2, words: '4 ms' },
  { ms: 99.4, words: '99 ms' },
  { ms: 99.6, words: '0.1 s' },
  { ms: 812, words: '0.8 s' },
  { ms: 1000, words: '1 s' },
  { ms: 12_340, words: '12.3 s' },
  { ms: 59_949, words: '59.9 s' },
  { ms: 59_960, words: '1 m' },
  { ms: 125_000, words: '2 m 5 s' },
  { ms: 300_000, words: '5 m' },
  { ms: 3_599_900, words: '1 h' },
  { ms: 5_400_000, words: '1 h 30 m' },
  { ms: 86_400_000, words: '1 d' },
  { ms: 266_400_000, words: '3 d 2 h' },
  { ms: -5, words: '0 ms' },
])('$ms ms are $words', ({ ms, words }) => {
  expect(formatDuration(ms)).toBe(words);
});

test('a duration in any unit is read exactly', () => {
  const factors = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
  fc.assert(
    fc.property(fc.nat(), fc.constantFrom(...Object.entries(factors)), (amount, [unit, factor]) => {
      const ms = amount * factor;
      expect(parseDuration(`${amount}${unit}`)).toBe(Number.isSafeInteger(ms) ? ms : undefined);
    }),
  );
});

test.each([
  { ms: 300_000, text: '5m' },
  { ms: 90_000, text: '90s' },
  { ms: 1500, text: '1500ms' },
  { ms: 86_400_000, text: '1d' },
])('$ms ms is spelled $text', ({ ms, text }) => {
  expect(spellDuration(ms)).toBe(text);
});

test('what is spelled is read back exactly', () => {
  fc.assert(fc.property(fc.nat(), (ms) => parseDuration(spellDuration(ms)) === ms));
});
