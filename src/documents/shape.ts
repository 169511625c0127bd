import { parseDuration } from '../text/durations.ts';
import { type Fields, isFields } from '../text/json/json.ts';
import { closest } from '../text/similar.ts';
import { parseSize } from '../text/sizes.ts';
import { atOnce, eachInPieces, type Piecework } from '../text/turns.ts';
import { keysOf, refuseOtherKeys } from './keys.ts';
import { Spot } from './spot.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** The form of a value in a document: the one source of its reader and of its JSON Schema. */
export interface Shape<T> {
  readonly schema: JsonSchema;
  /** The keys of a map, where they are known. */
  readonly fields?: Readonly<Record<string, Shape<unknown>>>;
  /** A value that is fetched before it is read: a FetchedText or FetchedSecret stands in place of what was written. */
  readonly source?: 'file' | 'secret';
  /** The value as the program uses it; undefined where it is no such value, after a fault on the spot. */
  read(value: unknown, spot: Spot): T | undefined;
  /** The same in pieces, for `readInPieces`, where a value may hold many others. */
  readPieces?(value: unknown, spot: Spot): Piecework<unknown>;
}

export function* readInPieces<T>(shape: Shape<T>, value: unknown, spot: Spot): Piecework<T | undefined> {
  return shape.readPieces ? ((yield* shape.readPieces(value, spot)) as T | undefined) : shape.read(value, spot);
}

type Shapes<T> = { readonly [K in keyof T]: Shape<T[K]> };
type Optional<T> = { readonly [K in keyof T]: T[K] | undefined };

/** A shape of its own making: `parse` gives undefined for what does not fit `expected`. */
export function shaped<T>(schema: JsonSchema, expected: string, parse: (value: unknown) => T | undefined): Shape<T> {
  return {
    schema,
    read: (value, spot) => parse(value) ?? spot.fault(`must be ${expected}${valueWords(schema, value, spot)}`),
  };
}

/** YAML makes a number of `12345`, and true of `true`. */
function valueWords({ type }: JsonSchema, value: unknown, spot: Spot): string {
  const isBare = type === 'string' && (typeof value === 'number' || typeof value === 'boolean');
  if (isBare) return ', in quotes';
  return type === 'string' ? spot.found(value) : spot.foundAny(value);
}

/** The same shape with words for an editor to show. */
export function about<T>(description: string, shape: Shape<T>): Shape<T> {
  return { ...shape, schema: { description, ...shape.schema } };
}

/** The same shape with words and a default, as a file would hold it, for an editor to show. */
export function byDefault<T>(value: unknown, description: string, shape: Shape<T>): Shape<T> {
  return { ...shape, schema: { description, ...shape.schema, default: value } };
}

export function text(expected = 'a text that is not empty', pattern = /[\s\S]/): Shape<string> {
  const schema = { type: 'string', pattern: pattern.source };
  return shaped(schema, expected, (value) => (typeof value === 'string' && pattern.test(value) ? value : undefined));
}

export function flag(): Shape<boolean> {
  return shaped({ type: 'boolean' }, 'true or false', (value) => (typeof value === 'boolean' ? value : undefined));
}

export function whole(minimum: number, maximum: number): Shape<number> {
  const isFit = (value: unknown): value is number =>
    Number.isSafeInteger(value) && (value as number) >= minimum && (value as number) <= maximum;
  return shaped({ type: 'integer', minimum, maximum }, `a whole number from ${minimum} to ${maximum}`, (value) =>
    isFit(value) ? value : undefined,
  );
}

export function fraction(maximum: number): Shape<number> {
  return shaped({ type: 'number', minimum: 0, maximum }, `a number from 0 to ${maximum}`, (value) =>
    typeof value === 'number' && value >= 0 && value <= maximum ? value : undefined,
  );
}

/** Characters of a list of words that is told whole. */
const shortListMax = 100;
/** Words of a longer list that are told, where none is near to what was found. */
const wordsToldMax = 8;

export function oneOf<T extends string>(...words: readonly T[]): Shape<T> {
  const list = words.join(', ');
  const untold = words.length - wordsToldMax;
  const some =
    untold <= 0 ? list : `${words.slice(0, wordsToldMax).join(', ')} and ${untold} more, which its JSON Schema lists`;
  return {
    schema: { enum: words },
    read(value, spot) {
      const near = typeof value === 'string' ? closest(value, words) : undefined;
      const hint = near === undefined ? '' : `; did you mean ${near}?`;
      const expected = words.length === 1 ? list : `one of ${list}`;
      return (
        words.find((word) => word === value) ??
        spot.fault(
          list.length > shortListMax
            ? `is not a known word${spot.foundAny(value)}${hint || `; it takes ${some}`}`
            : `must be ${expected}${spot.foundAny(value)}${hint}`,
        )
      );
    },
  };
}

/** One word in place of all else that a shape takes. */
export function wordOr<W extends string, T>(word: W, shape: Shape<T>): Shape<W | T> {
  return {
    schema: { anyOf: [{ const: word }, shape.schema] },
    read: (value, spot) => (value === word ? word : shape.read(value, spot)),
  };
}

const durationPattern = String.raw`^\d+(\.\d+)?(ms|s|m|h|d)?$`;
const sizePattern = String.raw`^\d+(\.\d+)?([bB]|[kKmMgG][iI]?[bB])?$`;

/** Milliseconds of `20s` or, as a bare number, of seconds. */
export function duration(minimumMs: number, maximumMs: number, range: string): Shape<number> {
  return quantity(durationPattern, `a duration ${range}, like 20s`, {
    minimum: minimumMs,
    maximum: maximumMs,
    parse: parseDuration,
  });
}

/** Bytes of `64KiB` or, as a bare number, of bytes. */
export function size(minimum: number, maximum: number, range: string): Shape<number> {
  return quantity(sizePattern, `a size ${range}, like 64KiB`, { minimum, maximum, parse: parseSize });
}

interface Quantity {
  readonly minimum: number;
  readonly maximum: number;
  readonly parse: (text: string) => number | undefined;
}

function quantity(pattern: string, expected: string, { minimum, maximum, parse }: Quantity): Shape<number> {
  const schema = {
    anyOf: [
      { type: 'number', minimum: 0 },
      { type: 'string', pattern },
    ],
  };
  return shaped(schema, expected, (value) => {
    const amount = typeof value === 'string' || typeof value === 'number' ? parse(String(value)) : undefined;
    return amount !== undefined && amount >= minimum && amount <= maximum ? amount : undefined;
  });
}

/** A time in milliseconds; a day means its first moment, in UTC. */
export function moment(): Shape<number> {
  const pattern = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/;
  return shaped(
    { type: 'string', pattern: pattern.source },
    'a day like 2027-11-20, or a time like 2027-11-20T08:00Z',
    (value) => {
      if (typeof value !== 'string' || !pattern.test(value)) return undefined;
      const day = Date.parse(value.slice(0, 10));
      const isReal = !Number.isNaN(day) && new Date(day).toISOString().startsWith(value.slice(0, 10));
      const at = Date.parse(value);
      return isReal && !Number.isNaN(at) ? at : undefined;
    },
  );
}

/** A list; entries that do not fit are left out, for their faults are noted. */
export function list<T>(item: Shape<T>, { least = 0, most = Infinity } = {}): Shape<readonly T[]> {
  function* readPieces(value: unknown, spot: Spot): Piecework<readonly T[] | undefined> {
    if (!Array.isArray(value))
      return spot.fault(`must be a list${least > 0 ? ' that is not empty' : ''}${spot.foundInstead(value)}`);
    if (value.length < least) return spot.fault('must be a list that is not empty; found an empty list');
    if (value.length > most) return spot.fault(`must have at most ${most} entries; found ${value.length}`);
    const read = yield* eachInPieces(value, (entry: unknown, index) => item.read(entry, spot.at(index)));
    return read.filter((entry) => entry !== undefined);
  }
  return {
    schema: {
      type: 'array',
      ...(least > 0 && { minItems: least }),
      ...(most < Infinity && { maxItems: most }),
      items: item.schema,
    },
    read: (value, spot) => atOnce(readPieces(value, spot)),
    readPieces,
  };
}

export interface KeyRule {
  readonly pattern: RegExp;
  /** The rule for a key in words. */
  readonly expected: string;
}

/** Named values of one shape; those that do not fit are left out, for their faults are noted. */
export function record<T>(item: Shape<T>, { pattern, expected }: KeyRule): Shape<ReadonlyMap<string, T>> {
  const readEntry = (entries: Map<string, T>, name: string, raw: unknown, spot: Spot): void => {
    if (!pattern.test(name)) spot.at(name).fault(`is no name here: it must be ${expected}`);
    const entry = item.read(raw, spot.at(name));
    if (entry !== undefined) entries.set(name, entry);
  };
  const refuse = (value: unknown, spot: Spot): undefined =>
    spot.fault(`must be a map of names${spot.foundInstead(value)}`);
  return {
    schema: { type: 'object', propertyNames: { pattern: pattern.source }, additionalProperties: item.schema },
    read(value, spot) {
      if (!isFields(value)) return refuse(value, spot);
      const entries = new Map<string, T>();
      for (const [name, raw] of Object.entries(value)) readEntry(entries, name, raw, spot);
      return entries;
    },
    *readPieces(value, spot) {
      if (!isFields(value)) return refuse(value, spot);
      const entries = new Map<string, T>();
      for (const [name, raw] of Object.entries(value)) yield readEntry(entries, name, raw, spot);
      return entries;
    },
  };
}

/** More keys are no help. */
const namedKeysMax = 6;

/** ` { why, until }` behind the words for a map with few keys. */
function keyWords(names: readonly string[]): string {
  return names.length > namedKeysMax ? '' : ` { ${names.join(', ')} }`;
}

/**
 * Fields by name, and no others. What is optional and does not fit is as good as absent once its fault is noted.
 * `inner` is the field whose own keys are easily written beside it.
 */
export function object<R, O>(
  required: Shapes<R>,
  optional: Shapes<O>,
  { inner }: { readonly inner?: keyof O & string } = {},
): Shape<R & Optional<O>> {
  const shapes = { ...required, ...optional } as Readonly<Record<string, Shape<unknown>>>;
  const names = Object.keys(shapes);
  const requiredNames = Object.keys(required);
  const properties = Object.fromEntries(names.map((name) => [name, shapes[name]!.schema]));
  const innerKeys = inner && { key: inner, names: Object.keys(shapes[inner]?.fields ?? {}) };
  function read(value: unknown, spot: Spot, known?: Fields): (R & Optional<O>) | undefined {
    if (!isFields(value)) return spot.fault(`must be a map${keyWords(names)}${spot.foundInstead(value)}`);
    refuseOtherKeys(value, names, spot, innerKeys);
    const keys = keysOf(value, names);
    const missing = requiredNames.filter((name) => !keys.has(name));
    if (missing.length > 0) spot.fault(`needs ${missing.join(' and ')}`);
    const found: Record<string, unknown> = { ...known };
    for (const [name, key] of keys) {
      if (known !== undefined && Object.hasOwn(known, name)) continue;
      // A misspelt key may still mean something else, of which nothing more can be said.
      if (key !== name && shapes[name]!.read(value[key], Spot.silent()) === undefined) continue;
      found[name] = shapes[name]!.read(value[key], spot.at(key));
    }
    return requiredNames.every((name) => found[name] !== undefined) ? (found as R & Optional<O>) : undefined;
  }
  return {
    schema: {
      type: 'object',
      properties,
      ...(requiredNames.length > 0 && { required: requiredNames }),
      additionalProperties: false,
    },
    fields: shapes,
    read,
    *readPieces(value, spot) {
      const known: Record<string, unknown> = {};
      for (const name of isFields(value) ? names : []) {
        if (shapes[name]!.readPieces && Object.hasOwn(value as Fields, name))
          known[name] = yield* shapes[name]!.readPieces((value as Fields)[name], spot.at(name));
      }
      return read(value, spot, known);
    },
  };
}

/** A value of any kind, as it stands. */
export function anything(): Shape<unknown> {
  return { schema: {}, read: (value) => value };
}
