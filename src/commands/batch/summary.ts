import type { Batch } from '../../batch/batch.ts';
import type { BatchEnd, LeftOver } from '../../batch/contract.ts';
import { OutputTaken } from '../../batch/ledger/ledger-file.ts';
import type { Tally } from '../../batch/tally.ts';
import { MotifError, type SignalName, signalTable } from '../../errors.ts';
import type { Shard } from '../../runs/shards.ts';
import { formatDuration, toMoment } from '../../text/durations.ts';
import { counted, grouped } from '../../text/sizes.ts';
import type { Throttle } from '../../runs/throttle.ts';
import type { Style } from '../../terminal/style.ts';
import { mergeLines } from './merge-command.ts';
import { type Again, goesOn, linesText, nextText, restText, sameCommand, withoutLimitText } from './next-command.ts';

/** Facts of a run's summary. */
export interface BatchReport extends Again {
  readonly batch: Batch;
  readonly end: BatchEnd;
  readonly throttle: Throttle;
  readonly elapsedMs: number;
  readonly inputName: string;
  readonly isTable: boolean;
  /** The part of the rows that was asked for; undefined for all. */
  readonly shard: Shard | undefined;
  readonly limit: number | undefined;
  /** The signal that ended it early, or that left it only the rows under way. */
  readonly interruptedBy: SignalName | undefined;
}

/** The summary for people, a line each. */
export function summaryLines({
  batch,
  end,
  throttle,
  elapsedMs,
  output,
  inputName,
  isTable,
  shard,
  limit,
  fresh,
  interruptedBy,
}: BatchReport): readonly string[] {
  const { tally, run } = batch;
  const beyond = beyondLimitLines({ batch, end, output, shard, fresh });
  if (end.finishedAt !== undefined) {
    const rows = tally.total === 1 ? 'its one row' : `all ${grouped(tally.total ?? 0)} rows of it`;
    return [`motif: ${output} was finished ${end.finishedAt}, ${rows}: nothing was asked`, ...beyond];
  }
  const next =
    end.isComplete && output !== undefined
      ? mergeLines({ output, inputName, isTable, shard, limit: tally.beyondLimit === 0 ? undefined : limit }, tally)
      : [];
  if (end.isComplete && tally.total === 0 && end.leftOver.gone === 0) {
    return [
      `motif: ${inputName} has no rows${shard === undefined ? '' : ' for this part'}: nothing was asked`,
      ...next,
    ];
  }
  const waits = [
    ...((run?.heldMs ?? 0) > 0 ? [`held ${formatDuration(run?.heldMs ?? 0)}`] : []),
    ...((run?.asleepMs ?? 0) > 0 ? [`asleep ${formatDuration(run?.asleepMs ?? 0)}`] : []),
  ];
  return [
    `${endedText(tally)}${earlierText(tally)} · ${formatDuration(elapsedMs)}${waits.length === 0 ? '' : ` (${waits.join(', ')})`}`,
    [`answered ${grouped(tally.answered)}`, `blocked ${grouped(tally.blocked)}`, errorsText(tally)].join(' · '),
    ...timesLines(tally, throttle),
    ...(output === undefined ? [] : leftOverLines(end.leftOver, { output, shard })),
    ...beyond,
    ...(interruptedBy === undefined
      ? []
      : [
          [
            interruptedBy === 'SIGINT' ? 'interrupted' : `ended by ${interruptedBy}`,
            ...(end.isComplete ? ['all rows were done'] : goesOn(tally, { output, fresh, end })),
          ].join('; '),
        ]),
    ...next,
  ];
}

/** A line about the rows behind the limit of a run that came to it; none where nothing of them is left to ask. */
function beyondLimitLines({
  batch: { tally },
  end: { isComplete, leftOver },
  output,
  shard,
  fresh,
}: Pick<BatchReport, 'batch' | 'end' | 'output' | 'shard' | 'fresh'>): readonly string[] {
  const { beyondLimit } = tally;
  if (!isComplete || beyondLimit === 0) return [];
  const goOn = output === undefined ? '' : `; ${withoutLimitText({ fresh })}`;
  if (beyondLimit === undefined) return [`there may be more rows beyond --limit${goOn}`];
  const unasked = beyondLimit - leftOver.beyondLimit;
  if (unasked === 0) return [];
  const parts = shard === undefined ? '' : ', of all parts';
  return [`${counted(unasked, 'more row')} beyond --limit${parts}${goOn}`];
}

function leftOverLines(
  { beyondLimit, gone, isSure }: LeftOver,
  { output, shard }: Pick<BatchReport, 'shard'> & { output: string },
): readonly string[] {
  const stand = (count: number): string => `${count === 1 ? 'stands' : 'stand'} at the end of ${output}`;
  const whose = `${shard !== undefined ? 'of other parts, or ' : ''}${isSure ? '' : 'beyond --limit, or '}that the input no longer has`;
  return [
    ...(beyondLimit === 0 ? [] : [`${counted(beyondLimit, 'row')} beyond --limit ${stand(beyondLimit)}`]),
    ...(gone === 0 ? [] : [`${counted(gone, 'row')} ${whose} ${stand(gone)}, with index null`]),
  ];
}

/** The lines in colours: rows that were blocked or failed stand out, and times are dim. */
export function paintSummary(text: string, style: Style): string {
  return text
    .replace(/^(?:this run: )?(?:tokens|p50) .*$/m, (line) => style.dim(line))
    .replace(/(?<=^answered .* )blocked [1-9][\d,]*/m, (words) => style.bold(style.yellow(words)))
    .replace(/(?<=^answered .* )error [1-9][\d,]*/m, (words) => style.red(words));
}

/** The rows of the run; where it ended early, how many of them it came to. */
function endedText({ ended, total }: Tally): string {
  if (total === undefined) return counted(ended, 'row');
  return ended < total ? `${grouped(ended)} of ${counted(total, 'row')}` : counted(total, 'row');
}

/** The rows that an earlier run has finished, behind their sum. */
function earlierText({ earlier }: Tally): string {
  return earlier === 0 ? '' : ` · ${grouped(earlier)} ${earlier === 1 ? 'was' : 'were'} there already`;
}

function errorsText({ failed, byError }: Tally): string {
  if (failed === 0) return 'error 0';
  // A row is at fault itself only where its prompt is empty.
  const kinds = [...byError].map(([kind, { count }]) => `${grouped(count)} ${kind === 'usage' ? 'empty' : kind}`);
  const lines = [...byError.values()].flatMap((each) => each.lines).toSorted((a, b) => a - b);
  return `error ${grouped(failed)} (${kinds.join(', ')}: ${linesText({ count: failed, lines })})`;
}

/** The tokens and times of this run in a line, as far as they are known. */
function timesLines(tally: Tally, { retries }: Throttle): readonly string[] {
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = tally.tokens;
  const sum = total === null ? [] : [`tokens ${[prompt, completion].map(tokenText).join(' + ')} = ${tokenText(total)}`];
  const times = [50, 95, 99].flatMap((share) => {
    const ms = tally.percentile(share);
    return ms === null ? [] : [`p${share} ${formatDuration(ms)}`];
  });
  const facts = [...sum, ...times, ...(retries > 0 ? [counted(retries, 'retry', 'retries')] : [])];
  return facts.length === 0 ? [] : [`${tally.earlier === 0 ? '' : 'this run: '}${facts.join(' · ')}`];
}

function tokenText(count: number | null): string {
  return count === null ? '?' : grouped(count);
}

/** End of a run that did not end well; undefined where all rows are answered or blocked. */
export function endingError(report: BatchReport): MotifError | undefined {
  const { batch, end, output } = report;
  const { tally } = batch;
  const { comeBackAt, halted } = end;
  const again = nextText(tally, report);
  const rest = restText(tally) ?? 'no rows are left';
  if (comeBackAt !== undefined && !end.isComplete) {
    const moment = `${new Date(comeBackAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
    return new MotifError('unverified', `halted: the service takes no more before ${moment}; ${rest}`, {
      hint: output === undefined ? again : `from ${moment} on ${again}`,
    });
  }
  if (halted !== undefined) {
    const isDone = end.isComplete && tally.failed === 0;
    const message = `${end.isComplete ? 'over a limit' : 'halted'}: ${halted.words}${isDone ? '' : `; ${rest}`}`;
    return new MotifError('unverified', message, isDone ? {} : { hint: again });
  }
  if (tally.failed === 0) return undefined;
  const of = tally.total === undefined ? '' : ` of ${grouped(tally.total)}`;
  return new MotifError('failed', `${grouped(tally.failed)}${of} rows ended in error`, {
    hint: again,
  });
}

/** The failure that ended a run, with what is kept of it and the way on. */
export function withRowsKept(error: unknown, { tally }: Batch, again: Again): unknown {
  const { output } = again;
  const { answered, blocked, ended, earlier, total } = tally;
  if (!(error instanceof MotifError) || error instanceof OutputTaken) return error;
  if (output === undefined || ended === earlier || ended === total) return error;
  const of = total === undefined ? '' : ` of ${grouped(total)}`;
  const kept = `${grouped(answered + blocked)}${of} rows have their answer in ${output}`;
  return error.withNote(kept).withHint(`once that is mended, ${sameCommand(again)} goes on`);
}

function resumeWords(report: BatchReport, failure: MotifError | undefined): string | null {
  if (report.interruptedBy !== undefined && !report.end.isComplete) return nextText(report.batch.tally, report);
  return failure?.hints[0] ?? (report.batch.tally.beyondLimit === 0 ? null : withoutLimitText(report));
}

/** The document of `--json`. */
export function batchDocument(report: BatchReport, failure: MotifError | undefined): Record<string, unknown> {
  const { batch, end, throttle, inputName, output, interruptedBy } = report;
  const { tally, run } = batch;
  const { answered, blocked, failed, total, beyondLimit } = tally;
  const beyond = beyondLimit === 0 ? '' : `, ${beyondLimit ?? 'perhaps more'} beyond --limit`;
  const left = total === undefined ? null : total - answered - blocked - failed;
  const [p50, p95, p99] = [50, 95, 99].map((share) => tally.percentile(share));
  const exitCode = signalTable.find(({ signal }) => signal === interruptedBy)?.code ?? failure?.exitCode ?? 0;
  const ending = interruptedBy === undefined ? '' : '; interrupted';
  return {
    ok: exitCode === 0,
    exit_code: exitCode,
    summary: `${inputName}: ${answered} answered, ${blocked} blocked, ${failed} in error, ${left ?? 'unknown'} left${beyond}${ending}`,
    rows: { total: total ?? null, answered, blocked, error: failed, left, beyond_limit: beyondLimit ?? null },
    by_error: Object.fromEntries([...tally.byError].map(([kind, { count }]) => [kind, count])),
    retries: throttle.retries,
    usage: tally.tokens.total_tokens === null ? null : tally.tokens,
    latency_ms: p50 === null ? null : { p50, p95, p99 },
    held_ms: Math.round(run?.heldMs ?? 0),
    come_back_at: end.isComplete || end.comeBackAt === undefined ? null : toMoment(end.comeBackAt),
    resume: output === undefined ? null : resumeWords(report, failure),
    finished_at: end.finishedAt ?? null,
    error: null,
  };
}
