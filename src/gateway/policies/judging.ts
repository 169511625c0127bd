import { forgetScannedTexts } from '../../text/patterns/literal-scan.ts';
import { overlaps, type ExceptedHit, type Hit, type Side, type Verdict } from '../vocabulary.ts';
import type { Detector, InquiryLimits, Policy, SeenFinding } from './policy.ts';
import { policiesForSide } from './panel.ts';
import { type ReadingPlan, type PreparedText, prepare } from './readings/prepare.ts';
import { createUnredaction, redacted } from './redacted.ts';
import { WorkBudget } from './readings/work-budget.ts';
import { joinMessages, newParts, type JoinedMessages } from './message-boundaries.ts';

/** The most findings of one policy in one text that are named; all of them block and are redacted. */
const hitsMax = 100;

/**
 * The verdict of all policies of this side on all texts. Those that ask outside are asked last, only where the others
 * let the texts pass, and are shown them redacted. A policy that cannot tell blocks, with the rule `policy_failed`.
 * `foundElsewhere`: outcomes that another thread already has, of those that do not ask outside, in their order.
 */
export async function judge(
  policies: readonly Policy[],
  side: Side,
  texts: readonly string[],
  limits: InquiryLimits,
  foundElsewhere?: readonly PolicyOutcome[],
): Promise<Verdict> {
  const { applicable } = policiesForSide(policies, side);
  const found = foundElsewhere ?? inspectNow(policies, side, texts, new WorkBudget(limits.policyWork));
  let next = 0;
  const outcomes = applicable.map((policy) => (isPure(policy) ? (found[next++] ?? 'failed') : nothing));
  const verdict = verdictOf(applicable, side, texts, outcomes);
  if (verdict.decision === 'block' || applicable.every(isPure)) return verdict;
  const redactions = redactionsOf(applicable, texts, outcomes);
  const asked = applicable.map(async (policy, index) => {
    const outcome = await inquire(policy, side, verdict.texts, limits);
    return outcome === undefined ? outcomes[index]! : beforeRedaction(outcome, redactions);
  });
  return verdictOf(applicable, side, texts, await Promise.all(asked));
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

export function isPure({ detect }: Policy): boolean {
  return detect !== undefined;
}

/** Findings of one policy in each text, an empty list where in none, or that it could not tell; plain data. */
export type PolicyOutcome = readonly (readonly SeenFinding[])[] | 'failed';

const nothing: PolicyOutcome = [];

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
    return found.map((findings, message) =>
      countingOnly(
        findings.map((finding) => ({ ...finding, seen: '' })),
        texts[message] ?? '',
        policy,
      ),
    );
  } catch {
    return 'failed';
  }
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

/** Texts that all policies of a side are shown. */
interface SharedTexts {
  readonly texts: readonly string[];
  readonly prepared: readonly PreparedText[];
  readonly plan: ReadingPlan;
  readonly budget: WorkBudget;
  /** By what stands between the texts; made when the first policy looks at one. */
  joined?: Map<string, readonly JoinedMessages[]>;
}

/** The outcomes of policies that all read texts by this plan; undefined for one that asks outside. */
export function inspect(
  policies: readonly Policy[],
  texts: readonly string[],
  plan: ReadingPlan,
  budget: WorkBudget,
): (PolicyOutcome | undefined)[] {
  const shown = { texts, prepared: texts.map((text) => prepare(text, plan, budget)), plan, budget };
  const outcomes = policies.map((policy, index) => {
    if (policy.detect === undefined) return undefined;
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
  for (const one of split) addSplit(found, detect, one, shown.texts);
  if (found.every(({ length }) => length === 0)) return nothing;
  return found.map((findings, message) => countingOnly(withoutRepeats(findings), shown.texts[message]!, policy));
}

/** The findings of rules that are not left out; one that is an exception alone, whatever stands around it, says so. */
function countingOnly(
  findings: readonly SeenFinding[],
  text: string,
  { without, exceptionFor }: Policy,
): readonly SeenFinding[] {
  if (without === undefined && exceptionFor === undefined) return findings;
  return findings
    .filter(({ rule }) => without?.has(rule) !== true)
    .map((finding) => {
      const exception = exceptionFor?.(text.slice(finding.start, finding.start + finding.length));
      return exception === undefined ? finding : { ...finding, exception };
    });
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

function addSplit(found: SeenFinding[][], detect: Detector, joined: JoinedMessages, texts: readonly string[]): void {
  const whole = found.map((findings) => [...findings]);
  for (const finding of detect(joined.prepared)) {
    const parts = joined.split(finding);
    const isFound = (part: (typeof parts)[number]) =>
      whole[part.message]!.some((other) => other.rule === part.rule && overlaps(part, other));
    for (const { message, ...part } of newParts(parts, isFound, texts)) {
      const seen = part.seen === '' ? 'across messages' : `across messages, ${part.seen}`;
      found[message]!.push({ ...part, seen });
    }
  }
}

/** The same thing is found in several readings of a text; the plainest, which comes first, is kept. */
function withoutRepeats(findings: readonly SeenFinding[]): readonly SeenFinding[] {
  if (findings.length < 2) return findings;
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
  const redactions = redactionsOf(policies, texts, outcomes);
  return {
    decision: isBlocked ? 'block' : 'pass',
    hits,
    ...(excepted.length > 0 && { excepted }),
    texts: isBlocked ? texts : texts.map((text, message) => redacted(text, redactions[message]!)),
  };
}

/** Findings to be redacted in each text. */
function redactionsOf(
  policies: readonly Policy[],
  texts: readonly string[],
  outcomes: readonly PolicyOutcome[],
): readonly (readonly SeenFinding[])[] {
  return texts.map((_, message) =>
    outcomes.flatMap((outcome, index) =>
      policies[index]!.action === 'redact' && outcome !== 'failed' ? countedIn(outcome[message] ?? []) : [],
    ),
  );
}

function beforeRedaction(outcome: PolicyOutcome, redactions: readonly (readonly SeenFinding[])[]): PolicyOutcome {
  if (outcome === 'failed') return outcome;
  return outcome.map((findings, message) => findings.map(createUnredaction(redactions[message] ?? [])));
}

function countedIn(findings: readonly SeenFinding[]): readonly SeenFinding[] {
  return findings.filter(({ exception }) => exception === undefined);
}

function hitsOf(policy: Policy, side: Side, outcome: PolicyOutcome): Hit[] {
  const { name } = policy;
  if (outcome === 'failed')
    return [{ policy: name, on: side, rule: 'policy_failed', action: 'block', message: null, start: 0, length: 0 }];
  return outcome.flatMap((findings, message) =>
    countedIn(findings)
      .slice(0, hitsMax)
      .map((finding) => hitOf(finding, policy, side, message)),
  );
}

function exceptedOf(policy: Policy, side: Side, outcome: PolicyOutcome): ExceptedHit[] {
  if (policy.exceptionFor === undefined || outcome === 'failed') return [];
  return outcome.flatMap((findings, message) =>
    findings
      .flatMap((finding) => (finding.exception === undefined ? [] : [{ finding, exception: finding.exception }]))
      .slice(0, hitsMax)
      .map(({ finding, exception: { why = null, until = null } }) => ({
        ...hitOf(finding, policy, side, message),
        why,
        until,
      })),
  );
}

function hitOf({ rule, start, length, seen }: SeenFinding, { name, action }: Policy, side: Side, message: number): Hit {
  return {
    policy: name,
    on: side,
    rule,
    start,
    length,
    action,
    message: side === 'prompt' ? message : null,
    ...(seen !== '' && { seen }),
  };
}
