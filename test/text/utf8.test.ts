import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeUtf8, Utf8Fault } from '../../src/text/utf8.ts';
import { anyText } from '../fixtures/any-text.ts';
import { runs } from '../support/runs.ts';

const bytes = (...parts: (string | number)[]) =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'number' ? [part] : Array.from(Buffer.from(part)))));

test.each([
  { name: 'nothing', input: bytes(), text: '' },
  { name: 'ASCII', input: bytes('hello\r\n'), text: 'hello\r\n' },
  { name: 'all lengths of character', input: bytes('aé€\u{1f600}'), text: 'aé€\u{1f600}' },
  { name: 'a byte order mark', input: bytes(0xef, 0xbb, 0xbf, 'hello'), text: 'hello' },
  {
    name: 'two byte order marks, of which one is text',
    input: bytes(0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf, 'x'),
    text: '\ufeffx',
  },
  { name: 'the last character there is', input: bytes(0xf4, 0x8f, 0xbf, 0xbf), text: '\u{10ffff}' },
])('$name is read', ({ input, text }) => {
  expect(decodeUtf8(input)).toBe(text);
});

test.each([
  { name: 'Latin-1', input: bytes('caf', 0xe9, ' noir'), says: 'is not UTF-8: byte 4 is 0xe9' },
  { name: 'a byte that begins nothing', input: bytes('a', 0xff), says: 'is not UTF-8: byte 2 is 0xff' },
  { name: 'a stray continuation', input: bytes('é', 0x80), says: 'is not UTF-8: byte 3 is 0x80' },
  { name: 'an overlong slash', input: bytes(0xc0, 0xaf), says: 'is not UTF-8: byte 1 is 0xc0' },
  { name: 'an overlong slash in three', input: bytes(0xe0, 0x80, 0xaf), says: 'is not UTF-8: byte 1 is 0xe0' },
  { name: 'a surrogate', input: bytes('ab', 0xed, 0xa0, 0x80), says: 'is not UTF-8: byte 3 is 0xed' },
  { name: 'more than Unicode has', input: bytes(0xf4, 0x90, 0x80, 0x80), says: 'is not UTF-8: byte 1 is 0xf4' },
  {
    name: 'a cut character',
    input: bytes('ab', 0xf0, 0x9f, 0x98),
    says: 'is not UTF-8: it ends in the middle of a character',
  },
  { name: 'NUL', input: bytes('ab\0c'), says: 'is binary: a NUL byte at 3' },
  { name: 'two NULs', input: bytes(0, 0), says: 'is binary: a NUL byte at 1' },
  {
    name: 'UTF-16, little end first',
    input: bytes(0xff, 0xfe, 'h', 0, 'i', 0),
    says: 'is UTF-16, save it as UTF-8',
    encoding: 'utf-16',
  },
  {
    name: 'UTF-16, big end first',
    input: bytes(0xfe, 0xff, 0, 'h', 0, 'i'),
    says: 'is UTF-16, save it as UTF-8',
    encoding: 'utf-16',
  },
  {
    name: 'UTF-16 without a mark',
    input: bytes('h', 0, 'i', 0),
    says: 'is UTF-16, save it as UTF-8',
    encoding: 'utf-16le',
  },
  {
    name: 'UTF-16 without a mark, big end first',
    input: bytes(0, 'h', 0, 'i'),
    says: 'is UTF-16, save it as UTF-8',
    encoding: 'utf-16be',
  },
])('$name $says', ({ input, says, encoding }) => {
  expect(() => decodeUtf8(input)).toThrow(new Utf8Fault(says, encoding));
});

test('any text comes back, and any bytes are read exactly or refused with a place', () => {
  fc.assert(
    fc.property(anyText(12), fc.uint8Array({ maxLength: 12 }), (text, noise) => {
      const tame = text.replaceAll(/[\0\p{Cs}]/gu, '').replace(/^\ufeff/, '');
      expect(decodeUtf8(Buffer.from(tame))).toBe(tame);
      const input = bytes('text ', ...noise);
      try {
        expect(bytes(decodeUtf8(input))).toEqual(input);
      } catch (error) {
        if (!(error instanceof Utf8Fault)) throw error;
        expect(error.message).toMatch(/^is (not UTF-8: (byte \d+ is 0x[0-9a-f]{2}|it ends)|binary|UTF-16)/);
      }
    }),
    runs(20_000),
  );
});

test('the byte that is named is the first that cannot be read', () => {
  fc.assert(
    fc.property(fc.uint8Array({ min: 1, maxLength: 8 }), (noise) => {
      const input = bytes('text ', ...noise);
      let place: RegExpExecArray | null = null;
      try {
        decodeUtf8(input);
      } catch (error) {
        place = /byte (\d+) is/.exec((error as Utf8Fault).message);
      }
      fc.pre(place !== null);
      const at = Number(place![1]) - 1;
      expect(() => decodeUtf8(input.slice(0, at))).not.toThrow();
      expect(() => decodeUtf8(input.slice(0, at + 4))).toThrow(Utf8Fault);
    }),
    runs(2000),
  );
});
