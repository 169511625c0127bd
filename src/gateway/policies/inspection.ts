import type { Spend } from '../../text/patterns/automaton.ts';
import { forgetScannedTexts } from '../../text/patterns/scanned-text.ts';
import { atOnce, type Piecework } from '../../text/turns.ts';
import type { Finding } from '../vocabulary.ts';
import { joinMessages, type JoinedMessages, type PartFinding } from './message-boundaries.ts';
import type { Detector, Outcomes, Policy, PolicyOutcome, SeenFinding } from './policy.ts';
import { type ReadingPlan, type PreparedText, prepare } from './readings/prepare.ts';
import { lastAtMost } from './readings/view.ts';
import type { WorkBudget } from './readings/work-budget.ts';

/** One look of policies at texts, and at what several messages have together. */

const nothing: PolicyOutcome = [];
const nothingInOne: readonly SeenFinding[] = [];

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
  const separators = prepared.length > 1 ? policy.messageSeparators : undefined;
  const joined = separators?.flatMap((between) => joinedBy(shown, between)) ?? [];
  const split = joined.filter((one) => concerns(policy, index, one.prepared));
  if (split.length === 0 && !concernsAny(policy, index, prepared)) return nothing;
  const spend: Spend = (characters, ofThisTime) => shown.budget.spend(characters, ofThisTime);
  const found = prepared.map((text) =>
    concerns(policy, index, text)
      ? countingOnly(withoutRepeats(detect(text), spend), text.sent, policy, spend)
      : nothingInOne,
  );
  const parts = split.length > 0 ? splitFindings(found, { ...policy, detect }, split, shown.texts, spend) : [];
  const all = parts.length > 0 ? found.map((findings, message) => withParts(findings, parts[message]!)) : found;
  return all.every(({ length }) => length === 0) ? nothing : all;
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

/**
 * The parts in each message of findings over several ones, where they are not found yet. An exception frees such a
 * finding as a whole, not a part of it.
 */
function splitFindings(
  found: readonly (readonly SeenFinding[])[],
  policy: Policy & { readonly detect: Detector },
  split: readonly JoinedMessages[],
  texts: readonly string[],
  spend: Spend,
): SeenFinding[][] {
  const { detect, findsListed = false } = policy;
  const areFound = found.map((some) => createOverlap(findsListed ? some.filter(counts) : some));
  const all: SeenFinding[][] = texts.map(() => []);
  for (const joined of split) {
    const partsOf = new Map<SeenFinding, readonly PartFinding[]>();
    const places = new Set<string>();
    const isNew = (finding: SeenFinding): boolean => {
      // Each of many words in one run of letters is the whole run, which may be all messages.
      const place = `${finding.rule} ${finding.start} ${finding.length}`;
      if (places.has(place)) return false;
      places.add(place);
      const parts = newParts(joined.split(finding, policy), (one) => areFound[one.message]!(one), texts);
      if (parts.length > 0) partsOf.set(finding, parts);
      return parts.length > 0;
    };
    for (const finding of withoutRepeats(detect(joined.prepared), spend, isNew)) {
      for (const { exception } of countingOnly([finding], joined.prepared.sent, policy, spend)) {
        for (const { message, ...part } of partsOf.get(finding)!) {
          const seen = part.seen === '' ? 'across messages' : `across messages, ${part.seen}`;
          all[message]!.push({ ...part, seen, ...(exception && { exception }) });
        }
      }
    }
  }
  return all;
}

/** More than a word that a message happens to begin with: letters and figures. */
const restOfSecret = /^(?=\S{0,60}[A-Za-z])(?=\S{0,60}\d)\S{6,}/;

/**
 * The parts of a finding that are not found yet. One that is whole in one message is not made longer by a word that the
 * next happens to begin with, only by the rest of a key.
 */
function newParts(
  parts: readonly PartFinding[],
  isFound: (part: PartFinding) => boolean,
  texts: readonly string[],
): readonly PartFinding[] {
  const others = parts.filter((part) => !isFound(part));
  const isRest = ({ message, start, length }: PartFinding) =>
    restOfSecret.test(texts[message]!.slice(start, start + length));
  return others.length === parts.length || others.every(isRest) ? others : [];
}

/** The findings of one message with parts of others in it. An excepted one hides none that counts. */
function withParts(found: readonly SeenFinding[], parts: readonly SeenFinding[]): readonly SeenFinding[] {
  if (parts.length === 0) return found;
  const all = [...found, ...parts];
  const counting = withoutRepeats(all.filter(counts));
  const isCounted = createOverlap(counting);
  const excepted = withoutRepeats(all.filter((finding) => !counts(finding) && !isCounted(finding)));
  return [...counting, ...excepted].toSorted((one, other) => one.start - other.start);
}

function counts({ exception }: SeenFinding): boolean {
  return exception === undefined;
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

/** To put a finding in order among a hundred thousand takes as long as to read so many characters. */
const workPerSorted = 20;

/**
 * The same thing is found in several readings of a text; the plainest, which comes first, is kept. None is asked for
 * that another one holds: phrases inside of each other are many, and each may stand in many messages.
 */
function withoutRepeats(
  findings: readonly SeenFinding[],
  spend?: Spend,
  isKept: (finding: SeenFinding) => boolean = () => true,
): readonly SeenFinding[] {
  if (areApart(findings)) return findings.filter(isKept);
  spend?.(findings.length * workPerSorted);
  const reached = new Map<string, number>();
  return findings
    .toSorted((one, other) => one.start - other.start || other.length - one.length)
    .filter((finding) => {
      const { rule, start, length } = finding;
      if (start + length <= (reached.get(rule) ?? -1) || !isKept(finding)) return false;
      reached.set(rule, start + length);
      return true;
    });
}
