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

/** True for a private key in PEM that only a passphrase opens. */
export function isEncryptedKey(pem: string): boolean {
  return /^(-----BEGIN ENCRYPTED |Proc-Type: 4,ENCRYPTED)/m.test(pem);
}

/** The text of a header as it is sent. */
export function revealHeader(value: string | Secret | { readonly scheme: string; readonly token: Secret }): string {
  if (typeof value === 'string') return value;
  return value instanceof Secret ? value.reveal() : `${value.scheme} ${value.token.reveal()}`;
}

const wordCharactersMax = 12;
const quantityCharactersMax = 24;

/** Numbers with units that people write: `2 minutes`, `1h 30m`, `0:05`, `PT2M`, `64 kilobytes`. */
const quantityForms = [
  /^[+-]?\d{1,9}(?:[.,]\d{1,9})? ?(?:(?:milli|micro)?sec(?:ond)?s?|min(?:ute)?s?|h(?:ou)?rs?|days?|weeks?|months?|years?)$/i,
  /^[+-]?\d{1,9}(?:[.,]\d{1,9})? ?(?:kilo|mega|giga|kibi|mebi|gibi)?bytes?$/i,
  /^[+-]?\d{1,9},\d{1,9} ?(?:[a-z%]|ms|[kmgt]i?b)?$/i,
  /^(?:\d{1,9}d ?)?(?:\d{1,9}h ?)?(?:\d{1,9}m(?:in)? ?)?(?:\d{1,9}s ?)?$/i,
  /^\d{1,2}(?::\d{2}){1,2}$/,
  /^P(?:\d{1,9}D)?(?:T(?:\d{1,9}H)?(?:\d{1,9}M)?(?:\d{1,9}S)?)?$/,
];

/** Plain words, numbers with a unit or without, and days: no token, password or hash looks like them. */
const wordForms = [
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

/** The same where a word or a quantity is expected: any text says at least that it is another one. */
export function foundAnyWords(value: unknown): string {
  const words = foundWords(value);
  return words === '' && typeof value === 'string' ? '; found another text' : words;
}

function isPlain(text: string): boolean {
  const isOf = (forms: readonly RegExp[], charactersMax: number): boolean =>
    text.length <= charactersMax && forms.some((form) => form.test(text));
  return isOf(wordForms, wordCharactersMax) || isOf(quantityForms, quantityCharactersMax);
}

const secretName =
  /(?:^|[_-])(?:keys?|tokens?|secrets?|sha256|hash|passwords?|passwd|passphrase|pass|auth|authorization|credentials?|cookies?|proxy)$/i;

/** True for a field that may hold a secret, by its name or because it stands below `headers`. */
export function mayHoldSecret(path: readonly (string | number)[]): boolean {
  const name = path.findLast((step) => typeof step === 'string');
  return path.includes('headers') || (name !== undefined && secretName.test(name));
}
