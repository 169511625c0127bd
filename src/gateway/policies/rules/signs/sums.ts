import { matchesOf } from '../../../../text/patterns/matches.ts';
import type { Span } from '../../readings/view.ts';
import { ofTheModel, ownSubject } from '../injection-subjects.ts';
import type { Anchor } from './english.ts';
import { classSignsIn } from './class-signs.ts';
import { signLanguages, type SignLanguage } from './languages.ts';
import { attackSigns, type Sign, type SignSort, signSorts } from './signs.ts';

/** The sum of weights from which the signs of a text are an attempt. */
export const signSumMin = { normal: 1.95, high: 1.25 } as const;

/** Characters of a text, beyond which its signs are not added up. */
const signedTextMax = 500;

/** Sorts that one may be told not to do. */
const negatable: ReadonlySet<SignSort> = new Set<SignSort>(['override', 'setup', 'secret', 'free']);
const negation =
  /(?:\b(?:do|does|did|must|should|shall|will|would|can|could|may) not|n['’]t|cannot|never|not to|refuse to|avoid|without|under no circumstances?)\s+(?:[a-z]+\s+){0,2}$/i;
const negationCharacters = 32;
/** The text behind a sign, which tells whether it is about the model. */
const behind: Partial<Record<SignSort, RegExp>> = { override: ofTheModel, setup: ownSubject, secret: ownSubject };

interface SignSum extends Span {
  readonly sum: number;
  readonly rule: string;
  readonly sorts: readonly SignSort[];
}

/** True of a text that is short enough for its signs to be added up. */
export function isSigned(text: string): boolean {
  return text.length <= signedTextMax;
}

/** The signs of a short text added up, if any of them makes an attempt; `anchors`: those of its words. */
export function sumSigns(text: string, anchors: ReadonlySet<Anchor>): SignSum | undefined {
  if (anchors.size === 0) return undefined;
  const heaviest = new Map<SignSort, { readonly weight: number; readonly place: Span }>();
  const look = ({ sort, weight, pattern }: Sign): void => {
    const place = heaviest.has(sort) ? undefined : firstMeant(text, sort, pattern);
    if (place !== undefined) heaviest.set(sort, { weight, place });
  };
  for (const one of attackSigns)
    if (signSorts[one.sort].anchors?.some((anchor) => anchors.has(anchor)) === true) look(one);
  for (const one of attackSigns) if (signSorts[one.sort].anchors === undefined && heaviest.size > 0) look(one);
  for (const { sort, weight, place } of classSignsIn(text, [...anchors].filter(isLanguage)))
    if ((heaviest.get(sort)?.weight ?? 0) < weight) heaviest.set(sort, { weight, place });
  let rule: string | undefined;
  let most = 0;
  let sum = 0;
  for (const [sort, { weight }] of heaviest) {
    sum += weight;
    if (signSorts[sort].rule === undefined || weight <= most) continue;
    rule = signSorts[sort].rule;
    most = weight;
  }
  if (rule === undefined) return undefined;
  const places = [...heaviest.values()].map(({ place }) => place);
  const start = Math.min(...places.map((place) => place.start));
  const end = Math.max(...places.map((place) => place.end));
  return { sum, rule, sorts: [...heaviest.keys()], start, end };
}

function isLanguage(anchor: Anchor): anchor is SignLanguage {
  return anchor in signLanguages;
}

function firstMeant(text: string, sort: SignSort, pattern: RegExp): Span | undefined {
  for (const { index, 0: found } of matchesOf(text, pattern)) {
    const isNegated = negatable.has(sort) && negation.test(text.slice(Math.max(0, index - negationCharacters), index));
    const isMeant = !isNegated && (behind[sort]?.test(text.slice(index + found.length)) ?? true);
    if (isMeant) return { start: index, end: index + found.length };
  }
  return undefined;
}
