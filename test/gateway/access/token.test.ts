import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashToken, newToken } from '../../../src/gateway/access/token.ts';
import { parseToken } from '../../../src/text/token-form.ts';

test('a token is 256 random bits with a prefix and a checksum, and only its hash is kept', () => {
  const { text, sha256 } = newToken();
  expect(text).toMatch(/^mtf_[0-9A-Za-z]{49}$/);
  expect(sha256).toBe(createHash('sha256').update(text).digest('hex'));
  expect(sha256).toBe(hashToken(text));
  expect(newToken().text).not.toBe(text);
});

test('every bit counts, and what comes out can be sent as it is', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.nat(255), (bytes, bit) => {
      const { text } = newToken(bytes);
      expect(text).toHaveLength(53);
      expect(parseToken(text).reveal()).toBe(text);
      const other = Uint8Array.from(bytes);
      other[bit >> 3]! ^= 1 << (bit & 7);
      expect(newToken(other).text.slice(0, 47)).not.toBe(text.slice(0, 47));
    }),
  );
});

test('the form is fixed: scanners know it', () => {
  expect(newToken(new Uint8Array(32).fill(255)).text).toBe('mtf_yhjskwdA6OZ1AL1YmHWZWm8LLG7HjnuCA2j5rOw8Xp10cwln6');
});
