import { CommandEnded, MotifError } from '../../../../errors.ts';
import type { GatewayConfig } from '../../../../gateway/config.ts';
import type { Path, FilePlace } from '../../../../documents/fault.ts';
import { fileSource, type RowSource, stdinSource } from '../../../../rows/source.ts';
import type { JsonFlags } from '../../../shared/flags/options.ts';
import type { FlagsOf } from '../../../shared/flags/flags.ts';
import type { Run } from '../../../shared/run.ts';
import { gatewayFileSource, type GatewaySource, readingFiles } from '../../source.ts';
import { auditInputs, LeftOut } from '../audit/inputs.ts';
import { toFilter } from '../audit/flags.ts';
import { parseSource, sourceOf, toFaultyFile } from '../file.ts';
import type { AdminFlags } from '../flags.ts';
import { Comparison } from './comparison.ts';
import { BatchOutputs, isBatchOutput, mayBeBatchInput } from './batch-join.ts';
import {
  type KeptText,
  NotJudged,
  peeked,
  type PeekedSource,
  tableHint,
  type TextGroups,
  textsOfAudit,
  textsOfFile,
} from './corpus.ts';
import { isOverReplayThreshold, type replayFlags } from './flags.ts';
import { type JudgingMotif, MotifPair, PolicyStore, toJudgingMotif } from './motif-pair.ts';
import { printReplay, type ReplayReport } from './report.ts';

type ReplayRun = Run<AdminFlags & JsonFlags & FlagsOf<typeof replayFlags>>;

/** A gateway file that was read. */
interface ReadFile {
  readonly source: GatewaySource;
  readonly config: GatewayConfig;
  readonly at: (path: Path) => FilePlace;
}

/** Judges kept texts by the present gateway file and by a new one, and says what the new one would change. */
export async function runAdminReplay(run: ReplayRun, newFile: string, corpora: readonly string[]): Promise<void> {
  const { world, flags } = run;
  const startedAt = world.monotonic();
  const base = await readFile(sourceOf(flags, world), run);
  const next = await readFile(gatewayFileSource(newFile, world), run);
  const notJudged = new NotJudged();
  const leftOut = new LeftOut();
  const comparison = new Comparison(flags.showText === true);
  const policies = new PolicyStore(() => world.now());
  const pairs = new Map<string, MotifPair | undefined>();
  for await (const group of texts(run, base, corpora, { notJudged, leftOut })) {
    for (const text of group) {
      world.interrupted.throwIfAborted();
      const motif = motifOf(text, base.config, run);
      if (!pairs.has(motif)) pairs.set(motif, await pairOf(motif, base, next, policies));
      const pair = pairs.get(motif);
      if (pair === undefined) {
        notJudged.withoutMotif += 1;
        continue;
      }
      if (text.lacksPrompt === true) notJudged.withoutPrompt += 1;
      comparison.take(text, motif, ...pair.judge(text));
    }
  }
  if (comparison.judged === 0) throw nothingKept(notJudged, corpora.length > 0);
  const isFailed =
    isOverReplayThreshold(comparison.blocked, comparison.judged, flags.maxBlocked) ||
    isOverReplayThreshold(comparison.passed, comparison.judged, flags.maxPassed);
  const report: ReplayReport = {
    base: { file: base.source.name, hash: base.config.hash },
    next: { file: next.source.name, hash: next.config.hash },
    elapsedMs: world.monotonic() - startedAt,
    comparison,
    notJudged,
    leftOut,
    notAsked: [...new Set([...pairs.values()].flatMap((pair) => pair?.notAsked ?? []))],
    isFailed,
    most: { blocked: flags.maxBlocked, passed: flags.maxPassed },
    lineOf: (policy) => next.at(['policies', policy]).line,
  };
  await printReplay(report, run);
  if (isFailed) throw new CommandEnded(1);
}

async function readFile(source: GatewaySource, { world }: ReplayRun): Promise<ReadFile> {
  const { config, faults, namedFaults, at } = await parseSource(source, world);
  if (config === undefined || namedFaults.length > 0) throw toFaultyFile(source.name, [...faults, ...namedFaults]);
  return { source, config, at };
}

/** A Motif of both files, made when the first text of it comes; undefined where one of the files has no such Motif. */
async function pairOf(
  id: string,
  base: ReadFile,
  next: ReadFile,
  policies: PolicyStore,
): Promise<MotifPair | undefined> {
  const inBoth = [base, next].every(({ config }) => config.motifs.has(id));
  return inBoth
    ? new MotifPair(await judgingMotif(id, base, policies), await judgingMotif(id, next, policies))
    : undefined;
}

async function judgingMotif(id: string, { source, config }: ReadFile, policies: PolicyStore): Promise<JudgingMotif> {
  const { readDocuments } = source;
  return await readingFiles(source, () => toJudgingMotif(config.motifs.get(id)!, config, { readDocuments, policies }));
}

async function* texts(
  run: ReplayRun,
  base: ReadFile,
  corpora: readonly string[],
  tallies: { readonly notJudged: NotJudged; readonly leftOut: LeftOut },
): TextGroups {
  const { world, flags } = run;
  const filter = toFilter({ since: flags.since, until: flags.until, motif: flags.motif }, world);
  if (corpora.length === 0) {
    const ofBase = { ...run, flags: { ...flags, config: base.source.name } };
    const { inputs, close } = await auditInputs([], ofBase, { mayBeMissing: true });
    try {
      return yield* textsOfAudit(inputs, { filter, ...tallies });
    } finally {
      close();
    }
  }
  const parts = { filter, column: flags.column, ...tallies };
  const sourceOfName = (name: string): RowSource =>
    name === '-' ? stdinSource(world.stdin, world.interrupted) : fileSource(world.files, name, world.interrupted);
  if (corpora.length > joinedFilesMax) {
    for (const name of corpora) yield* textsOfFile(await peeked(sourceOfName(name)), parts);
    return;
  }
  const sources: PeekedSource[] = [];
  for (const name of corpora) sources.push(await peeked(sourceOfName(name)));
  const outputs = sources.some(mayBeBatchInput) ? sources.filter(isBatchOutput) : [];
  tallies.notJudged.hasInput = outputs.length > 0;
  const joined = new BatchOutputs(parts);
  for (const output of outputs) await joined.read(output);
  for (const source of sources.filter((each) => !outputs.includes(each))) {
    if (outputs.length > 0 && mayBeBatchInput(source)) yield* joined.join(source);
    else yield* textsOfFile(source, parts);
  }
  yield joined.rest();
}

/** To join inputs and outputs of batches, all files are open at once; of more than these each stands for itself. */
const joinedFilesMax = 64;

/** The Motif that a text was for; where nobody said, the one that is named, or the only one. */
function motifOf(text: KeptText, { motifs }: GatewayConfig, { flags }: ReplayRun): string {
  const [only, second] = motifs.keys();
  const id = text.motif ?? flags.motif ?? (second === undefined ? only : undefined);
  if (id !== undefined) return id;
  throw new MotifError('usage', 'the texts do not say which Motif they were for, and there are several', {
    hint: `--motif takes one of ${[...motifs.keys()].slice(0, 8).join(', ')}`,
  });
}

function nothingKept({ blocked, unanswered, withoutText, withoutMotif }: NotJudged, isNamed: boolean): MotifError {
  const counts = [
    blocked === 0 ? [] : `${blocked} ${blocked === 1 ? 'was' : 'were'} blocked then`,
    unanswered === 0 ? [] : `${unanswered} ${unanswered === 1 ? 'was' : 'were'} refused or failed`,
    withoutText === 0 ? [] : `${withoutText} ${withoutText === 1 ? 'was' : 'were'} kept without text`,
    withoutMotif === 0
      ? []
      : `${withoutMotif} ${withoutMotif === 1 ? 'is' : 'are'} of Motifs that are not in both files`,
  ].flat();
  const found = counts.length === 0 ? '' : ` (${counts.join(', ')})`;
  return new MotifError('usage', `there is no kept text to judge${found}`, {
    hint: [
      isNamed
        ? tableHint
        : 'text: true in the audit of the gateway file keeps the texts of prompts that pass, from then on',
      'or give the new policy action: warn for a week, then: motif admin audit stats --policy NAME',
    ],
  });
}
