import { expect, test } from 'vitest';
import { lookupLimit } from '../../src/world/lookup-limit.ts';

test.each([
  { limitMs: -5, options: 'timeout:1 attempts:1' },
  { limitMs: 200, options: 'timeout:1 attempts:1' },
  { limitMs: 1000, options: 'timeout:1 attempts:1' },
  { limitMs: 1500, options: 'timeout:1 attempts:2' },
  { limitMs: 3000, options: 'timeout:2 attempts:2' },
  { limitMs: 9999, options: 'timeout:5 attempts:2' },
  { limitMs: 10_000, options: undefined },
])('a resolver is asked for $limitMs ms with $options', ({ limitMs, options }) => {
  expect(lookupLimit(limitMs)).toBe(options);
});
