import type { Fields } from '../text/json/json.ts';
import { closest } from '../text/similar.ts';
import { type Spot, suggestion } from './spot.ts';

/** The keys that stand in a map for those of `names`: a misspelt one stands for the absent one that was meant. */
export function keysOf(value: Fields, names: readonly string[]): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  const others: string[] = [];
  for (const key of Object.keys(value)) {
    if (!names.includes(key)) others.push(key);
    else if (value[key] !== undefined) keys.set(key, key);
  }
  for (const key of others) {
    const meant = closest(key, names);
    if (meant !== undefined && !keys.has(meant)) keys.set(meant, key);
  }
  return keys;
}

/** A map inside another, with the names of its keys. */
interface InnerKeys {
  readonly key: string;
  readonly names: readonly string[];
}

/** Refuses every key that is none of `names`; one that stands a map too far out is told where it belongs. */
export function refuseOtherKeys(value: Fields, names: readonly string[], spot: Spot, inner?: InnerKeys): void {
  for (const name of Object.keys(value)) {
    if (names.includes(name)) continue;
    const meant = inner?.names.includes(name) ? `did you mean ${inner.key}: { ${name} }?` : suggestion(name, names);
    spot.at(name).fault(`is not a known key; ${meant}`);
  }
}

/** The entries of a map that stand for none of `names`. */
export function withoutMeant(value: Fields, names: readonly string[]): Fields {
  const meant = new Set(keysOf(value, names).values());
  return Object.fromEntries(Object.entries(value).filter(([key]) => !meant.has(key)));
}
