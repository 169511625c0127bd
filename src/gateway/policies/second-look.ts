import type { Action, Finding } from '../vocabulary.ts';
import { createOverlap, inspectOnce } from './inspection.ts';
import type { Outcomes, Policy, PolicyOutcome, SeenFinding } from './policy.ts';
import { createMarkTest, createUnredaction, redacted } from './redacted.ts';
import type { ReadingPlan } from './readings/prepare.ts';
import { lastAtMost } from './readings/view.ts';
import type { WorkBudget } from './readings/work-budget.ts';

/**
 * The look at texts that were redacted. A mark changes what stands around it: the rest of a key that was glued to a
 * number, or a number that two others had hidden, is seen only now, and goes as well.
 */

/** The texts of a look, and the policies that take it. */
interface Look {
  readonly policies: readonly Policy[];
  readonly texts: readonly string[];
  readonly plan: ReadingPlan;
  readonly budget: WorkBudget;
}

/** Looks after the first, each of which may uncover more. A policy that finds more even then has failed. */
const looksMax = 3;
/** Longer texts are looked at once: each look takes as long as the first. */
const charactersMax = 100_000;

/** The outcomes with what is left to be found once the texts are redacted, at its place in the texts as sent. */
export function lookAgain(look: Look, outcomes: Outcomes): Outcomes {
  const { texts } = look;
  const isLong = texts.reduce((sum, { length }) => sum + length, 0) > charactersMax;
  return judgeWholes(look, isLong ? outcomes : lookBesideMarks(look, outcomes));
}

function lookBesideMarks(look: Look, outcomes: Outcomes): Outcomes {
  return areRedacted(look.policies, outcomes) ? withOthers(look, redactedAgain(look, outcomes)) : outcomes;
}

/** The outcomes with what policies that redact find beside their marks. */
function redactedAgain(look: Look, outcomes: Outcomes): Outcomes {
  const { policies, texts, plan, budget } = look;
  const hiding = policies.map((policy) => (policy.action === 'redact' ? policy : undefined));
  let found = outcomes;
  let shown = texts;
  for (let looks = 0; ; looks++) {
    const redactions = redactionsOf(policies, texts, found);
    const next = texts.map((text, message) => redacted(text, redactions[message]!));
    if (next.every((text, message) => text === shown[message])) return found;
    shown = next;
    const more = inspectOnce(hiding, shown, plan, budget);
    const all = found.map((outcome, index) => withMore(outcome, more[index], redactions));
    // Each of a row of glued numbers may be seen only once the one before it is a mark.
    if (looks === looksMax) return all.map((outcome, index) => (isLonger(outcome, found[index]) ? 'failed' : outcome));
    found = all;
  }
}

/**
 * The outcomes with what the other policies find in the texts as they go on: these would pass with what a policy that
 * redacts would have taken out. Each mark is `[CUT]` then, for `[AWS_ACCESS_KEY]` behind the word `secret` is no
 * phrase of the caller.
 */
function withOthers(look: Look, outcomes: Outcomes): Outcomes {
  const { policies, texts, plan, budget } = look;
  const isLooking = ({ action, readsSentAlone }: Policy) => action !== 'redact' && readsSentAlone !== true;
  if (!policies.some(isLooking) || !areRedacted(policies, outcomes)) return outcomes;
  const looking = policies.map((policy) => (isLooking(policy) ? policy : undefined));
  const redactions = redactionsOf(policies, texts, outcomes).map((some) =>
    some.map(({ start, length, seen }) => ({ rule: 'cut', start, length, seen })),
  );
  const shown = texts.map((text, message) => redacted(text, redactions[message]!));
  const more = inspectOnce(looking, shown, plan, budget);
  return outcomes.map((outcome, index) => withMore(outcome, more[index], redactions, texts));
}

/** True where something is redacted, and nothing blocks. */
function areRedacted(policies: readonly Policy[], outcomes: Outcomes): boolean {
  const hasFound = (wanted: Action) =>
    policies.some(({ action }, index) => action === wanted && hasCounted(outcomes[index]));
  return hasFound('redact') && !hasFound('block') && !outcomes.includes('failed');
}

/** The outcomes with what policies that judge a text as a whole say of it once it is redacted. */
export function judgeWholes(look: Look, outcomes: Outcomes): Outcomes {
  const { policies, texts, plan, budget } = look;
  const shown = wholesOf(policies, texts, outcomes);
  if (shown === undefined) return outcomes;
  const judging = policies.map((policy) => (policy.judgesWhole === true ? policy : undefined));
  const late = inspectOnce(judging, shown, plan, budget);
  return withWholes(
    policies,
    texts,
    outcomes,
    late.filter((_, index) => judging[index] !== undefined),
  );
}

/** The redacted texts, where a policy has to judge them as a whole. */
export function wholesOf(
  policies: readonly Policy[],
  texts: readonly string[],
  outcomes: Outcomes,
): readonly string[] | undefined {
  if (!policies.some(({ judgesWhole }) => judgesWhole) || !areRedacted(policies, outcomes)) return undefined;
  const redactions = redactionsOf(policies, texts, outcomes);
  return texts.map((text, message) => redacted(text, redactions[message]!));
}

/** The outcomes with those of redacted texts, of which there is one for each policy that judges them as a whole. */
export function withWholes(
  policies: readonly Policy[],
  texts: readonly string[],
  outcomes: Outcomes,
  wholes: Outcomes,
): Outcomes {
  let next = 0;
  return outcomes.map((outcome, index) => {
    if (policies[index]!.judgesWhole !== true) return outcome;
    const found = next < wholes.length ? wholes[next++] : 'failed';
    if (outcome === 'failed' || outcome === undefined || found === undefined) return outcome;
    if (found === 'failed') return found;
    return texts.map((text, message) => {
      const before = outcome[message] ?? [];
      const late = (found[message] ?? []).map((finding) => ({
        ...finding,
        start: 0,
        length: text.length,
        seen: 'once redacted',
      }));
      return countedIn(before).length > 0 ? before : [...before, ...late];
    });
  });
}

function isLonger(outcome: PolicyOutcome | undefined, before: PolicyOutcome | undefined): boolean {
  return (
    outcome !== 'failed' && outcome?.some((findings, at) => findings.length > (before?.[at]?.length ?? 0)) === true
  );
}

function hasCounted(outcome: PolicyOutcome | undefined): boolean {
  return outcome !== 'failed' && (outcome ?? []).some((findings) => countedIn(findings).length > 0);
}

function withMore(
  outcome: PolicyOutcome | undefined,
  more: PolicyOutcome | undefined,
  redactions: readonly (readonly SeenFinding[])[],
  texts?: readonly string[],
): PolicyOutcome | undefined {
  if (outcome === 'failed' || more === undefined || outcome === undefined) return outcome;
  if (more === 'failed') return more;
  if (more.every(({ length }) => length === 0)) return outcome;
  return redactions.map((some, message) => {
    const unredact = createUnredaction(some);
    const isInMark = createContainment(some, texts?.[message]);
    const before = outcome[message] ?? [];
    const excepted = new Set(before.filter(({ exception }) => exception !== undefined).map(placeOf));
    // Of a pattern that matches each letter these are most, by far.
    const isOfMark = createMarkTest(some);
    const beside = (more[message] ?? []).filter((finding) => !isOfMark(finding));
    const moved = beside.map((finding) => ({ ...unredact(finding), seen: seenBeside(finding) }));
    // Each look finds what stays in the text: an excepted text, and what a policy only warns of.
    const isWarned = texts === undefined ? undefined : createOverlap(countedIn(before));
    const isKnown = (finding: SeenFinding) =>
      finding.exception === undefined
        ? isWarned?.(finding) === true || isInMark(finding)
        : isInMark(finding) || excepted.has(placeOf(finding));
    return [...before, ...moved.filter((finding) => !isKnown(finding))];
  });
}

function placeOf({ rule, start, length }: Finding): string {
  return `${rule} ${start} ${length}`;
}

/**
 * Tells of a finding in marks alone, and where there is a text, of one that has no letter and no figure of it beside
 * them. Half of a text may be findings, so each is not held against all others.
 */
function createContainment(around: readonly Finding[], text?: string): (finding: Finding) => boolean {
  const starts: number[] = [];
  const ends: number[] = [];
  const isNoGap = (from: number, to: number) => text !== undefined && !/[\p{L}\p{N}]/u.test(text.slice(from, to));
  for (const { start, length } of around.toSorted((one, other) => one.start - other.start)) {
    const end = start + length;
    const last = ends.at(-1);
    if (last !== undefined && (start <= last || isNoGap(last, start))) ends[ends.length - 1] = Math.max(end, last);
    else {
      starts.push(start);
      ends.push(end);
    }
  }
  return ({ start, length }) => {
    const last = lastAtMost(starts, start);
    if (last >= starts.length) return false;
    const [from, to] = [starts[last]!, ends[last]!];
    const isFrom = from <= start || isNoGap(start, from);
    return isFrom && (start + length <= to || (start <= to && isNoGap(to, start + length)));
  };
}

function seenBeside({ seen }: SeenFinding): string {
  return seen === '' ? 'beside a mark' : `beside a mark, ${seen}`;
}

/** Findings to be redacted in each text. A match of no character hides nothing; an empty text is found whole. */
export function redactionsOf(
  policies: readonly Policy[],
  texts: readonly string[],
  outcomes: Outcomes,
): readonly (readonly SeenFinding[])[] {
  return texts.map((text, message) =>
    outcomes
      .flatMap((outcome, index) =>
        policies[index]!.action === 'redact' && outcome !== undefined && outcome !== 'failed'
          ? countedIn(outcome[message] ?? [])
          : [],
      )
      .filter(({ length }) => length > 0 || text === ''),
  );
}

function countedIn(findings: readonly SeenFinding[]): readonly SeenFinding[] {
  return findings.filter(({ exception }) => exception === undefined);
}
