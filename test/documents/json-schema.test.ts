import { expect, test } from 'vitest';
import { compileJsonSchema } from '../../src/documents/json-schema.ts';

/** Characters that a check pays for, for how many references that is enough, and what the text does not meet. */
function checked(schema: object, value: unknown) {
  let paid = 0;
  const unmet = compileJsonSchema(schema)(JSON.stringify(value), (characters) => void (paid += characters));
  return { unmet, paid, references: Math.floor(paid / 500) };
}

test.each([
  { where: 'by itself', schema: { $ref: '#/$defs/text' }, value: 'a', references: 1 },
  {
    where: 'in each entry',
    schema: { type: 'array', items: { $ref: '#/$defs/text' } },
    value: ['a', 'b', 'c'],
    references: 3,
  },
  {
    where: 'under a name that is a keyword elsewhere',
    schema: { type: 'object', properties: { enum: { $ref: '#/$defs/text' }, const: { $ref: '#/$defs/text' } } },
    value: { enum: 'a', const: 'b' },
    references: 2,
  },
  {
    where: 'in no branch that is taken',
    schema: { anyOf: [true, { $ref: '#/$defs/text' }] },
    value: 'a',
    references: 0,
  },
])('a reference $where is paid for each time that it is followed', ({ schema, value, references }) => {
  const met = checked({ ...schema, $defs: { text: { type: 'string' } } }, value);
  expect(met).toMatchObject({ unmet: undefined, references });
});

test('a reference in a newer schema is paid for, and one that is not met names what is not', () => {
  const tree = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $dynamicAnchor: 'node',
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string' }, child: { $dynamicRef: '#node' } },
    unevaluatedProperties: false,
  };
  expect(checked(tree, { name: 'a', child: { name: 'b' } })).toMatchObject({ unmet: undefined, references: 1 });
  expect(checked(tree, { name: 'a', child: {} })).toMatchObject({ unmet: 'required' });
  expect(checked(tree, { name: 'a', more: 1 })).toMatchObject({ unmet: 'unevaluatedProperties' });
});

test('a value that looks like a reference is compared as it is', () => {
  const value = { $ref: '#/$defs/none' };
  expect(checked({ const: value }, value)).toMatchObject({ unmet: undefined, references: 0 });
  expect(checked({ enum: [1, [value]] }, [value])).toMatchObject({ unmet: undefined, references: 0 });
});

test('a pattern is paid for by the text that it is held against', () => {
  const { paid } = checked({ type: 'array', items: { pattern: '^a+$' } }, ['aaa', 'aaaaa']);
  expect(paid).toBeGreaterThanOrEqual(8);
});

const hundred = <T>(of: (at: number) => T): T[] => Array.from({ length: 100 }, (_, at) => of(at));
const ones = Array.from({ length: 1000 }, () => 1);

test.each([
  { what: 'branches of anyOf', schema: { items: { anyOf: [...hundred(() => ({ type: 'string' })), true] } } },
  { what: 'branches of oneOf', schema: { items: { oneOf: [...hundred((at) => ({ const: `${at}` })), true] } } },
  { what: 'branches of allOf', schema: { items: { allOf: hundred(() => ({ type: ['integer', 'null'] })) } } },
  { what: 'conditions', schema: { items: { allOf: hundred(() => ({ if: { type: 'integer' }, else: false })) } } },
  { what: 'denials', schema: { items: { allOf: hundred(() => ({ not: { type: 'string' } })) } } },
  {
    what: 'searches',
    schema: { allOf: hundred((at) => ({ contains: { enum: [at] } })) },
    value: [...ones, ...hundred(Number)],
  },
  { what: 'values of enum', schema: { items: { enum: [...hundred((at) => ({ at })), 1] } } },
  {
    what: 'names of properties',
    schema: { items: { properties: Object.fromEntries(hundred((at) => [`a${at}`, true])) } },
    value: ones.map(() => ({})),
  },
  {
    what: 'names that others need',
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      items: { dependentRequired: Object.fromEntries(hundred((at) => [`a${at}`, ['b', 'c']])) },
    },
    value: ones.map(() => ({})),
  },
])('a hundred $what are paid for each of a thousand values', ({ schema, value = ones }) => {
  const { unmet, paid } = checked(schema, value);
  expect(unmet).toBeUndefined();
  expect(paid).toBeGreaterThanOrEqual(10 * 100 * 1000);
});

test('entries that must differ are paid for by their length, at each depth again', () => {
  const { paid } = checked({ uniqueItems: true, items: { uniqueItems: true } }, [['a'.repeat(1000)], ['b']]);
  expect(paid).toBeGreaterThanOrEqual(2 * 10 * 1000);
});

test('what no value is held against costs nothing', () => {
  const large = Array.from({ length: 1000 }, (_, at) => ({ at }));
  const plain = checked({ type: 'integer' }, 1).paid;
  const { paid } = checked({ type: 'integer', examples: large, $defs: { large: { enum: large } } }, 1);
  expect(paid).toBeLessThan(plain + 100);
});

const nested = (levels: number): object => {
  let schema: object = { type: 'string' };
  for (let level = 0; level < levels; level++) schema = { properties: { a: schema } };
  return schema;
};
const many = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, { type: 'string' }])) as object;

test.each([
  {
    name: 'many properties',
    schema: { properties: many(20_000) },
    says: 'properties has 20000 parts, and 1000 have room',
  },
  {
    name: 'many branches',
    schema: { anyOf: Array.from({ length: 20_000 }, (_, at) => ({ const: at })) },
    says: 'anyOf has 20000 parts, and 1000 have room',
  },
  { name: 'rather many properties', schema: { properties: many(4000) }, says: 'properties has 4000 parts, and 1000' },
  { name: 'many levels', schema: nested(3000), says: 'is nested too deep to be checked' },
  { name: 'more levels than can be written', schema: nested(50_000), says: 'is nested too deep to be checked' },
])('a schema of $name is refused with the cause, and what to do', ({ schema, says }) => {
  expect(() => compileJsonSchema(schema)).toThrow(says);
});

test('parts that are not beside each other in the check may be many', () => {
  const check = compileJsonSchema({ enum: Object.keys(many(20_000)), $defs: many(6000) });
  expect([check('"k19999"'), check('"other"')]).toEqual([undefined, 'enum']);
});

test('as many properties as always have room are checked', () => {
  const check = compileJsonSchema({ properties: many(1000) });
  expect([check('{"k999":"a"}'), check('{"k999":1}')]).toEqual([undefined, 'type']);
});
