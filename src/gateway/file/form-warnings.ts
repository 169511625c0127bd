import { remarksIn } from '../../documents/json-schema.ts';
import { type Fields, isFields } from '../../text/json/json.ts';
import { eachInPieces, type Piecework } from '../../text/turns.ts';
import type { PolicyConfig } from '../config.ts';
import { policyKinds } from '../policies/index.ts';
import type { schema } from '../policies/kinds/schema.ts';
import type { words } from '../policies/kinds/words.ts';
import type { OptionsOf } from '../policies/policy.ts';
import type { Spots } from './secrets.ts';

/** A way to write a word or a pattern which means something in other tools, and here is looked for as it stands. */
interface Form {
  readonly isUsedIn: (text: string) => boolean;
  readonly remark: string;
}

const control: Form = {
  isUsedIn: (text) => /[^\P{Cc}\t\n\r]|\n$/u.test(text),
  remark:
    'holds a control character, which few texts do: between double quotes YAML makes a backspace of \\b, and a block (|) ends with a new line; single quotes do neither',
};

const variable: Form = {
  isUsedIn: (text) => /\$(?<!\\\$)\{(?:file:|[A-Z][A-Z0-9_]*\})/.test(text),
  remark: 'is found as it stands alone: ${...} is a variable in keys and headers, and nowhere else',
};

/** A letter that is none of a to z, as it stands or by its script. */
const foreign = String.raw`(?:(?![\0-\x7f])[\p{L}\p{M}]|\\p\{(?!Latin\})[A-Z][a-z]{2,}\})`;
/** Such a letter behind an edge of a word, or before one; groups, classes and counts may stand between. */
const foreignEdge = new RegExp(
  String.raw`\\b(?<!\\\\b)(?:\(\??:?(?:[^()|]*\|){0,40}|\[){0,9}${foreign}|${foreign}(?:[\])+*?]|\{\d+,?\d*\}|\|[^()|]*(?=[|)])){0,40}\\b`,
  'u',
);

const patternForms: readonly Form[] = [
  control,
  variable,
  {
    // A slash within it is none of another tool's, where it would end the pattern: /usr/bin/ is a path.
    isUsedIn: (text) => /^\/(?:[^/\\[]|\\.|\[(?:[^\]\\]|\\.)*\])+\/[dgimsuvy]*$/.test(text),
    remark: 'is found between slashes alone: leave out those around it, and the flags behind them',
  },
  {
    isUsedIn: (text) => /(?<!\\)\\\\[bdsw](?![a-z])/i.test(text),
    remark: 'finds a backslash and a letter where it has two backslashes: between single quotes one is enough',
  },
  {
    isUsedIn: (text) =>
      [...text.matchAll(/\{(?<!\\\{)\s*(?:\d+\s*)?(?:,\s*(?:\d+\s*)?)?\}/g)].some(
        ([count]) => /\d/.test(count) && /^\{,|\s/.test(count),
      ),
    remark: 'finds braces as they stand, for a count is one without blanks that names the least: {0,4}',
  },
  {
    isUsedIn: (text) => text.normalize('NFC').length < text.length,
    remark: 'has an accent apart from its letter, as few texts do: type the letter with its accent anew',
  },
  {
    isUsedIn: (text) => foreignEdge.test(text),
    remark:
      'has \\b beside a letter that is none of a to z, where RE2 sees no edge of a word: kind words finds whole words of any alphabet, and (?:^|[^\\p{L}]) is such an edge',
  },
  {
    isUsedIn: (text) =>
      !text.includes('\\Q') &&
      /\$[\p{L}\p{N}]|[\p{L}\p{N}]\^[\p{L}\p{N}]/u.test(text.replace(/\\.|\[\^?\]?(?:\\.|[^\]\\])*\]/gs, ' ')),
    remark: 'has $ or ^ within, which is the end or the beginning of a text and not the sign: that is \\$ or \\^',
  },
];

const wordForms: readonly Form[] = [
  control,
  variable,
  {
    // ACME\bob is a user of Windows, and C:\system a path there.
    isUsedIn: (text) =>
      /^\\b|\\b$|\\[dsw](?:[*+?{\\]|$)|\w\\\.|\.[*+]|\[[^\][]+\][*+?{]|\(\?[:i]/i.test(text) ||
      /\|(?<=[\p{L}\p{N})]\|)[\p{L}\p{N}(]/u.test(text) ||
      /^\/[^/]+\/[gimsuy]{1,3}$/.test(text),
    remark: 'is found as it stands alone, and looks like a pattern: kind regex has those',
  },
  {
    isUsedIn: (text) => /^\*[\p{L}\p{N}][^*]*$|^[^*]*[\p{L}\p{N}]\*$/u.test(text),
    remark: 'is found with its asterisk alone, which stands for nothing else in a word: kind regex has patterns',
  },
  {
    isUsedIn: (text) => text.startsWith('version https://git-lfs.'),
    remark: 'is the pointer of Git LFS that stands here in the place of the file: git lfs pull gets it',
  },
  {
    // Neither entities such as &lt; nor N,N-dimethyltryptamine nor {{user}} are of such a list.
    isUsedIn: (text) =>
      /.[,;](?<!&[#\w]{1,9};)$|\p{L}{2}[,;](?<!&\p{L}{1,9};)\p{L}{2}|\t/u.test(text) ||
      /^[^\s,;]+(?:, +[^\s,;]+){2,}$/.test(text) ||
      /^- |^(["']).*\1,?$|^\[+\s*["{]|^\{\s*"|^[[\]{}],?$|^<(?:!doctype|html)/i.test(text),
    remark:
      'is found with its dash, quotes, commas, semicolons, tabs or brackets alone, which a list of another format has around its words: write the word without them, in a file each on a line of its own',
  },
];

/** Warns of words and patterns that are written as for another tool, so that they find next to nothing. */
export function* warnOfForms(entry: Fields, policy: PolicyConfig, spots: Spots): Piecework<void> {
  const kind = policyKinds[policy.kind];
  if (kind === policyKinds.regex) {
    yield* remarkOn([entry.pattern], patternForms, (_, remark) => spots.warn.at('pattern').fault(remark));
    yield* remarkOn(entry.patterns, patternForms, (index, remark) => spots.warn.at('patterns', index).fault(remark));
  }
  if (kind === policyKinds.schema) warnOfUnasked(entry, policy, spots);
  if (kind !== policyKinds.words) return;
  yield* remarkOn(entry.words, wordForms, (index, remark) => spots.warn.at('words', index).fault(remark));
  const listed = Array.isArray(entry.words) ? entry.words.length : 0;
  const { words: all } = policy.options as OptionsOf<typeof words>;
  // A file of another format has such a word in each line: the first one tells of all.
  const seen = new Set<string>();
  yield* remarkOn(all.slice(listed), wordForms, (index, remark) => {
    if (!seen.has(remark)) spots.warn.at('file').fault(`names a file whose word ${index + 1} ${remark}`);
    seen.add(remark);
  });
}

/** Warns of keywords of a schema, and of a whole one, that no answer is held against. */
function warnOfUnasked(entry: Fields, policy: PolicyConfig, { warn }: Spots): void {
  const { schema: asked } = policy.options as OptionsOf<typeof schema>;
  const isOfFile = entry.file !== undefined;
  if (isOfFile && entry.schema !== undefined) warn.at('schema').fault('counts for nothing beside file, which is used');
  const found = remarksIn(asked).join(', ');
  const at = warn.at(isOfFile ? 'file' : 'schema');
  if (found !== '') at.fault(`has ${found}, which no answer is held against: pattern says what a text looks like`);
  const only = typeOfKeywords(asked);
  if (only !== undefined) at.fault(`has no type: ${only}, so that it takes every answer that is none, as "yes" or 5`);
}

/** Keywords that a value of another type passes, whatever they say. */
const keywordsOf = {
  object: ['properties', 'required', 'additionalProperties', 'patternProperties', 'minProperties', 'maxProperties'],
  array: ['items', 'prefixItems', 'contains', 'minItems', 'maxItems', 'uniqueItems'],
};

/** The type that a schema is about and does not ask for, where nothing else in it could. */
function typeOfKeywords(schema: unknown): string | undefined {
  if (!isFields(schema)) return undefined;
  const mayAsk = ['type', 'enum', 'const', '$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf', 'not', 'if'];
  if (mayAsk.some((keyword) => keyword in schema)) return undefined;
  return Object.entries(keywordsOf).find(([, keywords]) => keywords.some((keyword) => keyword in schema))?.[0];
}

function* remarkOn(
  texts: unknown,
  forms: readonly Form[],
  tell: (index: number, remark: string) => void,
): Piecework<void> {
  if (!Array.isArray(texts)) return;
  yield* eachInPieces(texts, (text: unknown, index) => {
    const form = typeof text === 'string' ? forms.find(({ isUsedIn }) => isUsedIn(text)) : undefined;
    if (form !== undefined) tell(index, form.remark);
  });
}
