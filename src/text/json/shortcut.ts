import type { JsonShape } from './shape.ts';

/**
 * The parser of the language is faster than any written in it, but where a key appears twice it takes the last and says
 * nothing. That it took none twice is proved by the colons: each stands after a key or inside a string, so if there are
 * as many in the text as there are keys and colons in strings of the value, nothing was dropped. Whatever is not proved
 * or wrong is left to the Reader, which knows the words for it.
 */
export class Shortcut {
  readonly #text: string;
  readonly #depthMax: number;
  readonly #takesHugeNumbers: boolean;
  readonly #shape: JsonShape | undefined;
  readonly #hasEscapes: boolean;
  #keys = 0;

  constructor(text: string, depthMax: number, takesHugeNumbers: boolean, shape: JsonShape | undefined) {
    this.#text = text;
    this.#depthMax = depthMax;
    this.#takesHugeNumbers = takesHugeNumbers;
    this.#shape = shape;
    this.#hasEscapes = text.includes('\\');
  }

  value(): { readonly value: unknown } | undefined {
    const shape = this.#shape;
    if (shape !== undefined && shape.depth > this.#depthMax) return undefined;
    // A colon that is written as an escape would be counted in the value and not in the text.
    if (shape === undefined && this.#hasEscapes && this.#text.includes('\\u003')) return undefined;
    let value: unknown;
    try {
      value = JSON.parse(this.#text);
    } catch {
      return undefined;
    }
    return this.#isFit(value, 0) && this.#isWhole(value) ? { value } : undefined;
  }

  /** True where the value has as many keys as the text. Strings are only looked at where they must hold colons. */
  #isWhole(value: unknown): boolean {
    if (this.#shape !== undefined) return this.#keys === this.#shape.keys;
    const colons = colonsIn(this.#text);
    return this.#keys === colons || this.#keys + colonsInStrings(value) === colons;
  }

  /** Counts keys, and looks for what the Reader would refuse. */
  #isFit(value: unknown, depth: number): boolean {
    if (typeof value === 'number') return Number.isFinite(value) || this.#takesHugeNumbers;
    if (typeof value !== 'object' || value === null) return true;
    if (depth >= this.#depthMax) return false;
    if (Array.isArray(value)) return value.every((item) => this.#isFit(item, depth + 1));
    for (const key in value) {
      // V8 in Node 24 takes a key for another that ended with a backslash where its own escape begins.
      if (this.#hasEscapes && key.includes('\\')) return false;
      this.#keys += 1;
      if (!this.#isFit((value as Record<string, unknown>)[key], depth + 1)) return false;
    }
    return true;
  }
}

/** The colons in all strings of a value, keys among them. */
function colonsInStrings(value: unknown): number {
  if (typeof value === 'string') return colonsIn(value);
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) for (const item of value) count += colonsInStrings(item);
  else for (const [key, item] of Object.entries(value)) count += colonsIn(key) + colonsInStrings(item);
  return count;
}

function colonsIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1)) count += 1;
  return count;
}
