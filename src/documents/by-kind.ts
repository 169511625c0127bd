import { type Fields, isFields } from '../text/json/json.ts';
import { closest } from '../text/similar.ts';
import { atOnce, type Piecework } from '../text/turns.ts';
import { keysOf, refuseOtherKeys, withoutMeant } from './keys.ts';
import { type JsonSchema, readInPieces, type Shape } from './shape.ts';
import { type Spot, suggestion } from './spot.ts';

/** A map whose field `kind` says which shape it has. */
export function byKind<K extends Readonly<Record<string, Shape<object>>>>(kinds: K): Shape<OfKinds<K>> {
  const names = Object.keys(kinds);
  /** A misspelt key stands for the kind: its own options are read, so that their faults are told at once. */
  function readMisspelt(options: Fields, spot: Spot): undefined {
    const known = new Set(
      Object.values(kinds).flatMap(({ schema }) => Object.keys((schema as Described).properties ?? {})),
    );
    const typed = Object.keys(options).find((key) => !known.has(key) && closest(key, ['kind']) !== undefined);
    if (typed === undefined) return spot.fault(`needs kind: ${names.join(', ')}`);
    spot.at(typed).fault('is not a known key; did you mean kind?');
    const { [typed]: named, ...others } = options;
    if (typeof named === 'string' && Object.hasOwn(kinds, named)) kinds[named]!.read(others, spot);
  }
  function* readPieces(value: unknown, spot: Spot): Piecework<OfKinds<K> | undefined> {
    if (!isFields(value))
      return spot.fault(`must be a map with a kind: ${names.join(', ')}${spot.foundInstead(value)}`);
    const { kind, ...options } = value;
    if (kind === undefined) return readMisspelt(options, spot);
    if (typeof kind !== 'string' || !Object.hasOwn(kinds, kind)) {
      const word = typeof kind === 'string' ? kind : '';
      spot.at('kind').fault(`is not a known kind${spot.at('kind').found(kind)}; ${suggestion(word, names)}`);
      // Its options are those of the kind that was meant: their faults are told at once, and not after the next look.
      const meant = closest(word, names);
      return meant === undefined ? undefined : void kinds[meant]!.read(options, spot);
    }
    const read = yield* readInPieces(kinds[kind]!, options, spot);
    return read && ({ ...read, kind } as OfKinds<K>);
  }
  return {
    schema: {
      type: 'object',
      required: ['kind'],
      anyOf: names.map((kind) => withKind(kind, kinds[kind]!.schema)),
    },
    read: (value, spot) => atOnce(readPieces(value, spot)),
    readPieces,
  };
}

type OfKinds<K> = { [P in keyof K]: K[P] extends Shape<infer T> ? T & { readonly kind: P } : never }[keyof K];

/** The JSON Schema of a map. */
interface Described {
  readonly properties?: Fields;
  readonly required?: readonly string[];
}

function withKind(kind: string, schema: JsonSchema): JsonSchema {
  const { properties, required } = schema as Described;
  return { ...schema, properties: { kind: { const: kind }, ...properties }, required: ['kind', ...(required ?? [])] };
}

/** A map that holds the keys of two shapes, each of which reads its own. */
export function joined<H, R>(head: Shape<H>, rest: Shape<R>): Shape<{ readonly head: H; readonly rest: R }> {
  const fields = { ...head.fields, ...rest.fields };
  const names = Object.keys(fields);
  const own = (value: Fields, shape: Shape<unknown>): Fields => {
    const keys = [...keysOf(value, names)].filter(([name]) => Object.hasOwn(shape.fields ?? {}, name));
    return Object.fromEntries(keys.map(([, key]) => [key, value[key]]));
  };
  function* readPieces(value: unknown, spot: Spot): Piecework<{ readonly head: H; readonly rest: R } | undefined> {
    if (!isFields(value)) return spot.fault(`must be a map${spot.foundInstead(value)}`);
    refuseOtherKeys(withoutMeant(value, names), names, spot);
    const readHead = yield* readInPieces(head, own(value, head), spot);
    const readRest = yield* readInPieces(rest, own(value, rest), spot);
    return readHead === undefined || readRest === undefined ? undefined : { head: readHead, rest: readRest };
  }
  return {
    schema: { ...head.schema, ...rest.schema, properties: { ...propertiesOf(head), ...propertiesOf(rest) } },
    fields,
    read: (value, spot) => atOnce(readPieces(value, spot)),
    readPieces,
  };
}

function propertiesOf({ schema }: Shape<unknown>): Fields {
  return (schema.properties ?? {}) as Fields;
}
