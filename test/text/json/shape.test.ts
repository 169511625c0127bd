import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type JsonFault, parseJson } from '../../../src/text/json/json.ts';
import { shapeOfJson } from '../../../src/text/json/shape.ts';
import { runs } from '../../support/runs.ts';

const faultOf = (text: string): JsonFault | undefined => {
  try {
    parseJson(text, { shape: shapeOfJson(text) });
    return undefined;
  } catch (fault) {
    return fault as JsonFault;
  }
};

/** The same, counted from the value. */
function counted(value: unknown): { values: number; keys: number; depth: number; cost: number } {
  if (typeof value !== 'object' || value === null) return { values: 1, keys: 0, depth: 0, cost: 1 / 8 };
  const inner = Object.values(value).map(counted);
  const own = Array.isArray(value) ? 0 : inner.length;
  return {
    values: 1 + inner.reduce((sum, { values }) => sum + values, 0),
    keys: inner.reduce((sum, { keys }) => sum + keys, own),
    cost: inner.reduce((sum, { cost }) => sum + cost, own + 1 / 4),
    depth: 1 + inner.reduce((most, { depth }) => Math.max(most, depth), 0),
  };
}

test('the shape of any JSON text is that of its value, however it is laid out, and it reads as without it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(undefined, 1, '\r\n\t'), (value, indent) => {
      const text = JSON.stringify(value, undefined, indent);
      const shape = shapeOfJson(text);
      expect(shape).toMatchObject(counted(JSON.parse(text)));
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
  expect(shapeOfJson(text)).toMatchObject({ values, keys, depth });
});

test.each([
  { name: 'a key that appears twice', text: '{"a":1,"b":{"a":1,"a":":"}}', says: 'the key "a" appears twice' },
  { name: 'one that is escaped', text: String.raw`{"a:":1,"a\u003a":2}`, says: 'the key "a:" appears twice' },
  { name: 'nesting beyond what is read', text: '['.repeat(100_000), says: 'nested deeper than 64 levels' },
  { name: 'a fault behind it', text: '{"a":1}}', says: 'the JSON ends before this "}"' },
])('$name is refused with a shape, too', ({ text, says }) => {
  expect(faultOf(text)).toMatchObject({ message: says });
});

test('counting stops where the value costs more than it may', () => {
  expect(shapeOfJson(`[${'1,'.repeat(1000)}1]`, 10)).toMatchObject({ values: 80, cost: 10 + 1 / 8 });
});

const largestBy = (text: string): unknown => shapeOfJson(text).largest;

test.each([
  { name: 'the first', text: '{"a":[1,2,3],"b":[4]}', largest: { name: 'a', cost: 1 + 5 / 8, entries: 3 } },
  { name: 'the last', text: '{"a":1,"b:,":[{},{"c":2}]}', largest: { name: 'b:,', cost: 2 + 6 / 8, entries: 2 } },
  { name: 'one with a long name', text: `{"${'k'.repeat(500)}":1}`, largest: { name: 'k'.repeat(99), entries: 1 } },
])('the largest field is $name', ({ text, largest }) => {
  expect(largestBy(text)).toMatchObject(largest);
});

test('a list has no field', () => {
  expect(largestBy('[{"a":1}]')).toBeUndefined();
});
