import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type JsonFault, parseJson } from '../../src/text/json.ts';
import { shapeOfJson } from '../../src/text/json-shape.ts';
import { runs } from '../support/runs.ts';

const faultOf = (text: string): JsonFault | undefined => {
  try {
    parseJson(text, { shape: shapeOfJson(text) });
    return undefined;
  } catch (fault) {
    return fault as JsonFault;
  }
};

/** The same, counted from the value. */
function counted(value: unknown): { values: number; keys: number; depth: number } {
  if (typeof value !== 'object' || value === null) return { values: 1, keys: 0, depth: 0 };
  const inner = Object.values(value).map(counted);
  return {
    values: 1 + inner.reduce((sum, { values }) => sum + values, 0),
    keys: inner.reduce((sum, { keys }) => sum + keys, Array.isArray(value) ? 0 : inner.length),
    depth: 1 + inner.reduce((most, { depth }) => Math.max(most, depth), 0),
  };
}

test('the shape of any JSON text is that of its value, however it is laid out, and it reads as without it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(undefined, 1, '\r\n\t'), (value, indent) => {
      const text = JSON.stringify(value, undefined, indent);
      const shape = shapeOfJson(text);
      expect(shape).toEqual(counted(JSON.parse(text)));
      expect(parseJson(text, { shape })).toEqual(parseJson(text));
    }),
    runs(200),
  );
});

test.each([
  { name: 'brackets, commas and colons in a string', text: String.raw`["[{,:\"]}", {"a:,": "\\"}]`, shape: [4, 1, 2] },
  { name: 'lists without anything', text: '[ [], {} , [ [ ] ] ]', shape: [5, 0, 3] },
  { name: 'a string without an end', text: '["a, b', shape: [2, 0, 1] },
])('$name', ({ text, shape: [values, keys, depth] }) => {
  expect(shapeOfJson(text)).toEqual({ values, keys, depth });
});

test.each([
  { name: 'a key that appears twice', text: '{"a":1,"b":{"a":1,"a":":"}}', says: 'the key "a" appears twice' },
  { name: 'one that is escaped', text: String.raw`{"a:":1,"a\u003a":2}`, says: 'the key "a:" appears twice' },
  { name: 'nesting beyond what is read', text: '['.repeat(100_000), says: 'nested deeper than 64 levels' },
  { name: 'a fault behind it', text: '{"a":1}}', says: 'the JSON ends before this "}"' },
])('$name is refused with a shape, too', ({ text, says }) => {
  expect(faultOf(text)).toMatchObject({ message: says });
});

test('counting stops at the first value too many', () => {
  expect(shapeOfJson(`[${'1,'.repeat(1000)}1]`, 10).values).toBe(11);
});
