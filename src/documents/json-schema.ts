import { _, Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type Fields, isFields, parseJson } from '../text/json/json.ts';
import { shapeOfJson } from '../text/json/shape.ts';
import type { Spend } from '../text/patterns/automaton.ts';
import { PatternFault, compilePattern } from '../text/patterns/pattern.ts';

/**
 * Holds a text against a JSON Schema: undefined if it fits, else `not_json` or the keyword that it does not meet. Each
 * level of a text may double the work of a schema that names itself in two branches, so that it is paid for.
 */
export type JsonSchemaCheck = (text: string, spend?: Spend) => string | undefined;

/** Fault of a schema, in words that follow its path. */
export class JsonSchemaFault extends Error {
  override readonly name = 'JsonSchemaFault';
}

/** Makes a check of a schema of draft 7 or 2020-12; its patterns run in linear time. Throws a JsonSchemaFault. */
export function compileJsonSchema(schema: object | boolean): JsonSchemaCheck {
  let payNow: Spend = forNothing;
  const validate = validatorOrFault(schema, (characters, ofThisTime) => payNow(characters, ofThisTime));
  return (text, spend = forNothing) => {
    const value = parseAnswer(text);
    if (value === undefined) return 'not_json';
    payNow = spend;
    try {
      return validate(value) ? undefined : (validate.errors?.[0]?.keyword ?? 'false');
    } finally {
      payNow = forNothing;
    }
  };
}

function forNothing(): void {
  // A caller without others who wait for it has no budget.
}

function validatorOrFault(schema: object | boolean, spend: Spend): ValidateFunction {
  const most = mostParts(schema);
  if (most.parts > partsMax) throw new JsonSchemaFault(tooLargeWords(most));
  try {
    return validatorOf(schema, spend);
  } catch (error) {
    if (error instanceof RangeError) throw new JsonSchemaFault(tooLargeWords(most));
    throw new JsonSchemaFault(
      error instanceof PatternFault
        ? `has a pattern that ${error.message}`
        : `is no valid JSON Schema: ${messageOf(error)}`,
    );
  }
}

/** Keywords whose parts are checked one inside the other, in calls as well while the check is made. */
const sideBySide = new Set(['properties', 'patternProperties', 'dependentSchemas', 'allOf', 'anyOf', 'oneOf']);
/** Parts beside each other that have room in a schema that is not deep; where it ends depends on the stack. */
const partsSure = 1000;
/** So many never have room, and to find that out takes a second. */
const partsMax = 5000;

/** The keyword with the most parts beside each other. The depth may be any, so that no calls go with it. */
function mostParts(schema: unknown): { readonly parts: number; readonly keyword: string } {
  let most = { parts: 0, keyword: '' };
  const open = [schema];
  while (open.length > 0) {
    const part = open.pop();
    if (typeof part !== 'object' || part === null) continue;
    for (const [keyword, value] of Object.entries(part)) {
      if (plainValues.has(keyword) || typeof value !== 'object' || value === null) continue;
      const parts = sideBySide.has(keyword) ? Object.keys(value as object).length : 0;
      if (parts > most.parts) most = { parts, keyword };
      open.push(value);
    }
  }
  return most;
}

function tooLargeWords({ parts, keyword }: ReturnType<typeof mostParts>): string {
  return parts > partsSure
    ? `is too large to be checked: ${keyword} has ${parts} parts, and ${partsSure} have room in one place; ` +
        'divide them among several objects, or describe names alike by patternProperties'
    : 'is nested too deep to be checked, or too large: give inner parts a name in $defs, and refer to them by $ref';
}

/** Each part of a schema has this beside its keywords: as many characters as it takes to hold a value against it. */
const payment = 'motif:payment';
const references = ['$ref', '$dynamicRef', '$recursiveRef'];
/** To follow a reference, and to keep what is not met there, takes as long as to read so many characters. */
const workPerReference = 500;
/** Each part, each keyword of it and each entry or name there; what is not met there may make an object besides. */
const workPerKeyword = 10;
/** Equal entries are found by their texts, of which each character takes as long as so many that are read. */
const workPerUniqueCharacter = 15;

function validatorOf(value: object | boolean, spend: Spend): ValidateFunction {
  const isNew = typeof value === 'object' && '$schema' in value && String(value.$schema).includes('2020-12');
  const Kind = isNew ? Ajv2020 : Ajv;
  // Apart, for the schema of all newer schemas has patterns that are none for an operator to write.
  const ofSchemas = new Kind({ validateFormats: false });
  if (ofSchemas.validateSchema(value) !== true) throw new Error(`schema is invalid: ${ofSchemas.errorsText()}`);
  const ajv = new Kind({
    validateSchema: false,
    strict: true,
    strictTypes: false,
    strictTuples: false,
    validateFormats: false,
    code: { regExp: linearFor(spend) },
  });
  ajv.addKeyword({
    keyword: payment,
    before: isNew ? '$dynamicAnchor' : '$ref',
    schemaType: 'number',
    code: ({ gen, schema: characters }) => gen.code(_`${gen.scopeValue('keyword', { ref: spend })}(${characters})`),
  });
  // The original compares each entry with every other.
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({ keyword: 'uniqueItems', type: 'array', schemaType: 'boolean', validate: uniqueItemsFor(spend) });
  return ajv.compile(paying(value) as object | boolean);
}

/** Keywords whose value is no schema and holds none, and those whose value holds schemas by names of any kind. */
const plainValues = new Set(['const', 'enum', 'default', 'examples', 'dependentRequired', '$vocabulary']);
const schemasByName = new Set([
  'properties',
  'patternProperties',
  'dependencies',
  'dependentSchemas',
  '$defs',
  'definitions',
]);
/** Keywords that no value is held against. */
const unasked = new Set(['default', 'examples', '$defs', 'definitions', '$vocabulary']);

/** Keywords that describe a text, and that no value is held against. */
const remarks = new Set(['format', 'contentMediaType', 'contentEncoding', 'contentSchema']);

/** The keywords of a schema that no value is held against, although they read as if one were. */
export function remarksIn(schema: unknown): readonly string[] {
  const found = new Set<string>();
  const look = (part: unknown): void => {
    if (Array.isArray(part)) return part.forEach(look);
    if (!isFields(part)) return;
    for (const [keyword, value] of Object.entries(part)) {
      if (remarks.has(keyword)) found.add(keyword);
      else if (schemasByName.has(keyword) && isFields(value)) Object.values(value).forEach(look);
      else if (!plainValues.has(keyword)) look(value);
    }
  };
  look(schema);
  return [...found];
}

/** The schema, in which each part pays for what a value is held against there, and for what it refers to. */
function paying(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(paying);
  if (!isFields(schema)) return schema;
  const parts = Object.entries(schema).map(([keyword, value]) => {
    if (plainValues.has(keyword)) return [keyword, value];
    if (!schemasByName.has(keyword) || !isFields(value)) return [keyword, paying(value)];
    return [keyword, Object.fromEntries(Object.entries(value).map(([name, part]) => [name, paying(part)]))];
  });
  return { ...(Object.fromEntries(parts) as Fields), [payment]: workOf(schema) };
}

function workOf(part: Fields): number {
  const refers = references.some((reference) => typeof part[reference] === 'string');
  const asked = Object.entries(part).filter(([keyword]) => !unasked.has(keyword));
  const places = asked.map(([keyword, value]) => placesIn(value, plainValues.has(keyword) ? Infinity : 1));
  return workPerKeyword * (1 + sumOf(places)) + (refers ? workPerReference : 0);
}

/** Values in this one down to a depth, itself among them. */
function placesIn(value: unknown, depth: number): number {
  if (depth === 0 || typeof value !== 'object' || value === null) return 1;
  return 1 + sumOf(Object.values(value).map((inner) => placesIn(inner, depth - 1)));
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown';
}

function linearFor(spend: Spend) {
  const linear = (source: string) => {
    const pattern = compilePattern(source, { ignoreCase: false });
    return {
      test(text: string) {
        spend(text.length);
        return pattern.test(text, spend);
      },
    };
  };
  return Object.assign(linear, { code: 'linear' });
}

function uniqueItemsFor(spend: Spend) {
  return (isWanted: boolean, entries: readonly unknown[]): boolean => {
    if (!isWanted) return true;
    const texts = new Set<string>();
    for (const entry of entries) {
      const text = canonical(entry);
      spend(text.length * workPerUniqueCharacter);
      texts.add(text);
    }
    return texts.size === entries.length;
  };
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isFields(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}

/** Characters of a text whose depth is looked at first: to make lists in lists takes a hundred times as long. */
const largeMin = 16 * 1024;

/** Undefined for what another reader may take for something else, too: an object that names a key twice. */
function parseAnswer(text: string): unknown {
  try {
    const shape = text.length < largeMin ? undefined : shapeOfJson(text);
    return parseJson(text, { takesHugeNumbers: true, shape });
  } catch {
    return undefined;
  }
}
