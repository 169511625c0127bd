import { fileText } from '../../../documents/fetched.ts';
import { compileJsonSchema, type JsonSchemaCheck, JsonSchemaFault } from '../../../documents/json-schema.ts';
import { refined } from '../../../documents/refined.ts';
import { about, object, shaped } from '../../../documents/shape.ts';
import type { Spot } from '../../../documents/spot.ts';
import { isFields } from '../../../text/json/json.ts';
import type { Piecework } from '../../../text/turns.ts';
import { type Detector, policyKind } from '../policy.ts';

const written = shaped<object | boolean>(
  { type: ['object', 'boolean'] },
  'a JSON Schema: a map, true or false',
  (value) => (isSchema(value) ? value : undefined),
);

const options = refined(
  object(
    {},
    {
      schema: about('a JSON Schema', { ...written, read: readSchema }),
      file: about('the path of one', fileText(parseFile)),
    },
  ),
  ({ schema: inline, file }, spot) => {
    const value = file ?? inline;
    return value === undefined
      ? spot.fault('needs schema, a JSON Schema, or file, the path of one')
      : { schema: value };
  },
);

/** An answer must be one JSON document of a given shape; a schema is JSON Schema of draft 7 or 2020-12. */
export const schema = policyKind({
  isPure: true,
  sides: ['inference'],
  rules: /^(?:not_json|schema_\w+)$/,
  options,
  create: ({ schema: value }) => ({
    detect: createDetector(checkOf(value)),
    readsSentAlone: true,
    judgesWhole: true,
  }),
});

function isSchema(value: unknown): value is object | boolean {
  return typeof value === 'boolean' || isFields(value);
}

function readSchema(value: unknown, spot: Spot): object | boolean | undefined {
  const read = written.read(value, spot);
  return read === undefined ? undefined : checkSchema(read, spot);
}

function* parseFile(content: string, spot: Spot): Piecework<object | boolean | undefined> {
  yield;
  try {
    const value = JSON.parse(content) as unknown;
    return isSchema(value) ? checkSchema(value, spot) : spot.fault('must name a JSON Schema: a map, true or false');
  } catch {
    return spot.fault('must name a file of JSON');
  }
}

function checkSchema(value: object | boolean, spot: Spot): object | boolean | undefined {
  try {
    checkOf(value);
    return value;
  } catch (error) {
    if (error instanceof JsonSchemaFault) return spot.fault(error.message);
    throw error;
  }
}

/** Checks that were made, by their schemas: to read one makes it, which takes 100 ms for thousands of keys. */
const checks = new WeakMap<object, JsonSchemaCheck>();

function checkOf(value: object | boolean): JsonSchemaCheck {
  const known = typeof value === 'object' ? checks.get(value) : undefined;
  const check = known ?? compileJsonSchema(value);
  if (typeof value === 'object') checks.set(value, check);
  return check;
}

function createDetector(check: JsonSchemaCheck): Detector {
  return (text) => {
    const { sent } = text;
    const unmet = check(sent, (characters, ofThisTime) => text.spend(characters, ofThisTime));
    if (unmet === undefined) return [];
    // The keyword of the schema says what was wrong; the path could quote names out of the answer.
    const rule = unmet === 'not_json' ? unmet : `schema_${unmet.replace(/[^a-z0-9]/gi, '_').toLowerCase()}`;
    return [{ rule, start: 0, length: sent.length, seen: '' }];
  };
}
