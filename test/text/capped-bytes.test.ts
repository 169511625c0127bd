import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CappedBytes } from '../../src/text/capped-bytes.ts';

test('holds what was added, in order, and never more than the cap', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), fc.nat(200), (chunks, bytesMax) => {
      const bytes = new CappedBytes(bytesMax);
      const kept: Uint8Array[] = [];
      for (const chunk of chunks) if (bytes.add(Buffer.from(chunk))) kept.push(chunk);
      const expected = Buffer.concat(kept);
      expect(bytes.length).toBe(expected.length);
      expect(bytes.length).toBeLessThanOrEqual(bytesMax);
      expect(Buffer.from(bytes.take())).toEqual(expected);
      expect([bytes.length, bytes.take().length]).toEqual([0, 0]);
    }),
  );
});

test('fills up to the last byte of the cap', () => {
  const bytes = new CappedBytes(3);
  expect([bytes.add(Buffer.from('ab')), bytes.add(Buffer.from('cd')), bytes.add(Buffer.from('c'))]).toEqual([
    true,
    false,
    true,
  ]);
  expect(Buffer.from(bytes.take()).toString()).toBe('abc');
});
