import { MotifError } from '../../errors.ts';
import { type Settings, usedProfile } from '../../settings/resolve.ts';
import { Throttle } from '../../runs/throttle.ts';
import { type Case, outOfReach } from '../../suites/case.ts';
import { pathWord } from '../../text/defuse.ts';
import type { ConnectionFlags } from '../shared/flags/connection.ts';
import type { Destination } from '../shared/connection/destination.ts';
import type { EmbeddedFlags } from '../shared/flags/embedded.ts';
import type { Run } from '../shared/run.ts';
import { flagWords } from '../shared/flags/typed-command.ts';
import { demoName, type Serving, servingOf } from '../shared/connection/serving.ts';
import { chooseTarget } from '../target.ts';
import type { AnswerSource, ChosenSource } from './answer-source.ts';
import { checkMotif, createAskTools } from './ask.ts';
import { type CheckFlags, checkFlags } from './check-flags.ts';
import { judgeByCommand } from './judge-command.ts';

const concurrencyDefault = 8;

export async function chooseSource(run: Run<CheckFlags>, cases: readonly Case[]): Promise<ChosenSource> {
  if (run.flags.replay !== undefined) return (await import('./replay.ts')).replaySource(run, run.flags.replay);
  refuseSeveralMotifs(cases, run.flags);
  // Every round of --watch would say it again.
  const isMockUntold = run.flags.watch === true || run.flags.dryRun === true;
  const target = await chooseTarget(
    { ...run, flags: withMotif(run.flags, cases) },
    { isUnlimited: true, isMockUntold },
  );
  const motifId = target.settings.motifId?.value;
  await checkMotif(cases, target.settings, run);
  const serving = servingOf(target.settings, run.world);
  return {
    motifId,
    place: placeOf(target.settings, serving, run),
    serving,
    open: async () => liveSource(await target.open(), run),
  };
}

/**
 * The Motif and the gateway that answer, undefined without a login. A gateway that ends with this command is known by
 * its file.
 */
function placeOf(
  { baseUrl, motifId }: Settings,
  serving: Serving | undefined,
  { flags: { demo, local }, world }: Run<CheckFlags>,
): string | undefined {
  if (motifId === undefined) return undefined;
  const id = motifId.value;
  if (demo) return `${id} of ${demoName}`;
  if (local !== undefined) return `${id} of ${world.files.absolute(local)}`;
  if (serving !== undefined) return `${id} of ${serving.gateway}`;
  return baseUrl && `${id} at ${baseUrl.value}`;
}

/** The Motif of another profile, for `--against`; nothing of how the first one is reached is meant for it. */
export async function openOther(run: Run<CheckFlags>, profile: string, cases: readonly Case[]): Promise<AnswerSource> {
  const { timeout, retries, concurrency, rpm, quiet } = run.flags;
  const given = Object.fromEntries(
    Object.entries({ profile, timeout, retries, concurrency, rpm, quiet }).filter(([, value]) => value !== undefined),
  );
  const other: Run<CheckFlags> = { ...run, flags: given };
  const target = await chooseTarget(other);
  await checkMotif(cases, target.settings, { ...other, by: '--against' });
  return liveSource(await target.open(), other);
}

/** A run asks one Motif: suites of two need two runs, whatever --motif says. */
function refuseSeveralMotifs(cases: readonly Case[], flags: CheckFlags): void {
  const fileByMotif = new Map(
    cases.flatMap(({ motif, file }) => (motif === undefined ? [] : [[motif, file] as const])),
  );
  if (fileByMotif.size < 2) return;
  // A suite says itself for which Motif it is, and two runs cannot write one report.
  const words = flagWords(checkFlags, flags, new Set<keyof CheckFlags>(['motif', 'reports']));
  const names = [...fileByMotif.keys()].slice(0, 8).join(', ');
  const files = [...new Set(fileByMotif.values())].slice(0, 8);
  throw new MotifError('usage', `the suites are for ${fileByMotif.size} Motifs (${names}), and a run asks one`, {
    hint:
      files.length < 2
        ? 'write a suite for each'
        : files.map((file) => ['motif check', pathWord(file), ...words].join(' ')),
  });
}

/** Of several Motifs in a gateway file a suite may say which one it is for. */
export function withMotif<F extends EmbeddedFlags & ConnectionFlags>(flags: F, cases: readonly Case[]): F {
  const [only, other] = new Set(cases.map(({ motif }) => motif));
  const isOnly = only !== undefined && other === undefined && flags.motif === undefined;
  return isOnly && flags.local !== undefined ? { ...flags, motif: only } : flags;
}

function liveSource(destination: Destination, run: Run<CheckFlags>): AnswerSource {
  const { flags, world } = run;
  const throttle = new Throttle({ concurrency: flags.concurrency ?? concurrencyDefault, rpm: flags.rpm }, world);
  const { settings, connection, inside } = destination;
  const { motifId } = settings;
  const profile = usedProfile(settings) ?? null;
  return {
    name: (motifId?.level === 'profile' ? profile : null) ?? motifId?.value ?? null,
    profile,
    motifId: motifId?.value ?? null,
    throttle,
    asking: (signal) => createAskTools({ destination, throttle, judgeByCommand: judgeByCommand(world) }, signal),
    skippedFor: (of) => outOfReach(of, { canAnswer: inside?.isMocked === true, canSee: inside !== undefined }),
    itemMsMax: connection.timeoutMs,
    isReplay: false,
    destination,
  };
}
