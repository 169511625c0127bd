import { noEscape } from '../../readings/escapes.ts';
import type { Span } from '../../readings/view.ts';

/** One kind of secret: a pattern, and words of which one stands in every match, so that most texts are not searched. */
export interface SecretRule {
  readonly name: string;
  readonly keys: readonly string[];
  /** Global and linear. Group 1 is the secret, where more than it is matched. */
  readonly pattern: RegExp;
  /** Fault of a candidate, in words that never quote it; undefined where nothing is. */
  readonly fault?: ((found: string) => string | undefined) | undefined;
  /** A sign that stands in every match, where many texts have a key and not the sign. */
  readonly sign?: string | undefined;
  /**
   * Words of which every match begins with one, in any case. The scan that finds the keys finds these as well, and the
   * engine would try each of many words at every character.
   */
  readonly beginsWith?: readonly string[] | undefined;
  /** The same pattern, to be tried at such a word alone. */
  readonly atBeginning?: RegExp | undefined;
  /** True where a match begins at one of the keys, so that nothing but what follows them is read. */
  readonly isNearKey?: boolean | undefined;
  /** True where the pattern finds the head of a column of a table, and the cells below are what is judged. */
  readonly isHead?: boolean | undefined;
  /** Place of the secret that a match is part of, where no pattern can tell; undefined: there is none. */
  readonly spanOf?: ((text: string, start: number, end: number) => Span | undefined) | undefined;
  /** Start of every such token, where its maker marks it. */
  readonly marks?: readonly string[] | undefined;
  /** The same pattern, to be tried at a mark alone: a mark such as `pat` stands in many a word. */
  readonly atMark?: RegExp | undefined;
  /**
   * One that is found, and one that only looks like it: checked by a test. `{w20}` stands for twenty letters and
   * digits, so that no list of rules has keys in it: w and v of any case, a lower case, u upper case, l letters, d
   * digits, h hex, x base32, b base64.
   */
  readonly sample: string;
  readonly lookAlike: string;
}

/** A sample, and behind `not` one that only looks like it. */
function examplesOf(examples: string): Pick<SecretRule, 'sample' | 'lookAlike'> {
  const [sample = '', lookAlike = ''] = examples.split(' not ');
  return { sample, lookAlike };
}

/**
 * The rule with patterns that ask for no letter before them, but take that of an escape such as `\n`. Each has all
 * fields, for the engine is faster with rules of one shape.
 */
export function behindEscapes(rule: SecretRule): SecretRule {
  const { name, keys, fault, sign, beginsWith, isNearKey, isHead, spanOf, marks, atMark, sample, lookAlike } = rule;
  const passing = ({ source, flags }: RegExp) =>
    new RegExp(source.replaceAll('(?<![', `(?<!${noEscape}[`).replace(/^\\b/, `(?<!${noEscape}\\w)`), flags);
  const pattern = passing(rule.pattern);
  return {
    name,
    keys,
    pattern,
    fault,
    sign,
    beginsWith,
    atBeginning: beginsWith && new RegExp(pattern.source, pattern.flags.replace('g', 'y')),
    isNearKey,
    isHead,
    spanOf,
    marks,
    atMark: atMark && passing(atMark),
    sample,
    lookAlike,
  };
}

/** A token that its maker begins with a mark; what follows is of one alphabet. */
export function token(name: string, prefixes: string, body: string, examples: string): SecretRule {
  const marks = prefixes.split(' ');
  const choice = marks.map((mark) => mark.replace(/[.$]/g, '\\$&')).join('|');
  const pattern = `(?<![A-Za-z0-9])(?:${choice})${body}(?![A-Za-z0-9])`;
  return {
    name,
    keys: marks,
    pattern: new RegExp(pattern, 'g'),
    atMark: new RegExp(pattern, 'y'),
    fault: (found) => sameness(found.slice(marks.find((mark) => found.startsWith(mark))?.length)),
    marks,
    ...examplesOf(examples),
  };
}

/** A key with no mark of its own, known by the name that it is given to. */
export function assigned(name: string, vendors: string, body: string, examples: string): SecretRule {
  const names = vendors.split(' ');
  return {
    name,
    keys: names,
    pattern: new RegExp(
      `(?:${names.join('|')})[\\w .-]{0,24}["'\`]?\\s{0,4}(?:=>|:=|=|:|\\bis\\b)\\s{0,4}["'\`]?(${body})(?![A-Za-z0-9])`,
      'gi',
    ),
    fault: sameness,
    ...examplesOf(examples),
  };
}

/** `xxxxxxxx`, `00000000`, `abcdefghijkl` and `<your-token>` stand where a secret would, and are none. */
export function sameness(found: string): string | undefined {
  const characters = found.replace(/[^A-Za-z0-9]/g, '');
  if (new Set(characters.toLowerCase()).size < Math.min(5, characters.length)) return 'too few different characters';
  return /^(?:your|my|the|insert|put|enter)[_-]|([^1-9])\1{7}|abcdefghij|redacted|(?:token|key|secret)here$|\.\.$/i.test(
    found,
  )
    ? standsIn
    : undefined;
}

/** `abcdef123456` is typed by a person who counts: three of four next characters or more are one further. */
export function isCounted(text: string): boolean {
  // Of the form of a UUID, a counted one is what people type for it first.
  if (/^[\da-f]{8}-(?:[\da-f]{4}-){3}/i.test(text)) return false;
  const characters = text
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replaceAll('90', '9:');
  let steps = 0;
  for (let at = 1; at < characters.length; at++)
    if (characters.charCodeAt(at) - characters.charCodeAt(at - 1) === 1) steps++;
  return characters.length > 7 && 4 * steps >= 3 * (characters.length - 1);
}

export const standsIn = 'it only stands in for a secret';

/** Bits a character, by how often each stands in the text itself. */
export function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum - (count / text.length) * Math.log2(count / text.length), 0);
}
