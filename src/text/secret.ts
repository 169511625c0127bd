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

/** The text of a header as it is sent. */
export function revealHeader(value: string | Secret | { readonly scheme: string; readonly token: Secret }): string {
  if (typeof value === 'string') return value;
  return value instanceof Secret ? value.reveal() : `${value.scheme} ${value.token.reveal()}`;
}

const foundCharactersMax = 12;

/** Plain words, numbers with a unit or without, and days: no token, password or hash looks like them. */
const plainForms = [
  /^(?:[A-Z]?[a-z]+|[A-Z]+)(?:[-_][a-z]+)*$/,
  /^[+-]?\d+(?:\.\d+)? ?(?:[a-z%]|ms|sec|min|[kmgt]i?b)?$/i,
  /^\d{4}-\d{2}-\d{2}$/,
];

/** The value found where another was expected, as the end of a fault; a text only if it cannot well be a secret. */
export function foundWords(value: unknown): string {
  if (typeof value === 'string')
    return value === '' ? '; found an empty text' : isPlain(value) ? `; found "${value}"` : '';
  if (typeof value === 'number') return isPlain(String(value)) ? `; found ${value}` : '';
  if (typeof value === 'boolean') return `; found ${value}`;
  if (value === null) return '; found nothing';
  return Array.isArray(value) ? '; found a list' : typeof value === 'object' ? '; found a map' : '';
}

function isPlain(text: string): boolean {
  return text.length <= foundCharactersMax && plainForms.some((form) => form.test(text));
}

const secretName =
  /(?:^|[_-])(?:keys?|tokens?|secrets?|sha256|hash|passwords?|passwd|passphrase|pass|auth|authorization|credentials?|cookies?|proxy)$/i;

/** True for a field that may hold a secret, by its name or because it stands below `headers`. */
export function mayHoldSecret(path: readonly (string | number)[]): boolean {
  const name = path.findLast((step) => typeof step === 'string');
  return path.includes('headers') || (name !== undefined && secretName.test(name));
}
