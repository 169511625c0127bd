import { Throttle } from '../../runs/throttle.ts';
import { firstSuite, type FirstSuiteChanges } from '../../suites/demo.ts';
import type { GatewayInside } from '../../suites/gateway-inside.ts';
import { guardCase } from '../../suites/guard-case.ts';
import type { CaseResult, Guard } from '../../suites/result.ts';
import { checkCase } from '../../suites/verdict.ts';
import type { Destination } from '../shared/destination.ts';
import type { Run } from '../shared/run.ts';
import { createAskTools } from './ask.ts';
import { openFile } from './attacks.ts';
import { prove } from './prove.ts';
import { readOwnSuite } from './suites.ts';

/** A first suite that is green on a gateway file, as far as its policies are of a kind whose findings are known here. */
interface GuardedSuite {
  readonly text: string;
  /** Blocks that the file does not block. */
  readonly open: readonly string[];
  /** Policies that a case was added for. */
  readonly added: readonly string[];
  readonly unguarded: readonly string[];
}

/** Makes the first suite for a gateway file: each policy that no case of it would miss gets one. */
export async function guardedSuite(run: Run, gatewayFile: string, motif: string | undefined): Promise<GuardedSuite> {
  const destination = withoutParts(await openFile(run, gatewayFile, motif));
  const policies = destination.inside?.policies ?? [];
  const plain = await judge(run, destination, { without: [], guards: [] });
  const open = plain.results
    .filter(({ verdict, expect }) => verdict !== 'pass' && expect === 'blocked')
    .map(({ id }) => id);
  const first = await judge(run, destination, { without: open, guards: [] });
  const guards: string[] = [];
  const added: string[] = [];
  for (const { policy, also } of unguardedOf(first.guards)) {
    const of = policies.find((each) => each.policy === policy)!;
    const { yaml, isWhole } = guardCase(of, { isNamed: also.length > 0 });
    if (!isWhole) continue;
    const tried = await judge(run, destination, { without: open, guards: [...guards, yaml] });
    if (tried.results.at(-1)?.verdict !== 'pass') continue;
    guards.push(yaml);
    added.push(policy);
  }
  const whole = await judge(run, destination, { without: open, guards });
  return { text: whole.text, open, added, unguarded: unguardedOf(whole.guards).map(({ policy }) => policy) };
}

interface Judged {
  readonly text: string;
  readonly results: readonly CaseResult[];
  readonly guards: readonly Guard[] | null;
}

async function judge(run: Run, destination: Destination, changes: FirstSuiteChanges): Promise<Judged> {
  const text = firstSuite(changes);
  const { cases } = await readOwnSuite(text, 'smoke.motif.yaml');
  const asking = createAskTools({ destination, throttle: new Throttle({ concurrency: 1 }, run.world) });
  const results: CaseResult[] = [];
  for (const each of cases) results.push(await checkCase(each, asking));
  return { text, results, guards: await prove(run, { cases, results, destination }) };
}

function unguardedOf(guards: readonly Guard[] | null): readonly Guard[] {
  return (guards ?? []).filter(({ state }) => state === 'unguarded');
}

/** Whole policies are proved, not each of their entities. */
function withoutParts(destination: Destination): Destination {
  if (destination.inside === undefined) return destination;
  const inside: GatewayInside = {
    ...destination.inside,
    policies: destination.inside.policies.map((each) => ({ ...each, parts: [] })),
  };
  return { ...destination, inside };
}
