import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseToken, TokenFault } from '../../src/text/token-form.ts';
import { anyText } from '../fixtures/any-text.ts';
import { runs } from '../support/runs.ts';

test.each([
  { name: 'as it is', text: 'mt_abc.DEF-123~+/=', token: 'mt_abc.DEF-123~+/=' },
  { name: 'with a line break after it', text: 'token\r\n', token: 'token' },
  { name: 'with blanks and a byte order mark around it', text: '\ufeff \t token \n', token: 'token' },
  { name: 'as long as allowed', text: 'x'.repeat(16_384), token: 'x'.repeat(16_384) },
])('a token $name is taken', ({ text, token }) => {
  expect(parseToken(text).reveal()).toBe(token);
});

test.each([
  { text: '', says: 'is empty' },
  { text: ' \n', says: 'is empty' },
  { text: 'abc\ndef', says: 'holds a line break' },
  { text: 'abc\rdef', says: 'holds a line break' },
  { text: 'Bearer abc', says: 'must come without "Bearer " before it' },
  { text: 'bearer\tabc', says: 'must come without "Bearer " before it' },
  { text: '"abc"', says: 'stands in quotes: take them off' },
  { text: "'abc'", says: 'stands in quotes: take them off' },
  { text: 'abc def', says: 'holds a space at position 4' },
  { text: 'abc\0def', says: 'holds a character outside printable ASCII at position 4' },
  { text: 'abc\tdef', says: 'holds a character outside printable ASCII at position 4' },
  { text: 'tokén', says: 'holds a character outside printable ASCII at position 4' },
  { text: 'abc\u200bdef', says: 'holds a character outside printable ASCII at position 4' },
  ...['MOTIF_TOKEN=', 'leak: '].map((before) => ({
    text: `${before}mtf_${'x'.repeat(49)}`,
    says: 'has other text beside it, such as NAME= before it: give the token alone',
  })),
  { text: 'x'.repeat(16_385), says: 'is longer than 16 KiB' },
])('a token that $says', ({ text, says }) => {
  expect(() => parseToken(text)).toThrow(new TokenFault(says));
});

test('whatever is typed, the token fits in a header or the fault is one of six that echo nothing', () => {
  fc.assert(
    fc.property(anyText(20), (text) => {
      try {
        expect(parseToken(text).reveal()).toMatch(/^[\x21-\x7e]{1,16384}$/);
      } catch (error) {
        expect(error).toBeInstanceOf(TokenFault);
        expect((error as TokenFault).message).toMatch(
          /^(is empty|stands in quotes: take them off|is longer than 16 KiB|holds a line break|holds (a space|a character outside printable ASCII) at position \d+)$/,
        );
      }
    }),
    runs(20_000),
  );
});
