import { flag, shaped, text } from '../../documents/shape.ts';
import { type Expectation, met, missed, type Observation } from './expectation.ts';
import { lineDiff } from './line-diff.ts';
import { type LazyPattern, pattern, quoted, texts } from './texts.ts';

/** Both texts as they are compared: in lower case, unless case counts. */
function folded(value: string, ignoreCase: boolean): string {
  return ignoreCase ? value.toLowerCase() : value;
}

function has({ answer }: Observation, part: string, ignoreCase: boolean): boolean {
  return folded(answer, ignoreCase).includes(folded(part, ignoreCase));
}

export const contains: Expectation<readonly string[]> = {
  about: 'texts that must all stand in the answer',
  shape: texts,
  judge: (parts, seen, { ignoreCase }) =>
    parts.filter((part) => !has(seen, part, ignoreCase)).map((part) => ({ message: `lacks ${quoted(part)}` })),
};

export const containsAny: Expectation<readonly string[]> = {
  about: 'texts of which one must stand in the answer',
  shape: texts,
  judge: (parts, seen, { ignoreCase }) =>
    parts.some((part) => has(seen, part, ignoreCase)) ? met : missed(`has none of ${parts.map(quoted).join(', ')}`),
};

export const notContains: Expectation<readonly string[]> = {
  about: 'texts that must not stand in the answer',
  shape: texts,
  judge: (parts, seen, { ignoreCase }) =>
    parts.filter((part) => has(seen, part, ignoreCase)).map((part) => ({ message: `has ${quoted(part)}` })),
};

export const equals: Expectation<string> = {
  about: 'the whole answer, exact but for one line break at its end',
  shape: shaped({ type: 'string' }, 'a text', (value) => (typeof value === 'string' ? value : undefined)),
  judge(expected, { answer }) {
    const [one, other] = [expected, answer].map((each) => each.replace(/\r?\n$/, ''));
    return one === other ? met : missed('differs from the expected answer', lineDiff(one!, other!));
  },
};

export const matches: Expectation<LazyPattern> = {
  about: 'a pattern that the answer must match; RE2 syntax, linear time',
  shape: pattern,
  judge: (expected, { answer }, { ignoreCase }) =>
    expected.test(answer, ignoreCase) ? met : missed(`does not match ${quoted(expected.source)}`),
};

export const startsWith: Expectation<string> = {
  about: 'how the answer must begin',
  shape: text(),
  judge: (start, { answer }, { ignoreCase }) =>
    folded(answer, ignoreCase).startsWith(folded(start, ignoreCase))
      ? met
      : missed(`does not begin with ${quoted(start)}`),
};

/** No expectation of its own: how the others in `answer` compare letters. */
export const ignoreCase: Expectation<boolean> = {
  about: 'false: upper and lower case count; default: true',
  shape: flag(),
  judge: () => met,
};
