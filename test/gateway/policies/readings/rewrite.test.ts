import { expect, test } from 'vitest';
import { Rewrite, viewAsSent } from '../../../../src/gateway/policies/readings/view.ts';

test.each([1, 4095, 4096, 4097, 10_000])('%i replaced parts lead back to their places', (count) => {
  const rewrite = new Rewrite(viewAsSent('a  b'.repeat(count)));
  for (let at = 0; at < count; at++) rewrite.replace(4 * at + 1, 4 * at + 3, '-');
  const view = rewrite.finish('without gaps')!;
  expect(view.text).toBe('a-b'.repeat(count));
  const places = Array.from({ length: count }, (_, at) => view.toSent({ start: 3 * at + 2, end: 3 * at + 3 }));
  expect(places).toEqual(Array.from({ length: count }, (_, at) => ({ start: 4 * at + 3, end: 4 * at + 4 })));
  const gaps = Array.from({ length: count }, (_, at) => view.toSent({ start: 3 * at + 1, end: 3 * at + 2 }));
  expect(gaps).toEqual(Array.from({ length: count }, (_, at) => ({ start: 4 * at + 1, end: 4 * at + 3 })));
});
