import { formatSize } from '../../../text/sizes.ts';
import { formatDuration } from '../../../text/durations.ts';
import type { PromptOutcome } from '../../../client/client.ts';
import { MotifError } from '../../../errors.ts';
import type { Settings } from '../../../settings/resolve.ts';
import { extractBlock, blockNotes } from '../../../terminal/code-blocks.ts';
import { fitLines } from '../../../terminal/lines.ts';
import { usageLine } from '../../../terminal/usage-line.ts';
import { defuse, defuseLine, plainWord } from '../../../text/defuse.ts';
import { wrap } from '../../../text/width.ts';
import type { Timings } from '../../../wire/http.ts';
import { hasFailedPolicy, type Reply } from '../../../wire/reply.ts';
import type { World } from '../../../world/world.ts';
import {
  type DocumentFlags,
  printBeside,
  printDocument,
  printReceived,
  withNewline,
} from '../../../terminal/output.ts';
import type { EmbeddedFlags } from '../flags/embedded.ts';
import { demoName, servingOf } from '../connection/serving.ts';
import type { GlobalFlags } from '../flags/options.ts';
import type { Notice } from '../notices.ts';
import type { OutputFile } from '../output-file.ts';
import { type PromptIdentity, promptFacts } from './document.ts';
import { type Run, styleOf } from '../run.ts';

/** The flags that decide what becomes of an answer. */
export interface ResultFlags extends GlobalFlags, DocumentFlags {
  readonly extract?: boolean | undefined;
  readonly block?: string | undefined;
  readonly raw?: boolean | undefined;
  readonly usage?: boolean | undefined;
  readonly verbose?: boolean | undefined;
  readonly expect?: 'answered' | 'blocked' | 'any' | undefined;
}

interface Showing {
  readonly identity: PromptIdentity;
  readonly settings: Settings;
  readonly output: OutputFile | undefined;
  /** The line of costs, where there is more to say than this outcome knows. */
  readonly line?: string;
  /** Ends what a terminal is shown of the answer. */
  readonly stop?: AbortSignal | undefined;
  /** The failure of saving the turn. It is told last: the answer is there. */
  readonly unsaved?: MotifError | undefined;
}

/** Shows what came of a prompt; throws where that is not exit code 0, once everything is printed. */
export async function showResult(
  run: Run<ResultFlags & EmbeddedFlags>,
  outcome: PromptOutcome,
  showing: Showing,
): Promise<void> {
  const { world, flags, notice } = run;
  const { identity, settings, output } = showing;
  const isDocument = flags.json === true || flags.field !== undefined;
  const facts = promptFacts(outcome, identity);
  const verdict = failureByExpect(outcome, flags);
  if (outcome.reply.blocked) {
    await sayBlocked(run, outcome, settings);
    if (output?.isOld) notice(keptWords(output));
  }
  const answering = printBeside(verdict, showAnswer(run, outcome, showing, isDocument));
  const missing = await answering.catch(async (error: unknown) => {
    throw error instanceof MotifError ? error.withFacts(facts) : error;
  });
  const failure = verdict ?? missing ?? showing.unsaved;
  const isUnsaved = failure !== undefined && failure === showing.unsaved;
  if (isDocument && !isUnsaved) {
    await printBeside(failure, printDocument({ ok: true, ...facts, error: null }, flags, world));
  }
  if (!outcome.reply.blocked) sayFinish(outcome, notice);
  await sayNumbers(run, outcome, showing.line);
  if (failure === undefined) return;
  failure.hasDocument = isDocument && !isUnsaved;
  throw failure.withFacts(facts);
}

/** The answer on stdout or into the `-o` file; a failure to say later if it has no such block. */
async function showAnswer(
  run: Run<ResultFlags>,
  { reply }: PromptOutcome,
  { output, stop }: Showing,
  isDocument: boolean,
): Promise<MotifError | undefined> {
  const { world, flags } = run;
  if (reply.blocked || (isDocument && output === undefined)) return undefined;
  const isExtracting = flags.extract === true || flags.block !== undefined;
  const text = isExtracting ? extractBlock(reply.response, blockWanted(flags.block)) : reply.response;
  if (text === undefined) return missingBlock(reply.response, flags, world, output);
  if (output !== undefined) {
    await saveAnswer(text, output, world, isDocument);
    // Other programs name a form behind -o.
    if (/^(?:json|jsonl|yaml|csv|text)$/.test(output.path))
      run.notice(`written: ${output.path}, which is a file; --json prints the result as JSON`);
    else if (world.stderr.isTerminal) run.notice(`written: ${output.path}`);
  } else await printReceived(text, world, { show: () => renderOnTerminal(run, text, isExtracting), stop });
  return undefined;
}

/**
 * The failure for an answer without that block. The answer was paid for, so a terminal shows it on stderr; elsewhere
 * stderr is a log, which is no place for it.
 */
async function missingBlock(
  answer: string,
  flags: ResultFlags,
  { stderr }: World,
  output: OutputFile | undefined,
): Promise<MotifError> {
  const { block, json, field } = flags;
  const isDocument = json === true || field !== undefined;
  const wanted = block === undefined ? 'code block' : `code block ${defuseLine(block, 40)}`;
  const isShown = stderr.isTerminal && !isDocument;
  if (isShown) await stderr.write(wrap(defuse(withNewline(answer)), stderr.columns).join('\n'));
  return new MotifError('failed', `the answer has no ${wanted}`, {
    notes: [...blockNotes(answer), ...(output?.isOld ? [keptWords(output)] : [])],
    hint: json === true ? 'the document has the whole answer' : wholeAnswerHint(flags, { output, isShown }),
  });
}

function keptWords({ path }: OutputFile): string {
  return `nothing was written: ${defuseLine(path)} holds what it held before`;
}

/** The ways to the whole answer, of which the block alone was asked for. */
function wholeAnswerHint(
  { extract, block }: ResultFlags,
  { output, isShown }: { readonly output: OutputFile | undefined; readonly isShown: boolean },
): readonly string[] {
  const typed = [...(extract ? ['-x'] : []), ...(block === undefined ? [] : ['--block'])].join(' and ');
  const [way, more] = output === undefined ? ['goes to stdout', '-o FILE --json'] : ['goes into the file', '--json'];
  return [
    `${isShown ? 'the whole answer stands above; ' : ''}without ${typed} ${isShown ? 'it' : 'the whole answer'} ${way}`,
    `to have both, add ${more}: the block goes into the file, the whole result to stdout`,
  ];
}

function blockWanted(block: string | undefined): number | string | undefined {
  return block !== undefined && /^\d+$/.test(block) ? Number(block) : block;
}

/** Writes the answer into its file. Where that fails stdout gets it, or its document has it: it was paid for. */
async function saveAnswer(text: string, output: OutputFile, world: World, isDocument: boolean): Promise<void> {
  try {
    await output.write(withNewline(text));
  } catch (error) {
    if (!(error instanceof MotifError) || isDocument) throw error;
    const isWritten = await printBeside(
      error,
      printReceived(text, world).then(() => true),
    );
    throw isWritten ? error.withNote('the answer is on stdout instead') : error;
  }
}

/** The answer as a terminal shows it. */
async function renderOnTerminal(run: Run<ResultFlags>, text: string, isExtracting: boolean): Promise<string> {
  const { renderAnswer } = await import('../../../terminal/answer.ts');
  const style = await styleOf(run, run.world.stdout);
  const raw = run.flags.raw === true || isExtracting;
  return renderAnswer(text, { style, columns: run.world.stdout.columns, raw });
}

/** Says a block on stderr, also with -q and whatever --expect makes of it. */
export async function sayBlocked(
  run: Run<GlobalFlags & EmbeddedFlags>,
  { reply }: Pick<PromptOutcome, 'reply'>,
  settings: Settings,
): Promise<void> {
  const { world, flags } = run;
  const facts = [
    `motif ${settings.motifId?.value ?? 'unknown'}`,
    `finish_reason ${reply.finishReason ?? 'unknown'}`,
    `prompt_id ${reply.promptId ?? 'unknown'}`,
  ];
  const words = settings.blockedNotice?.value;
  const line = `motif: blocked by policy (${facts.map((fact) => defuseLine(fact, 100)).join(', ')})`;
  const style = await styleOf(run, world.stderr);
  const painted = fitLines(line, world.stderr).replace(
    'blocked by policy',
    style.bold(style.yellow('blocked by policy')),
  );
  await world.stderr.write(`${painted}\n`);
  if (words !== undefined && words !== '') await world.stderr.write(`${defuse(words)}\n`);
  if (flags.quiet) return;
  const why = hasFailedPolicy(reply) ? 'a policy could not judge, so it blocked; ' : '';
  const next = `${why}${whoTellsWhy(run, reply, settings)}; what now: motif help blocked`;
  await world.stderr.write(`${style.dim(fitLines(next, world.stderr))}\n`);
}

/**
 * A gateway of this machine tells why by itself: one in this process, or the one of `motif serve` above this command.
 * Of another one only the administrator sees the decision.
 */
function whoTellsWhy({ world, flags }: Run<EmbeddedFlags>, { promptId }: Reply, settings: Settings): string {
  const { motifId } = settings;
  const gateway = flags.local ?? (flags.demo ? demoName : servingOf(settings, world)?.gateway);
  if (gateway === demoName) return 'see why: motif admin try --demo TEXT';
  const of = motifId === undefined ? '' : ` --motif ${defuseLine(motifId.value, 100)}`;
  if (gateway !== undefined) return `see why: motif admin try -c ${plainWord(gateway)}${of} TEXT`;
  return `your administrator can see why${promptId === null ? '' : ' with this prompt_id'}`;
}

function sayFinish({ reply }: PromptOutcome, notice: Notice): void {
  const { finishReason } = reply;
  if (reply.response === '') notice(`the answer is empty (finish_reason ${defuseLine(finishReason ?? 'unknown', 40)})`);
  else if (finishReason === 'length') notice('the answer was cut (finish_reason length)');
  else if (finishReason !== null && finishReason !== 'stop') notice(`finish_reason ${defuseLine(finishReason, 40)}`);
}

async function sayNumbers(run: Run<ResultFlags>, outcome: PromptOutcome, line: string | undefined): Promise<void> {
  const { world, flags } = run;
  if (flags.quiet) return;
  const style = await styleOf(run, world.stderr);
  const { usage, promptId } = outcome.reply;
  if (flags.usage || world.stderr.isTerminal) {
    const numbers = line ?? usageLine({ usage, elapsedMs: outcome.elapsedMs, promptId });
    await world.stderr.write(`${style.dim(fitLines(numbers, world.stderr))}\n`);
  }
  await sayTimings(run, outcome.timings, outcome.attempts);
}

export async function sayTimings(run: Run<ResultFlags>, timings: Timings, attempts: number): Promise<void> {
  const { world, flags } = run;
  if (!flags.verbose || flags.quiet) return;
  const style = await styleOf(run, world.stderr);
  await world.stderr.write(`${style.dim(fitLines(timingsLine(timings, attempts), world.stderr))}\n`);
}

/** The exit code of an outcome: a block is 10, unless --expect says what was to come of it. */
function failureByExpect({ reply }: PromptOutcome, { expect }: ResultFlags): MotifError | undefined {
  if (expect === 'any') return undefined;
  if (expect !== undefined && hasFailedPolicy(reply)) {
    return new MotifError('unverified', `--expect ${expect}: a policy could not judge`);
  }
  const isAnswered = !reply.blocked && reply.response !== '';
  if (expect === 'answered' && !isAnswered) return unexpected(reply.blocked ? 'it was blocked' : 'the answer is empty');
  if (expect === 'blocked' && !reply.blocked) return unexpected('it was answered');
  return reply.blocked && expect === undefined ? blocked() : undefined;

  function blocked(): MotifError {
    const error = new MotifError('blocked', 'blocked by policy');
    error.isPrinted = true;
    return error;
  }

  function unexpected(what: string): MotifError {
    return new MotifError('failed', `--expect ${expect}: ${what}`);
  }
}

/** The line of -v: when each phase of the last attempt ended, counted from its start. */
function timingsLine(timings: Timings, attempts: number): string {
  const phase = (name: string, ms: number | null) => (ms === null ? [] : [`${name} ${formatDuration(ms)}`]);
  const isReused = timings.connectMs === null && timings.firstByteMs !== null;
  return [
    ...(isReused ? ['connection reused'] : []),
    ...phase('dns', timings.dnsMs),
    ...phase('connect', timings.connectMs),
    ...phase('tls', timings.tlsMs),
    ...phase('first byte', timings.firstByteMs),
    ...phase('total', timings.totalMs),
    `sent ${formatSize(timings.sentBytes)}`,
    `received ${formatSize(timings.receivedBytes)}`,
    `attempts ${attempts}`,
  ].join(' · ');
}
