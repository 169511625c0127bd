import { type Shape, shaped } from '../../documents/shape.ts';
import { compilePattern, type Pattern, PatternFault } from '../../text/patterns.ts';

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

/** A pattern that runs in linear time, compiled once with and once without regard to case. */
export interface CasedPattern {
  readonly source: string;
  readonly exact: Pattern;
  readonly ignoring: Pattern;
}

export const pattern: Shape<CasedPattern> = {
  schema: textSchema,
  read(value, spot) {
    if (typeof value !== 'string') return spot.fault('must be a pattern');
    try {
      const exact = compilePattern(value, { ignoreCase: false });
      return { source: value, exact, ignoring: compilePattern(value) };
    } catch (error) {
      if (error instanceof PatternFault) return spot.fault(error.message);
      throw error;
    }
  },
};

/** A text of a suite as it stands in a message: quoted, on one line, and not endless. */
export function quoted(text: string): string {
  const characters = Array.from(text);
  return JSON.stringify(characters.length > 60 ? `${characters.slice(0, 59).join('')}…` : text);
}
