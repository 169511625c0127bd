import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { PatternFault, compilePattern } from '../../../text/patterns.ts';
import { readOptions } from '../options.ts';
import { type Detector, PolicyFault, type PolicyKind } from '../policy.ts';

/** An answer must be one JSON document of a given shape; a schema is JSON Schema of draft 7 or 2020-12. */
export const schema: PolicyKind = {
  isPure: true,
  sides: ['inference'],
  files: ['file'],
  create(options, at) {
    const read = readOptions(options, at, ['schema', 'file']);
    const text = read.string('file');
    const value = text === undefined ? read.raw('schema') : parseFile(text, `${at}.file`);
    if (value === undefined) throw new PolicyFault(`${at} needs schema, a JSON Schema, or file, the path of one`);
    if ((typeof value !== 'object' || value === null || Array.isArray(value)) && typeof value !== 'boolean') {
      throw new PolicyFault(`${at}.schema must be a JSON Schema: a map, true or false`);
    }
    return { detect: createDetector(compile(value, at)) };
  },
};

function parseFile(text: string, at: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new PolicyFault(`${at} must name a file of JSON`);
  }
}

function compile(value: object | boolean, at: string): ValidateFunction {
  try {
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
  } catch (error) {
    const reason =
      error instanceof PatternFault
        ? `has a pattern that ${error.message}`
        : `is no valid JSON Schema: ${messageOf(error)}`;
    throw new PolicyFault(`${at}.schema ${reason}`);
  }
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

/** Where a schema refers to itself, each level of an answer may be looked at several times: so levels are few. */
const levelsMax = 64;

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
    return isDeeper(value, levelsMax) ? undefined : value;
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
