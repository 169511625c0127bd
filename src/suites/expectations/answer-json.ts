import { anything } from '../../documents/shape.ts';
import { isFields } from '../../text/json.ts';
import { JsonFault, parseJson, type PathStep, pathText } from '../../text/json.ts';
import { type Expectation, type Judgement, met, missed } from './expectation.ts';

const differencesMax = 10;

/** A part of the answer as JSON: maps may have more keys, all else must be equal. */
export const json: Expectation<unknown> = {
  about: 'what the answer, read as JSON, must at least hold',
  shape: anything(),
  judge(expected, { answer }) {
    const value = readAnswer(answer);
    if (value === undefined) return missed('is no JSON');
    const found: Judgement[] = [];
    compare(expected, value.value, [], found);
    return found.length === 0 ? met : found.slice(0, differencesMax);
  },
};

export function readAnswer(answer: string): { readonly value: unknown } | undefined {
  try {
    return { value: parseJson(answer) };
  } catch (error) {
    if (error instanceof JsonFault) return undefined;
    throw error;
  }
}

function compare(expected: unknown, seen: unknown, path: readonly PathStep[], found: Judgement[]): void {
  if (found.length >= differencesMax) return;
  if (isFields(expected) && isFields(seen)) {
    for (const [key, value] of Object.entries(expected)) {
      if (Object.hasOwn(seen, key)) compare(value, seen[key], [...path, key], found);
      else found.push({ message: `json: lacks ${pathText([...path, key])}` });
    }
  } else if (Array.isArray(expected) && Array.isArray(seen)) {
    if (expected.length !== seen.length) {
      found.push({ message: `json: ${nameOf(path)} has ${seen.length} entries, not ${expected.length}` });
    } else expected.forEach((value, index) => compare(value, seen[index], [...path, index], found));
  } else if (expected !== seen) {
    const lines = [`- ${JSON.stringify(expected)}`, `+ ${JSON.stringify(seen)}`];
    found.push({ message: `json: ${nameOf(path)} is another value`, diff: lines });
  }
}

function nameOf(path: readonly PathStep[]): string {
  return path.length === 0 ? 'the whole' : pathText(path);
}
