import { expect, test } from 'vitest';
import { compileJsonSchema } from '../../src/documents/json-schema.ts';

/** Characters that a check pays for, and what the text does not meet. */
function checked(schema: object, value: unknown) {
  let paid = 0;
  const unmet = compileJsonSchema(schema)(JSON.stringify(value), (characters) => void (paid += characters));
  return { unmet, paid };
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
  const { unmet, paid } = checked({ ...schema, $defs: { text: { type: 'string' } } }, value);
  expect({ unmet, paid }).toEqual({ unmet: undefined, paid: 500 * references });
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
  expect(checked(tree, { name: 'a', child: { name: 'b' } })).toEqual({ unmet: undefined, paid: 500 });
  expect(checked(tree, { name: 'a', child: {} })).toMatchObject({ unmet: 'required' });
  expect(checked(tree, { name: 'a', more: 1 })).toMatchObject({ unmet: 'unevaluatedProperties' });
});

test('a value that looks like a reference is compared as it is', () => {
  const value = { $ref: '#/$defs/none' };
  expect(checked({ const: value }, value)).toEqual({ unmet: undefined, paid: 0 });
  expect(checked({ enum: [1, [value]] }, [value])).toEqual({ unmet: undefined, paid: 0 });
});

test('a pattern is paid for by the text that it is held against', () => {
  const { paid } = checked({ type: 'array', items: { pattern: '^a+$' } }, ['aaa', 'aaaaa']);
  expect(paid).toBeGreaterThanOrEqual(8);
});
