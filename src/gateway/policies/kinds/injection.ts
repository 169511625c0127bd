import { object } from '../../../documents/shape.ts';
import type { Finding } from '../../vocabulary.ts';
import { phrases, sequences, type Slot, slots, spokenAsSystem } from '../rules/injection-lexicon.ts';
import { createPhraseSearch } from '../rules/phrases.ts';
import { type Detector, findIn, policyKind } from '../policy.ts';
import type { Span, View } from '../readings/view.ts';

/**
 * Attempts to take over the model, by what they are usually made of. It is a heuristic: who knows it can word his way
 * round it, and a text about such attempts that quotes them is taken for one.
 */
export const injection = policyKind({
  isPure: true,
  messageSeparator: ' ',
  rules: [...new Set([...[...phrases, ...sequences].map(({ rule }) => rule), 'role_marker'])],
  options: object({}, {}),
  create: () => ({ detect: createDetector(), readsLetters: true }),
});

type Meaning = { readonly slot: Slot } | { readonly rule: string };

export interface Part extends Span {
  readonly slot: Slot;
}

/** What is said in a view: whole phrases, and parts of sequences in the order of the text. */
export interface Reading {
  readonly phrases: readonly Finding[];
  readonly parts: readonly Part[];
}

export function createReader(): (view: View) => Reading {
  const lexicon: readonly { readonly text: string; readonly meaning: Meaning }[] = [
    ...Object.entries(slots).flatMap(([slot, words]) =>
      words.split('|').map((text) => ({ text, meaning: { slot: slot as Slot } })),
    ),
    ...phrases.flatMap(({ rule, phrases: some }) => some.map((text) => ({ text, meaning: { rule } }))),
  ];
  const search = createPhraseSearch(lexicon.map(({ text }) => text));

  return function read(view) {
    const found: Finding[] = [];
    const parts: Part[] = [];
    search.find(view, (phrase, { start, end }) => {
      const { meaning } = lexicon[phrase]!;
      if ('rule' in meaning) found.push({ rule: meaning.rule, start, length: end - start });
      else parts.push({ slot: meaning.slot, start, end });
    });
    for (const match of view.text.matchAll(spokenAsSystem)) {
      found.push({ rule: 'role_marker', start: match.index, length: match[0].length });
    }
    parts.sort((one, other) => one.start - other.start || other.end - one.end);
    return { phrases: found, parts };
  };
}

function createDetector(): Detector {
  const read = createReader();

  function inspect(view: View, sent: string): Finding[] {
    const { phrases: found, parts } = read(view);
    return [...found, ...sequencesIn(view.text, parts, (start) => isNegated(view, sent, start))];
  }

  return (text) =>
    findIn(
      text,
      (view) => inspect(view, text.sent),
      () => true,
    );
}

function sequencesIn(text: string, parts: readonly Part[], isNegated: (start: number) => boolean): Finding[] {
  return sequences.flatMap(({ rule, slots: wanted, gap }) =>
    parts.flatMap(({ slot, start, end }, index) => {
      if (slot !== wanted[0] || (slot === 'override' && isNegated(start))) return [];
      const last = endOfSequence(text, parts, index, { wanted: wanted.slice(1), gap, end });
      return last === undefined ? [] : [{ rule, start, length: last - start }];
    }),
  );
}

export function isNegated(view: View, sent: string, start: number): boolean {
  const at = view.toSent({ start, end: start + 1 }).start;
  return [view.text.slice(0, start), sent.slice(0, at)].some((before) =>
    negation.test(before.slice(-negationCharacters)),
  );
}

/** Who says not to forget the rules means well, unless a new paragraph begins behind the "not". */
const negation = /(?:\b(?:do not|don['’]t|never)|(?<!\p{L})не)(?:[^\S\n]+|[^\S\n]*\n[^\S\n]*)$|\bn['’]$/iu;

const negationCharacters = 10;

interface Rest {
  readonly wanted: readonly Slot[];
  readonly gap: number;
  readonly end: number;
}

/** Where the rest of a sequence ends, trying each part that stands near enough; its length bounds the steps. */
function endOfSequence(
  text: string,
  parts: readonly Part[],
  from: number,
  { wanted, gap, end }: Rest,
): number | undefined {
  if (wanted.length === 0) return end;
  for (let index = from + 1; index < parts.length && parts[index]!.start - end <= gap; index++) {
    const part = parts[index]!;
    if (part.slot !== wanted[0] || part.start < end || isApart(text.slice(end, part.start))) continue;
    const last = endOfSequence(text, parts, index, { wanted: wanted.slice(1), gap, end: part.end });
    if (last !== undefined) return last;
  }
  return undefined;
}

/** Words of two sentences, or of two parts of a list, have nothing to do with each other. */
export function isApart(between: string): boolean {
  return /^ for (?!now|the)|[.!?;。！？][*_)"']{0,3}\s|[,:] (?:but|and|aber|und|mais|pero|the|my|then)\b|\n\s*\n/i.test(
    between,
  );
}
