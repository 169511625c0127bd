import { noEscape } from '../../readings/escapes.ts';
import { lengthOfRun } from '../../readings/digit-rows.ts';
import type { Span } from '../../readings/view.ts';

/** One way in which a number is written. */
export interface Form {
  /** Global and linear; it begins and ends where a group of characters does. */
  readonly pattern: RegExp;
  /** True where such a form needs no word near it that says what it is. */
  readonly isSure?: boolean;
  /** Characters that a text without such a form mostly lacks, where that is found much faster. */
  readonly needs?: RegExp;
  /**
   * Runs of digits that every match has, in the small letters of `rowSymbols`: `dddd` for four of four, `[n-s]` for one
   * of 14 to 19. A text without such a row of runs is not searched.
   */
  readonly runs?: RegExp;
  /** The same with the letters beside them, in capitals: `[BZ]f` for two letters before six digits. */
  readonly shape?: RegExp;
  /** The topics whose words name such a form, where they are others than that of its entity. */
  readonly topics?: readonly string[];
  /** True where that word has to stand right before it. */
  readonly isLabelled?: boolean;
}

/** Names of groups of entities that a gateway file may use in place of single ones. */
export const entitySets = [
  'contact',
  'financial',
  'us',
  'uk',
  'eu',
  'apac',
  'latam',
  'canada',
  'africa',
  'credentials',
] as const;

type EntitySet = (typeof entitySets)[number];

/** Tells of most texts that none is in them. `digits` are the parts with some near each other, joined, if any are. */
interface CheapTest {
  test(text: string, digits: string | undefined, hasManyDigits: boolean): boolean;
}

/** The parts of a text in which all of them stand, where they are found faster than by the forms. */
interface PartsSearch {
  partsOf(text: string): readonly Span[];
}

/** True where such a sign stands twice so near: the engine finds single signs in no time, and most texts have few. */
export function hasTwice(text: string, sign: string, distance: number): boolean {
  for (let at = text.indexOf(sign); at !== -1;) {
    const next = text.indexOf(sign, at + 1);
    if (next !== -1 && next - at <= distance) return true;
    at = next;
  }
  return false;
}

/** Signs that stand so many times, each so far from the last, as between the groups of one number. */
interface SignsApart {
  readonly sign: string;
  readonly distance: number;
  readonly times: number;
}

/** More characters than say on either side of a number that it is a part of something. */
const edgeCharacters = 2;

/** The parts of a text in which such signs stand with a group on each side, in their order. */
export function partsApart(text: string, signs: readonly SignsApart[]): readonly Span[] {
  const parts = signs.flatMap((one) => partsWith(text, one)).sort((one, other) => one.start - other.start);
  const joined: Part[] = [];
  for (const { start, end } of parts) addJoined(joined, start, end);
  return joined;
}

function partsWith(text: string, { sign, distance, times }: SignsApart): readonly Part[] {
  const parts: Part[] = [];
  const unit = sign.charCodeAt(0);
  for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 1)) {
    let next = at + distance;
    while (next < text.length && text.charCodeAt(next) === unit && next < at + times * distance) next += distance;
    if (next < at + times * distance) continue;
    // In a text of nothing else each sign begins one.
    addJoined(parts, Math.max(0, at - distance - edgeCharacters), Math.min(text.length, next + edgeCharacters));
  }
  return parts;
}

interface Part extends Span {
  end: number;
}

function addJoined(parts: Part[], start: number, end: number): void {
  const last = parts.at(-1);
  if (last === undefined || start > last.end) parts.push({ start, end });
  else last.end = Math.max(last.end, end);
}

/** Text right before a place, which is read backwards from there: else it would be looked for from each character. */
export function rightBefore({ source, flags }: RegExp): RegExp {
  return new RegExp(`(?<=${source})`, `${flags}y`);
}

/** One kind of personal data: how it is written, and what makes it more than figures that look like it. */
export interface Entity {
  readonly name: string;
  readonly sets: readonly EntitySet[];
  /** Authority that gives such numbers out, or the document that describes them. */
  readonly authority: string;
  readonly forms: readonly Form[];
  /**
   * Scope of the search: near the digits of a text, right behind a word of its topic, or in a whole text that passes
   * a cheap test, or in parts of it.
   */
  readonly place: 'digits' | 'label' | CheapTest | PartsSearch;
  /** Signs of characters of which each has one, where that is no digit near others: none is in a text without. */
  readonly signs?: number;
  /** Fault of a candidate, in words that never quote it; undefined where nothing is. A label stands right before it. */
  readonly fault?: (found: string, hasContext: boolean, isLabelled?: () => boolean) => string | undefined;
  /** True where the digits that count up or down, right behind its label, are found: a person types them first. */
  readonly hasCountedSample?: boolean;
  /** The arithmetic that every number of this kind satisfies, where there is one. */
  readonly checksum?: string;
  /** The topic in `context.txt` whose words say what it is. */
  readonly topic?: string;
  /** Of a label whose value may have no digit: one of these is in a text without any. */
  readonly hints?: readonly string[];
  /** A word of the topic has to stand so near; the usual distance where this is not said. */
  readonly reach?: number;
  /** Words that say that it is something else, `rightBefore` it. */
  readonly notAfter?: RegExp;
  /** Words right behind it that say so. */
  readonly notBefore?: RegExp;
  /** Neither counts for such a form, or where such a label alone parts the word of its topic from the number. */
  readonly unless?: { readonly form: RegExp; readonly label: RegExp };
  /** One that is found, and one that only looks like it: checked by a test. */
  readonly sample: string;
  readonly lookAlike: string;
}

/** Separator of two groups of one number: a blank or two, one sign, or a line end. */
export const between = '(?:[ \\t]{1,2}|[ ]?[-./_|+:\\\\][ ]?|\\r?\\n[ \\t]{0,2})';

/** Letters of alphabets that part words by blanks: beside one of them, a number is part of a word. */
export const wordLetters = 'A-Za-z\\u00c0-\\u024f\\u0370-\\u052f';

/**
 * A pattern that begins and ends at the edge of a group of letters and digits; a low line is no part of one. No look
 * ahead stands before it, for the engine passes over places by the first character alone, and not by what it looks at.
 */
export function standalone(source: string, flags = 'gi'): RegExp {
  return new RegExp(`(?<!${noEscape}[${wordLetters}\\d])(?<!\\d\\.)(?:${source})(?![${wordLetters}\\d])`, flags);
}

/** Groups of digits of given lengths, whatever stands between them. */
export function groups(...lengths: readonly (number | string)[]): string {
  return lengths.map((length) => `\\d{${length}}`).join(between);
}

/** Runs of digits of groups of given lengths, any of which may be run together. */
export function merged(...lengths: readonly number[]): string {
  const [first = 0, ...others] = lengths;
  const one = lengthOfRun(first);
  if (others.length === 0) return one;
  const [next = 0, ...rest] = others;
  return `(?:${one}${merged(...others)}|${merged(first + next, ...rest)})`;
}

const countsUp = '12345678901234567890123456789012';
const countsDown = '98765432109876543210987654321098';
const countedMin = 7;
/** A day of birth, with or without what stands before it, and digits that count up from one. */
const birthAndCount = /^\d{6,8}1234?5?6?7?8?$/;

/** `1234 5678 9012`, `123.456.789-00`, `010180-123A`: digits that count on, behind two others at most or a birth. */
export function isCountedOn(found: string): boolean {
  const digits = found.replace(/\D/g, '');
  if (digits.length < countedMin) return false;
  if (/^(?:123456789|987654321)(?:(\d)\1+|[01])?$/.test(digits) || birthAndCount.test(digits)) return true;
  const some = [0, 1, 2].slice(0, digits.length - countedMin).map((from) => digits.slice(from));
  return [digits, ...some].some((one) => countsUp.includes(one) || countsDown.includes(one));
}

/** The fault that an entity finds in a candidate; a counted sample beside its own label has none. */
export function ownFault(
  { fault, hasCountedSample }: Entity,
  found: string,
  hasContext: boolean,
  isLabelled: () => boolean,
): string | undefined {
  const own = fault?.(found, hasContext, isLabelled);
  return own !== undefined && hasCountedSample === true && isLabelled() && isCountedOn(found) ? undefined : own;
}
