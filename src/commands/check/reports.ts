import { Interrupted, MotifError, signalTable } from '../../errors.ts';
import { fenced, workspaceFolder } from '../../reports/annotations.ts';
import type { Paint } from '../../suites/reports/report.ts';
import { type ReportKind, renderReport, reportForms } from '../../suites/reports/table.ts';
import type { CheckReport } from '../../suites/result.ts';
import { printLines } from '../../terminal/output.ts';
import { escapeJson, pathWord, plainWord } from '../../text/defuse.ts';
import { FileFault, type World } from '../../world/world.ts';
import { version } from '../shared/flags/options.ts';
import { openOutputFile, type OutputFile } from '../shared/output-file.ts';
import { isAccessible, type Run, styleOf } from '../shared/run.ts';
import type { CheckMergeFlags, ReportTarget } from './check-flags.ts';

type ReportChoice = Pick<CheckMergeFlags, 'reports' | 'json' | 'verbose'>;

/** Destinations of a run's reports; checked before anything is asked. */
interface ReportWriter {
  write(report: CheckReport, again: string | undefined): Promise<void>;
}

export async function openReports(
  run: Run,
  flags: ReportChoice,
  later: readonly (string | undefined)[],
  baseline?: string,
): Promise<ReportWriter> {
  const { world } = run;
  const targets = targetsOf(flags, world);
  const written: { readonly kind: ReportKind; readonly output: OutputFile }[] = [];
  for (const { kind, file } of targets) {
    if (file === undefined) continue;
    const ifInput = kind === 'json' ? nextBaseline(file, baseline, world) : undefined;
    const options = { flag: '--report', later: [...later, baseline], ifInput, mode: 0o600 };
    written.push({ kind, output: await openOutputFile(file, world, options) });
  }
  const shown = targets.find(({ file }) => file === undefined)!;
  return {
    async write(report, again) {
      for (const { kind, output } of written) await output.write(await render(kind, report, again));
      // A person looks for the files; the last line stays the verdict.
      const names = written.map(({ output }) => output.path).join(', ');
      if (names !== '' && world.stderr.isTerminal) run.notice(`written: ${names}`);
      await printLines(await shownText(report, again), world);
      if (isOnGithub(world)) await addSummary(await render('markdown', report, again), world);
    },
  };

  async function shownText(report: CheckReport, again: string | undefined): Promise<string> {
    const text = await render(shown.kind, report, again);
    if (shown.kind === 'json') return escapeJson(text.trimEnd()) + '\n';
    if (reportForms[shown.kind].reader === 'program' || !isOnGithub(world)) return text;
    const token = Buffer.from(world.random(16)).toString('hex');
    const isListed = targets.some(({ kind }) => kind === 'github');
    return fenced(text, token) + (isListed ? '' : await render('github', report, again));
  }

  async function render(kind: ReportKind, report: CheckReport, again: string | undefined): Promise<string> {
    const isShown = shown.kind === kind;
    const paint = isShown ? await styleOf(run, world.stdout) : plain;
    const columns = isShown ? terminalColumns(world) : undefined;
    const ended = isVerdict(kind) ? report : withEnding(report, world.interrupted);
    const workspace = world.env.GITHUB_WORKSPACE;
    const folder = workspace ? workspaceFolder(workspace, world.files.absolute('.')) : '';
    const isSpoken = columns !== undefined && isAccessible(run);
    const options = { again, paint, version, folder, columns, isAccessible: isSpoken, isVerbose: flags.verbose };
    return world.redactor.redact(await renderReport(kind, ended, options));
  }
}

/**
 * The way to a baseline that rolls. It never takes its own place: a run that was interrupted would forget what failed,
 * and one with a new regression would allow it from then on.
 */
function nextBaseline(file: string, baseline: string | undefined, { files }: World) {
  if (baseline === undefined || files.absolute(file) !== files.absolute(baseline)) return undefined;
  const [old, next] = [pathWord(file), pathWord(`${file}.new`)];
  return [
    'write another file, and move it there once all cases were asked and nothing is new:',
    `--report ${plainWord(`json=${file}.new`)} && mv ${next} ${old}`,
  ];
}

/** True of a form that tells the verdict in words of its own; the others tell the exit code. */
function isVerdict(kind: ReportKind): boolean {
  return kind !== 'json' && kind !== 'human' && kind !== 'brief';
}

/** The report with the code by which a signal ends the run. */
function withEnding(report: CheckReport, { aborted, reason }: AbortSignal): CheckReport {
  const signal = aborted && reason instanceof Interrupted ? reason.signal : undefined;
  const code = signalTable.find((each) => each.signal === signal)?.code;
  return code === undefined ? report : { ...report, ok: false, exit_code: code };
}

/** Without a form for stdout people read the result; agents get its short form. */
function targetsOf({ reports: typed = [], json }: ReportChoice, { env }: World): readonly ReportTarget[] {
  const asJson: ReportTarget = { kind: 'json', file: undefined };
  const targets = [...(json ? [asJson] : []), ...typed];
  const shown = targets.filter(({ file }) => file === undefined);
  if (shown.length > 1) {
    const names = shown.map(({ kind }) => kind).join(' and ');
    throw new MotifError('usage', `${names} cannot both go to stdout`, {
      hint: '--report junit=report.xml writes a file',
    });
  }
  if (shown[0] !== undefined && reportForms[shown[0].kind].reader === 'merge') {
    throw new MotifError('usage', `a ${shown[0].kind} needs a file: --report ${shown[0].kind}=part.json`);
  }
  const isAgent = env.AI_AGENT !== undefined && env.AI_AGENT !== '';
  return shown.length > 0 ? targets : [...targets, { kind: isAgent ? 'brief' : 'human', file: undefined }];
}

/** Undefined where stdout is no terminal. */
export function terminalColumns({ stdout }: World): number | undefined {
  return stdout.isTerminal ? stdout.columns : undefined;
}

function isOnGithub({ env }: World): boolean {
  return env.GITHUB_ACTIONS === 'true';
}

/** The summary of the job is a courtesy: a run does not fail because it cannot be written. */
async function addSummary(text: string, { env, files }: World): Promise<void> {
  const path = env.GITHUB_STEP_SUMMARY;
  if (path === undefined || path === '') return;
  await files.append(path, text).catch((error: unknown) => {
    if (!(error instanceof FileFault)) throw error;
  });
}

const plain: Paint = { bold: same, dim: same, red: same, yellow: same };

function same(text: string): string {
  return text;
}
