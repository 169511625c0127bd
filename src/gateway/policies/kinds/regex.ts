import { refined } from '../../../documents/refined.ts';
import { about, byDefault, flag, list, object, type Shape } from '../../../documents/shape.ts';
import { compilePattern, createPatternScan, type Pattern, PatternFault } from '../../../text/patterns/pattern.ts';
import type { Spend } from '../../../text/patterns/automaton.ts';
import type { Fields } from '../../../text/json/json.ts';
import type { Piecework } from '../../../text/turns.ts';
import { type Detector, policyKind, type SeenFinding } from '../policy.ts';

const patternsMax = 1_000;

/** A pattern in RE2 syntax, which runs in linear time. */
export const linearPattern: Shape<string> = {
  schema: { type: 'string', pattern: '\\S' },
  read(value, spot) {
    if (typeof value !== 'string' || value.trim() === '')
      return spot.fault(`must be a pattern that is not empty${spot.foundAny(value)}`);
    try {
      compilePattern(value, { ignoreCase: true });
      return value;
    } catch (error) {
      if (error instanceof PatternFault) return spot.fault(error.message);
      throw error;
    }
  },
};

const options = refined(
  object(
    {},
    {
      pattern: about('a pattern in RE2 syntax', linearPattern),
      patterns: about('several of them', list(linearPattern, { least: 1, most: patternsMax })),
      ignore_case: byDefault(true, 'upper and lower case are alike', flag()),
    },
  ),
  ({ pattern, patterns = [], ignore_case = true }, spot) => {
    const all = [...(pattern === undefined ? [] : [pattern]), ...patterns];
    return all.length === 0
      ? spot.fault('needs pattern, a text, or patterns, a list of them')
      : { patterns: all, ignore_case };
  },
);

/**
 * Makes the patterns of an entry before it is read, in pieces, because a thousand take a fifth of a second: they are
 * the same ones for whoever reads it, as long as somebody holds them. What is wrong with one is told then.
 */
export function* makePatterns({ patterns, ignore_case }: Fields): Piecework<readonly Pattern[]> {
  const made: Pattern[] = [];
  const sources: readonly unknown[] = Array.isArray(patterns) ? patterns.slice(0, patternsMax) : [];
  for (const source of sources) {
    for (const ignoreCase of ignore_case === false ? [true, false] : [true]) {
      try {
        if (typeof source === 'string') made.push(compilePattern(source, { ignoreCase }));
      } catch (error) {
        if (!(error instanceof PatternFault)) throw error;
      }
    }
    yield;
  }
  return made;
}

/** Patterns of the operator, in RE2 syntax. */
export const regex = policyKind({
  isPure: true,
  messageSeparators: ['', ' '],
  rules: /^pattern$/,
  options,
  create({ patterns: sources, ignore_case: ignoreCase }) {
    const patterns = sources.map((source) => compilePattern(source, { ignoreCase }));
    const literals = patterns.map((pattern) => pattern.literals[0]);
    const isKnown = literals.every((some) => some !== undefined);
    return { detect: createDetector(patterns), needs: isKnown ? literals.flat() : undefined };
  },
});

/** As `findIn` does, with one object for each place: a pattern of one letter has thousands in an ordinary text. */
function createDetector(patterns: readonly Pattern[]): Detector {
  const scan = createPatternScan(patterns);
  return function regex(text) {
    const spend: Spend = (characters, ofThisTime) => text.spend(characters, ofThisTime);
    const findings: SeenFinding[] = [];
    for (const view of text.views) {
      if (view.isLetters) continue;
      text.spend(view.text.length);
      for (const match of scan(view.text, spend)) {
        const { start, end } = view.toSent(match);
        findings.push({ rule: 'pattern', start, length: end - start, seen: view.seen });
      }
    }
    return findings;
  };
}
