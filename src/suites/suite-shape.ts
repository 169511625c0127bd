import { about, duration, list, object, type Shape, shaped, text, whole } from '../documents/shape.ts';
import { isFields } from '../text/json/json.ts';
import { answerShape, caseShapes } from './expectations/table.ts';
import { dayMs } from '../text/durations.ts';

/** The suite file, key by key: the parser reads by this, and the JSON Schema is made of it. */

const idCharactersMax = 200;
const repeatMax = 1000;

const anyText = shaped<string>({ type: 'string' }, 'a text', (value) =>
  typeof value === 'string' ? value : undefined,
);

const id = shaped<string>(
  { type: 'string', minLength: 1, maxLength: idCharactersMax },
  `a text of at most ${idCharactersMax} characters`,
  (value) => (typeof value === 'string' && value !== '' && value.length <= idCharactersMax ? value : undefined),
);

export const tagPattern = /^(?!(?:and|or|not)$)[^\s()]{1,100}$/;

export const tagForm = 'a word without blanks and brackets, other than and, or, not';

/** Tags are words of `--tags`, so that `and`, `or` and `not` cannot be tags. */
const tags = list(text(tagForm, tagPattern));

/** The last moment of a day, in UTC. */
const lastMomentOfDay = shaped<number>(
  { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
  'a day like 2027-03-01',
  (value) => {
    const startsAt = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? Date.parse(value) : NaN;
    const isReal = !Number.isNaN(startsAt) && new Date(startsAt).toISOString().startsWith(String(value));
    return isReal ? startsAt + dayMs - 1 : undefined;
  },
);

const motifId = about('the ID of the Motif that has to be asked', text('a Motif ID, not an address', /^[^/:\s]+$/));
const timeout = about('for one prompt with its retries', duration(1, dayMs, 'from 1ms to 1d'));
const message = object({ role: text(), content: anyText }, {});
const answer = about('what the answer must be like', answerShape);
const expectations = { ...caseShapes, answer };

const turn = object(
  {},
  { prompt: about('the text of the user', text()), messages: list(message), ...expectations },
  { inner: 'answer' },
);

const caseFields = {
  id: about('its name in reports; unique in the file', id),
  prompt: about('the text of the user', text()),
  messages: about('instead of prompt: the whole array', list(message)),
  file: about("instead of prompt: a text file below the suite's folder", text()),
  system: about('stands before the prompt', anyText),
  turns: about('instead of prompt: each is sent with the real answers before it', list(turn)),
  tags: about('words for --tags', tags),
  repeat: about('how many times it is asked; default: 1', whole(1, repeatMax)),
  min_pass: about('how many of them must pass; default: all', whole(1, repeatMax)),
  known: about('a failure that is known', object({ why: text() }, { until: lastMomentOfDay })),
  provider_answer: about('what the mock answers; with --demo or --local', anyText),
  motif: motifId,
  timeout,
  ...expectations,
};

/** One case, once the values of its row are filled in. */
export const caseShape = object({}, caseFields, { inner: 'answer' });

export type WrittenCase = NonNullable<ReturnType<typeof caseShape.read>>;

/** A case as it is, or one that stands for each row of a file and can be read only together with a row. */
export type WrittenEntry = { readonly index: number } & (
  | { readonly written: WrittenCase; readonly each?: undefined }
  | { readonly each: string; readonly template: Readonly<Record<string, unknown>> }
);

const eachFile = text('the name of a CSV, TSV or JSONL file');

const entry: Shape<WrittenEntry> = {
  schema: { anyOf: [caseShape.schema, eachSchema()] },
  read(value, spot) {
    if (!isFields(value) || value.each === undefined) {
      const written = caseShape.read(value, spot);
      return written && { written, index: Number(spot.path.at(-1)) };
    }
    const { each, ...template } = value;
    const file = eachFile.read(each, spot.at('each'));
    return file === undefined ? undefined : { each: file, template, index: Number(spot.path.at(-1)) };
  },
};

function eachSchema(): Readonly<Record<string, unknown>> {
  const { properties, ...rest } = caseShape.schema as { readonly properties: Readonly<Record<string, unknown>> };
  const each = { description: 'a CSV, TSV or JSONL file: a row per case, ${column} is its value', ...eachFile.schema };
  return { ...rest, properties: { each, ...(loosened(properties) as object) }, required: ['each'] };
}

/** Wherever a value stands, `${column}` may stand instead. */
function loosened(schemas: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const hole = { type: 'string', pattern: '\\$\\{[^}]+\\}' };
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, { anyOf: [schema, hole] }]));
}

export const suiteShape = object(
  { cases: list(entry, { least: 1 }) },
  {
    name: about('stands in reports; default: the name of the file', text()),
    motif: motifId,
    defaults: about(
      'for every case that does not say otherwise',
      object({}, { expect: caseShapes.expect, timeout, system: anyText, tags }),
    ),
  },
);

export type WrittenSuite = NonNullable<ReturnType<typeof suiteShape.read>>;

/** The columns of a file of rows that is a suite by itself. */
export const columnNames = [
  'id',
  'prompt',
  'messages',
  'expect',
  'system',
  'contains',
  'not_contains',
  'tags',
] as const;

export const suiteSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'A suite of motif check',
  ...suiteShape.schema,
};
