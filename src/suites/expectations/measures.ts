import { duration, object, text, whole } from '../../documents/shape.ts';
import { dayMs, formatDuration } from '../../text/durations.ts';
import { type Expectation, type Judgement, met, missed } from './expectation.ts';
import { quoted } from './texts.ts';

export const finishReason: Expectation<string> = {
  about: 'why the answer ended: stop, length, content_filter, blocked, other',
  shape: text(),
  judge(expected, { finishReason: seen }) {
    if (seen === null) return [{ unjudged: 'not said' }];
    return seen === expected ? met : missed(`did not end with finish_reason ${quoted(expected)}`);
  },
};

const range = object({}, { min: whole(0, Number.MAX_SAFE_INTEGER), max: whole(0, Number.MAX_SAFE_INTEGER) });

interface Range {
  readonly min: number | undefined;
  readonly max: number | undefined;
}

type Counts = 'prompt_tokens' | 'completion_tokens' | 'total_tokens';

const usageShape = object({}, { prompt_tokens: range, completion_tokens: range, total_tokens: range });

export const usage: Expectation<Readonly<Record<Counts, Range | undefined>>> = {
  about: 'how many tokens it may take: total_tokens: { max: 200 }',
  shape: usageShape,
  judge(expected, { usage: seen }) {
    return (Object.keys(expected) as Counts[]).flatMap((name): readonly Judgement[] => {
      const { min = 0, max = Infinity } = expected[name] ?? {};
      const count = seen?.[name] ?? null;
      if (expected[name] === undefined) return met;
      if (count === null) return [{ unjudged: 'not said' }];
      if (count > max) return missed(`${name} is ${count}, over ${max}`);
      return count < min ? missed(`${name} is ${count}, under ${min}`) : met;
    });
  },
};

const elapsedShape = object({ max: duration(1, dayMs, 'from 1ms to 1d') }, {});

export const elapsed: Expectation<{ readonly max: number }> = {
  about: 'how long it may take, retries included: { max: 5s }',
  shape: elapsedShape,
  judge: ({ max }, { elapsedMs }) =>
    elapsedMs <= max ? met : missed(`took ${formatDuration(elapsedMs)}, over ${formatDuration(max)}`),
};
