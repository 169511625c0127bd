import type { Finding } from '../vocabulary.ts';
import { createReader, isApart, isNegated, type Part } from '../policies/kinds/injection.ts';
import { phrases, type Sequence, sequences, type Slot } from '../policies/rules/injection-lexicon.ts';
import type { View } from '../policies/readings/view.ts';
import { type Explainer, nearIn, nearMax } from './near-miss.ts';

/** What the words of a slot are about. */
const meanings: Readonly<Record<Slot, string>> = {
  override: 'setting aside',
  scope: 'what came before',
  target: 'rules',
  reveal: 'showing',
  hidden: 'the hidden prompt',
  send: 'sending away',
  cargo: 'what is confidential',
  address: 'an address',
  you: 'the model',
  unbound: 'no limits',
  lifted: 'limits being off',
  become: 'a role',
};

function wordsFor(some: readonly Slot[]): string {
  return `words for ${some.map((slot) => meanings[slot]).join(' and ')}`;
}

let read: ReturnType<typeof createReader> | undefined;

export const lookForInjection: Explainer = (_options, text) => {
  read ??= createReader();
  const reader = read;
  const count = phrases.reduce((sum, each) => sum + each.phrases.length, 0);
  return {
    sought: `for ${count} phrases and ${sequences.length} sequences of words`,
    absent: 'none of the phrases, and no sequence begins',
    near: nearIn(
      text,
      (view, tell) => {
        const parts = reader(view).parts.slice(0, nearMax);
        for (const miss of nearestOfEachRule(view, text.sent, parts)) tell(miss, miss.why);
      },
      () => true,
    ),
  };
};

interface Miss extends Finding {
  readonly why: string;
  /** How many slots were found in their order. */
  readonly reached: number;
}

function nearestOfEachRule(view: View, sent: string, parts: readonly Part[]): Miss[] {
  const best = new Map<string, Miss>();
  for (const sequence of sequences) {
    for (const miss of missesOf(sequence, view, sent, parts)) {
      if (miss.reached > (best.get(miss.rule)?.reached ?? 0)) best.set(miss.rule, miss);
    }
  }
  return [...best.values()];
}

function missesOf(sequence: Sequence, view: View, sent: string, parts: readonly Part[]): Miss[] {
  const [first, ...others] = sequence.slots;
  const begun = parts.flatMap((part, index) => (part.slot === first ? [{ part, index }] : []));
  // Whom a text speaks to says nothing by itself.
  if (begun.length > 0 && (first !== 'you' || parts.some(({ slot }) => others.includes(slot)))) {
    return begun.flatMap(({ index }) => missFrom(index, sequence, view, sent, parts) ?? []);
  }
  const present = others.flatMap((slot) => parts.find((part) => part.slot === slot) ?? []);
  const [one] = present;
  if (present.length < 2 || one === undefined) return [];
  const why = `${wordsFor(present.map(({ slot }) => slot))}, but none for ${meanings[first!]}`;
  return [{ rule: sequence.rule, start: one.start, length: one.end - one.start, why, reached: 1 }];
}

/** How far a sequence gets that begins at one part, and what it wants then. */
function missFrom(
  from: number,
  { rule, slots, gap }: Sequence,
  view: View,
  sent: string,
  parts: readonly Part[],
): Miss | undefined {
  const { start, slot: first } = parts[from]!;
  let { end } = parts[from]!;
  let at = from;
  for (const [reached, slot] of slots.entries()) {
    if (reached === 0) continue;
    const next = parts.findIndex((part, index) => index > at && part.slot === slot && part.start >= end);
    const fault = next === -1 ? 'none follow' : distance(view.text, end, parts[next]!.start, gap);
    if (fault !== undefined) {
      const why = `${wordsFor(slots.slice(0, reached))}, but of those for ${meanings[slot]} ${fault}`;
      return { rule, start, length: end - start, why, reached };
    }
    at = next;
    end = parts[next]!.end;
  }
  const isMeantWell = first === 'override' && isNegated(view, sent, start);
  const why = 'all of it is there, but it says not to';
  return isMeantWell ? { rule, start, length: end - start, why, reached: slots.length } : undefined;
}

function distance(text: string, end: number, start: number, gap: number): string | undefined {
  if (start - end > gap) return `the next is ${start - end} characters away, and at most ${gap} count`;
  return isApart(text.slice(end, start)) ? 'the next is in another sentence or part of one' : undefined;
}
