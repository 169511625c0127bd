import type { Hit } from '../../../../gateway/vocabulary.ts';
import { annotation, annotationsMax, workspaceFolder } from '../../../../reports/annotations.ts';
import { paintVerdict, plainTable, spokenRows } from '../../../../reports/plain-table.ts';
import { fitLines } from '../../../../terminal/lines.ts';
import { printDocument, printLines } from '../../../../terminal/output.ts';
import type { Style } from '../../../../terminal/style.ts';
import { defuse, defuseLine } from '../../../../text/defuse.ts';
import { formatDuration } from '../../../../text/durations.ts';
import type { JsonFlags } from '../../../shared/flags/options.ts';
import type { World } from '../../../../world/world.ts';
import { isAccessible, type Run, styleOf } from '../../../shared/run.ts';
import { layOutRow, placeColumns } from '../../../shared/row-layout.ts';
import type { LeftOut } from '../audit/inputs.ts';
import { placeWords } from '../places.ts';
import type { Comparison, TextChange } from './comparison.ts';
import type { NotJudged } from './corpus.ts';
import { isOverReplayThreshold, type ReplayThreshold } from './flags.ts';
import { counted, grouped } from '../../../../text/sizes.ts';

/** Everything that a replay found. */
export interface ReplayReport {
  readonly base: { readonly file: string; readonly hash: string };
  readonly next: { readonly file: string; readonly hash: string };
  readonly elapsedMs: number;
  readonly comparison: Comparison;
  readonly notJudged: NotJudged;
  readonly leftOut: LeftOut;
  /** Policies of both files that ask outside. */
  readonly notAsked: readonly string[];
  /** Over a threshold. */
  readonly isFailed: boolean;
  /** The thresholds, where there are some. */
  readonly most: { readonly blocked: ReplayThreshold | undefined; readonly passed: ReplayThreshold | undefined };
  /** The line of the new file on which a policy stands. */
  readonly lineOf: (policy: string) => number;
}

const changesShownMax = 10;
const hashLetters = 8;

export async function printReplay(report: ReplayReport, run: Run<JsonFlags>): Promise<void> {
  const { world, flags, notice } = run;
  if (flags.json) await printDocument(documentOf(report), flags, world);
  else {
    const { stdout } = world;
    const screen = { stdout, style: await styleOf(run, stdout), isAccessible: stdout.isTerminal && isAccessible(run) };
    await printLines(linesOf(report, screen).join('\n'), world);
  }
  const { env, files, stderr } = world;
  const folder = workspaceFolder(env.GITHUB_WORKSPACE, files.absolute('.'));
  if (env.GITHUB_ACTIONS === 'true') await stderr.write(annotationsOf(report, folder));
  if (!flags.json) report.leftOut.say(notice);
}

function summaryOf({ comparison, isFailed, most }: ReplayReport): string {
  const { blocked, redacted, passed, judged } = comparison;
  const share = blocked === 0 ? [] : [`${((100 * blocked) / judged).toFixed(2)} %`];
  const ofBlocked = inBrackets([...share, ...mostWords(blocked, judged, most.blocked)]);
  const ofPassed = inBrackets(mostWords(passed, judged, most.passed));
  const words = `newly blocked ${grouped(blocked)}${ofBlocked}, redacted ${grouped(redacted)}, passed ${grouped(passed)}${ofPassed}`;
  // OK beside many blocks would read as safe, though nothing was limited.
  const isLimited = most.blocked !== undefined || most.passed !== undefined;
  return `${isFailed ? 'FAILED ' : isLimited ? 'OK ' : ''}${words}`;
}

/** Words behind the summary where nothing says how much may change, so that nobody takes it for a permission. */
function limitWords({ comparison, most }: ReplayReport): string {
  const isLimited = most.blocked !== undefined || most.passed !== undefined;
  return isLimited || comparison.changed === 0 ? '' : '; no threshold given (--max-blocked, --max-passed)';
}

/** The threshold that a part of the texts is over; nothing where it is not. */
function mostWords(part: number, judged: number, threshold: ReplayThreshold | undefined): readonly string[] {
  if (threshold === undefined || !isOverReplayThreshold(part, judged, threshold)) return [];
  return [`at most ${'count' in threshold ? grouped(threshold.count) : `${threshold.percent} %`}`];
}

function inBrackets(words: readonly string[]): string {
  return words.length === 0 ? '' : ` (${words.join(', ')})`;
}

/** The screen that the lines are for. */
interface ReplayScreen {
  readonly stdout: World['stdout'];
  readonly style: Style;
  /** A screen reader has no use for columns. */
  readonly isAccessible: boolean;
}

function linesOf(report: ReplayReport, screen: ReplayScreen): readonly string[] {
  const { stdout, style } = screen;
  const { base, next, comparison, notAsked, elapsedMs } = report;
  const name = ({ file, hash }: ReplayReport['base']): string => `${defuseLine(file)} ${hash.slice(0, hashLetters)}`;
  const head = `${name(base)} -> ${name(next)} · ${counted(comparison.judged, 'text')} · ${formatDuration(elapsedMs)}`;
  const aside = (lines: readonly string[]): readonly string[] =>
    lines.flatMap((line) =>
      fitLines(line, stdout)
        .split('\n')
        .map((each) => style.dim(each)),
    );
  return [
    fitLines(head, stdout),
    ...aside(notJudgedLines(report.notJudged)),
    ...aside(comparison.rules.length === 0 ? [] : [changeWords]),
    ...ruleLines(report, screen),
    ...aside(comparison.hasOverlaps ? ['a text in which several rules find something counts at each of them'] : []),
    ...changeLines(comparison, screen),
    ...aside(
      comparison.excepted === 0 ? [] : [`exceptions let findings pass in ${counted(comparison.excepted, 'text')}`],
    ),
    ...aside(notAsked.length === 0 ? [] : [`not asked: ${notAsked.join(', ')}`]),
    paintVerdict(fitLines(`${summaryOf(report)}${limitWords(report)}`, stdout), style),
  ];
}

function notJudgedLines({
  blocked,
  unanswered,
  withoutText,
  withoutMotif,
  rowsWithoutText,
  redacted,
  withoutPrompt,
  hasInput,
}: NotJudged): readonly string[] {
  return [
    blocked === 0 ? [] : `${counted(blocked, 'prompt')} not judged: blocked then, no text kept`,
    unanswered === 0 ? [] : `${counted(unanswered, 'prompt')} not judged: refused or failed then`,
    withoutText === 0 ? [] : `${counted(withoutText, 'prompt')} not judged: audited without text`,
    withoutMotif === 0 ? [] : `${counted(withoutMotif, 'text')} not judged: the Motif is not in both files`,
    rowsWithoutText === 0 ? [] : `${counted(rowsWithoutText, 'row')} not judged: without a prompt (--column NAME)`,
    redacted === 0 ? [] : `${counted(redacted, 'text')} kept redacted, and judged like that`,
    withoutPrompt === 0
      ? []
      : `${counted(withoutPrompt, 'answer')} judged without ${withoutPrompt === 1 ? 'its prompt' : 'their prompts'}: ${hasInput ? unjoinedWords : 'name the input of the batch too'}`,
  ].flat();
}

const unjoinedWords = 'no row of the input fits (with -t, -s or -f rows are joined by id alone)';

function ruleLines(
  { comparison, notJudged }: ReplayReport,
  { stdout, style, isAccessible: isSpoken }: ReplayScreen,
): readonly string[] {
  if (comparison.rules.length === 0) {
    const alike = 'both files decide alike';
    const remark = ' on the kept texts; blocked prompts were not kept, and may pass now';
    return [fitLines(notJudged.blocked === 0 ? alike : alike + remark, stdout)];
  }
  const rows = comparison.rules.map(({ motif, policy, rule, pass, redact, block }) => [
    defuseLine(motif, 60),
    defuseLine(`${policy}/${rule}`, 80),
    ...[pass, redact, block].map(signed),
  ]);
  if (isSpoken) return spokenRows(ruleHead, rows, 2).map((line) => fitLines(line, stdout));
  const align = ['left', 'left', 'right', 'right', 'right'] as const;
  return plainTable({ rows: [ruleHead, ...rows], align, paint: paintBelow(ruleHead, style) });
}

function signed(count: number): string {
  return count > 0 ? `+${grouped(count)}` : count < 0 ? `-${grouped(-count)}` : '0';
}

/** Words above the table of rules. */
const changeWords = 'how many more (+) or fewer (-) texts pass, are redacted, are blocked:';
const ruleHead = ['Motif', 'policy/rule', 'pass', 'redact', 'block'];
const changeHead = ['prompt', 'Motif', 'change', 'place'];

/** Paints of a table under such a head: names are bold, blocks yellow, the head and zeros dim. */
function paintBelow(head: readonly string[], style: Style) {
  return (cell: string, at: number, row: number): string => {
    if (row === 0 || cell === '0' || head[at] === 'place') return style.dim(cell);
    if (head[at] === 'Motif') return style.bold(cell);
    return cell.endsWith('block') || head[at] === 'block' ? style.bold(style.yellow(cell)) : cell;
  };
}

function changeLines(comparison: Comparison, screen: ReplayScreen): readonly string[] {
  const shown = comparison.changes.slice(0, changesShownMax);
  const more = comparison.changed - shown.length;
  const rows = shown.map((change) => [
    idWords(change.id),
    defuseLine(change.motif, 60),
    `${change.from} -> ${change.to}`,
    placesOf(change),
  ]);
  if (rows.length === 0) return [];
  const [head = '', ...below] = screen.isAccessible
    ? ['', ...spokenRows(changeHead, rows, 1).map((line) => fitLines(line, screen.stdout))]
    : foldedTable([changeHead, ...rows], screen);
  const lines = [
    ...(head === '' ? [] : [head]),
    ...below.flatMap((line, index) => [line, ...textLines(shown[index]!)]),
  ];
  return more > 0 ? [...lines, `and ${grouped(more)} more, which --json lists`] : lines;
}

/** Rows of changes in columns, the last of which is folded where a terminal is too narrow for it. */
function foldedTable(rows: readonly (readonly string[])[], { stdout, style }: ReplayScreen): readonly string[] {
  const width = stdout.isTerminal ? stdout.columns : Infinity;
  const places = placeColumns(rows, width);
  const paint = paintBelow(changeHead, style);
  return rows.map((row, index) =>
    layOutRow(
      row.map((text, at) => ({ text, paint: (cell: string) => paint(cell, at, index) })),
      places,
      width,
    ),
  );
}

/** The place that a person can do something about, in an own text before those of the Motif, and how many more. */
function placesOf({ hits }: TextChange): string {
  const isOwn = ({ on, place }: Hit): boolean => on === 'inference' || place?.of === 'client';
  const [first, ...others] = new Set([...hits.filter(isOwn), ...hits.filter((hit) => !isOwn(hit))].map(hitWords));
  return others.length === 0 ? (first ?? '') : `${first}, and ${counted(others.length, 'more place')}`;
}

/** The texts of a change under their roles; none unless they were asked for. */
function textLines({ texts }: TextChange): readonly string[] {
  if (texts === undefined) return [];
  const { messages, answer } = texts;
  const all = [...messages, ...(answer === null ? [] : [{ role: 'answer', content: answer }])];
  return all
    .flatMap(({ role, content }) => defuse(`${defuseLine(role, 20)}: ${content}`).split('\n'))
    .map((line) => `  ${line}`);
}

/** A prompt ID by its beginning and end, either of which finds it, or the end of a place, which has its line. */
function idWords(id: string): string {
  return /^[0-9A-Z]{26}$/.test(id) ? `${id.slice(0, 6)}…${id.slice(-6)}` : lineEnd(id);
}

const placeCharactersMax = 60;

function lineEnd(place: string): string {
  if (place.length <= placeCharactersMax) return defuseLine(place, placeCharactersMax);
  return `…${defuseLine(place.slice(1 - placeCharactersMax), placeCharactersMax)}`;
}

function hitWords({ on, message, place, start, length }: Hit): string {
  return placeWords({ on, message, place, start, length });
}

function documentOf(report: ReplayReport): Readonly<Record<string, unknown>> {
  const { base, next, comparison, notJudged, leftOut, notAsked, isFailed } = report;
  const { blocked, redacted, passed, judged, rules, changes } = comparison;
  return {
    ok: !isFailed,
    exit_code: isFailed ? 1 : 0,
    summary: summaryOf(report),
    base,
    new: next,
    judged,
    not_judged: {
      blocked: notJudged.blocked,
      refused_or_failed: notJudged.unanswered,
      without_text: notJudged.withoutText,
      without_motif: notJudged.withoutMotif,
      rows_without_prompt: notJudged.rowsWithoutText,
      ...leftOut.document,
    },
    judged_redacted: notJudged.redacted,
    judged_without_prompt: notJudged.withoutPrompt,
    excepted: comparison.excepted,
    changes: { blocked, redacted, passed, rules, texts: changes.map(changeDocument) },
    not_asked: notAsked,
    error: null,
  };
}

function changeDocument({ id, motif, from, to, hits, texts }: TextChange): object {
  const places = hits.map(({ policy, rule, on, message, start, length, place = null }) => ({
    policy,
    rule,
    on,
    message,
    start,
    length,
    place,
  }));
  return { id, motif, from, to, places, ...texts };
}

/** Annotation of a pull request on the gateway file, beside the policy that decides otherwise. */
function annotationsOf({ next, comparison, isFailed, lineOf }: ReplayReport, folder: string): string {
  const kind = isFailed ? 'error' : 'warning';
  return comparison.rules
    .slice(0, annotationsMax)
    .map(({ motif, policy, rule, pass, redact, block }) => {
      const words = `pass ${signed(pass)}, redact ${signed(redact)}, block ${signed(block)}`;
      const message = `${policy}/${rule} of ${motif}, over ${comparison.judged} kept texts: ${words}`;
      const title = 'motif admin replay';
      return annotation({ kind, file: next.file, folder, line: lineOf(policy), title, message });
    })
    .join('');
}
