import type { Finding } from '../../vocabulary.ts';
import type { injection } from '../../policies/kinds/injection.ts';
import { type SequencePart, sharedReader } from '../../policies/kinds/injection.ts';
import { type CluePlace, clueSums, type Sensitivity, sumClues } from '../../policies/rules/injection-clues.ts';
import type { OptionsOf } from '../../policies/policy.ts';
import { hasPayload, isApart, isEndedBy, isMeant, isNegated } from '../../policies/rules/injection-subjects.ts';
import { clues, lexicon } from '../../policies/rules/injection-lexicon.ts';
import { negatable, type Sequence, sequences, type Slot, slots } from '../../policies/rules/injection-sequences.ts';
import { signSorts } from '../../policies/rules/signs/signs.ts';
import { signSumMin, sumSigns } from '../../policies/rules/signs/sums.ts';
import type { View } from '../../policies/readings/view.ts';
import { type Explainer, nearIn, nearMax } from './miss.ts';
import { grouped } from '../../../text/sizes.ts';

function wordsFor(some: readonly Slot[]): string {
  return `words for ${some.map((slot) => slots[slot]).join(' and ')}`;
}

export const lookForInjection: Explainer = (options, text) => {
  const { sensitivity } = options as OptionsOf<typeof injection>;
  return {
    sought: `for attempts to steer the model, by ${grouped(lexicon.length)} words and phrases`,
    absent: 'nothing comes close to one',
    near: nearIn(
      text,
      (view, tell) => {
        const { parts, clues: places, anchors } = sharedReader()(view);
        for (const miss of nearestOfEachRule(view, text.sent, parts.slice(0, nearMax))) tell(miss, miss.why);
        const clue = clueMiss(places, sensitivity);
        if (clue !== undefined) tell(clue, clue.why);
        const sign = signMiss(sumSigns(view.text, anchors), sensitivity);
        if (sign !== undefined) tell(sign, sign.why);
      },
      () => true,
    ),
  };
};

/** The near miss of a sum of clues: at least half of the sum that makes an attempt. */
function clueMiss(
  places: readonly CluePlace[],
  sensitivity: Sensitivity,
): (Finding & { readonly why: string }) | undefined {
  const least = clueSums[sensitivity];
  const heaviest = sumClues(places, sensitivity);
  if (heaviest === undefined || heaviest.sum < least / 2 || heaviest.sum >= least) return undefined;
  const { start, end, sum, groups } = heaviest;
  const named = [...groups].map((clue) => clues[clue].means).join(', ');
  return {
    rule: 'jailbreak',
    start,
    length: end - start,
    why: `the clues (${named}) weigh ${sum}, and ${least} are needed`,
  };
}

/** The near miss of the signs of a short text, by the sum that makes an attempt. */
function signMiss(
  signs: ReturnType<typeof sumSigns>,
  sensitivity: Sensitivity,
): (Finding & { readonly why: string }) | undefined {
  const least = signSumMin[sensitivity];
  if (signs === undefined || signs.sum >= least) return undefined;
  const { rule, start, end, sum, sorts } = signs;
  const named = sorts.map((sort) => signSorts[sort].means).join(', ');
  return { rule, start, length: end - start, why: `its signs (${named}) weigh ${sum}, and ${least} are needed` };
}

interface Miss extends Finding {
  readonly why: string;
  /** Number of slots found in their order. */
  readonly reached: number;
}

function nearestOfEachRule(view: View, sent: string, parts: readonly SequencePart[]): Miss[] {
  const best = new Map<string, Miss>();
  for (const sequence of sequences) {
    for (const miss of missesOf(sequence, view, sent, parts)) {
      if (miss.reached > (best.get(miss.rule)?.reached ?? 0)) best.set(miss.rule, miss);
    }
  }
  return [...best.values()];
}

function missesOf(sequence: Sequence, view: View, sent: string, parts: readonly SequencePart[]): Miss[] {
  const [first, ...others] = sequence.slots;
  // A verb that stands last is not waited for in languages that have it first.
  if (others.includes('override_last') && !parts.some(({ slot }) => slot === 'override_last')) return [];
  const begun = parts.flatMap((part, index) => (part.slot === first ? [{ part, index }] : []));
  // A `you` by itself says nothing.
  if (begun.length > 0 && (first !== 'you' || parts.some(({ slot }) => others.includes(slot)))) {
    return begun.flatMap(({ index }) => missFrom(index, sequence, view, sent, parts) ?? []);
  }
  const present = others.flatMap((slot) => parts.find((part) => part.slot === slot) ?? []);
  const [one] = present;
  if (present.length < 2 || one === undefined) return [];
  const why = `has ${wordsFor(present.map(({ slot }) => slot))}; an attempt has words for ${slots[first!]} before them`;
  return [{ rule: sequence.rule, start: one.start, length: one.end - one.start, why, reached: 1 }];
}

/** Length to which a sequence gets that begins at one part, and what it wants then. */
function missFrom(
  from: number,
  sequence: Sequence,
  view: View,
  sent: string,
  parts: readonly SequencePart[],
): Miss | undefined {
  const { rule, slots: wanted, gap, before } = sequence;
  const { start, end: endOfFirst, slot: first } = parts[from]!;
  let { end } = parts[from]!;
  let at = from;
  for (const [reached, slot] of wanted.entries()) {
    if (reached === 0) continue;
    const next = parts.findIndex((part, index) => index > at && part.slot === slot && part.start >= end);
    const fault = next === -1 ? 'behind them' : distance(view.text, end, parts[next]!.start, gap);
    if (fault !== undefined) {
      const why = `has ${wordsFor(wanted.slice(0, reached))}; an attempt has words for ${slots[slot]} ${fault}`;
      return { rule, start, length: end - start, why, reached };
    }
    at = next;
    end = parts[next]!.end;
  }
  const isMeantWell = negatable.slots.has(first) && isNegated(view, sent, start);
  const isElsewhere = !isEndedBy(view.text, end, before) || !isMeant(sequence, view.text, { start, end }, endOfFirst);
  const isAlone = sequence.needsPayload !== undefined && !hasPayload(view.text, { start, end });
  const fault = isMeantWell
    ? 'says not to do it'
    : isElsewhere
      ? 'what stands around them makes it about something else'
      : `people say them to people as well, so ${sequence.needsPayload === 'always' ? 'they need' : 'normal sensitivity needs'} a second sign`;
  const why = `it has all words of an attempt, but ${fault}`;
  return isMeantWell || isElsewhere || isAlone
    ? { rule, start, length: end - start, why, reached: wanted.length }
    : undefined;
}

function distance(text: string, end: number, start: number, gap: number): string | undefined {
  if (start - end > gap) return `at most ${gap} characters behind them, and here ${start - end} characters are between`;
  return isApart(text, { start: end, end: start }) ? 'in the same part of a sentence' : undefined;
}
