import { refined } from '../../../documents/refined.ts';
import { byDefault, object, oneOf } from '../../../documents/shape.ts';
import { sharedPlaces } from '../../../text/patterns/foreign-places.ts';
import { matchesOf } from '../../../text/patterns/matches.ts';
import type { Finding } from '../../vocabulary.ts';
import { type CluePlace, clueSums, sensitivities, type Sensitivity, sumClues } from '../rules/injection-clues.ts';
import { type Clue, fakedTurn, lexicon, type Meaning, spokenAsSystem } from '../rules/injection-lexicon.ts';
import { type NeedsPayload, negatable, sequencesOfSlots, type Slot } from '../rules/injection-sequences.ts';
import {
  hasPayload,
  isApart,
  isEndedBy,
  isMeant,
  isMention,
  isNegated,
  isOfHost,
} from '../rules/injection-subjects.ts';
import { oddTail } from '../rules/odd-tail.ts';
import { createPhraseSearch } from '../rules/phrases.ts';
import type { Anchor } from '../rules/signs/english.ts';
import { isSigned, signSumMin, sumSigns } from '../rules/signs/sums.ts';
import { type Detector, findIn, policyKind } from '../policy.ts';
import type { Span, View } from '../readings/view.ts';

/** Number of oddities that make the end of a text a tail that was searched for and not written. */
const oddMin: Readonly<Record<Sensitivity, number>> = { normal: 4, high: 3 };
const pieceGap = 40;
/** To look for the payload of an order takes as long as to read so many characters. */
const payloadWork = 1500;
/** The same of what stands between two words of an order: each word may have some for each sequence. */
const betweenWork = 10;

/**
 * Attempts to take over the model, by what they are usually made of. It is a heuristic: who knows it can word his way
 * round it, and a text about such attempts that quotes them is taken for one.
 */
export const injection = policyKind({
  isPure: true,
  messageSeparators: [' '],
  rules: [
    'override_instructions',
    'reveal_prompt',
    'send_away',
    'no_limits',
    'role_marker',
    'jailbreak',
    'adversarial_suffix',
  ],
  options: refined(
    object({}, { sensitivity: byDefault('normal', 'high takes fewer clues for an attempt', oneOf(...sensitivities)) }),
    ({ sensitivity = 'normal' }) => ({ sensitivity }),
  ),
  create: ({ sensitivity }) => ({ detect: createDetector(sensitivity), readsLetters: true }),
});

export interface SequencePart extends Span {
  readonly slot: Slot;
  /** True for a word that people say to people as well: a sequence of it needs a payload beside it. */
  readonly isWeak: boolean;
}

interface Saying extends Finding {
  readonly needsPayload?: NeedsPayload | undefined;
}

/** Sayings of a view: whole phrases, parts of sequences, and clues, each in the order of the text. */
interface PhraseReading {
  readonly phrases: readonly Saying[];
  readonly parts: readonly SequencePart[];
  readonly clues: readonly CluePlace[];
  /** Of a short text alone. */
  readonly anchors: ReadonlySet<Anchor>;
}

interface PhrasePiece {
  readonly text: string;
  readonly phrase: number;
  readonly index: number;
}

function createReader(): (view: View) => PhraseReading {
  const pieces: readonly PhrasePiece[] = lexicon.flatMap(({ pieces: some }, phrase) =>
    some.map((text, index) => ({ text, phrase, index })),
  );
  const search = createPhraseSearch(
    pieces.map(({ text }) => text),
    sharedPlaces,
  );

  return function read(view) {
    const phrases: Saying[] = [];
    const parts: SequencePart[] = [];
    const places: CluePlace[] = [];
    /** By phrase with a gap: where its first piece stood last. */
    const begun = new Map<number, Span>();
    let mayHaveTurn = false;
    const anchors = new Set<Anchor>();
    const mayHaveSigns = isSigned(view.text) && !view.isRunTogether;
    const note = (meaning: Meaning, phrase: number, { start, end }: Span) => {
      if ('rule' in meaning) {
        if (meaning.rule === 'role_marker' && isMention(view.text, { start, end })) return;
        phrases.push({ rule: meaning.rule, start, length: end - start, needsPayload: meaning.needsPayload });
      } else if ('isTurn' in meaning) mayHaveTurn = true;
      else if ('anchor' in meaning) {
        if (mayHaveSigns) anchors.add(meaning.anchor);
      } else if ('slot' in meaning) parts.push({ slot: meaning.slot, isWeak: meaning.isWeak === true, start, end });
      else if (!isOfHost(view.text, end)) places.push({ clue: meaning.clue, phrase, start, end });
    };
    search.find(view, (found, span) => {
      const { phrase, index } = pieces[found]!;
      const { meaning, pieces: all } = lexicon[phrase]!;
      if (all.length === 1) return note(meaning, phrase, span);
      if (index === 0) return void begun.set(phrase, span);
      const first = begun.get(phrase);
      if (first !== undefined && span.start >= first.end && span.start - first.end <= pieceGap)
        note(meaning, phrase, { start: first.start, end: span.end });
    });
    for (const pattern of view.isLetters || !mayHaveTurn ? [] : [spokenAsSystem, fakedTurn]) {
      for (const match of matchesOf(view.text, pattern))
        phrases.push({ rule: 'role_marker', start: match.index, length: match[0].length });
    }
    return { phrases, parts: parts.sort(inOrder), clues: outermost(places.sort(inOrder)), anchors };
  };
}

/** Clues without those inside another of their group: "has no restrictions" says once that there are none. */
function outermost(places: readonly CluePlace[]): readonly CluePlace[] {
  if (places.length < 2) return places;
  const ends = new Map<Clue, number>();
  return places.filter(({ clue, end }) => {
    const isInside = end <= (ends.get(clue) ?? 0);
    if (!isInside) ends.set(clue, end);
    return !isInside;
  });
}

function inOrder(one: Span, other: Span): number {
  return one.start - other.start || other.end - one.end;
}

let reader: ReturnType<typeof createReader> | undefined;

/** One reader for all policies: its table takes megabytes. */
export function sharedReader(): ReturnType<typeof createReader> {
  return (reader ??= createReader());
}

function createDetector(sensitivity: Sensitivity): Detector {
  const least = clueSums[sensitivity];

  return (text) => {
    const takes: Takes = (needs, view, span) => {
      if (needs === undefined || (needs === 'at normal' && sensitivity === 'high')) return true;
      text.spend(payloadWork);
      return hasPayload(view, span, needs === 'always');
    };

    function inspect(view: View): Finding[] {
      const { phrases: found, parts, clues: places, anchors } = sharedReader()(view);
      text.spend(parts.length + places.length);
      const heaviest = view.isRunTogether ? undefined : sumClues(places, sensitivity);
      const signed = sumSigns(view.text, anchors);
      const tail = view.seen === '' ? oddTail(view.text, oddMin[sensitivity]) : undefined;
      return [
        ...found
          .filter(
            ({ rule, start, length, needsPayload }) =>
              takes(needsPayload, view.text, { start, end: start + length }) &&
              !(negatable.rules.has(rule) && isNegated(view, text.sent, start)),
          )
          .map(({ rule, start, length }) => ({ rule, start, length })),
        ...findingAt('adversarial_suffix', tail),
        ...sequencesIn(view.text, parts, {
          isNegated: (start) => isNegated(view, text.sent, start),
          takes,
          isApart: (between) => {
            text.spend(betweenWork);
            return isApart(view.text, between);
          },
        }),
        ...(heaviest === undefined || heaviest.sum < least ? [] : findingAt('jailbreak', heaviest)),
        ...(signed === undefined || signed.sum < signSumMin[sensitivity] ? [] : findingAt(signed.rule, signed)),
      ];
    }
    return findIn(text, inspect, () => true);
  };
}

function findingAt(rule: string, place: Span | undefined): Finding[] {
  return place === undefined ? [] : [{ rule, start: place.start, length: place.end - place.start }];
}

/** True where what may need a payload has one, or needs none at this sensitivity. */
type Takes = (needs: NeedsPayload | undefined, text: string, span: Span) => boolean;

/** Facts of what stands in a view beside the words of sequences; each counts what it reads. */
interface Beside {
  readonly isNegated: (start: number) => boolean;
  readonly takes: Takes;
  readonly isApart: (between: Span) => boolean;
}

/** Sequences of strong words, and those with a weak one that have a payload. */
function sequencesIn(text: string, parts: readonly SequencePart[], beside: Beside): Finding[] {
  if (parts.length === 0 || sequencesOfSlots(new Set(parts.map(({ slot }) => slot))).length === 0) return [];
  const strong = parts.filter(({ isWeak }) => !isWeak);
  const found = strong.length === 0 ? [] : sequencesOf(text, strong, beside);
  if (strong.length === parts.length) return found;
  const told = new Set(found.map(({ rule, start }) => `${rule} ${start}`));
  const others = sequencesOf(text, parts, beside).filter(
    ({ rule, start, length }) =>
      !told.has(`${rule} ${start}`) && beside.takes('at normal', text, { start, end: start + length }),
  );
  return [...found, ...others];
}

function sequencesOf(text: string, parts: readonly SequencePart[], beside: Beside): Finding[] {
  const bySlot = new Map<Slot, number[]>();
  for (const [index, { slot }] of parts.entries()) {
    const places = bySlot.get(slot);
    if (places === undefined) bySlot.set(slot, [index]);
    else places.push(index);
  }
  const found: Finding[] = [];
  for (const sequence of sequencesOfSlots(bySlot)) {
    const { rule, slots: wanted, gap, before } = sequence;
    for (const index of bySlot.get(wanted[0]!)!) {
      const { slot, start, end } = parts[index]!;
      const last = endOfSequence(text, parts, index, { wanted: wanted.slice(1), gap, end, before, beside });
      if (last === undefined || !isMeant(sequence, text, { start, end: last }, end)) continue;
      // Asked last, for it takes longest.
      if (negatable.slots.has(slot) && beside.isNegated(start)) continue;
      if (beside.takes(sequence.needsPayload, text, { start, end: last }))
        found.push({ rule, start, length: last - start });
    }
  }
  return found;
}

interface Rest {
  readonly wanted: readonly Slot[];
  readonly gap: number;
  readonly end: number;
  readonly before: RegExp | undefined;
  readonly beside: Beside;
}

/** End of the rest of a sequence, trying each part that stands near enough; its length bounds the steps. */
function endOfSequence(
  text: string,
  parts: readonly SequencePart[],
  from: number,
  { wanted, gap, end, before, beside }: Rest,
): number | undefined {
  if (wanted.length === 0) return isEndedBy(text, end, before) ? end : undefined;
  for (let index = from + 1; index < parts.length && parts[index]!.start - end <= gap; index++) {
    const part = parts[index]!;
    if (part.slot !== wanted[0] || part.start < end || beside.isApart({ start: end, end: part.start })) continue;
    const last = endOfSequence(text, parts, index, { wanted: wanted.slice(1), gap, end: part.end, before, beside });
    if (last !== undefined) return last;
  }
  return undefined;
}
