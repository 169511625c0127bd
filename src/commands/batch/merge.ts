import { toIoError } from '../../batch/ledger/ledger-file.ts';
import { LineWriter } from '../../batch/line-writer.ts';
import { type MergedRow, openParts, type MergeParts } from '../../batch/merge.ts';
import { jobText } from '../../batch/ordering.ts';
import { firstTail, reviseLine } from '../../batch/output-line.ts';
import { TableColumns } from '../../batch/table-out.ts';
import { linesNamedMax } from '../../batch/tally.ts';
import { MotifError } from '../../errors.ts';
import { fileSource } from '../../rows/source.ts';
import { printDocument, printJsonLines } from '../../terminal/output.ts';
import { pathWord } from '../../text/defuse.ts';
import { counted, grouped } from '../../text/sizes.ts';
import type { Run } from '../shared/run.ts';
import type { MergeFlags } from './flags.ts';
import { checkOutput } from './ledger-file.ts';
import { fillInText } from './next-command.ts';

/** Proves that the parts have each row of one job once, and writes them as one. */
export async function runMerge(run: Run<MergeFlags>, paths: readonly string[]): Promise<void> {
  const { world, flags } = run;
  if (flags.output !== undefined) await checkOutput(run, flags.output, paths);
  refuseTsv(flags.output);
  const sources = paths.map((path) => fileSource(world.files, path, world.interrupted));
  const parts = await openParts(sources, flags.limit);
  const isTable = flags.output !== undefined && /\.csv$/i.test(flags.output);
  const columns = new TableColumns(parts.job.facts);
  const counts: OutcomeCounts = { answered: 0, blocked: 0, failed: 0, empty: 0, emptyLines: [] };
  for await (const row of parts.rows()) {
    counts[row.stored.state] += 1;
    if (row.stored.state === 'failed') countEmpty(row, counts);
    if (isTable) columns.add(row);
  }
  const job = jobText(parts.job.facts, parts.job.at);
  const toText = isTable
    ? (row: MergedRow) => columns.line(row)
    : ({ text, index, stored }: MergedRow) =>
        `${reviseLine(text, { job: index === 0 ? firstTail(job, stored.marks.parts) : job })}\n`;
  const head = isTable ? columns.header() : '';
  if (flags.output === undefined) await writeToStdout(run, parts, toText);
  else await writeToFile(run, parts, { path: flags.output, head, toText });
  await tell(run, { parts: paths.length, isWhole: parts.job.facts.limit === undefined }, counts);
}

/** Refuses the name of a table of another form than is written. */
function refuseTsv(output = ''): void {
  if (!/\.tsv$/i.test(output)) return;
  const hint = `-o ${pathWord(output.replace(/tsv$/i, 'csv'))}`;
  throw new MotifError('usage', `-o: ${output}: a merge writes a table as .csv, and else JSON lines`, { hint });
}

type RowText = (row: MergedRow) => string;

async function writeToStdout({ world }: Run, parts: MergeParts, toText: RowText): Promise<void> {
  const writer = new LineWriter((lines) => printJsonLines(lines, world), world);
  for await (const row of parts.rows()) await writer.write(toText(row));
  await writer.finish();
}

/** Beside it and then in its place, so that it is there whole or not at all. */
async function writeToFile(
  { world }: Run,
  parts: MergeParts,
  { path, head, toText }: { readonly path: string; readonly head: string; readonly toText: RowText },
): Promise<void> {
  const { files } = world;
  const beside = `${path}.merging`;
  try {
    const file = await files.openGrowing(beside);
    try {
      file.cut(0);
      const writer = new LineWriter(async (lines) => file.write(lines), world);
      if (head !== '') await writer.write(head);
      for await (const row of parts.rows()) await writer.write(toText(row));
      await writer.finish();
      await file.sync();
    } finally {
      file.close();
    }
    await files.rename(beside, path);
  } catch (error) {
    await files.remove(beside).catch(() => undefined);
    throw toIoError(path, error);
  }
}

interface OutcomeCounts {
  answered: number;
  blocked: number;
  failed: number;
  /** Rows without a prompt; counted among the failed ones too. */
  empty: number;
  /** The lines of the first ones in the input. */
  readonly emptyLines: number[];
}

/** The failure of a row without a prompt, with its line in the input: that alone is an error of the row itself. */
const emptyError = /,"error":\{"kind":"usage","exit_code":\d+,"message":"(?:[^"\\]|\\.)*?:(\d+): /;

function countEmpty({ text }: MergedRow, counts: OutcomeCounts): void {
  const [, line] = emptyError.exec(text) ?? [];
  if (line === undefined) return;
  counts.empty += 1;
  if (counts.emptyLines.length < linesNamedMax) counts.emptyLines.push(Number(line));
}

/** Says what was written; rows in error make it a failure, as they made one of the run that left them so. */
async function tell(
  { world, flags, notice }: Run<MergeFlags>,
  { parts, isWhole }: { readonly parts: number; readonly isWhole: boolean },
  counts: OutcomeCounts,
): Promise<void> {
  const { answered, blocked, failed } = counts;
  const rows = { total: answered + blocked + failed, answered, blocked, error: failed };
  const message = `${grouped(failed)} of ${grouped(rows.total)} rows ended in error`;
  const failure = failed === 0 ? undefined : new MotifError('failed', message, { hint: waysOn(parts, counts) });
  const whole = counted(rows.total, 'row');
  const merged = isWhole ? whole : `the first ${rows.total === 1 ? 'row' : whole}`;
  const summary = `${merged}${parts === 1 ? '' : ` of ${counted(parts, 'part')}`}, each once`;
  if (flags.json) {
    const document = { ok: failure === undefined, exit_code: failure?.exitCode ?? 0, summary, rows, error: null };
    await printDocument(document, flags, world);
  } else notice(flags.output === undefined ? summary : `${summary}; written: ${pathWord(flags.output)}`);
  if (failure === undefined) return;
  failure.hasDocument = flags.json === true;
  throw failure;
}

/** Hints for rows in error: those without a prompt are never asked, however often the command runs. */
function waysOn(parts: number, { failed, empty, emptyLines }: OutcomeCounts): readonly string[] {
  const again = parts === 1 ? 'run its command again, then merge again' : 'run their parts again, then merge again';
  return [...(failed > empty ? [again] : []), ...(empty > 0 ? [fillInText(empty, emptyLines)] : [])];
}
