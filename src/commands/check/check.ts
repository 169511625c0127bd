import { CommandEnded, MotifError } from '../../errors.ts';
import { type Shard, parseShard } from '../../runs/shards.ts';
import { Throttle } from '../../runs/throttle.ts';
import type { Case } from '../../suites/case.ts';
import { runCases } from '../../suites/run.ts';
import type { CheckReport } from '../../suites/result.ts';
import { type ChosenSuite, selectCases } from '../../suites/selection.ts';
import { controlWarnings } from '../../suites/summary.ts';
import { toReport } from '../../suites/whole.ts';
import { parseTags, TagsFault } from '../../suites/tags.ts';
import type { Destination } from '../shared/destination.ts';
import { createSpinner, type Run } from '../shared/run.ts';
import { chooseTarget } from '../target.ts';
import { checkMotif, createAskTools } from './ask.ts';
import type { CheckFlags } from './check-flags.ts';
import { readLastFailed, saveFailed } from './last-failed.ts';
import { listCases, showPlan } from './plan.ts';
import { prove } from './prove.ts';
import { openReports } from './reports.ts';
import { chooseSuites } from './suites.ts';

const concurrencyDefault = 8;

/** Runs the suites and ends with 0, 1 or 11; whatever could not be begun is a MotifError. */
export async function runCheck(run: Run<CheckFlags>, operands: readonly string[]): Promise<void> {
  const { world, flags } = run;
  const suites = await chooseSuites(operands, flags, world);
  const shard = flags.shard === undefined ? undefined : parseShard(flags.shard, world.env);
  const cases = await select(run, suites, shard);
  if (cases === undefined) return;
  if (flags.list) return listCases(cases, run);
  const target = await chooseTarget({ ...run, flags: withMotif(flags, cases) }, { isUnlimited: true });
  const motifId = target.settings.motifId?.value;
  checkMotif(cases, motifId);
  if (flags.dryRun) return showPlan(cases, motifId, run);
  const writer = await openReports(run);
  const destination = await target.open();
  await world.readyToSend();
  const report = await check(run, { suites, cases, destination, shard });
  await saveFailed(suites, report, world);
  await writer.write(report, againOf(operands, flags));
  world.interrupted.throwIfAborted();
  if (report.exit_code !== 0) throw new CommandEnded(report.exit_code);
}

/** Where a gateway file has several Motifs, a suite may say which one it is for. */
function withMotif(flags: CheckFlags, cases: readonly Case[]): CheckFlags {
  const [only, other] = new Set(cases.map(({ motif }) => motif));
  const isOnly = only !== undefined && other === undefined && flags.motif === undefined;
  return isOnly && flags.local !== undefined ? { ...flags, motif: only } : flags;
}

/** Undefined where the last run left nothing to ask again. */
async function select(
  { world, flags, notice }: Run<CheckFlags>,
  suites: readonly ChosenSuite[],
  shard: Shard | undefined,
): Promise<readonly Case[] | undefined> {
  const keys = flags.lastFailed ? await readLastFailed(suites, world) : undefined;
  if (keys?.size === 0) {
    notice('nothing failed in the last run of these suites');
    return undefined;
  }
  const tags = flags.tags === undefined ? undefined : readTags(flags.tags);
  const cases = selectCases(suites, { tags, ids: flags.ids, keys, shard });
  if (cases.length > 0) return flags.repeat === undefined ? cases : cases.map((each) => repeated(each, flags.repeat!));
  // A small suite in many parts leaves some of them empty, which is no mistake of anybody's.
  if (shard !== undefined && selectCases(suites, { tags, ids: flags.ids, keys }).length > 0) return [];
  throw new MotifError('usage', 'no case is selected', {
    hint: 'motif check --list shows them with their ids and tags',
  });
}

function readTags(text: string) {
  try {
    return parseTags(text);
  } catch (error) {
    if (!(error instanceof TagsFault)) throw error;
    throw new MotifError('usage', `--tags: ${error.message}`, { hint: "for example --tags 'pii and not slow'" });
  }
}

function repeated(each: Case, repeat: number): Case {
  return each.repeat > 1 ? each : { ...each, repeat, minPass: repeat };
}

interface CheckParts {
  readonly suites: readonly ChosenSuite[];
  readonly cases: readonly Case[];
  readonly destination: Destination;
  readonly shard: Shard | undefined;
}

async function check(run: Run<CheckFlags>, { suites, cases, destination, shard }: CheckParts): Promise<CheckReport> {
  const { world, flags } = run;
  const startedAt = { now: world.now(), monotonic: world.monotonic() };
  const throttle = new Throttle({ concurrency: flags.concurrency ?? concurrencyDefault, rpm: flags.rpm }, world);
  const spinner = await createSpinner(run);
  spinner?.start('checking');
  try {
    const { results, left } = await runCases(cases, {
      throttle,
      clock: world,
      asking: (signal) => createAskTools({ destination, throttle }, signal),
      canAnswer: destination.inside?.isMocked === true,
      texts: flags.reportText ?? 'failed',
      bail: flags.bail,
      itemMsMax: destination.connection.timeoutMs,
      interrupted: world.interrupted,
    });
    const guards = flags.prove ? await prove(run, { cases, results, destination }) : null;
    const { settings } = destination;
    const notProved = flags.prove && guards === null ? ['not proved: that needs a run in which every case passes'] : [];
    return toReport({
      results,
      left,
      guards,
      names: suites.map(({ suite }) => suite.name),
      profile: settings.profile ?? null,
      motifId: settings.motifId?.value ?? null,
      startedAt: startedAt.now,
      elapsedMs: Math.round(world.monotonic() - startedAt.monotonic),
      isInterrupted: world.interrupted.aborted,
      shard: shard ?? null,
      tolerance: flags,
      warnings: [...suites.flatMap(({ suite }) => controlWarnings(suite)), ...notProved],
    });
  } finally {
    spinner?.stop();
  }
}

/** The command line that asks the failures again, as far as it says what is asked. */
function againOf(operands: readonly string[], flags: CheckFlags): string {
  const { profile, url, motif, local, demo } = flags;
  const named = Object.entries({ '-p': profile, '--url': url, '--motif': motif, '--local': local });
  const words = named.flatMap(([name, value]) => (value === undefined ? [] : [name, value]));
  const all = ['motif', 'check', ...operands, ...(demo ? ['--demo'] : []), ...words, '--last-failed'];
  return all
    .map((word) => (/^[\w./:@=-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`))
    .join(' ');
}
