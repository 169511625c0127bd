import type { InspectOptions } from 'node:util';

/**
 * A text that cannot print itself: string conversion, JSON and inspection all show dots and the last four characters.
 * `reveal()` is the only way to the value.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  /** The last four characters of anything long enough that four give nothing away. */
  toString(): string {
    return this.#value.length >= 12 ? `****${this.#value.slice(-4)}` : '****';
  }

  toJSON(): string {
    return this.toString();
  }

  [Symbol.for('nodejs.util.inspect.custom')](_depth: number, _options: InspectOptions): string {
    return this.toString();
  }
}

const foundCharactersMax = 16;

/** The value that stands where another was expected, as the end of a fault; a text only if it is too short for a secret. */
export function foundWords(value: unknown): string {
  if (typeof value === 'string') {
    const isShort = value.length <= foundCharactersMax && /^[\w.+:%/ -]+$/.test(value);
    return isShort ? `; found "${value}"` : value === '' ? '; found an empty text' : '';
  }
  if (typeof value === 'number' || typeof value === 'boolean') return `; found ${value}`;
  if (value === null) return '; found nothing';
  return Array.isArray(value) ? '; found a list' : typeof value === 'object' ? '; found a map' : '';
}
