import type { PolicyConfig } from '../../gateway/config.ts';
import type { PolicySample } from '../../suites/gateway-inside.ts';
import { sentenceWith } from '../../suites/samples/guard-case.ts';
import { sampleOfPattern } from '../../text/patterns/sample.ts';
import { compilePattern } from '../../text/patterns/pattern.ts';

/** Longer texts are no part of a suite that a person reads. */
const lengthMax = 10_000;

interface SampleOptions {
  readonly patterns?: readonly string[];
  readonly ignore_case?: boolean;
  readonly max_chars?: number;
}

/** Kinds whose options tell a text that they find. */
const samplesByOptions: Readonly<
  Record<string, (options: SampleOptions, isOnPrompt: boolean) => PolicySample | undefined>
> = {
  regex: ({ patterns = [], ignore_case: ignoreCase = true }, isOnPrompt) =>
    patterns.map((source) => sampleFoundBy(source, ignoreCase, isOnPrompt)).find((each) => each !== undefined),
  length: ({ max_chars: charactersMax = 0 }) =>
    charactersMax < lengthMax
      ? { text: 'too long '.repeat(charactersMax).slice(0, charactersMax + 1), isAlone: true }
      : undefined,
  schema: () => ({ text: 'no JSON', isAlone: false }),
};

/** A text that a policy finds something in, where its options tell one. */
export function sampleOfPolicy({ kind, options }: PolicyConfig, isOnPrompt: boolean): PolicySample | undefined {
  return samplesByOptions[kind]?.(options as SampleOptions, isOnPrompt);
}

/** A text that one part of a policy finds something in; of words and entities suites know one themselves. */
export function sampleOfPart(
  { kind, options }: PolicyConfig,
  part: string,
  isOnPrompt: boolean,
): PolicySample | undefined {
  if (kind !== 'regex') return undefined;
  return sampleFoundBy(part, (options as SampleOptions).ignore_case ?? true, isOnPrompt);
}

/** Tried in the sentence of a case, and by itself, where the pattern asks for the whole of a text. */
function sampleFoundBy(source: string, ignoreCase: boolean, isOnPrompt: boolean): PolicySample | undefined {
  const text = sampleOfPattern(source);
  if (text === undefined) return undefined;
  const pattern = compilePattern(source, { ignoreCase });
  if (pattern.test(sentenceWith(text, isOnPrompt))) return { text, isAlone: false };
  return pattern.test(text) ? { text, isAlone: true } : undefined;
}
