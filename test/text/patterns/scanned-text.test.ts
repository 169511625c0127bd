import { expect, test } from 'vitest';
import { forgetScannedTexts, oddUnitsOf, scannedText } from '../../../src/text/patterns/scanned-text.ts';

test.each([
  { name: 'none in printable ASCII, tabs and line ends', text: 'a ~\t\r\n', odd: '' },
  { name: 'a control character of ASCII', text: 'a\u0007b\u007f\u0007', odd: '\u0007\u007f' },
  {
    name: 'few in a long text, each once',
    text: `caf\u00e9 \u2013 th\u00e9\u0001${' tea'.repeat(40)}`,
    odd: '\u00e9\u2013\u0001',
  },
  { name: 'most of a text, each once', text: '\u4e2d\u6587 a\u0002\n\u4e2d', odd: '\u4e2d\u6587\u0002' },
  { name: 'both halves of a pair', text: '\u{1f600}', odd: '\ud83d\ude00' },
])('odd units: $name', ({ text, odd }) => {
  expect(oddUnitsOf(text)).toBe(odd);
  expect(oddUnitsOf(text), 'of a text that is kept').toBe(odd);
  forgetScannedTexts();
});

test('texts that are kept are not written over by more than fit into memory that is used again', () => {
  const one = scannedText(`a\u4e2d\u6587b${'\u4e2d'.repeat(500)}`);
  const read = () => [one.bytes.toString('latin1'), ...one.folded!.slice(0, 4), ...one.places!];
  const before = read();
  for (let index = 0; index < 200; index++) scannedText(`${index}${'\u6587'.repeat(600)}`);
  expect(read()).toEqual(before);
  expect(one.bytes.toString('latin1')).toBe('a\u00ffb\u00ff');
  forgetScannedTexts();
});
