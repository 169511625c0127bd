import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toSearchable } from '../../src/text/searchable.ts';
import { timesTheCpuOf } from '../support/best-cpu-ms.ts';

test.each([
  ['Kettle', 'kettle'],
  ['Größe', 'große'],
  ['Cafe\u0301', 'cafe'],
  ['CAFÉ', 'cafe'],
  ['Żółć', 'zołc'],
  ['ﬁne Ａ１', 'fine a1'],
  ['Ελλάδα', 'ελλαδα'],
  ['ガス', 'カス'],
  ['한국어', '한국어'],
  ['\u1112\u1161\u11ab', '한'],
  ['漢字', '漢字'],
  ['½ ª µ Æ ß ø × ÿ', '½ ª µ æ ß ø × y'],
  ['İstanbul', 'istanbul'],
])('%s is compared as %s', (text, plain) => {
  expect(toSearchable(text)).toBe(plain);
});

test('the table says of each character what is said of it in any other company', () => {
  for (let code = 0; code < 256; code += 1) {
    const character = String.fromCharCode(code);
    expect(`${toSearchable(character)}漢`).toBe(toSearchable(`${character}漢`));
  }
});

test('lines stay lines, and doing it twice changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const plain = toSearchable(`a\n${text}\nb`);
      expect(plain.split('\n')).toHaveLength(text.split('\n').length + 2);
      expect(toSearchable(plain)).toBe(plain);
    }),
  );
});

test('a piece that is long, and more pieces than are remembered, are right all the same', () => {
  expect(toSearchable('é'.repeat(1000))).toBe('e'.repeat(1000));
  for (let code = 0xc0; code < 0x1fff; code += 1) toSearchable(`${String.fromCharCode(code)}é`);
  expect(toSearchable('ÀÉÎ')).toBe('aei');
});

test.each(['\u0301\u0316', '\uff9e\u0301'])(
  'a run of the marks "%s" that is four times as long takes four times as long',
  (marks) => {
    const compare = (times: number) => () => expect(toSearchable(`a${marks.repeat(times)}`)).toBe('a');
    expect(timesTheCpuOf(compare(5_000), compare(20_000))).toBeLessThan(8);
  },
);
