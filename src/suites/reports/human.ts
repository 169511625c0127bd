import { paintVerdict, plainTable } from '../../reports/plain-table.ts';
import { inertLine, inertText } from '../../reports/inert.ts';
import { formatDuration } from '../../text/durations.ts';
import { clip, columnsOf } from '../../text/width.ts';
import { fitted, fittedRow, lastStart, usualIndent } from './fitted-rows.ts';
import { type CaseResult, type CheckReport, type Guard, type MatrixRow } from '../result.ts';
import { isByAllowance } from '../summary.ts';
import { remarkOn } from '../sentences.ts';
import {
  allPass,
  sourceWords,
  evidenceOf,
  latencyText,
  sinceBaseline,
  type Paint,
  reasonOf,
  type RenderReport,
  type ReportOptions,
  troubles,
  casesToAdd,
  casesToAddHead,
  differencesByCase,
  untestedHead,
  unverifiedThereText,
} from './report.ts';
import { counted, grouped } from '../../text/sizes.ts';

const usualColumns = 80;
const evidenceLinesMax = 12;
const askedColumnsMax = 200;
const idsShownMax = 5;
const casesComparedMax = 40;

/** The result for a person: what failed and why, the matrix, and one last line that says it all. */
export const human: RenderReport = (report, options) => {
  const lines = [
    ...failureLines(report, options, evidenceLinesMax),
    ...report.warnings.flatMap((warning) => fitted(`warning: ${inertLine(warning)}`, options)),
    ...(allPass(report) ? [] : matrixLines(report, options)),
    ...countLines(report, options),
    ...comparisonLines(report, options),
    ...guardLines(report.guards, options),
    ...missingCaseLines(report),
    ...endLines(report, options),
  ];
  return `${lines.join('\n')}\n`;
};

/** A reason in fewer columns than these is hard to read, so that it gets lines of its own. */
const reasonColumnsMin = 40;

const marks = { pass: 'pass', regressed: 'fail', unverified: '????', known: 'known', skipped: 'skip' } as const;

/** A line for each case that is not as it should be, with as many lines of its answer. */
export function failureLines(report: CheckReport, options: ReportOptions, evidenceMax: number): readonly string[] {
  const { paint } = options;
  const shown = [...troubles(report), ...report.cases.filter(({ verdict, flaky }) => flaky && verdict === 'pass')];
  const cells = shown.map((each) => [
    options.isAccessible === true && each.verdict === 'unverified' ? 'unverified' : markOf(each, report),
    inertLine(each.id, 60),
    placeOf(each),
    inertLine(reasonOf(each), 400),
  ]);
  const lines = plainTable({ rows: cells });
  const heads = plainTable({ rows: cells.map((row) => row.slice(0, -1)) });
  const start = lastStart(cells);
  return shown.flatMap((each, index) => {
    const [mark = '', id = '', , reason = ''] = cells[index]!;
    const isTelling = ['regressed', 'unverified'].includes(each.verdict) && each.prompt_id !== null;
    const prompt = isTelling ? `prompt …${inertLine(each.prompt_id!.slice(-6))}` : '';
    // Its two words are one while the row is broken.
    const whole = prompt.replace(' ', '_');
    const end = isTelling ? `  ${whole}` : '';
    const line = `${lines[index]!}${end}`;
    const { columns = Infinity } = options;
    const isSqueezed = columnsOf(line) > columns && columns - start < reasonColumnsMin && reason !== '';
    const [first = '', ...more] = isSqueezed
      ? [...fitted(heads[index]!, options), ...fitted(`${usualIndent}${reason}${end}`, options)]
      : fittedRow(line, options, start);
    const rest = first.slice(mark.length);
    const at = rest.includes(id) ? rest.indexOf(id) + id.length : 0;
    const rows = [`${paintMark(mark, paint)}${paint.bold(rest.slice(0, at))}${rest.slice(at)}`, ...more];
    const dimmed = rows.map((row) =>
      isTelling && row.endsWith(whole) ? `${row.slice(0, -whole.length)}${paint.dim(prompt)}` : row,
    );
    return [...dimmed, ...askedLine(each, options), ...evidenceLines(each, evidenceMax, options)];
  });
}

/** `still` marks what the baseline allows; an id that is new in another suite stays a failure. */
function markOf({ id, verdict, flaky }: CaseResult, { baseline }: CheckReport): string {
  const isOld = baseline !== null && baseline.standing.includes(id) && !baseline.new.includes(id);
  if (verdict === 'regressed' && isOld) return 'still';
  return flaky && verdict === 'pass' ? 'flaky' : marks[verdict];
}

function paintMark(mark: string, paint: Paint): string {
  return mark === 'fail' ? paint.red(mark) : /^(?:\?{4}|unverified)$/.test(mark) ? paint.yellow(mark) : mark;
}

function placeOf({ file, line }: CaseResult): string {
  return inertLine(`${file}:${line}`, 120);
}

/** The last message that was sent, cut to one line. */
function askedLine({ messages }: CaseResult, options: ReportOptions): readonly string[] {
  const last = messages?.at(-1);
  if (options.isVerbose !== true || last === undefined) return [];
  const { columns = askedColumnsMax } = options;
  // One line is a reminder; it needs no more of a long text.
  const words = last.content.trimStart().slice(0, askedColumnsMax).replace(/\s+/g, ' ');
  const line = `${usualIndent}asked: ${inertLine(words)}${words.length < askedColumnsMax ? '' : '…'}`;
  return [options.paint.dim(clip(line, Math.min(columns, askedColumnsMax)))];
}

function evidenceLines(each: CaseResult, linesMax: number, options: ReportOptions): readonly string[] {
  const evidence = each.verdict === 'regressed' && linesMax > 0 ? evidenceOf(each) : undefined;
  if (evidence === undefined) return [];
  const lines = inertText(evidence).trimEnd().split('\n');
  const more = lines.length > linesMax ? [`… ${lines.length - linesMax} more lines`] : [];
  return [...lines.slice(0, linesMax), ...more].flatMap((line) =>
    fitted(`${usualIndent}${line.slice(0, 500)}`, options).map((row) => options.paint.dim(row)),
  );
}

function matrixLines({ matrix }: CheckReport, options: ReportOptions): readonly string[] {
  const row = (name: string, word: string, { blocked, answered, unverified, wrong }: MatrixRow): readonly string[] => {
    const ids = wrong.slice(0, idsShownMax).map((id) => inertLine(id, 60));
    const more = wrong.length > ids.length ? ` and ${wrong.length - ids.length} more` : '';
    return [
      name,
      `${blocked}`,
      `${answered}`,
      `${unverified}`,
      ids.length > 0 ? `${word}: ${ids.join(', ')}${more}` : '',
    ];
  };
  const rows = [
    ['', 'blocked', 'answered', 'unverified', ''],
    row('  must block', 'missed', matrix.must_block),
    row('  must answer', 'false', matrix.must_answer),
  ];
  const table = plainTable({ rows, align: ['left', 'right', 'right', 'right'] });
  if (!isTableFit(table, options)) return alignedRows(rows, options);
  return table.flatMap((line, index) =>
    fitted(line, options, ' '.repeat(line.length - rows[index]!.at(-1)!.length)).map((shown) =>
      index === 0 ? options.paint.dim(shown) : shown,
    ),
  );
}

/** False where a table is wider than the terminal, or read aloud, so that nobody sees what stands above a count. */
function isTableFit([head = '']: readonly string[], { columns = Infinity, isAccessible }: ReportOptions): boolean {
  return isAccessible !== true && columnsOf(head) <= columns;
}

/** Rows of a table that does not fit: each name on a line, and its cells below with what they are. */
function alignedRows([head = [], ...rows]: readonly (readonly string[])[], options: ReportOptions): readonly string[] {
  return rows.flatMap(([name = '', ...cells]) => [
    options.paint.bold(name.trim()),
    ...cells.flatMap((cell, at) =>
      cell === '' ? [] : fitted(`  ${head[at + 1] ?? ''} ${cell}`.replace(/^ +/, '  '), options),
    ),
  ]);
}

/** One line says that all is well; else speed and cost stand here, and the verdict below. */
function countLines(report: CheckReport, options: ReportOptions): readonly string[] {
  if (report.shard !== null && report.totals.cases === 0) return fitted(report.summary, options);
  const { totals, matrix, usage, elapsed_ms: elapsedMs } = report;
  const tokens = usage.total_tokens > 0 ? [`${grouped(usage.total_tokens)} tokens`] : [];
  const speed = [latencyText(report) ?? [], tokens].flat();
  if (!allPass(report)) {
    // The time stands in the last line too.
    if (speed.length === 0) return [];
    return fitted([...speed, formatDuration(elapsedMs)].join(' · '), options).map((row) => options.paint.dim(row));
  }
  const share = ({ blocked, answered, unverified }: MatrixRow, right: number) =>
    `${right}/${blocked + answered + unverified}`;
  const others = (['regressed', 'unverified', 'known', 'skipped', 'flaky'] as const).flatMap((name) =>
    totals[name] > 0 ? [`${totals[name]} ${name}${remarkOn(name, report.allowed)}`] : [],
  );
  const parts = [
    `${isByAllowance(report) ? 'OK ' : ''}${counted(totals.cases, 'case')}${sourceWords(report)}: ${[`${grouped(totals.pass)} pass`, ...others].join(', ')}`,
    `must block ${share(matrix.must_block, matrix.must_block.blocked)}`,
    `must answer ${share(matrix.must_answer, matrix.must_answer.answered)}`,
    formatDuration(elapsedMs),
  ];
  return fitted(parts.join(' · '), options).map((row) => paintVerdict(row, options.paint));
}

function comparisonLines({ baseline, against }: CheckReport, options: ReportOptions): readonly string[] {
  const lines: string[] = [];
  if (baseline !== null) {
    const shown = (ids: readonly string[]) => {
      const first = ids.slice(0, idsShownMax).map((id) => inertLine(id, 80));
      return `${first.join(', ')}${ids.length > first.length ? ', …' : ''}`;
    };
    lines.push(...fitted(`since ${inertLine(baseline.file, 80)}: ${sinceBaseline(baseline, shown)}`, options));
  }
  if (against === null) return lines;
  const { name, differences } = against;
  const unverified = unverifiedThereText(against, inertLine);
  const byCase = differencesByCase(differences);
  const inCases = differences.length === 0 ? '' : ` (here / there) in ${counted(byCase.length, 'case')}`;
  const found = `${counted(differences.length, 'difference')}${inCases}`;
  lines.push(
    ...fitted(
      [`against ${inertLine(name, 80)}: ${found}`, ...(unverified === '' ? [] : [unverified])].join('; '),
      options,
    ),
  );
  const rows = byCase
    .slice(0, casesComparedMax)
    .map((all) => [
      '',
      inertLine(all[0]!.id, 60),
      inertLine(`${all[0]!.file}:${all[0]!.line}`, 80),
      all.map(({ what, here, there }) => `${what} ${inertLine(here, 60)} / ${inertLine(there, 60)}`).join(', '),
    ]);
  const hidden = byCase.length - rows.length;
  const more = hidden > 0 ? [options.paint.dim(`  and ${hidden} more: --report json`)] : [];
  return [...lines, ...plainTable({ rows }).flatMap((line) => fittedRow(line, options, lastStart(rows))), ...more];
}

function guardLines(guards: readonly Guard[] | null, options: ReportOptions): readonly string[] {
  if (guards === null) return [];
  const rows = guards.map((guard) => [inertLine(guard.policy, 40), guard.action, ...guardCells(guard)]);
  const head = ['policy', '', 'switched off', 'weakened', untestedHead];
  const table = plainTable({ rows: [head, ...rows] });
  const last = columnsOf(table[0]!.slice(0, table[0]!.indexOf(untestedHead)));
  const { bold, dim, red } = options.paint;
  const painting = (row: string) => row.replace(/UNGUARDED/g, (word) => red(word));
  if (!isTableFit(table, options)) return alignedRows([head, ...rows], options).map(painting);
  return table.flatMap((line, index) => {
    const shown = fitted(line, options, ' '.repeat(last));
    if (index === 0) return shown.map((row) => dim(row));
    const name = rows[index - 1]![0]!;
    return shown.map((row, at) => {
      const painted = painting(row);
      return at === 0 ? bold(name) + painted.slice(name.length) : painted;
    });
  });
}

function guardCells({ state, kind, off, weakened, also, untested }: Guard): readonly string[] {
  if (state === 'not asked') return [`${inertLine(kind, 40)}: not asked`, '--live'];
  if (state === 'not counted') return ['not counted'];
  const cell = (cases: number | null) =>
    cases === null || cases === 0 ? 'UNGUARDED' : `${cases} case${cases === 1 ? '' : 's'}`;
  const shown = untested.slice(0, 8).map((part) => inertLine(part, 40));
  const parts = `${shown.join(', ')}${untested.length > shown.length ? `, ${untested.length - shown.length} more` : ''}`;
  const overlap =
    also.length > 0 ? `also caught by ${also.map((name) => inertLine(name, 40)).join(', ')}` : 'add the case below';
  return [cell(off), cell(weakened), state === 'unguarded' ? overlap : parts];
}

/** YAML to be copied: never broken, whatever the terminal's width. */
function missingCaseLines(report: CheckReport): readonly string[] {
  const missing = casesToAdd(report);
  return missing === '' ? [] : [casesToAddHead, ...inertText(missing).trimEnd().split('\n')];
}

/** The verdict, and how the failures are asked again. */
export function endLines(report: CheckReport, options: ReportOptions): readonly string[] {
  const { again } = options;
  if (report.exit_code === 0 && report.guards === null && !report.interrupted) return [];
  const line = verdictLine(inertLine(report.summary, 400), report.exit_code, options);
  const { left } = report.totals;
  const partial = report.interrupted ? [`interrupted: ${counted(left, 'case was', 'cases were')} not asked`] : [];
  return [...partial, line, ...(again === undefined || allPass(report) ? [] : [`again: ${inertLine(again, 4000)}`])];
}

const noBreak = '\u00a0';

/** The verdict with the exit code at the right; where a row is too short for both, the last words go on to the next. */
function verdictLine(summary: string, exitCode: number, options: ReportOptions): string {
  const { paint } = options;
  if (exitCode === 0) return paintVerdict(fitted(summary, options).join('\n'), paint);
  const exit = `exit ${exitCode}`;
  // The time, which is two words, and the exit code are one word for the fold.
  const end = `${noBreak}${noBreak}${exit.replace(' ', noBreak)}`;
  const folded = fitted(`${summary.replace(/ (?=[^ ]*$)/, noBreak)}${end}`, options).join('\n');
  const shown = folded.slice(0, -end.length).replace(/\u00a0(?=[^ ]*$)/, ' ');
  const width = Math.min(usualColumns, options.columns ?? usualColumns);
  const room = width - columnsOf(shown.slice(shown.lastIndexOf('\n') + 1)) - exit.length;
  return `${paintVerdict(shown, paint)}${' '.repeat(Math.max(2, room))}${paint.dim(exit)}`;
}
