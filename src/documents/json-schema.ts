import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isFields, parseJson } from '../text/json/json.ts';
import { PatternFault, compilePattern } from '../text/patterns/pattern.ts';

/** Holds a text against a JSON Schema: undefined if it fits, else `not_json` or the keyword that it does not meet. */
export type JsonSchemaCheck = (text: string) => string | undefined;

/** Fault of a schema, in words that follow its path. */
export class JsonSchemaFault extends Error {
  override readonly name = 'JsonSchemaFault';
}

/** Makes a check of a schema of draft 7 or 2020-12; its patterns run in linear time. Throws a JsonSchemaFault. */
export function compileJsonSchema(schema: object | boolean): JsonSchemaCheck {
  const validate = validatorOrFault(schema);
  return (text) => {
    const value = parseAnswer(text);
    if (value === undefined) return 'not_json';
    return validate(value) ? undefined : (validate.errors?.[0]?.keyword ?? 'false');
  };
}

function validatorOrFault(schema: object | boolean): ValidateFunction {
  try {
    return validatorOf(schema);
  } catch (error) {
    throw new JsonSchemaFault(
      error instanceof PatternFault
        ? `has a pattern that ${error.message}`
        : `is no valid JSON Schema: ${messageOf(error)}`,
    );
  }
}

function validatorOf(value: object | boolean): ValidateFunction {
  const isNew = typeof value === 'object' && '$schema' in value && String(value.$schema).includes('2020-12');
  const ajv = new (isNew ? Ajv2020 : Ajv)({
    strict: true,
    strictTypes: false,
    strictTuples: false,
    validateFormats: false,
    code: { regExp: linear },
  });
  // The original compares each entry with every other.
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({ keyword: 'uniqueItems', type: 'array', schemaType: 'boolean', validate: hasUniqueItems });
  return ajv.compile(value);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown';
}

function linear(source: string) {
  const pattern = compilePattern(source, { ignoreCase: false });
  return { test: (text: string) => pattern.test(text) };
}
linear.code = 'linear';

function hasUniqueItems(isWanted: boolean, entries: readonly unknown[]): boolean {
  return !isWanted || new Set(entries.map(canonical)).size === entries.length;
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isFields(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}

/** Undefined for what another reader may take for something else, too: an object that names a key twice. */
function parseAnswer(text: string): unknown {
  try {
    return parseJson(text, { takesHugeNumbers: true });
  } catch {
    return undefined;
  }
}
