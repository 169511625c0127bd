import type { Spend } from '../../text/patterns/automaton.ts';
import { forgetScannedTexts } from '../../text/patterns/scanned-text.ts';
import { atOnce, type Piecework } from '../../text/turns.ts';
import type { Finding } from '../vocabulary.ts';
import { joinMessages, newParts, type JoinedMessages } from './message-boundaries.ts';
import type { Detector, Outcomes, Policy, PolicyOutcome, SeenFinding } from './policy.ts';
import { type ReadingPlan, type PreparedText, prepare } from './readings/prepare.ts';
import { lastAtMost } from './readings/view.ts';
import type { WorkBudget } from './readings/work-budget.ts';

/** One look of policies at texts, and at what several messages have together. */

const nothing: PolicyOutcome = [];

/** Texts that all policies of a side are shown. */
interface SharedTexts {
  readonly texts: readonly string[];
  readonly prepared: readonly PreparedText[];
  readonly plan: ReadingPlan;
  readonly budget: WorkBudget;
  /** By what stands between the texts; made when the first policy looks at one. */
  joined?: Map<string, readonly JoinedMessages[]>;
}

/** The outcomes of policies that all read texts by this plan; undefined for one that asks outside, or is undefined. */
export function inspectOnce(
  policies: readonly (Policy | undefined)[],
  texts: readonly string[],
  plan: ReadingPlan,
  budget: WorkBudget,
): Outcomes {
  const shown = { texts, prepared: texts.map((text) => prepare(text, plan, budget)), plan, budget };
  const outcomes = policies.map((policy, index) => {
    if (policy?.detect === undefined) return undefined;
    try {
      return outcomeOf(policy, policy.detect, index, shown);
    } catch {
      return 'failed';
    }
  });
  forgetScannedTexts();
  return outcomes;
}

function outcomeOf(policy: Policy, detect: Detector, index: number, shown: SharedTexts): PolicyOutcome {
  const { prepared } = shown;
  const joined =
    policy.messageSeparator !== undefined && prepared.length > 1 ? joinedBy(shown, policy.messageSeparator) : [];
  const split = joined.filter((one) => concerns(policy, index, one.prepared));
  if (split.length === 0 && !concernsAny(policy, index, prepared)) return nothing;
  const found = prepared.map((text) => (concerns(policy, index, text) ? [...detect(text)] : []));
  const spend: Spend = (characters, ofThisTime) => shown.budget.spend(characters, ofThisTime);
  for (const one of split) addSplit(found, { ...policy, detect }, one, shown.texts, spend);
  if (found.every(({ length }) => length === 0)) return nothing;
  return found.map((findings, message) => countingOnly(withoutRepeats(findings), shown.texts[message]!, policy, spend));
}

function countingOnly(findings: readonly SeenFinding[], text: string, policy: Policy, spend: Spend) {
  const { without, exceptionFor } = policy;
  if (without === undefined && exceptionFor === undefined) return findings;
  return atOnce(countingInPieces(findings, text, policy, spend));
}

/** The findings of rules that are not left out; one that is an exception alone, whatever stands around it, says so. */
export function* countingInPieces(
  findings: readonly SeenFinding[],
  text: string,
  { without, exceptionFor }: Policy,
  spend: Spend,
): Piecework<readonly SeenFinding[]> {
  const counting: SeenFinding[] = [];
  for (const finding of findings) {
    if (without?.has(finding.rule) === true) continue;
    const found = text.slice(finding.start, finding.start + finding.length);
    const exception = exceptionFor && (yield* exceptionFor(found, spend));
    counting.push(exception === undefined ? finding : { ...finding, exception });
    yield;
  }
  return counting;
}

function concerns({ needs }: Policy, index: number, text: PreparedText): boolean {
  return needs === undefined || text.mayConcern(index);
}

/** A plain loop: it is asked for each policy, and mostly no policy is concerned. */
function concernsAny(policy: Policy, index: number, texts: readonly PreparedText[]): boolean {
  for (const text of texts) if (concerns(policy, index, text)) return true;
  return false;
}

function joinedBy(shown: SharedTexts, between: string): readonly JoinedMessages[] {
  const known = (shown.joined ??= new Map<string, readonly JoinedMessages[]>());
  const one = known.get(between) ?? joinMessages(shown.texts, between, shown.plan, shown.budget);
  known.set(between, one);
  return one;
}

function addSplit(
  found: SeenFinding[][],
  policy: Policy & { readonly detect: Detector },
  joined: JoinedMessages,
  texts: readonly string[],
  spend: Spend,
): void {
  const { detect, readsNameBefore = false } = policy;
  const areFound = found.map((findings, message) =>
    createOverlap(findings.length > 0 ? hiding(findings, texts[message]!, policy, spend) : findings),
  );
  const places = new Set<string>();
  for (const finding of detect(joined.prepared)) {
    // Each of many words in one run of letters is the whole run, which may be all messages.
    const place = `${finding.rule} ${finding.start} ${finding.length}`;
    if (places.has(place)) continue;
    places.add(place);
    const parts = joined.split(finding, readsNameBefore);
    for (const { message, ...part } of newParts(parts, (one) => areFound[one.message]!(one), texts)) {
      const seen = part.seen === '' ? 'across messages' : `across messages, ${part.seen}`;
      found[message]!.push({ ...part, seen });
    }
  }
}

/**
 * The findings that a longer one over two messages is not told beside. An excepted word hides no longer word of its
 * list; an excepted address or number does, for any word behind it makes another one of it.
 */
function hiding(findings: readonly SeenFinding[], text: string, policy: Policy, spend: Spend) {
  if (policy.kind !== 'words') return findings;
  return countingOnly(findings, text, policy, spend).filter(({ exception }) => exception === undefined);
}

/**
 * Tells of a finding that shares a character with one of these by the same rule. A list of words inside of each other
 * finds thousands, so that one is not held against each.
 */
export function createOverlap(findings: readonly Finding[]): (finding: Finding) => boolean {
  /** The starts of findings, and the furthest end of all up to each. */
  const byRule = new Map<string, { readonly starts: number[]; readonly ends: number[] }>();
  for (const { rule, start, length } of findings.toSorted((one, other) => one.start - other.start)) {
    const { starts, ends } = byRule.get(rule) ?? { starts: [], ends: [] };
    byRule.set(rule, { starts, ends });
    starts.push(start);
    ends.push(Math.max(start + length, ends.at(-1) ?? 0));
  }
  return ({ rule, start, length }) => {
    const { starts, ends } = byRule.get(rule) ?? { starts: [], ends: [] };
    const last = lastAtMost(starts, start + length - 1);
    return last < starts.length && starts[last]! < start + length && start < ends[last]!;
  };
}

/** True where no finding begins before the one in front of it has ended, which is so for most texts. */
function areApart(findings: readonly SeenFinding[]): boolean {
  let end = 0;
  for (const { start, length } of findings) {
    if (start < end) return false;
    end = start + length;
  }
  return true;
}

/** The same thing is found in several readings of a text; the plainest, which comes first, is kept. */
function withoutRepeats(findings: readonly SeenFinding[]): readonly SeenFinding[] {
  if (areApart(findings)) return findings;
  const reached = new Map<string, number>();
  return findings
    .map((finding, index) => ({ finding, index }))
    .sort(
      (one, other) =>
        one.finding.start - other.finding.start || other.finding.length - one.finding.length || one.index - other.index,
    )
    .filter(({ finding: { rule, start, length } }) => {
      if (start + length <= (reached.get(rule) ?? -1)) return false;
      reached.set(rule, start + length);
      return true;
    })
    .map(({ finding }) => finding);
}
