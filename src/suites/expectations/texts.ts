import { type Shape, shaped } from '../../documents/shape.ts';
import type { Spot } from '../../documents/spot.ts';
import type { Pattern } from '../../text/patterns/pattern.ts';

const textSchema = { type: 'string', pattern: '[\\s\\S]' };

/** One text or a list of them; none of them empty, because an empty text is in every answer. */
export const texts: Shape<readonly string[]> = shaped<readonly string[]>(
  { anyOf: [textSchema, { type: 'array', minItems: 1, items: textSchema }] },
  'a text, or a list of texts',
  (value) => {
    const entries: readonly unknown[] = Array.isArray(value) ? value : [value];
    const isFit = entries.length > 0 && entries.every((entry) => typeof entry === 'string' && entry !== '');
    return isFit ? (entries as readonly string[]) : undefined;
  },
);

/** A pattern that runs in linear time. Its engine is large, and is loaded for suites that have one. */
export class LazyPattern {
  readonly source: string;
  #exact: Pattern | undefined;
  #ignoring: Pattern | undefined;

  constructor(source: string) {
    this.source = source;
  }

  /** Has to be awaited before `test`; the spot is told what is wrong with the pattern. */
  async compile(spot: Spot): Promise<void> {
    const { compilePattern, PatternFault } = await import('../../text/patterns/pattern.ts');
    try {
      this.#exact = compilePattern(this.source, { ignoreCase: false });
      this.#ignoring = compilePattern(this.source);
    } catch (error) {
      if (!(error instanceof PatternFault)) throw error;
      spot.fault(error.message);
    }
  }

  test(text: string, ignoreCase: boolean): boolean {
    const pattern = ignoreCase ? this.#ignoring : this.#exact;
    if (pattern === undefined) throw new Error('a pattern was used before it was compiled');
    return pattern.test(text);
  }

  /** Parts of a digest of the case. */
  toJSON(): string {
    return this.source;
  }
}

export const pattern: Shape<LazyPattern> = shaped(textSchema, 'a pattern', (value) =>
  typeof value === 'string' && value !== '' ? new LazyPattern(value) : undefined,
);

/** A text of a suite as it stands in a message: quoted, on one line, and not endless. */
export function quoted(text: string): string {
  const characters = Array.from(text);
  return JSON.stringify(characters.length > 60 ? `${characters.slice(0, 59).join('')}…` : text);
}
