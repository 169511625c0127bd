import type { JsonSchemaCheck } from '../../documents/json-schema.ts';
import { anything, shaped } from '../../documents/shape.ts';
import type { Spot } from '../../documents/spot.ts';
import { isFields } from '../../text/json/json.ts';
import { JsonFault, parseJson, type PathStep, pathText } from '../../text/json/json.ts';
import { type Expectation, type Judgement, met, missed } from './expectation.ts';
import { quoted } from './texts.ts';

const differencesMax = 10;
/** Characters that an answer and a schema may cost, as in a policy: each level of a text may double the work. */
const schemaWorkMax = 1_000_000_000;

class SchemaWorkFault extends Error {}

/** A part of the answer as JSON: maps may have more keys, all else must be equal. */
export const json: Expectation<unknown> = {
  about: 'what the answer, read as JSON, must at least hold',
  shape: anything(),
  judge(expected, { answer }) {
    const value = readAnswer(answer);
    if (value === undefined) return missed('is no JSON');
    const found: Judgement[] = [];
    compareValues(expected, value.value, [], found);
    return found.length === 0 ? met : found.slice(0, differencesMax);
  },
};

function readAnswer(answer: string): { readonly value: unknown } | undefined {
  try {
    return { value: parseJson(answer) };
  } catch (error) {
    if (error instanceof JsonFault) return undefined;
    throw error;
  }
}

/** A JSON Schema in a file beside the suite; it and what checks it are loaded for suites that have one. */
class LazySchema {
  readonly path: string;
  #check: JsonSchemaCheck | undefined;
  #text = '';

  constructor(path: string) {
    this.path = path;
  }

  /** Has to be awaited before `check`; the spot is told what is wrong with the file. */
  async compile(spot: Spot, readText: (path: string) => Promise<string>): Promise<void> {
    const { compileJsonSchema, JsonSchemaFault } = await import('../../documents/json-schema.ts');
    const schema = await readText(this.path).then(
      (text) => readAnswer((this.#text = text))?.value,
      () => undefined,
    );
    if (typeof schema !== 'boolean' && !isFields(schema))
      return spot.fault('names no file of JSON with a schema in it');
    try {
      this.#check = compileJsonSchema(schema);
    } catch (error) {
      if (!(error instanceof JsonSchemaFault)) throw error;
      spot.fault(error.message);
    }
  }

  /** The words for what the answer does not meet. */
  unmetBy(answer: string): string | undefined {
    if (this.#check === undefined) throw new Error('a schema was used before it was compiled');
    let left = schemaWorkMax;
    const spend = (characters: number): void => {
      if ((left -= characters) < 0) throw new SchemaWorkFault();
    };
    try {
      const unmet = this.#check(answer, spend);
      if (unmet === undefined) return undefined;
      return unmet === 'not_json' ? 'is no JSON' : `does not fit ${quoted(this.path)}: ${unmet}`;
    } catch (error) {
      if (!(error instanceof SchemaWorkFault)) throw error;
      return `takes too much work to hold against ${quoted(this.path)}`;
    }
  }

  /** Parts of a digest of the case. */
  toJSON(): string {
    return this.#text;
  }
}

export const answerSchema: Expectation<LazySchema> = {
  about: "a JSON Schema that the answer must fit: a file below the suite's folder",
  shape: shaped({ type: 'string' }, 'the name of a file', (value) =>
    typeof value === 'string' && value !== '' ? new LazySchema(value) : undefined,
  ),
  judge(expected, { answer }) {
    const unmet = expected.unmetBy(answer);
    return unmet === undefined ? met : missed(unmet);
  },
};

function compareValues(expected: unknown, seen: unknown, path: readonly PathStep[], found: Judgement[]): void {
  if (found.length >= differencesMax) return;
  if (isFields(expected) && isFields(seen)) {
    for (const [key, value] of Object.entries(expected)) {
      if (Object.hasOwn(seen, key)) compareValues(value, seen[key], [...path, key], found);
      else found.push({ message: `json: lacks ${pathText([...path, key])}` });
    }
  } else if (Array.isArray(expected) && Array.isArray(seen)) {
    if (expected.length !== seen.length) {
      found.push({ message: `json: ${nameOf(path)} has ${seen.length} entries, not ${expected.length}` });
    } else expected.forEach((value, index) => compareValues(value, seen[index], [...path, index], found));
  } else if (expected !== seen) {
    const lines = [`- ${JSON.stringify(expected)}`, `+ ${JSON.stringify(seen)}`];
    found.push({ message: `json: ${nameOf(path)} is another value`, diff: lines });
  }
}

function nameOf(path: readonly PathStep[]): string {
  return path.length === 0 ? 'the whole' : pathText(path);
}
