import type { Action, Finding } from '../vocabulary.ts';
import { inspectOnce } from './inspection.ts';
import type { Outcomes, Policy, PolicyOutcome, SeenFinding } from './policy.ts';
import { createUnredaction, redacted } from './redacted.ts';
import type { ReadingPlan } from './readings/prepare.ts';
import { lastAtMost } from './readings/view.ts';
import type { WorkBudget } from './readings/work-budget.ts';

/**
 * The look at texts that were redacted. A mark changes what stands around it: the rest of a key that was glued to a
 * number, or a number that two others had hidden, is seen only now, and goes as well.
 */

/** Looks after the first, each of which may uncover more. A policy that finds more even then has failed. */
const looksMax = 3;
/** Longer texts are looked at once: each look takes as long as the first. */
const charactersMax = 100_000;

/** The outcomes with what is left to be found once the texts are redacted, at its place in the texts as sent. */
export function lookAgain(
  policies: readonly Policy[],
  texts: readonly string[],
  outcomes: Outcomes,
  plan: ReadingPlan,
  budget: WorkBudget,
): Outcomes {
  const hasFound = (wanted: Action) =>
    policies.some(({ action }, index) => action === wanted && hasCounted(outcomes[index]));
  const isShown = hasFound('redact') && !hasFound('block') && !outcomes.includes('failed');
  if (!isShown || texts.reduce((sum, { length }) => sum + length, 0) > charactersMax) return outcomes;
  const hiding = policies.map((policy) => (policy.action === 'redact' ? policy : undefined));
  let found = outcomes;
  let shown = texts;
  for (let look = 0; ; look++) {
    const redactions = redactionsOf(policies, texts, found);
    const next = texts.map((text, message) => redacted(text, redactions[message]!));
    if (next.every((text, message) => text === shown[message])) return found;
    shown = next;
    const more = inspectOnce(hiding, shown, plan, budget);
    const all = found.map((outcome, index) => withMore(outcome, more[index], redactions));
    // Each of a row of glued numbers may be seen only once the one before it is a mark.
    if (look === looksMax) return all.map((outcome, index) => (isLonger(outcome, found[index]) ? 'failed' : outcome));
    found = all;
  }
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
): PolicyOutcome | undefined {
  if (outcome === 'failed' || more === undefined || outcome === undefined) return outcome;
  if (more === 'failed') return more;
  if (more.every(({ length }) => length === 0)) return outcome;
  return redactions.map((some, message) => {
    const unredact = createUnredaction(some);
    const isInMark = createContainment(some);
    const before = outcome[message] ?? [];
    const excepted = new Set(before.filter(({ exception }) => exception !== undefined).map(placeOf));
    const moved = (more[message] ?? []).map((finding) => ({ ...unredact(finding), seen: seenBeside(finding) }));
    // An excepted text is not redacted and so is found at every look.
    const isKnown = (finding: SeenFinding) =>
      isInMark(finding) || (finding.exception !== undefined && excepted.has(placeOf(finding)));
    return [...before, ...moved.filter((finding) => !isKnown(finding))];
  });
}

function placeOf({ rule, start, length }: Finding): string {
  return `${rule} ${start} ${length}`;
}

/** Tells of a finding in marks alone. Half of a text may be findings, so each is not held against all others. */
function createContainment(around: readonly Finding[]): (finding: Finding) => boolean {
  const starts: number[] = [];
  const ends: number[] = [];
  for (const { start, length } of around.toSorted((one, other) => one.start - other.start)) {
    const end = start + length;
    if (ends.length > 0 && start <= ends.at(-1)!) ends[ends.length - 1] = Math.max(end, ends.at(-1)!);
    else {
      starts.push(start);
      ends.push(end);
    }
  }
  return ({ start, length }) => {
    const last = lastAtMost(starts, start);
    return last < starts.length && starts[last]! <= start && start + length <= ends[last]!;
  };
}

function seenBeside({ seen }: SeenFinding): string {
  return seen === '' ? 'beside a mark' : `beside a mark, ${seen}`;
}

/** Findings to be redacted in each text. */
export function redactionsOf(
  policies: readonly Policy[],
  texts: readonly string[],
  outcomes: Outcomes,
): readonly (readonly SeenFinding[])[] {
  return texts.map((_, message) =>
    outcomes.flatMap((outcome, index) =>
      policies[index]!.action === 'redact' && outcome !== undefined && outcome !== 'failed'
        ? countedIn(outcome[message] ?? [])
        : [],
    ),
  );
}

function countedIn(findings: readonly SeenFinding[]): readonly SeenFinding[] {
  return findings.filter(({ exception }) => exception === undefined);
}
