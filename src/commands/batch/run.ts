import { Asker } from '../../batch/ask.ts';
import { Batch } from '../../batch/batch.ts';
import type { BatchEnd, BatchWork } from '../../batch/contract.ts';
import type { Ledger, RowLedger } from '../../batch/ledger/ledger.ts';
import { LineWriter } from '../../batch/line-writer.ts';
import { createClient } from '../../client/client.ts';
import { Interrupted, MotifError, StdoutClosed } from '../../errors.ts';
import { Throttle } from '../../runs/throttle.ts';
import type { Settings } from '../../settings/resolve.ts';
import { fitLines } from '../../terminal/lines.ts';
import { printDocument, printJsonLines } from '../../terminal/output.ts';
import type { Destination } from '../shared/connection/destination.ts';
import { isEmbedded } from '../shared/flags/embedded.ts';
import { type Run, styleOf } from '../shared/run.ts';
import { chooseTarget, type Target } from '../target.ts';
import { showDryRun } from './dry-run.ts';
import type { BatchFlags } from './flags.ts';
import { openInput, type OpenInput } from './input.ts';
import { listenForInterrupts } from './interruption.ts';
import { checkOutput, openLedger, refuseTable } from './ledger-file.ts';
import { showProgress } from './progress.ts';
import { type BatchReport, endingError, batchDocument, paintSummary, summaryLines, withRowsKept } from './summary.ts';

export async function runBatch(run: Run<BatchFlags>, path: string | undefined): Promise<void> {
  const target = await chooseTarget(run);
  const reading = new AbortController();
  try {
    await batchOfInput(run, target, await openInput(run, path, { settings: target.settings, signal: reading.signal }));
  } finally {
    // A pipe that stays open would keep the program from ending.
    reading.abort();
  }
}

/** The batch of an input that is open: its output and ledger are opened, and its end is told. */
async function batchOfInput(run: Run<BatchFlags>, target: Target, opened: OpenInput): Promise<void> {
  const { flags } = run;
  const output = flags.output === '-' ? undefined : flags.output;
  if (output !== undefined) await checkOutput(run, output, [opened.input.source.name]);
  if (output !== undefined) await refuseTable(run, output);
  if (flags.dryRun) return showDryRun(run, opened, target.settings, output);
  const destination = await target.open();
  const ledger = await openLedger(run, opened, output);
  try {
    const report = await askRows(run, opened, { destination, ledger, output });
    await tell(run, report);
  } finally {
    ledger.close();
  }
}

interface BatchParts {
  readonly destination: Destination;
  readonly ledger: RowLedger | Ledger;
  readonly output: string | undefined;
}

/** Asks every row and reports; the output and the ledger are open. */
async function askRows(
  run: Run<BatchFlags>,
  { input, plan }: OpenInput,
  { destination, ledger, output }: BatchParts,
): Promise<BatchReport> {
  const { world, flags } = run;
  const { connection, tools, settings } = destination;
  const throttle = new Throttle({ concurrency: flags.concurrency, rpm: flags.rpm }, world);
  const batch = new Batch(input, ledger);
  const writer = new LineWriter((lines) => printJsonLines(lines, world), world);
  const askAll = async (work: BatchWork): Promise<BatchEnd> => {
    try {
      return await batch.go(work);
    } finally {
      await writer.finish();
    }
  };
  const progress = showProgress(run, batch, { place: placeOf(flags, settings), throttle });
  const interruption = listenForInterrupts(run, { batch, throttle, notice: progress.notice });
  const clientTools = throttle.tools(tools, interruption.stop.signal);
  const client = createClient(connection, clientTools, { notice: progress.onWait });
  const startedAt = world.monotonic();
  // A file in which no row has ended is the one of before, whose rows count as finished without --fresh.
  const freshness = () => {
    if (flags.fresh !== true) return undefined;
    return 'file' in ledger && ledger.file.isKept ? 'begun' : 'unbegun';
  };
  try {
    const end = await askAll({
      ask: new Asker(client),
      throttle,
      clock: world,
      halt: flags,
      outageMsMax: flags.maxOutage,
      timeoutMs: connection.timeoutMs,
      stop: interruption.stop,
      signal: interruption.signal,
      files: world.files,
      redactor: world.redactor,
      write: (line) => writer.write(`${line}\n`),
      onHold: progress.onHold,
      onRow: progress.onRow,
    });
    if (end.isComplete && 'file' in ledger) await ledger.file.endOld({ isWhole: batch.tally.isWhole });
    const elapsedMs = world.monotonic() - startedAt;
    return {
      batch,
      end,
      throttle,
      elapsedMs,
      output,
      inputName: plan.inputName,
      isTable: plan.table !== undefined,
      shard: input.shard,
      limit: input.limit,
      fresh: freshness(),
      interruptedBy: end.interruptedBy ?? (interruption.isStopping() ? 'SIGINT' : undefined),
    };
  } catch (error) {
    throw error instanceof StdoutClosed
      ? stdoutClosedError()
      : withRowsKept(error, batch, { output, fresh: freshness() });
  } finally {
    progress.stop();
    interruption.unlisten();
  }
}

/** The failure where the reader of stdout has closed it: rows that were not written are lost. */
function stdoutClosedError(): MotifError {
  return new MotifError('unverified', 'halted: the reader of stdout has gone', {
    hint: '-o FILE keeps every row, and then the same command goes on',
  });
}

function placeOf(flags: BatchFlags, { baseUrl }: Settings): string {
  if (isEmbedded(flags) || baseUrl === undefined) return 'the gateway';
  return new URL(baseUrl.value).host;
}

/** Says how it went, and ends with what that means. */
async function tell(run: Run<BatchFlags>, report: BatchReport): Promise<void> {
  const { flags } = run;
  const { interruptedBy } = report;
  const failure = endingError(report);
  const telling = tellSummary(run, report, failure);
  if (interruptedBy !== undefined) {
    // A terminal that has gone takes no words, and is no other end.
    await telling.catch(() => undefined);
    throw new Interrupted(interruptedBy, { isTold: flags.quiet !== true });
  }
  await telling;
  if (failure === undefined) return;
  failure.hasDocument = flags.json === true;
  throw failure;
}

/** Writes the summary on stderr, or as a document. */
async function tellSummary(run: Run<BatchFlags>, report: BatchReport, failure: MotifError | undefined): Promise<void> {
  const { world, flags } = run;
  if (flags.json) return printDocument(batchDocument(report, failure), flags, world);
  if (flags.quiet) return;
  const text = fitLines(summaryLines(report).join('\n'), world.stderr);
  await world.stderr.write(`${paintSummary(text, await styleOf(run, world.stderr))}\n`);
}
