import type { Span } from '../../readings/view.ts';
import { bitOf, type ClassedWord, type SignLanguage, classedWords, PlainWords, type WordClass } from './languages.ts';
import type { SignSort } from './signs.ts';

/**
 * Signs of an attempt by classes of words, as other languages than English have them: a word of one class, and near
 * behind it in the sentence one of another. Each language's file has a sample and a look-alike of each.
 */
interface ClassSign {
  readonly sort: SignSort;
  readonly weight: number;
  readonly first: readonly WordClass[];
  /** The class of a word behind the first one; without it, the first is a sign by itself. */
  readonly second?: readonly WordClass[];
  /** Number of words from the first to that. */
  readonly within?: number;
  /** Classes of which a word stands between the two, or next to them. */
  readonly beside?: readonly WordClass[];
  /** Classes of which a word stands before, in the same sentence. */
  readonly earlier?: readonly WordClass[];
}

/** Of each sort in the order of weight, for the heaviest that a text has is what counts. */
export const classSigns: readonly ClassSign[] = [
  { sort: 'override', weight: 1.5, first: ['ignore', 'remove'], second: ['own'], within: 7, beside: ['your'] },
  { sort: 'override', weight: 1.25, first: ['ignore', 'remove'], second: ['own'], within: 5 },
  {
    sort: 'override',
    weight: 1.2,
    first: ['ignore'],
    second: ['rules', 'limits'],
    within: 7,
    beside: ['your', 'before'],
  },
  { sort: 'override', weight: 1, first: ['ignore', 'remove'], second: ['rules', 'limits'], within: 5 },
  { sort: 'setup', weight: 2, first: ['show'], second: ['setup'], within: 7, beside: ['inner'], earlier: ['your'] },
  { sort: 'setup', weight: 1.25, first: ['show'], second: ['setup'], within: 6, beside: ['inner'] },
  { sort: 'setup', weight: 1.2, first: ['show'], second: ['setup'], within: 6, beside: ['your'] },
  { sort: 'secret', weight: 1.2, first: ['show'], second: ['secrets'], within: 6 },
  { sort: 'free', weight: 2, first: ['without'], second: ['own'], within: 4, earlier: ['answer'] },
  { sort: 'free', weight: 1.5, first: ['without'], second: ['own'], within: 4 },
  { sort: 'free', weight: 1.25, first: ['unbound'] },
  { sort: 'free', weight: 1, first: ['without'], second: ['rules', 'limits'], within: 4 },
  { sort: 'off', weight: 1.25, first: ['own'], second: ['off'], within: 6 },
  { sort: 'off', weight: 1.25, first: ['off'], second: ['own'], within: 5 },
  { sort: 'off', weight: 1.2, first: ['rules', 'limits'], second: ['off'], within: 6, earlier: ['your', 'before'] },
  { sort: 'off', weight: 1.2, first: ['off'], second: ['limits'], within: 5, earlier: ['your', 'before'] },
  { sort: 'obey', weight: 1.2, first: ['never'], second: ['refuse'], within: 4 },
  { sort: 'obey', weight: 1.2, first: ['obey'] },
  { sort: 'mode', weight: 1.25, first: ['mode'], second: ['modes'], within: 2 },
  { sort: 'pressure', weight: 0.5, first: ['pressure'] },
  { sort: 'role', weight: 0.75, first: ['role'] },
  { sort: 'claim', weight: 0.75, first: ['claim'] },
  { sort: 'model', weight: 0.5, first: ['model'] },
];

const maskOf = (some: readonly WordClass[] = []): number => some.reduce((mask, one) => mask | bitOf(one), 0);
const masked = classSigns.map((sign) => ({
  sign,
  first: maskOf(sign.first),
  second: maskOf(sign.second),
  beside: maskOf(sign.beside),
  earlier: maskOf(sign.earlier),
}));

const negatable: ReadonlySet<SignSort> = new Set<SignSort>(['override', 'setup', 'secret']);
const negation = maskOf(['not']);
/** Words before an order in which a "not" turns it round; the word behind it does as well, as in German. */
const negationWords = 2;
/** Words of classes around the first of a sign that are looked at. */
const wordsBefore = 8;
const wordsBehind = 12;

interface FoundSign {
  readonly sort: SignSort;
  readonly weight: number;
  readonly place: Span;
}

/**
 * The first place of each sign that a text has, in the language that knows most of its words: Spanish and Portuguese
 * share many.
 */
export function classSignsIn(text: string, languages: readonly SignLanguage[]): readonly FoundSign[] {
  if (languages.length === 0) return [];
  const plain = new PlainWords(text);
  let words: readonly ClassedWord[] = [];
  for (const language of languages) {
    const known = classedWords(plain, language);
    if (known.length > words.length) words = known;
  }
  let all = 0;
  for (const { classes } of words) all |= classes;
  const found: FoundSign[] = [];
  for (const one of masked) {
    if ((all & one.first) === 0 || (one.second !== 0 && (all & one.second) === 0)) continue;
    const place = placeOf(words, one);
    if (place !== undefined) found.push({ sort: one.sign.sort, weight: one.sign.weight, place });
  }
  return found;
}

/** Loops alone: it is asked for each sign, and most texts have none. */
function placeOf(
  words: readonly ClassedWord[],
  { sign, first, second, beside, earlier }: (typeof masked)[number],
): Span | undefined {
  for (let index = 0; index < words.length; index++) {
    const one = words[index]!;
    if ((one.classes & first) === 0) continue;
    const { at } = one;
    if (negatable.has(sign.sort) && indexNear(words, index, at - negationWords, at + 1, negation) !== -1) continue;
    if (second === 0) return { start: one.start, end: one.end };
    const behind = indexNear(words, index, at + 1, at + (sign.within ?? 1), second);
    if (behind === -1) continue;
    const last = words[behind]!;
    if (beside !== 0 && indexNear(words, index, at, last.at + 2, beside) === -1) continue;
    if (earlier !== 0 && indexNear(words, index, at - wordsBefore, last.at, earlier) === -1) continue;
    return { start: one.start, end: last.end };
  }
  return undefined;
}

/** The first of the classed words around one that is in some classes, between two places of its sentence; -1: none. */
function indexNear(words: readonly ClassedWord[], around: number, from: number, until: number, mask: number): number {
  const { sentence } = words[around]!;
  const end = Math.min(words.length, around + wordsBehind);
  for (let index = Math.max(0, around - wordsBefore); index < end; index++) {
    const one = words[index]!;
    if ((one.classes & mask) !== 0 && one.sentence === sentence && one.at >= from && one.at <= until) return index;
  }
  return -1;
}
