import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPromptIds } from '../../src/gateway/prompt-id.ts';

const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));

test('the time and the random bits stand where the ULID specification has them', () => {
  const zeros = createPromptIds({ now: () => 1_469_918_176_385, random: (bytes) => new Uint8Array(bytes) });
  expect(zeros()).toBe('01ARYZ6S410000000000000000');
  const ones = createPromptIds({ now: () => 2 ** 48 - 1, random: (bytes) => new Uint8Array(bytes).fill(255) });
  expect(ones()).toBe('7ZZZZZZZZZZZZZZZZZZZZZZZZZ');
});

test('100,000 of one millisecond are all different', () => {
  const newId = createPromptIds({ now: () => 1, random });
  expect(new Set(Array.from({ length: 100_000 }, newId)).size).toBe(100_000);
});

test('they sort by time', () => {
  const moment = fc.integer({ min: 0, max: 2 ** 48 - 1 });
  fc.assert(
    fc.property(moment, moment, (one, other) => {
      const at = (now: number) => createPromptIds({ now: () => now, random })();
      fc.pre(one !== other);
      expect(at(one) < at(other)).toBe(one < other);
    }),
  );
});
