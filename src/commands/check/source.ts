import { Throttle } from '../../runs/throttle.ts';
import type { Case } from '../../suites/case.ts';
import { askStored } from '../../suites/comparison.ts';
import type { AskTools } from '../../suites/verdict.ts';
import type { Destination } from '../shared/destination.ts';
import type { Run } from '../shared/run.ts';
import { chooseTarget } from '../target.ts';
import { checkMotif, createAskTools } from './ask.ts';
import type { CheckFlags } from './check-flags.ts';
import { judgeByCommand } from './judge-command.ts';
import { readStoredRun } from './stored-files.ts';

/** Source of answers: a Motif, or the result of an earlier run. */
export interface AnswerSource {
  readonly profile: string | null;
  readonly motifId: string | null;
  readonly throttle: Throttle;
  readonly asking: (signal: AbortSignal) => AskTools;
  readonly canAnswer: boolean;
  readonly itemMsMax: number;
  readonly isReplay: boolean;
  /** Undefined where nothing is asked. */
  readonly destination: Destination | undefined;
}

/** A source that is known by its Motif, and can be asked once it is opened. */
export interface ChosenSource {
  readonly motifId: string | undefined;
  open(): Promise<AnswerSource>;
}

const concurrencyDefault = 8;

export async function chooseSource(run: Run<CheckFlags>, cases: readonly Case[]): Promise<ChosenSource> {
  if (run.flags.replay !== undefined) return await replaySource(run, run.flags.replay);
  const target = await chooseTarget({ ...run, flags: withMotif(run.flags, cases) }, { isUnlimited: true });
  const motifId = target.settings.motifId?.value;
  checkMotif(cases, motifId);
  return { motifId, open: async () => liveSource(await target.open(), run) };
}

/** The Motif of another profile, for `--against`; nothing of how the first one is reached is meant for it. */
export async function openOther(run: Run<CheckFlags>, profile: string): Promise<AnswerSource> {
  const { timeout, retries, concurrency, rpm, quiet } = run.flags;
  const given = Object.fromEntries(
    Object.entries({ profile, timeout, retries, concurrency, rpm, quiet }).filter(([, value]) => value !== undefined),
  );
  const other: Run<CheckFlags> = { ...run, flags: given };
  return liveSource(await (await chooseTarget(other)).open(), other);
}

/** Of several Motifs in a gateway file a suite may say which one it is for. */
function withMotif(flags: CheckFlags, cases: readonly Case[]): CheckFlags {
  const [only, other] = new Set(cases.map(({ motif }) => motif));
  const isOnly = only !== undefined && other === undefined && flags.motif === undefined;
  return isOnly && flags.local !== undefined ? { ...flags, motif: only } : flags;
}

function liveSource(destination: Destination, run: Run<CheckFlags>): AnswerSource {
  const { flags, world } = run;
  const throttle = new Throttle({ concurrency: flags.concurrency ?? concurrencyDefault, rpm: flags.rpm }, world);
  const { settings, connection, inside } = destination;
  return {
    profile: settings.profile ?? null,
    motifId: settings.motifId?.value ?? null,
    throttle,
    asking: (signal) => createAskTools({ destination, throttle, judgeByCommand: judgeByCommand(world) }, signal),
    canAnswer: inside?.isMocked === true,
    itemMsMax: connection.timeoutMs,
    isReplay: false,
    destination,
  };
}

async function replaySource({ world }: Run<CheckFlags>, file: string): Promise<ChosenSource> {
  const stored = await readStoredRun(file, world);
  const ask = askStored(stored, file);
  const source: AnswerSource = {
    profile: stored.profile,
    motifId: stored.motifId,
    throttle: new Throttle({ concurrency: 1 }, world),
    asking: () => ({ ask, judgeByCommand: judgeByCommand(world), now: () => world.now() }),
    canAnswer: true,
    itemMsMax: 1,
    isReplay: true,
    destination: undefined,
  };
  return { motifId: stored.motifId ?? undefined, open: async () => source };
}
