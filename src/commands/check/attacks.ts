import { Throttle } from '../../runs/throttle.ts';
import {
  attackId,
  type AttackOptions,
  type AttackSide,
  attackSuite,
  type Payload,
  payloads,
  sidesOf,
  type Treatment,
} from '../../suites/samples/attacks.ts';
import type { Case } from '../../suites/case.ts';
import type { Ask } from '../../suites/verdict.ts';
import type { Destination } from '../shared/connection/destination.ts';
import type { Run } from '../shared/run.ts';
import { chooseTarget } from '../target.ts';
import { createAskTools } from './ask.ts';
import { readOwnSuite } from './suites.ts';

/** Tries each payload plainly on a gateway file, so that the suite expects what that file is meant to do. */
export async function tryAttacks(run: Run, gatewayFile: string, motif: string | undefined): Promise<AttackOptions> {
  const { world } = run;
  const destination = await openGatewayFile(run, gatewayFile, motif);
  const { ask } = createAskTools({ destination, throttle: new Throttle({ concurrency: 1 }, world) });
  const { cases } = await readOwnSuite(attackSuite(), 'attacks.motif.yaml');
  const treatments = new Map<string, Treatment>();
  for (const payload of payloads) {
    for (const side of sidesOf(payload)) {
      const id = attackId(payload, side);
      treatments.set(
        `${payload.tag} ${side}`,
        await treatmentOf(
          payload,
          side,
          cases.find((each) => each.id === id)!,
          ask,
        ),
      );
    }
  }
  return { gatewayFile, motif, treatmentOf: (tag, side) => treatments.get(`${tag} ${side}`) ?? 'open' };
}

/** The Motif of a gateway file, without its limits. */
export async function openGatewayFile(
  { world, notice }: Run,
  gatewayFile: string,
  motif: string | undefined,
): Promise<Destination> {
  const run = { world, notice, literalWords: 0, flags: { local: gatewayFile, motif } };
  return (await chooseTarget(run, { isUnlimited: true, isMockUntold: true })).open();
}

async function treatmentOf({ text }: Payload, side: AttackSide, of: Case, ask: Ask): Promise<Treatment> {
  const { outcome, answer, sight, isPolicyFailure } = await ask(of.turns[0]!.messages, of);
  if (isPolicyFailure) return 'unjudged';
  if (outcome === 'blocked') return 'blocked';
  const seen = side === 'sent' ? (sight?.providerSaw ?? '') : answer;
  return seen.includes(text) ? 'open' : 'redacted';
}
