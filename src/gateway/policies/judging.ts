import { inTurns, inTurnsOf, type Piecework, roundsUntil } from '../../text/turns.ts';
import type { ExceptedHit, Finding, Hit, Side, Verdict } from '../vocabulary.ts';
import { countingInPieces, inspectOnce } from './inspection.ts';
import type { InquiryLimits, Outcomes, Policy, PolicyOutcome, SeenFinding } from './policy.ts';
import { policiesForSide } from './panel.ts';
import type { ReadingPlan } from './readings/prepare.ts';
import { createUnredaction, redacted } from './redacted.ts';
import { WorkBudget } from './readings/work-budget.ts';
import { judgeWholes, lookAgain, redactionsOf, wholesOf, withWholes } from './second-look.ts';

/** The most findings of one policy that are named, in one text and in all; all of them block and are redacted. */
const hitsMax = 100;
const hitsOfAllMax = 1000;
/** The most findings that one thread tells another: it takes 2 us for each, and others wait meanwhile. */
const findingsToldMax = 5000;
/** The work of holding the findings of a service against exceptions: ten patterns and a MiB of findings. */
const exceptionWorkMax = 10_000_000;

/**
 * The verdict of all policies; the outcomes of those that saw the texts, of which fewer than policies are failures; or
 * the verdict of these where they found too much to tell.
 */
export type Inspected =
  | { readonly verdict: Verdict }
  | { readonly outcomes: readonly PolicyOutcome[] }
  | { readonly passed: Verdict };

/**
 * The verdict of all policies of this side on all texts. Those that ask outside are asked last, only where the others
 * let the texts pass, and are shown them redacted. A policy that cannot tell blocks, with the rule `policy_failed`.
 * `foundElsewhere`: what another thread already knows of those that do not ask outside.
 */
export async function judge(
  policies: readonly Policy[],
  side: Side,
  texts: readonly string[],
  limits: InquiryLimits,
  foundElsewhere?: Exclude<Inspected, { readonly verdict: Verdict }>,
): Promise<Verdict> {
  const { applicable, plan } = policiesForSide(policies, side);
  const inquireAll = (shown: readonly string[]) =>
    Promise.all(applicable.map((policy) => inquire(policy, side, shown, limits)));
  if (foundElsewhere !== undefined && 'passed' in foundElsewhere) {
    const { passed } = foundElsewhere;
    return withAsked(passed, applicable, side, texts, await inquireAll(passed.texts));
  }
  const found = foundElsewhere?.outcomes ?? inspectNow(policies, side, texts, new WorkBudget(limits.policyWork));
  let next = 0;
  const outcomes = applicable.map((policy) => (isPure(policy) ? (found[next++] ?? 'failed') : nothing));
  const verdict = verdictOf(applicable, side, texts, outcomes);
  if (verdict.decision === 'block' || applicable.every(isPure)) return verdict;
  const asked = await inquireAll(verdict.texts);
  // Half of a text may be marks, whose places are not looked up again for nothing.
  if (asked.every(hasNothing)) return verdict;
  const concluded = (all: Outcomes): Verdict =>
    verdictOf(
      applicable,
      side,
      texts,
      all.map((outcome) => outcome ?? 'failed'),
    );
  // The services of many prompts may answer in one round, each with thousands of findings.
  const inTurn = async <T>(part: () => T): Promise<T> => await (limits.inTurn ? limits.inTurn(part) : part());
  const first = await inTurn(() => {
    const redactions = redactionsOf(applicable, texts, outcomes);
    const all = asked.map((outcome, index) =>
      outcome === undefined ? outcomes[index]! : beforeRedaction(outcome, redactions),
    );
    const shown = limits.inspectWholes && wholesOf(applicable, texts, all);
    const late = shown && limits.inspectWholes?.(shown);
    if (late !== undefined) return { all, late };
    const budget = new WorkBudget(limits.policyWork);
    return concluded(judgeWholes({ policies: applicable, texts, plan, budget }, all));
  });
  if ('decision' in first) return first;
  const late = await first.late;
  return await inTurn(() => concluded(withWholes(applicable, texts, first.all, late)));
}

/**
 * The same at once, where no policy of this side asks outside; one that does is treated as failed. A budget that the
 * caller holds tells afterwards how much was read.
 */
export function judgeNow(
  policies: readonly Policy[],
  side: Side,
  texts: readonly string[],
  budget: WorkBudget = new WorkBudget(),
): Verdict {
  const { applicable, plan } = policiesForSide(policies, side);
  const inspected = inspect(applicable, texts, plan, budget);
  return verdictOf(
    applicable,
    side,
    texts,
    inspected.map((outcome) => outcome ?? 'failed'),
  );
}

/** Findings of the policies of this side that do not ask, one outcome for each, in their order. */
export function inspectNow(
  policies: readonly Policy[],
  side: Side,
  texts: readonly string[],
  budget: WorkBudget,
): PolicyOutcome[] {
  const { applicable, plan } = policiesForSide(policies, side);
  return inspect(applicable, texts, plan, budget).filter((outcome) => outcome !== undefined);
}

/** The part that a thread tells of policies of this side, of which none asks. */
export function inspectForOthers(
  policies: readonly Policy[],
  side: Side,
  texts: readonly string[],
  budget: WorkBudget,
): Inspected {
  const outcomes = inspectNow(policies, side, texts, budget);
  const counts = outcomes.flatMap((outcome) => (outcome === 'failed' ? [] : outcome.map(({ length }) => length)));
  if (counts.reduce((sum, count) => sum + count, 0) <= findingsToldMax) return { outcomes };
  const verdict = verdictOf(policiesForSide(policies, side).applicable, side, texts, outcomes);
  return verdict.decision === 'block' ? { verdict } : { passed: verdict };
}

/**
 * A verdict and what others found in its texts. Their places in the texts as sent are not known: those that only warn
 * name the whole text, and the others have failed.
 */
function withAsked(
  passed: Verdict,
  policies: readonly Policy[],
  side: Side,
  texts: readonly string[],
  asked: readonly (PolicyOutcome | undefined)[],
): Verdict {
  const wholes = asked.map((outcome = nothing, index): PolicyOutcome => {
    if (hasNothing(outcome)) return nothing;
    if (outcome === 'failed' || policies[index]!.action !== 'warn') return 'failed';
    return outcome.map((findings, message) =>
      findings.map((finding) => ({ ...finding, start: 0, length: texts[message]!.length })),
    );
  });
  const hits = policies.flatMap((policy, index) => hitsOf(policy, side, wholes[index]!));
  const excepted = policies.flatMap((policy, index) => exceptedOf(policy, side, wholes[index]!));
  return {
    ...passed,
    decision: hits.some(({ action }) => action === 'block') ? 'block' : passed.decision,
    hits: [...passed.hits, ...hits],
    ...(excepted.length > 0 && { excepted: [...(passed.excepted ?? []), ...excepted] }),
  };
}

export function isPure({ detect }: Policy): boolean {
  return detect !== undefined;
}

const nothing: PolicyOutcome = [];

function hasNothing(outcome: PolicyOutcome | undefined): boolean {
  return outcome !== 'failed' && (outcome ?? []).every(({ length }) => length === 0);
}

async function inquire(
  policy: Policy,
  side: Side,
  texts: readonly string[],
  limits: InquiryLimits,
): Promise<PolicyOutcome | undefined> {
  const { ask } = policy;
  if (ask === undefined) return undefined;
  try {
    const found = await untilAborted(limits.signal, ask(texts, side, limits));
    const counting = countingEach(found, texts, policy);
    const { inTurn } = limits;
    return await (inTurn ? inTurnsOf(counting, inTurn) : inTurns(counting, roundsUntil(limits.signal)));
  } catch {
    return 'failed';
  }
}

/**
 * Holds the findings of a service against the exceptions in turns: it may name all of a text thousands of times, and no
 * thread takes that over. Throws where they need too much work.
 */
function* countingEach(
  found: readonly (readonly Finding[])[],
  texts: readonly string[],
  policy: Policy,
): Piecework<PolicyOutcome> {
  const budget = new WorkBudget(exceptionWorkMax);
  const isPlain = policy.without === undefined && policy.exceptionFor === undefined;
  const outcome: (readonly SeenFinding[])[] = [];
  for (const [message, findings] of found.entries()) {
    const seen = findings.map((finding) => ({ seen: '', ...finding }));
    yield;
    if (isPlain) outcome.push(seen);
    else
      outcome.push(
        yield* countingInPieces(seen, texts[message] ?? '', policy, (characters) => budget.spend(characters)),
      );
  }
  return outcome;
}

/** The result of the work; rejects once the signal aborts, which outlives the work and gets its listener back. */
async function untilAborted<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (signal === undefined) return await work;
  let giveUp = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => (giveUp = () => reject(new Error('aborted'))));
  if (signal.aborted) giveUp();
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

/** The outcomes with what stands beside a mark, once the rest is redacted; undefined for one that asks outside. */
function inspect(
  policies: readonly Policy[],
  texts: readonly string[],
  plan: ReadingPlan,
  budget: WorkBudget,
): Outcomes {
  return lookAgain({ policies, texts, plan, budget }, inspectOnce(policies, texts, plan, budget));
}

/** The verdict that follows from the outcomes of these policies, in their order. */
export function verdictOf(
  policies: readonly Policy[],
  side: Side,
  texts: readonly string[],
  outcomes: readonly PolicyOutcome[],
): Verdict {
  if (outcomes.every((outcome) => outcome !== 'failed' && outcome.length === 0))
    return { decision: 'pass', hits: [], texts };
  const hits = policies.flatMap((policy, index) => hitsOf(policy, side, outcomes[index] ?? 'failed'));
  const excepted = policies.flatMap((policy, index) => exceptedOf(policy, side, outcomes[index] ?? 'failed'));
  const isBlocked = hits.some(({ action }) => action === 'block');
  const redactions = isBlocked ? [] : redactionsOf(policies, texts, outcomes);
  const areLeft = redactions.every(({ length }) => length === 0);
  return {
    decision: isBlocked ? 'block' : 'pass',
    hits,
    ...(excepted.length > 0 && { excepted }),
    texts: areLeft ? texts : texts.map((text, message) => redacted(text, redactions[message]!)),
  };
}

function beforeRedaction(outcome: PolicyOutcome, redactions: readonly (readonly SeenFinding[])[]): PolicyOutcome {
  if (outcome === 'failed') return outcome;
  return outcome.map((findings, message) =>
    findings.length === 0 ? findings : findings.map(createUnredaction(redactions[message] ?? [])),
  );
}

function hitsOf(policy: Policy, side: Side, outcome: PolicyOutcome): Hit[] {
  const { name } = policy;
  if (outcome === 'failed')
    return [{ policy: name, on: side, rule: 'policy_failed', action: 'block', message: null, start: 0, length: 0 }];
  return named(outcome, ({ exception }) => exception === undefined).map(({ finding, message }) =>
    hitOf(finding, policy, side, message),
  );
}

function exceptedOf(policy: Policy, side: Side, outcome: PolicyOutcome): ExceptedHit[] {
  if (policy.exceptionFor === undefined || outcome === 'failed') return [];
  return named(outcome, ({ exception }) => exception !== undefined).map(({ finding, message }) => {
    const { why = null, until = null } = finding.exception!;
    return { ...hitOf(finding, policy, side, message), why, until };
  });
}

interface NamedFinding {
  readonly finding: SeenFinding;
  readonly message: number;
}

/** Thousands of messages may have a hundred findings each, and whoever hears of them takes a while for each. */
function named(
  outcome: readonly (readonly SeenFinding[])[],
  isWanted: (finding: SeenFinding) => boolean,
): readonly NamedFinding[] {
  const found: NamedFinding[] = [];
  for (const [message, findings] of outcome.entries()) {
    const end = Math.min(found.length + hitsMax, hitsOfAllMax);
    for (const finding of findings) {
      if (found.length === end) break;
      if (isWanted(finding)) found.push({ finding, message });
    }
  }
  return found;
}

function hitOf({ rule, start, length, seen }: SeenFinding, { name, action }: Policy, side: Side, message: number): Hit {
  const hit = { policy: name, on: side, rule, start, length, action, message: side === 'prompt' ? message : null };
  return seen === '' ? hit : { ...hit, seen };
}
