import type { Action, Finding } from '../vocabulary.ts';
import { inspectOnce } from './inspection.ts';
import type { Outcomes, Policy, PolicyOutcome, SeenFinding } from './policy.ts';
import { createUnredaction, redacted } from './redacted.ts';
import type { ReadingPlan } from './readings/prepare.ts';
import type { WorkBudget } from './readings/work-budget.ts';

/**
 * The look at texts that were redacted. A mark changes what stands around it: the rest of a key that was glued to a
 * number, or a number that two others had hidden, is seen only now, and goes as well.
 */

/** A look may find what the next one finds more beside. */
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
  for (let look = 0; look < looksMax; look++) {
    const redactions = redactionsOf(policies, texts, found);
    const next = texts.map((text, message) => redacted(text, redactions[message]!));
    if (next.every((text, message) => text === shown[message])) return found;
    shown = next;
    const more = inspectOnce(hiding, shown, plan, budget);
    found = found.map((outcome, index) => withMore(outcome, more[index], redactions));
  }
  return found;
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
    const before = outcome[message] ?? [];
    const moved = (more[message] ?? []).map((finding) => ({ ...unredact(finding), seen: seenBeside(finding) }));
    const isKnown = (finding: SeenFinding) =>
      some.some((one) => isInside(finding, one)) || before.some((one) => isSameException(finding, one));
    return [...before, ...moved.filter((finding) => !isKnown(finding))];
  });
}

/** True of two findings of one excepted text, which is not redacted and so is found at every look. */
function isSameException(one: SeenFinding, other: SeenFinding): boolean {
  const isSamePlace = one.rule === other.rule && one.start === other.start && one.length === other.length;
  return isSamePlace && one.exception !== undefined && other.exception !== undefined;
}

/** True of a finding in a mark alone. */
function isInside({ start, length }: Finding, around: Finding): boolean {
  return start >= around.start && start + length <= around.start + around.length;
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

export function countedIn(findings: readonly SeenFinding[]): readonly SeenFinding[] {
  return findings.filter(({ exception }) => exception === undefined);
}
