import { about, object, type Shape } from '../../documents/shape.ts';
import { answerSchema, json } from './answer-json.ts';
import { command } from './command.ts';
import { contains, containsAny, equals, ignoreCase, matches, notContains, startsWith } from './answer-text.ts';
import { by, expect, providerSaw } from './decision.ts';
import type { Expectation, Miss, Observation, Unjudged } from './expectation.ts';
import { elapsed, finishReason, usage } from './measures.ts';

/** Every expectation by its key in a case, in the order in which misses are told. */
const ofCase = { expect, by, provider_saw: providerSaw, finish_reason: finishReason, usage, elapsed };

/** Those of the answer's text, by their key in `answer`. They have a meaning only where there is an answer. */
const ofAnswer = {
  contains,
  contains_any: containsAny,
  not_contains: notContains,
  equals,
  matches,
  starts_with: startsWith,
  json,
  schema: answerSchema,
  command,
  ignore_case: ignoreCase,
};

type Table = Readonly<Record<string, Expectation<never>>>;
type Expected<T> = { readonly [K in keyof T]: T[K] extends Expectation<infer V> ? V | undefined : never };

type ExpectedOfCase = Expected<typeof ofCase>;
type ExpectedOfAnswer = Expected<typeof ofAnswer>;

function shapesOf<T extends object>(
  table: T,
): { readonly [K in keyof T]: T[K] extends { shape: infer S } ? S : never } {
  const entries = Object.entries(table as Readonly<Record<string, { about: string; shape: Shape<unknown> }>>);
  return Object.fromEntries(entries.map(([name, { about: words, shape }]) => [name, about(words, shape)])) as never;
}

export const caseShapes = shapesOf(ofCase);
export const answerShapes = shapesOf(ofAnswer);

/** The part of a case that says what must come of its prompt. */
export interface Expectations extends WrittenExpectations {
  readonly expect: 'answered' | 'blocked';
}

/** The same as it is written, where `expect` may be left to the defaults of the suite. */
export interface WrittenExpectations extends ExpectedOfCase {
  readonly answer: ExpectedOfAnswer | undefined;
}

/** Expectations among the keys of a case or a turn; whatever has a row in the table is judged. */
export function pickExpectations(written: WrittenExpectations): WrittenExpectations {
  const names = [...Object.keys(ofCase), 'answer'] as readonly (keyof WrittenExpectations)[];
  return Object.fromEntries(names.map((name) => [name, written[name]])) as unknown as WrittenExpectations;
}

/** An expectation that cannot be judged, with its path in the suite. */
interface NamedUnjudged extends Unjudged {
  readonly expectation: string;
}

interface Judged {
  readonly misses: readonly Miss[];
  readonly unjudged: readonly NamedUnjudged[];
}

/** Holds a result against all that is expected of it. What stands in `answer` is judged where there is an answer. */
export function judgeExpectations(expected: Expectations, seen: Observation): Judged {
  const options = { ignoreCase: expected.answer?.ignore_case ?? true };
  const found = [...judgeBy(ofCase as unknown as Table, expected, '')];
  if (seen.outcome === 'answered' && expected.answer !== undefined)
    found.push(...judgeBy(ofAnswer as unknown as Table, expected.answer, 'answer.'));
  return {
    misses: found.flatMap((each) => ('message' in each ? [each] : [])),
    unjudged: found.flatMap((each) => ('unjudged' in each ? [each] : [])),
  };

  function judgeBy(table: Table, values: object, prefix: string) {
    return Object.entries(table).flatMap(([name, expectation]): readonly (Miss | NamedUnjudged)[] => {
      const value = (values as Readonly<Record<string, unknown>>)[name];
      if (value === undefined) return [];
      return expectation
        .judge(value as never, seen, options)
        .map((finding) => ({ expectation: prefix + name, ...finding }));
    });
  }
}

export const answerShape = object({}, answerShapes);
