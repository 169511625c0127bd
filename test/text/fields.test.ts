import { expect, test } from 'vitest';
import { isFields } from '../../src/text/fields.ts';

test.each([
  { json: '{}', is: true },
  { json: '{"a":1}', is: true },
  { json: '[]', is: false },
  { json: 'null', is: false },
  { json: '"{}"', is: false },
  { json: '1', is: false },
])('$json: $is', ({ json, is }) => {
  expect(isFields(JSON.parse(json))).toBe(is);
});
