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
