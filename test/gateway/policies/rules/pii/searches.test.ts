import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createExamination } from '../../../../../src/gateway/policies/rules/pii/examination.ts';
import { prepare } from '../../../../../src/gateway/policies/readings/prepare.ts';
import { entities } from '../../../../../src/gateway/policies/rules/pii/entities.ts';
import type { Entity } from '../../../../../src/gateway/policies/rules/pii/entity.ts';
import { bytesHeld } from '../../../../support/garbage.ts';

/** Tests that decide and do not only save time: of the length of a word of money, and of that of a message. */
const decides = ({ name, sample }: Entity) => name === 'crypto' || sample === '::1/128';

const anything = /(?:)/;
/** The same entities without what passes over most texts. */
const everywhere = entities.map(({ signs: _signs, ...entity }): Entity => {
  const { place } = entity;
  const forms = entity.forms.map(({ runs: _runs, shape: _shape, ...form }) => ({ ...form, needs: anything }));
  return { ...entity, forms, place: typeof place === 'object' && !decides(entity) ? { test: () => true } : place };
});

/** The findings, each once: two forms may match the same. */
function findings(chosen: readonly Entity[], text: string): ReadonlySet<string> {
  const prepared = prepare(text);
  const examine = createExamination(chosen)(prepared);
  const told = new Set<string>();
  for (const view of prepared.views.filter(({ isLetters }) => !isLetters))
    examine(view, ({ rule, start, length }, fault) => {
      if (fault === undefined) told.add(`${rule} ${start}+${length} ${view.seen}`);
    });
  return told;
}

const separators = [
  ' ',
  '  ',
  '-',
  '\\',
  '.',
  '/',
  '_',
  '|',
  '+',
  ':',
  '\n',
  '\r\n ',
  '',
  ' - ',
  ', ',
  '<',
  '=',
  '(',
  ')',
];
const separator = fc.constantFrom(...separators);

/** A sample with other figures, and other signs between its groups. */
const changed = fc
  .tuple(fc.constantFrom(...entities.map(({ sample }) => sample)), fc.array(separator), fc.array(fc.nat(9)))
  .map(([sample, signs, digits]) => {
    let at = 0;
    return sample.replace(/(?<=\d)[ ./-](?=\d)|\d/g, (one) => {
      const index = at++;
      if (!/\d/.test(one)) return signs[index % Math.max(1, signs.length)] ?? one;
      return String(digits[index] ?? one);
    });
  });
const mark = fc.constantFrom(
  '+49',
  '0049',
  'phone=+1+212+555+0142',
  '%B',
  '\\n',
  '\\nAB',
  '\\nMORGA',
  'IBAN',
  'DE89',
  '0x',
  'tb1',
  '48',
  'P<UTO',
  '<<<',
);
const word = fc.constantFrom(
  'SNOWDRIFT',
  'JMBCD',
  'AB',
  'ABCPD',
  'IBANDE',
  'C',
  'S',
  'Z',
  'pin',
  'card',
  'm',
  'A1B2C3D4E5F6G7H8J',
  'ABCDEFGH123456789',
  '12.5',
  'aabb.ccdd.eeff',
  'fe:dc:ba:ab:cd:ef',
  'ana@acme.example',
  'ana [at] acme [dot] example',
  'BIC: C**OB**AD**EF**F',
  'username: jdoe',
);

const texts = fc
  .array(fc.oneof(changed, separator, mark, word), { minLength: 1, maxLength: 7 })
  .map((pieces) => pieces.join(''));

test('property: what passes over a text or a form never passes over a finding', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(findings(entities, text)).toEqual(findings(everywhere, text));
    }),
    { numRuns: 600 },
  );
});

test('what is looked for from now on is found in rows of digits that were seen before', () => {
  const text = 'pay with 4539 1488 0343 6467 today';
  const cards = entities.filter(({ name }) => name === 'card');
  const later = cards.map((entity): Entity => {
    const forms = entity.forms.map((form) => ({
      ...form,
      ...(form.runs && { runs: new RegExp(`(?:${form.runs.source})`) }),
    }));
    return { ...entity, forms };
  });
  const found = findings(cards, text);
  expect(found.size).toBeGreaterThan(0);
  expect(findings(later, text)).toEqual(found);
});

test('twenty policies know the rows of digits together: each knew them by itself, in 1.7 MB', () => {
  const lines = Array.from({ length: 6_000 }, (_, at) =>
    Array.from(String((at * 7_919) % 100_000), (digit) => '1'.repeat(Number(digit) + 1)).join(' '),
  );
  const all = Array.from({ length: 20 }, () => createExamination(entities));
  const before = bytesHeld();
  for (let at = 0; at < lines.length; at += 60) {
    const prepared = prepare(lines.slice(at, at + 60).join('\n\n\n\n\n\n\n\n'));
    for (const create of all) create(prepared)(prepared.views[0]!, () => undefined);
  }
  expect(bytesHeld() - before).toBeLessThan(10e6);
});
