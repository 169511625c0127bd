import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fileText } from '../../../documents/fetched.ts';
import { object, refined, shaped } from '../../../documents/shape.ts';
import type { Spot } from '../../../documents/spot.ts';
import { nestingMax } from '../../../text/limits.ts';
import { PatternFault, compilePattern } from '../../../text/patterns.ts';
import { type Detector, policyKind } from '../policy.ts';

const written = shaped<object | boolean>(
  { type: ['object', 'boolean'] },
  'a JSON Schema: a map, true or false',
  (value) => (isSchema(value) ? value : undefined),
);

const options = refined(
  object({}, { schema: { ...written, read: readSchema }, file: fileText(parseFile) }),
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
  options,
  create: ({ schema: value }) => ({ detect: createDetector(compile(value)) }),
});

function isSchema(value: unknown): value is object | boolean {
  return typeof value === 'boolean' || (typeof value === 'object' && value !== null && !Array.isArray(value));
}

function readSchema(value: unknown, spot: Spot): object | boolean | undefined {
  const read = written.read(value, spot);
  return read === undefined ? undefined : checkSchema(read, spot);
}

function parseFile(content: string, spot: Spot): object | boolean | undefined {
  try {
    const value = JSON.parse(content) as unknown;
    return isSchema(value) ? checkSchema(value, spot) : spot.fault('must name a JSON Schema: a map, true or false');
  } catch {
    return spot.fault('must name a file of JSON');
  }
}

function checkSchema(value: object | boolean, spot: Spot): object | boolean | undefined {
  try {
    compile(value);
    return value;
  } catch (error) {
    return spot.fault(
      error instanceof PatternFault
        ? `has a pattern that ${error.message}`
        : `is no valid JSON Schema: ${messageOf(error)}`,
    );
  }
}

function compile(value: object | boolean): ValidateFunction {
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
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}

function createDetector(validate: ValidateFunction): Detector {
  function ruleOf(text: string): string | undefined {
    const value = parseAnswer(text);
    if (value === undefined) return 'not_json';
    return validate(value) ? undefined : ruleOfError(validate.errors?.[0]);
  }
  return ({ sent }) => {
    const rule = ruleOf(sent);
    return rule === undefined ? [] : [{ rule, start: 0, length: sent.length, seen: '' }];
  };
}

function parseAnswer(text: string): unknown {
  try {
    const value = JSON.parse(text) as unknown;
    return isDeeper(value, nestingMax) ? undefined : value;
  } catch {
    return undefined;
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

/** The keyword of the schema says what was wrong; the path could quote names out of the answer. */
function ruleOfError(error: ErrorObject | undefined): string {
  return `schema_${(error?.keyword ?? 'false').replace(/[^a-z0-9]/gi, '_').toLowerCase()}`;
}
