import { Throttle } from '../../runs/throttle.ts';
import { type Case, keyOf } from '../../suites/case.ts';
import type { GatewayInside } from '../../suites/gateway-inside.ts';
import { type ProvenCase, proveGuards } from '../../suites/prove.ts';
import type { CaseResult, Guard } from '../../suites/result.ts';
import { keyOfResult } from '../../suites/result.ts';
import { checkCase } from '../../suites/verdict.ts';
import type { Destination } from '../shared/connection/destination.ts';
import { createAskTools } from './ask.ts';
import type { Run } from '../shared/run.ts';

interface ProveParts {
  readonly cases: readonly Case[];
  readonly results: readonly CaseResult[];
  readonly destination: Destination | undefined;
  /** Called after each case that was judged again. */
  readonly onCase?: (() => void) | undefined;
}

/** Judges the suite again with each policy switched off, weakened and without each of its parts. */
export async function prove(
  { world }: Pick<Run, 'world'>,
  { cases, results, destination, onCase }: ProveParts,
): Promise<readonly Guard[] | null> {
  const inside = destination?.inside;
  const isGreen =
    results.length === cases.length &&
    results.every(({ verdict }) => verdict !== 'regressed' && verdict !== 'unverified');
  if (!isGreen || destination === undefined || inside === undefined) return null;
  const asked: Destination = destination;
  const passed = new Set(results.filter(({ verdict }) => verdict === 'pass').map(keyOfResult));
  const once = cases.filter((each) => passed.has(keyOf(each))).map((each) => ({ ...each, repeat: 1, minPass: 1 }));
  const proven = await judgeAll(inside, once);
  return proveGuards(inside.policies, proven, async (change, some) => judgeAll(await inside.changed(change), some));

  /** One after the other: nothing is waited for in this process. */
  async function judgeAll(of: GatewayInside, some: readonly Case[]): Promise<readonly ProvenCase[]> {
    const judged: ProvenCase[] = [];
    for (const each of some) {
      world.interrupted.throwIfAborted();
      const policies = new Set<string>();
      const freed = new Set<string>();
      const watched = { ...of, observe: (answer?: string) => noting(of.observe(answer), policies, freed) };
      const throttle = new Throttle({ concurrency: 1 }, world);
      const asking = createAskTools({ destination: { ...asked, inside: watched }, throttle }, world.interrupted);
      judged.push({ of: each, result: await checkCase(each, asking), policies, freed });
      onCase?.();
    }
    return judged;
  }
}

function noting(observed: ReturnType<GatewayInside['observe']>, policies: Set<string>, freed: Set<string>) {
  return {
    send: observed.send,
    sight() {
      const sight = observed.sight();
      for (const { policy } of sight.hits) policies.add(policy);
      for (const policy of sight.freed) freed.add(policy);
      return sight;
    },
  };
}
