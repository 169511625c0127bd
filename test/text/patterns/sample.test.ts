import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampleOfPattern } from '../../../src/text/patterns/sample.ts';
import { compilePattern } from '../../../src/text/patterns/pattern.ts';

test.each([
  { source: String.raw`\bEMP-\d{3}\b`, sample: 'EMP-444' },
  { source: 'x-[0-9]+', sample: 'x-4' },
  { source: 'project (falcon|eagle)s?', sample: 'project falcon' },
  { source: '(?i)^internal only$', sample: 'internal only' },
  { source: String.raw`(?:[A-Z]{2}){2}\.[^a-z]`, sample: 'AAAA.4' },
  { source: '[[:digit:]]x*', sample: '4' },
  { source: String.raw`a.b\s`, sample: 'axb ' },
])('$source matches $sample', ({ source, sample }) => {
  expect(sampleOfPattern(source)).toBe(sample);
  expect(compilePattern(source).test(sample)).toBe(true);
});

test.each([
  String.raw`\p{Greek}x`,
  String.raw`\Qa.b\E`,
  String.raw`x\x41`,
  '[\u0430-\u044f]',
  'x*',
  '(?:(?:a{100}){100})',
])('none is known for %s', (source) => expect(sampleOfPattern(source)).toBeUndefined());

test('any text is read or given up, never thrown at', () => {
  const part = fc.constantFrom('a', '(', ')', '[', ']', '^', '|', '*', '{2}', '\\', 'd', '?', '(?i)', '.', '-');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const source = parts.join('');
      if (isPattern(source)) expect(typeof sampleOfPattern(source)).toMatch(/string|undefined/);
    }),
  );
});

function isPattern(source: string): boolean {
  try {
    compilePattern(source);
    return true;
  } catch {
    return false;
  }
}
