import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasRun, UnitSort } from '../../../../src/gateway/policies/readings/unit-sort.ts';
import { runs } from '../../../support/runs.ts';

const digits = new UnitSort((character) => /\d/.test(character));

test('property: a run is seen wherever it stands, and nothing else is taken for one', () => {
  const text = fc.array(fc.constantFrom('1', '23', '4567', 'a', '\u00e9', ' '), { maxLength: 20 });
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 9 }), (parts, length) => {
      expect(hasRun(parts.join(''), length, digits)).toBe(new RegExp(`\\d{${length}}`).test(parts.join('')));
    }),
    runs(2_000),
  );
});
