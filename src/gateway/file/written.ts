import { keysOf } from '../../documents/keys.ts';
import type { Spot } from '../../documents/spot.ts';
import { type Fields, isFields, type PathStep } from '../../text/json/json.ts';
import { gatewayShape, motifShape } from './shape.ts';

/** A name or a token as it stands in the file, and its place in its Motif. */
export interface Written<T> {
  readonly value: T;
  readonly path: readonly PathStep[];
}

/** The entries of a section of the file, under a misspelt name too; undefined where it is missing, or no map. */
export function sectionOf(file: Fields, name: string): Fields | undefined {
  const entries = file[keysOf(file, Object.keys(gatewayShape.fields ?? {})).get(name) ?? name];
  return isFields(entries) ? entries : undefined;
}

const motifKeys = Object.keys(motifShape.fields ?? {});

/** A Motif as it stands in the file: what can be read of it, also where the whole is none. */
export class WrittenMotif {
  readonly spot: Spot;
  readonly #entry: Fields;
  readonly #keys: ReadonlyMap<string, string>;

  constructor(entry: Fields, spot: Spot) {
    this.#entry = entry;
    this.#keys = keysOf(entry, motifKeys);
    this.spot = spot;
  }

  #at(name: string): Written<unknown> {
    const key = this.#keys.get(name) ?? name;
    return { value: this.#entry[key], path: [key] };
  }

  /** The name that a key holds, or the first key of a map there. */
  name(key: 'provider' | 'fallback'): Written<string> | undefined {
    const { value, path } = this.#at(key);
    const named = isFields(value) ? value.provider : value;
    return typeof named === 'string' ? { value: named, path } : undefined;
  }

  /** True for a fallback to the same provider that names no other model either. */
  get isOwnFallback(): boolean {
    const { value } = this.#at('fallback');
    const provider = this.name('provider')?.value;
    return (
      this.name('fallback')?.value === provider && provider !== undefined && !(isFields(value) && 'model' in value)
    );
  }

  names(key: 'policies' | 'knowledge' | 'groups'): readonly Written<string>[] {
    return this.#entries(key).flatMap(({ value, path }) => (typeof value === 'string' ? [{ value, path }] : []));
  }

  get tokens(): readonly Written<Fields>[] {
    return this.#entries('tokens').flatMap(({ value, path }) => (isFields(value) ? [{ value, path }] : []));
  }

  #entries(key: string): readonly Written<unknown>[] {
    const { value, path } = this.#at(key);
    return Array.isArray(value) ? value.map((entry: unknown, index) => ({ value: entry, path: [...path, index] })) : [];
  }
}
