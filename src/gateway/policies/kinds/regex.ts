import { PatternFault, compilePattern, createPatternScan } from '../../../text/patterns.ts';
import { readOptions } from '../options.ts';
import { type Detector, PolicyFault, type PolicyKind, findIn } from '../policy.ts';

const patternsMax = 1_000;

/** Patterns of the operator, in RE2 syntax. */
export const regex: PolicyKind = {
  isPure: true,
  seam: '',
  create(options, at) {
    const read = readOptions(options, at, ['pattern', 'patterns', 'ignore_case']);
    const single = read.string('pattern');
    const sources = [
      ...(single === undefined ? [] : [{ source: single, at: `${at}.pattern` }]),
      ...(read.strings('patterns', patternsMax) ?? []).map((source, index) => ({
        source,
        at: `${at}.patterns[${index}]`,
      })),
    ];
    if (sources.length === 0) throw new PolicyFault(`${at} needs pattern, a text, or patterns, a list of them`);
    const ignoreCase = read.boolean('ignore_case') ?? true;
    const patterns = sources.map((one) => compileAt(one.source, one.at, ignoreCase));
    const literals = patterns.map((pattern) => pattern.literals[0]);
    const isKnown = literals.every((some) => some !== undefined);
    return { detect: createDetector(patterns), needs: isKnown ? literals.flat() : undefined };
  },
};

function compileAt(source: string, at: string, ignoreCase: boolean) {
  try {
    return compilePattern(source, { ignoreCase });
  } catch (error) {
    throw error instanceof PatternFault ? new PolicyFault(`${at} ${error.message}`) : error;
  }
}

function createDetector(patterns: readonly ReturnType<typeof compilePattern>[]): Detector {
  const scan = createPatternScan(patterns);
  return function regex(text) {
    return findIn(text, (view) =>
      scan(view.text).map(({ start, end }) => ({ rule: 'pattern', start, length: end - start })),
    );
  };
}
