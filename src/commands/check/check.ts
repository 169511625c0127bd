import { CommandEnded, MotifError } from '../../errors.ts';
import { parseShard, type Shard } from '../../runs/shards.ts';
import type { Case } from '../../suites/case.ts';
import { runCases, type SuiteRunOptions } from '../../suites/run.ts';
import type { CheckReport, SelectedCases } from '../../suites/result.ts';
import { type ChosenSuite, digestOfCases, selectCases, type Selection } from '../../suites/selection.ts';
import { controlWarnings } from '../../suites/summary.ts';
import { parseTags, TagsFault } from '../../suites/tags.ts';
import { errorText } from '../../suites/reports/report.ts';
import { toReport } from '../../suites/whole.ts';
import { plainWord } from '../../text/defuse.ts';
import { closest } from '../../text/similar.ts';
import type { Notice } from '../shared/notices.ts';
import type { Run } from '../shared/run.ts';
import type { World } from '../../world/world.ts';
import { againBehind, againOf, listOf, lineWord } from './again.ts';
import type { CheckFlags } from './check-flags.ts';
import { refuseCommands } from './judge-command.ts';
import { isElsewhere, isKeptIn, type LastRun, readLastRun, refuseOtherPlace, saveFailed } from './last-failed.ts';
import { showCheckProgress } from './progress.ts';
import { openReports } from './reports.ts';
import { type AnswerSource, type ChosenSource, emptySource } from './answer-source.ts';
import { chooseSource } from './source.ts';
import { chooseSuites, leftOutText } from './suites.ts';

/** The most cases of a run that is over before optimised code would pay. */
const shortRunMax = 100;

const notProvedText = 'not proved: that needs a run in which every case passes';
const nothingToProveText =
  'not proved: the Motif has no policy that blocks or redacts in this process, so that none could be taken away';

/**
 * Runs the suites as they are now, wherever the last run asked, for nothing is paid by --watch; undefined where that
 * left nothing to ask again.
 */
export async function checkSuites(run: Run<CheckFlags>, operands: readonly string[]): Promise<CheckReport | undefined> {
  const suites = await chooseSuites(operands, run.flags, run.world);
  const chosen = await select(run, operands, suites);
  if (!run.flags.allowCommands) refuseCommands(chosen.cases);
  const source = await chooseSource(run, chosen.ofMotif);
  if (isDone(run, chosen, suites)) return undefined;
  return check(run, { ...chosen, suites, source: await source.open() });
}

/** Runs the suites and ends with 0, 1 or 11; whatever could not be begun is a MotifError. */
export async function runCheck(run: Run<CheckFlags>, operands: readonly string[]): Promise<void> {
  const { world, flags, notice } = run;
  const suites = await chooseSuites(operands, flags, world);
  const chosen = await select(run, operands, suites);
  const { cases } = chosen;
  const leftOut = await leftOutText(operands, flags, world);
  if (leftOut !== undefined) notice(leftOut);
  if (flags.list) {
    if (isDone(run, chosen, suites)) return;
    return (await import('./plan.ts')).listCases(cases, run);
  }
  if (!flags.allowCommands) refuseCommands(cases);
  const source = await chooseSource(run, chosen.ofMotif);
  const early = await openEarly(run, chosen, source);
  if (!flags.dryRun) refuseOtherPlace(chosen.last, source.place, wordsOf(suites));
  if (isDone(run, chosen, suites)) return;
  if (flags.dryRun) return (await import('./plan.ts')).showPlan(cases, source.motifId, run);
  const writer = await openReports(run, flags, [], flags.baseline);
  const opened = early ?? (await openFor(chosen, source, world));
  if (!opened.isReplay) await (cases.length < shortRunMax ? world.expectShortRun() : world.readyToSend());
  const report = await check(run, { ...chosen, suites, source: opened });
  // The tour of the demo leaves nothing behind.
  const isTour = operands.length === 0 && flags.demo === true;
  const isKept = !isTour && (await saveFailed(suites, report, { place: source.place, world }));
  const again = againBehind(source.serving, againOf(operands, flags, chosen.shard), world);
  // A replay of what the stored run does not have would come out the same.
  const canHelp = !opened.isReplay || report.totals.regressed > 0;
  await writer.write(report, isKept && canHelp ? again : undefined);
  sayRefusal(report, notice);
  world.interrupted.throwIfAborted();
  if (report.exit_code !== 0) throw new CommandEnded(report.exit_code);
}

/** The way out of what keeps every case from being judged is said once: a refused token, a service that is away. */
function sayRefusal({ cases, against }: CheckReport, notice: Notice): void {
  const isAllFailed = cases.every(({ error }) => error !== null);
  const here = cases.find(
    ({ error, replayed }) => error !== null && (error.kind === 'auth' || replayed || isAllFailed),
  )?.error;
  const there = against?.error?.kind === 'auth' ? against.error : undefined;
  for (const error of [here, there]) {
    if (typeof error?.hint === 'string')
      notice([errorText(error), ...error.hint.split('\n').map((line) => `  ${line}`)].join('\n'));
  }
}

interface ChosenCases {
  readonly cases: readonly Case[];
  readonly shard: Shard | undefined;
  /** Those of all shards. */
  readonly selected: SelectedCases;
  /** The cases that say which Motif is asked, also where none of them is left to ask. */
  readonly ofMotif: readonly Case[];
  /** With `--last-failed`, where a run is known. */
  readonly last: LastRun | undefined;
}

async function select(
  { world, flags }: Run<CheckFlags>,
  operands: readonly string[],
  suites: readonly ChosenSuite[],
): Promise<ChosenCases> {
  const shard = flags.shard === undefined ? undefined : parseShard(flags.shard, world.env);
  const last = flags.lastFailed ? await readLastRun(suites, world) : undefined;
  const tags = flags.tags === undefined ? undefined : readTags(flags.tags);
  const selection: Selection = { tags, ids: flags.ids, keys: last?.failed };
  const listHint = `${listOf(operands, flags, suites)} shows them with their ids and tags`;
  refuseUnknownIds(flags.ids ?? [], suites, listHint);
  const all = selectCases(suites, selection);
  if (all.length === 0 && last?.failed.size !== 0) {
    const places = suites.flatMap((each) => lineWord(each) ?? []);
    const isBefore = places.length === suites.length && selectCases(suites, {}).length === 0;
    const words = isBefore ? `: none begins at ${places.join(', ')} or before` : '';
    throw new MotifError('usage', `no case is selected${words}`, { hint: listHint });
  }
  // A small suite in many parts leaves some of them empty, which is no mistake of anybody's.
  const cases = shard === undefined ? all : selectCases(suites, { ...selection, shard });
  const { repeat } = flags;
  return {
    cases: repeat === undefined ? cases : cases.map((each) => repeated(each, repeat)),
    shard,
    selected: { digest: digestOfCases(all), cases: all.length },
    ofMotif: all.length > 0 ? all : selectCases(suites, { ...selection, keys: undefined }),
    last,
  };
}

/** Beside others a misspelled ID would leave its case out, and the run might be green without it. */
function refuseUnknownIds(ids: readonly string[], suites: readonly ChosenSuite[], listHint: string): void {
  const known = new Set(suites.flatMap(({ suite }) => suite.cases.map(({ id }) => id)));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown === undefined) return;
  const meant = closest(unknown, [...known]);
  throw new MotifError('usage', `no case has the id ${JSON.stringify(unknown)}`, {
    hint: [...(meant === undefined ? [] : [`did you mean --id ${plainWord(meant)}?`]), listHint],
  });
}

/** The opened source where something is to be said of the last run: a missing login is told before that. */
async function openEarly(
  { flags }: Run<CheckFlags>,
  { last }: ChosenCases,
  source: ChosenSource,
): Promise<AnswerSource | undefined> {
  const hasWords = last?.failed.size !== 0 || isElsewhere(last, source.place);
  return flags.lastFailed && !flags.dryRun && hasWords ? source.open() : undefined;
}

/** The opened source; after a green run, which leaves nothing to ask, a missing login is no failure. */
async function openFor({ last }: ChosenCases, source: ChosenSource, world: World): Promise<AnswerSource> {
  return source.open().catch((error: unknown) => {
    if (last?.failed.size === 0 && error instanceof MotifError && error.kind === 'config')
      return emptySource(source.motifId ?? null, world);
    throw error;
  });
}

/**
 * True where the last run left nothing to ask again, and nothing has to be written of that but a notice. A runner that
 * knows of no run must not pass for green: then all cases are asked.
 */
function isDone(
  { world, flags, notice }: Run<CheckFlags>,
  { last }: ChosenCases,
  suites: readonly ChosenSuite[],
): boolean {
  if (!flags.lastFailed) return false;
  const why = isKeptIn(world) ? '' : ', for none is kept where CI=true';
  if (last === undefined) notice(`no earlier run of ${wordsOf(suites)} is known here${why}: all cases are asked`);
  if (last?.failed.size !== 0) return false;
  notice(`nothing failed in the last run of ${wordsOf(suites)}`);
  return !flags.json && flags.reports === undefined;
}

function wordsOf([only, ...more]: readonly ChosenSuite[]): string {
  return more.length > 0 ? `these ${more.length + 1} suites` : only!.suite.file;
}

function readTags(text: string) {
  try {
    return parseTags(text);
  } catch (error) {
    if (!(error instanceof TagsFault)) throw error;
    throw new MotifError('usage', `--tags: ${error.message}`, { hint: "for example --tags 'pii and not slow'" });
  }
}

/** The case asked as often as the flag says; of `min_pass: 4` with `repeat: 5` the same share must pass. */
function repeated(each: Case, repeat: number): Case {
  return { ...each, repeat, minPass: Math.ceil((repeat * each.minPass) / each.repeat) };
}

interface CheckParts extends ChosenCases {
  readonly suites: readonly ChosenSuite[];
  readonly source: AnswerSource;
}

async function check(run: Run<CheckFlags>, parts: CheckParts): Promise<CheckReport> {
  const { world, flags } = run;
  const { suites, cases, source, shard, selected } = parts;
  const isCompared = flags.baseline !== undefined || flags.against !== undefined;
  const compare = isCompared ? await (await import('./compare.ts')).openComparison(run, source, cases) : undefined;
  const startedAt = { now: world.now(), monotonic: world.monotonic() };
  const progress = await showCheckProgress(run, cases.length);
  try {
    const { results, left } = await ask(run, cases, source, progress.onResult);
    const { destination } = source;
    if (flags.prove) progress.begin('proving the policies');
    const proof = { cases, results, destination, onCase: progress.onStep };
    const guards = flags.prove ? await (await import('./prove.ts')).prove(run, proof) : null;
    const isCounted = guards?.some(({ state }) => state === 'guarded' || state === 'unguarded') === true;
    const isUnproved = flags.prove === true && !isCounted;
    const message = guards === null ? notProvedText : nothingToProveText;
    const notProved = isUnproved ? [{ message, file: null }] : [];
    const compared = await compare?.(results, (other) => {
      progress.begin('asking the other Motif');
      return ask(run, cases, other, progress.onStep);
    });
    return toReport({
      results,
      left,
      guards,
      isUnproved,
      names: suites.map(({ suite }) => suite.name),
      subject: source.name,
      profile: source.profile,
      motifId: source.motifId,
      startedAt: startedAt.now,
      elapsedMs: Math.round(world.monotonic() - startedAt.monotonic),
      isInterrupted: world.interrupted.aborted,
      shard: shard ?? null,
      suite: selected,
      tolerance: flags,
      warnings: [...suites.flatMap(({ suite }) => controlWarnings(suite)), ...notProved],
      ...compared,
    });
  } finally {
    progress.stop();
  }
}

function ask(
  { world, flags }: Run<CheckFlags>,
  cases: readonly Case[],
  source: AnswerSource,
  onResult?: SuiteRunOptions['onResult'],
) {
  return runCases(cases, {
    ...source,
    clock: world,
    texts: flags.reportText ?? 'failed',
    bail: flags.bail,
    interrupted: world.interrupted,
    onResult,
  });
}
