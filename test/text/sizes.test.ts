import { expect, test } from 'vitest';
import { counted, estimateTokens, formatSize, parseSize } from '../../src/text/sizes.ts';

test.each([
  { text: '512', bytes: 512 },
  { text: '512B', bytes: 512 },
  { text: '64KiB', bytes: 65_536 },
  { text: '1MiB', bytes: 1_048_576 },
  { text: '1.5mib', bytes: 1_572_864 },
  { text: '2GiB', bytes: 2_147_483_648 },
  { text: '10MB', bytes: 10_000_000 },
  { text: '10kb', bytes: 10_000 },
  { text: '0', bytes: 0 },
])('$text is $bytes bytes', ({ text, bytes }) => {
  expect(parseSize(text)).toBe(bytes);
});

test.each(['', '-1', '1 MiB', 'MiB', '1M', '1TiB', '1e6', '1.MiB', '0x10', '9'.repeat(400), '1MiB\n'])(
  '%j is no size',
  (text) => {
    expect(parseSize(text)).toBeUndefined();
  },
);

test.each([
  { bytes: 0, words: '0 bytes' },
  { bytes: 1, words: '1 byte' },
  { bytes: 1023, words: '1,023 bytes' },
  { bytes: 1024, words: '1 KiB' },
  { bytes: 1_572_864, words: '1.5 MiB' },
  { bytes: 1_048_575, words: '1 MiB' },
  { bytes: 16 * 1024 ** 2, words: '16 MiB' },
  { bytes: 3 * 1024 ** 3, words: '3 GiB' },
  { bytes: 5000 * 1024 ** 4, words: '5000 TiB' },
])('$bytes bytes are $words', ({ bytes, words }) => {
  expect(formatSize(bytes)).toBe(words);
});

test.each([
  { said: counted(0, 'turn'), is: '0 turns' },
  { said: counted(1, 'turn'), is: '1 turn' },
  { said: counted(2, 'turn'), is: '2 turns' },
  { said: counted(1, 'policy', 'policies'), is: '1 policy' },
  { said: counted(3, 'policy', 'policies'), is: '3 policies' },
])('$is', ({ said, is }) => {
  expect(said).toBe(is);
});

test.each([
  { text: '', tokens: 0 },
  { text: 'a', tokens: 1 },
  { text: 'four', tokens: 1 },
  { text: 'ééé', tokens: 2 },
])('$text is about $tokens tokens', ({ text, tokens }) => {
  expect(estimateTokens(text)).toBe(tokens);
});
