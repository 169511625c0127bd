import { describe, expect, test } from 'vitest';
import { secretRules } from '../../src/gateway/policies/kinds/secrets.ts';
import { termsOf } from '../../src/gateway/knowledge/terms.ts';
import { entities } from '../../src/gateway/policies/rules/pii/entities.ts';
import { attackSigns } from '../../src/gateway/policies/rules/signs/signs.ts';
import { bestCpuMs } from '../support/best-cpu-ms.ts';
import { policy, verdict } from '../support/rooms/policies.ts';
import { filled } from '../support/rooms/samples.ts';

/** The goal for any text of 10 kB, in milliseconds. */
const msMax = 50;

/** Each can be the end of one part of a pattern, or the beginning of the next. */
const units = [
  '-',
  ' ',
  '\n',
  '_',
  ',',
  '/',
  '.',
  ':',
  "'",
  '"',
  '=',
  '1',
  '1 ',
  'a',
  'a ',
  'a-',
  '-a',
  '_a',
  ', a',
  'all ',
];

/** A sample up to some word or sign, with one unit many times instead of the rest. */
function repeatsIn(sample: string, characters: number): readonly string[] {
  const places = new Set([...sample.matchAll(/\b|(?<=\s)|$/g)].map(({ index }) => index));
  return [...places].flatMap((at) =>
    units.map((unit) => `${sample.slice(0, at)}${unit.repeat(characters / unit.length)}!`),
  );
}

/** A pattern that can read the same characters in two ways tries each of all the ways to read a row of them. */
describe.each([
  // Longer texts are not looked at for signs.
  { kind: 'injection', samples: attackSigns.map(({ sample }) => sample), sizes: [24, 36, 54, 81, 440] },
  { kind: 'secrets', samples: secretRules.map(({ sample }) => filled(sample)), sizes: [36, 81, 9_000] },
  { kind: 'pii', samples: entities.map(({ sample }) => sample), sizes: [36, 81, 9_000] },
])('a sample of $kind takes no longer to judge where it ends in repeats', ({ kind, samples, sizes }) => {
  const one = [policy(kind)];
  // The shorter ones first: the longer ones of a pattern that fails would take for ever.
  test.each(samples.map((sample) => ({ sample })))('$sample', ({ sample }) => {
    for (const size of sizes)
      for (const text of repeatsIn(sample, size))
        expect(
          bestCpuMs(() => verdict(one, text), msMax),
          text,
        ).toBeLessThan(msMax);
  });
});

/** Of each sort that Unicode puts in order before others. */
const marks = ['\u0301', '\u0316', '\u0345', '\u0334'];

test.each([
  ...units,
  ...marks,
  marks.join(''),
  ...marks.map((mark) => `${mark}${'\u0301'.repeat(200)}`),
  '\ufdfa',
  '\u9879',
  '\u0e01\u0e31',
  '\uff9e\u0301',
])('a question of "%s" is read in a few milliseconds', (unit) => {
  const question = `a${unit.repeat(8000)}`;
  const rows = `a${marks.map((mark) => mark.repeat(2000)).join('')}${unit}`;
  for (const text of [question, rows])
    expect(
      bestCpuMs(() => termsOf(text, 8000), 10),
      text,
    ).toBeLessThan(10);
});
