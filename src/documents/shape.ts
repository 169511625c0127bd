import { parseDuration } from '../text/durations.ts';
import { type Fields, isFields } from '../text/json.ts';
import { parseSize } from '../text/sizes.ts';
import { type Spot, suggestion } from './spot.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** What a value in a document has to look like: the one source of its reader and of its JSON Schema. */
export interface Shape<T> {
  readonly schema: JsonSchema;
  /** The value as the program uses it; undefined if it is none, which the spot was then told. */
  read(value: unknown, spot: Spot): T | undefined;
}

type Shapes<T> = { readonly [K in keyof T]: Shape<T[K]> };
type Optional<T> = { readonly [K in keyof T]: T[K] | undefined };

/** A shape of its own making: `parse` gives undefined for what does not fit `expected`. */
export function shaped<T>(schema: JsonSchema, expected: string, parse: (value: unknown) => T | undefined): Shape<T> {
  return {
    schema,
    read: (value, spot) => parse(value) ?? spot.fault(`must be ${expected}${quoteHint(schema, value)}`),
  };
}

/** YAML makes a number of `12345`, and true of `true`. */
function quoteHint({ type }: JsonSchema, value: unknown): string {
  return type === 'string' && (typeof value === 'number' || typeof value === 'boolean') ? ', in quotes' : '';
}

/** The same shape with words for an editor to show. */
export function about<T>(description: string, shape: Shape<T>): Shape<T> {
  return { ...shape, schema: { description, ...shape.schema } };
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

export function fraction(minimum: number, maximum: number): Shape<number> {
  return shaped({ type: 'number', minimum, maximum }, `a number from ${minimum} to ${maximum}`, (value) =>
    typeof value === 'number' && value >= minimum && value <= maximum ? value : undefined,
  );
}

export function oneOf<T extends string>(...words: readonly T[]): Shape<T> {
  return shaped({ enum: words }, `one of ${words.join(', ')}`, (value) => words.find((word) => word === value));
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

/** A list; entries that do not fit are left out, for their faults are noted. */
export function list<T>(item: Shape<T>, expected = 'a list'): Shape<readonly T[]> {
  return {
    schema: { type: 'array', items: item.schema },
    read(value, spot) {
      if (!Array.isArray(value)) return spot.fault(`must be ${expected}`);
      return value.map((entry, index) => item.read(entry, spot.at(index))).filter((entry) => entry !== undefined);
    },
  };
}

export interface KeyRule {
  readonly pattern: RegExp;
  /** What a key has to be, in words. */
  readonly expected: string;
}

/** Named values of one shape; those that do not fit are left out, for their faults are noted. */
export function record<T>(item: Shape<T>, { pattern, expected }: KeyRule): Shape<ReadonlyMap<string, T>> {
  return {
    schema: { type: 'object', propertyNames: { pattern: pattern.source }, additionalProperties: item.schema },
    read(value, spot) {
      if (!isFields(value)) return spot.fault('must be a map of names');
      const entries = new Map<string, T>();
      for (const [name, raw] of Object.entries(value)) {
        if (!pattern.test(name)) spot.at(name).fault(`is no name here: it must be ${expected}`);
        const entry = item.read(raw, spot.at(name));
        if (entry !== undefined) entries.set(name, entry);
      }
      return entries;
    },
  };
}

/** Fields by name, and no others. What is optional and does not fit is as good as absent once its fault is noted. */
export function object<R, O>(required: Shapes<R>, optional: Shapes<O>): Shape<R & Optional<O>> {
  const shapes = { ...required, ...optional } as Readonly<Record<string, Shape<unknown>>>;
  const names = Object.keys(shapes);
  const requiredNames = Object.keys(required);
  const properties = Object.fromEntries(names.map((name) => [name, shapes[name]!.schema]));
  return {
    schema: {
      type: 'object',
      properties,
      ...(requiredNames.length > 0 && { required: requiredNames }),
      additionalProperties: false,
    },
    read(value, spot) {
      if (!isFields(value)) return spot.fault('must be a map');
      for (const name of Object.keys(value)) {
        if (!Object.hasOwn(shapes, name)) spot.at(name).fault(`is no key here; ${suggestion(name, names)}`);
      }
      const missing = requiredNames.filter((name) => value[name] === undefined);
      if (missing.length > 0) spot.fault(`needs ${missing.join(' and ')}`);
      const read: Record<string, unknown> = {};
      for (const name of names) {
        if (value[name] !== undefined) read[name] = shapes[name]!.read(value[name], spot.at(name));
      }
      return requiredNames.every((name) => read[name] !== undefined) ? (read as R & Optional<O>) : undefined;
    },
  };
}

/** A map whose field `kind` says which shape it has. */
export function byKind<K extends Readonly<Record<string, Shape<object>>>>(kinds: K): Shape<OfKinds<K>> {
  const names = Object.keys(kinds);
  return {
    schema: {
      type: 'object',
      required: ['kind'],
      anyOf: names.map((kind) => withKind(kind, kinds[kind]!.schema)),
    },
    read(value, spot) {
      if (!isFields(value)) return spot.fault(`must be a map with a kind: ${names.join(', ')}`);
      const { kind, ...options } = value;
      if (kind === undefined) return spot.fault(`needs kind: ${names.join(', ')}`);
      if (typeof kind !== 'string' || !Object.hasOwn(kinds, kind)) {
        const word = typeof kind === 'string' ? kind : '';
        return spot.at('kind').fault(`is no kind here; ${suggestion(word, names)}`);
      }
      const read = kinds[kind]!.read(options, spot);
      return read && ({ ...read, kind } as OfKinds<K>);
    },
  };
}

type OfKinds<K> = { [P in keyof K]: K[P] extends Shape<infer T> ? T & { readonly kind: P } : never }[keyof K];

function withKind(kind: string, schema: JsonSchema): JsonSchema {
  const { properties, required } = schema as { properties?: Fields; required?: readonly string[] };
  return { ...schema, properties: { kind: { const: kind }, ...properties }, required: ['kind', ...(required ?? [])] };
}

/** Whatever it holds. */
export function anything(): Shape<unknown> {
  return { schema: {}, read: (value) => value };
}
