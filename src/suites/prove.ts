import type { Case } from './case.ts';
import { guardCase, partCase } from './samples/guard-case.ts';
import type { GuardedPolicy, PolicyChange } from './gateway-inside.ts';
import type { CaseResult, Guard } from './result.ts';

/** A case that passed, with the policies that found something in it, and those of which an exception freed that. */
export interface ProvenCase {
  readonly of: Case;
  readonly result: CaseResult;
  readonly policies: ReadonlySet<string>;
  readonly freed: ReadonlySet<string>;
}

/** Judges cases again on a Motif that was changed, in memory. */
type CheckChanged = (change: PolicyChange, cases: readonly Case[]) => Promise<readonly ProvenCase[]>;

/** A list of thousands of words is proved as a whole. */
const partsMax = 500;

/**
 * Switches each policy off in turn, weakens it, and takes out each of its parts, and looks whether a case notices. A
 * policy that found nothing in a case cannot change what comes of it, so that only the others are judged again.
 */
export async function proveGuards(
  policies: readonly GuardedPolicy[],
  proven: readonly ProvenCase[],
  check: CheckChanged,
): Promise<readonly Guard[]> {
  const guards: Guard[] = [];
  for (const each of policies) guards.push(await guardOf(each, proven, check));
  return guards;
}

async function guardOf(of: GuardedPolicy, proven: readonly ProvenCase[], check: CheckChanged): Promise<Guard> {
  const { policy, kind, action } = of;
  const { file, line } = of.place();
  const nothing = { off: null, weakened: null, also: [], untested: [], case_to_add: null };
  const blank = { policy, file, line, kind, action, parts: of.parts.length, ...nothing };
  if (!of.isPure) return { ...blank, state: 'not asked' };
  if (action === 'warn') return { ...blank, state: 'not counted' };
  // Without a phrase that is excepted, a word within it is found.
  const isConcerned = ({ policies, freed }: ProvenCase): boolean => policies.has(policy) || freed.has(policy);
  const concerned = proven.filter(isConcerned).map((each) => each.of);
  const off = await check({ policy, change: 'off' }, concerned);
  const weakened = await check({ policy, change: 'weakened' }, concerned);
  const noticed = { off: failures(off), weakened: failures(weakened) };
  const isGuarded = noticed.off > 0 && noticed.weakened > 0;
  // A case that still passes although the policy is off was caught by the others that found something in it.
  const others = noticed.off > 0 ? [] : off.flatMap((each) => [...each.policies]);
  const also = [...new Set(others)];
  if (isGuarded) {
    const untested = await untestedParts(of, concerned, check);
    const cases = untested.flatMap((part) => partCase(of, part) ?? []);
    return { ...blank, ...noticed, untested, case_to_add: cases.join('') || null, state: 'guarded' };
  }
  return {
    ...blank,
    ...noticed,
    also,
    case_to_add: guardCase(of, { isNamed: also.length > 0 }).yaml,
    state: 'unguarded',
  };
}

function failures(cases: readonly ProvenCase[]): number {
  return cases.filter(({ result }) => result.verdict === 'regressed').length;
}

async function untestedParts(
  { policy, parts }: GuardedPolicy,
  concerned: readonly Case[],
  check: CheckChanged,
): Promise<readonly string[]> {
  const untested: string[] = [];
  for (const part of parts.slice(0, partsMax)) {
    if (failures(await check({ policy, change: { part } }, concerned)) === 0) untested.push(part);
  }
  return untested;
}
