import { inertLine } from '../../reports/inert.ts';
import { Throttle } from '../../runs/throttle.ts';
import { firstSuite, type FirstSuiteChanges } from '../../suites/demo.ts';
import type { GatewayInside } from '../../suites/gateway-inside.ts';
import { guardCase, partCase } from '../../suites/samples/guard-case.ts';
import type { CaseResult, Guard } from '../../suites/result.ts';
import { checkCase } from '../../suites/verdict.ts';
import type { Destination } from '../shared/connection/destination.ts';
import type { Run } from '../shared/run.ts';
import { createAskTools } from './ask.ts';
import { openGatewayFile } from './attacks.ts';
import { prove } from './prove.ts';
import { readOwnSuite } from './suites.ts';

/** A first suite for a gateway file, as far as its policies are of a kind whose findings are known here. */
interface GuardedSuite {
  readonly text: string;
  /** Cases that should be blocked and are not. */
  readonly open: readonly string[];
  /** Cases that are left out because a policy failed on them. */
  readonly unjudged: readonly string[];
  /** Controls that the file does not answer, with the reason. */
  readonly failing: readonly string[];
  /** Policies that a case was added for. */
  readonly added: readonly string[];
  readonly unguarded: readonly string[];
}

/** Makes the first suite for a gateway file: each policy that no case of it would miss gets one. */
export async function guardedSuite(run: Run, gatewayFile: string, motif: string | undefined): Promise<GuardedSuite> {
  const opened = await openGatewayFile(run, gatewayFile, motif);
  const destination = withParts(opened, 0);
  const policies = destination.inside?.policies ?? [];
  const plain = await judgeSuite(run, destination, { without: [], guards: [] });
  const notBlocked = plain.results.filter(({ verdict, expect }) => verdict !== 'pass' && expect === 'blocked');
  const without = notBlocked.map(({ id }) => id);
  const unjudged = notBlocked.filter(({ verdict }) => verdict === 'unverified').map(({ id }) => id);
  const first = await judgeSuite(run, destination, { without, guards: [] });
  const guards: string[] = [];
  const added: string[] = [];
  const why = new Map<string, string>();
  for (const { policy, also } of unguardedOf(first.guards)) {
    const of = policies.find((each) => each.policy === policy)!;
    // Only a case that names the policy notices its absence where something else stops the text as well.
    for (const isNamed of also.length > 0 ? [true] : [false, true]) {
      const { yaml, isWhole } = guardCase(of, { isNamed });
      if (!isWhole) {
        why.set(policy, 'motif knows no text that it finds; write a case with one');
        break;
      }
      const tried = await judgeSuite(run, destination, { without, guards: [...guards, yaml] });
      if (!unguardedOf(tried.guards).some((each) => each.policy === policy)) {
        guards.push(yaml);
        added.push(policy);
        break;
      }
      const last = tried.results.at(-1)!;
      if (last.verdict !== 'pass') why.set(policy, `the case that was tried ${reasonOf(last)}`);
    }
  }
  const parts = await partGuards(run, withParts(opened, guardedPartsMax), { without, guards });
  const whole = await judgeSuite(run, destination, { without, guards: [...guards, ...parts] });
  const left = (whole.guards ?? []).filter(({ state }) => state !== 'guarded');
  const remarks = left.map((guard) =>
    inertLine(
      `${guard.policy} (${guard.kind}): ${reasonOfState(guard) ?? why.get(guard.policy) ?? 'no case notices'}`,
      200,
    ),
  );
  return {
    text: firstSuite({ motif, without, guards: [...guards, ...parts], remarks }),
    open: without.filter((id) => !unjudged.includes(id)),
    unjudged,
    failing: whole.results.filter(({ verdict }) => verdict !== 'pass').map((each) => `${each.id} ${reasonOf(each)}`),
    added,
    unguarded: unguardedOf(whole.guards).map(({ policy }) => policy),
  };
}

function reasonOfState({ state, also }: Guard): string | undefined {
  if (state === 'not asked') return 'it asks outside, which only --live does';
  if (state === 'not counted') return 'it only warns';
  return also.length > 0 ? `also caught by ${also.join(', ')}` : undefined;
}

function reasonOf({ misses, error }: CaseResult): string {
  const [miss] = misses;
  if (miss === undefined) return error === null ? 'was not judged' : `was not judged: ${error.message}`;
  const isDecision = miss.expectation === 'expect' || miss.expectation === 'by';
  return isDecision ? miss.message : `missed ${miss.expectation}: ${miss.message}`;
}

interface JudgedSuite {
  readonly results: readonly CaseResult[];
  readonly guards: readonly Guard[] | null;
}

/** Judges the first suite with changes; proved is only what passes. */
async function judgeSuite(run: Run, destination: Destination, changes: FirstSuiteChanges): Promise<JudgedSuite> {
  const { cases } = await readOwnSuite(firstSuite(changes), 'smoke.motif.yaml');
  const asking = createAskTools({ destination, throttle: new Throttle({ concurrency: 1 }, run.world) });
  const results: CaseResult[] = [];
  for (const each of cases) results.push(await checkCase(each, asking));
  const hasPassed = (index: number) => results[index]?.verdict === 'pass';
  const passing = cases.filter((_, index) => hasPassed(index));
  const passed = results.filter((_, index) => hasPassed(index));
  return { results, guards: await prove(run, { cases: passing, results: passed, destination }) };
}

function unguardedOf(guards: readonly Guard[] | null): readonly Guard[] {
  return (guards ?? []).filter(({ state }) => state === 'unguarded');
}

/** The most entities, words or patterns of a policy of which a first suite tests each by itself. */
const guardedPartsMax = 12;

/** The cases for parts of policies that none of the others tests, as far as each of them passes. */
async function partGuards(run: Run, destination: Destination, changes: FirstSuiteChanges): Promise<readonly string[]> {
  const { guards } = await judgeSuite(run, destination, changes);
  const cases = (guards ?? []).flatMap(({ policy, untested }) => {
    const of = destination.inside!.policies.find((each) => each.policy === policy)!;
    return untested.flatMap((part) => partCase(of, part) ?? []);
  });
  if (cases.length === 0) return [];
  const { results } = await judgeSuite(run, destination, { ...changes, guards: [...changes.guards, ...cases] });
  const verdicts = results.slice(-cases.length).map(({ verdict }) => verdict);
  return cases.filter((_, at) => verdicts[at] === 'pass');
}

/** The same Motif, where a policy of more than so many parts is proved as a whole. */
function withParts(destination: Destination, partsMax: number): Destination {
  if (destination.inside === undefined) return destination;
  const inside: GatewayInside = {
    ...destination.inside,
    policies: destination.inside.policies.map((each) => (each.parts.length > partsMax ? { ...each, parts: [] } : each)),
  };
  return { ...destination, inside };
}
