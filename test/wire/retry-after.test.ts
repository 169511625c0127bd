import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseRetryAfter } from '../../src/wire/retry-after.ts';

const now = Date.UTC(2026, 10, 20, 12);

test.each([
  { header: undefined, ms: undefined },
  { header: '', ms: undefined },
  { header: ' ', ms: undefined },
  { header: '0', ms: 0 },
  { header: '120', ms: 120_000 },
  { header: ' 3 ', ms: 3000 },
  { header: '1000000000', ms: 1e12 },
  { header: 'Fri, 20 Nov 2026 12:00:30 GMT', ms: 30_000 },
  { header: 'Fri, 20 Nov 2026 11:00:00 GMT', ms: 0 },
  { header: 'Thu, 01 Jan 1970 00:00:00 GMT', ms: 0 },
  { header: 'Friday, 20-Nov-26 12:00:30 GMT', ms: 30_000 },
  { header: '-5', ms: undefined },
  { header: '+5', ms: undefined },
  { header: '1.5', ms: undefined },
  { header: '1e3', ms: undefined },
  { header: '0x10', ms: undefined },
  { header: 'abc', ms: undefined },
  { header: 'soon', ms: undefined },
  { header: '5, 7', ms: undefined },
  { header: '99999999999999999999999', ms: 2 ** 52 },
  { header: '9'.repeat(400), ms: 2 ** 52 },
  { header: 'Fri Nov 20 12:00:09 2026', ms: 9000 },
  { header: 'Fri Nov  6 12:00:09 2026', ms: 0 },
  { header: 'NaN', ms: undefined },
])('$header is $ms ms', ({ header, ms }) => {
  expect(parseRetryAfter(header, now)).toBe(ms);
});

test('any text is no time, or a time that is not negative', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.date().map(String), fc.integer().map(String)), (header) => {
      const ms = parseRetryAfter(header, now) ?? 0;
      expect(Number.isSafeInteger(ms) && ms >= 0).toBe(true);
    }),
  );
});
