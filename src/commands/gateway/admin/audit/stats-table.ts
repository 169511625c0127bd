import type { PolicyStatistics, StatisticKey } from '../../../../gateway/records/audit/statistics.ts';
import type { StatisticRow } from '../../../../gateway/records/audit/statistic-rows.ts';
import { plainTable, spokenRows } from '../../../../reports/plain-table.ts';
import { defuseLine } from '../../../../text/defuse.ts';
import { formatDuration } from '../../../../text/durations.ts';
import { counted, grouped } from '../../../../text/sizes.ts';
import { clip, columnsOf, fold } from '../../../../text/width.ts';
import type { Style } from '../../../../terminal/style.ts';
import { noRoomWords } from '../../../shared/table.ts';
import { policyLine } from './policy-line.ts';

/** Everything that `admin audit stats` found. */
export interface AuditStatisticsReport {
  readonly by: readonly StatisticKey[];
  readonly days: number;
  /** Words for the days, behind the number of prompts. */
  readonly when: string;
  /** The first and the last UTC day, of the prompts or as they were asked for; empty where there is no prompt. */
  readonly span: readonly string[];
  /** Which of the prompts are counted alone, each by what it was chosen by. */
  readonly filters: readonly (readonly [name: string, wanted: string])[];
  readonly files: number;
  readonly seals: string;
  /** Explains a column of costs that is left out. */
  readonly prices: 'no gateway file' | 'none' | 'some';
  /** Prompts without messages that `login` and `doctor` sent; not among the prompts. */
  readonly emptyPrompts: number;
  readonly total: StatisticRow;
  readonly rows: readonly StatisticRow[];
  readonly policy: PolicyStatistics | undefined;
}

/** Columns of the longest bar, where there is much room and where there is little. */
const barWidths = [10, 4];
const cellCharactersMax = 60;

/**
 * The statistics as people read them: lines of facts, the rows, and what one policy did. A terminal has columns, which
 * are filled with bars where there is room; where there is too little, the longest names are cut and then whole columns
 * go.
 */
export function statsLines(report: AuditStatisticsReport, screen: StatsScreen): readonly string[] {
  const dim = (line: string): string => foldAll([line], screen.columns).map(screen.style.dim).join('\n');
  const [table, left] = rowLines(report, screen);
  return [dim(headLine(report)), ...table, ...left.map(dim), ...policyLines(report, screen, dim)];
}

function foldAll(lines: readonly string[], width = Infinity): readonly string[] {
  return lines.flatMap((line) => fold(line, width, '  ').split('\n'));
}

/** The screen that the lines are for; without columns it is a pipe. */
interface StatsScreen {
  readonly columns: number | undefined;
  readonly style: Style;
  /** A screen reader has no use for columns. */
  readonly isAccessible: boolean;
}

export function headLine({
  by,
  when,
  filters,
  total,
  files,
  seals,
  prices,
  emptyPrompts,
}: AuditStatisticsReport): string {
  const prompts = `${counted(total.prompts, 'prompt')} ${when} (UTC)`;
  const empty = emptyPrompts === 0 ? [] : [`${counted(emptyPrompts, 'empty prompt')} of login or doctor left out`];
  // The column of costs is left out then, which nobody should have to wonder about.
  const isFree = total.cost === undefined && total.promptTokens + total.completionTokens > 0;
  const cost = isFree ? [costLacks[prices]] : [];
  const first = by.find((key) => key === 'policy' || key === 'rule');
  const found = first === undefined ? [] : [`a ${first} counts the prompts in which it found something`];
  return [prompts, ...onlyWords(filters), ...empty, counted(files, 'file'), seals, ...cost, ...found].join(' · ');
}

/** Words for the prompts that are counted where others are left out: no share is one of all prompts then. */
export function onlyWords(filters: AuditStatisticsReport['filters']): readonly string[] {
  if (filters.length === 0) return [];
  return [`only ${filters.map(([name, wanted]) => `${name} ${defuseLine(wanted, cellCharactersMax)}`).join(', ')}`];
}

const costLacks: Readonly<Record<AuditStatisticsReport['prices'], string>> = {
  'no gateway file': 'no gateway file, so no cost',
  none: 'no prices in the gateway file, so no cost',
  some: 'no prompt has a price, so no cost',
};

/** The table, and the line that names the columns for which there is no room. */
function rowLines(
  { by, rows, total }: AuditStatisticsReport,
  { columns: width, style, isAccessible }: StatsScreen,
): readonly [table: readonly string[], left: readonly string[]] {
  const all = by.length === 0 ? [total] : rows;
  if (all.length === 0) return [[], []];
  if (isAccessible) {
    const told = columnsFor(all);
    const head = [...by, ...told.map(({ name }) => name)];
    const cells = all.map((row) => [...valueTexts(by, row.values), ...told.map(({ of }) => of(row))]);
    return [foldAll(spokenRows(head, cells, by.length), width), []];
  }
  const look = lookFor(by, all, width);
  const hasBars = width === undefined || by.length === 0 || look.barColumns > 0;
  return [tableOf(by, all, look, style), leftOutLines(all, look.without ?? 0, hasBars)];
}

/** The first look in which the table fits: with bars, with names that are cut, and then without columns. */
function lookFor(by: readonly StatisticKey[], rows: readonly StatisticRow[], width: number | undefined): TableLook {
  const whole = { barColumns: 0, valueColumns: cellCharactersMax };
  if (width === undefined) return whole;
  const fits = (look: TableLook) => tableOf(by, rows, look).every((line) => columnsOf(line) <= width);
  const barred = barWidths.map((barColumns) => ({ ...whole, barColumns })).find(fits);
  if (barred !== undefined) return barred;
  let look: TableLook = whole;
  for (const tried of valueColumnsTried) {
    for (let without = 0; without < columns.length; without += 1) {
      for (const valueColumns of tried) {
        look = { barColumns: 0, valueColumns, without };
        if (fits(look)) return look;
      }
    }
  }
  return look;
}

function leftOutLines(rows: readonly StatisticRow[], without: number, hasBars: boolean): readonly string[] {
  const names = columnsFor(rows).map(({ name }) => name);
  const left = names.slice(Math.max(1, names.length - without));
  if (left.length > 0) return [noRoomWords(left)];
  return hasBars ? [] : ['left out at this width: the bars'];
}

/** Columns of the longest names: enough to tell them apart, and then whatever is left. */
const valueColumnsTried = [
  [cellCharactersMax, 32, 20, 14],
  [10, 8, 6],
];

interface TableLook {
  /** 0 for no bars. */
  readonly barColumns: number;
  readonly valueColumns: number;
  /** The number of columns that are left out, those at the right first. */
  readonly without?: number;
}

function tableOf(
  by: readonly StatisticKey[],
  rows: readonly StatisticRow[],
  { barColumns, valueColumns, without = 0 }: TableLook,
  style?: Style,
): readonly string[] {
  const most = Math.max(1, ...rows.map(({ prompts }) => prompts));
  const told = columnsFor(rows);
  const digits = grouped(most).length;
  // A single row without a key has nothing to be compared with.
  const barred = (count: string, prompts: number): string =>
    barColumns === 0 || by.length === 0
      ? count
      : `${'█'.repeat(Math.ceil((barColumns * prompts) / most)).padEnd(barColumns)} ${count.padStart(digits)}`;
  const shown = told.slice(0, Math.max(1, told.length - without));
  const cells = rows.map((row) => [
    ...valueTexts(by, row.values).map((value) => clip(value, valueColumns)),
    ...shown.map(({ of }, at) => (at === 0 ? barred(of(row), row.prompts) : of(row))),
  ]);
  const align = [...by.map(() => 'left' as const), ...shown.map(() => 'right' as const)];
  const head = [...by, ...shown.map(({ name }) => name)];
  const paint =
    style &&
    ((cell: string, at: number, line: number) => paintCell(style, cell, line === 0 ? '' : head[at]!, at < by.length));
  return plainTable({ rows: [head, ...cells], align, ...(paint && { paint }) });
}

const paints: Readonly<Record<string, 'yellow' | 'red' | 'dim'>> = {
  block: 'yellow',
  blocked: 'yellow',
  failed: 'red',
  p50: 'dim',
  p95: 'dim',
};

/** A cell below the column of this name; the head, which is below none, and zeros are dim. */
function paintCell(style: Style, cell: string, column: string, isKey: boolean): string {
  if (isKey && column !== '') return style.bold(cell);
  const colour = column === '' ? 'dim' : cell === '0' ? 'dim' : paints[column];
  if (colour === undefined) return cell;
  return colour === 'yellow' ? style.bold(style.yellow(cell)) : style[colour](cell);
}

interface StatisticColumn {
  readonly name: string;
  readonly of: (row: StatisticRow) => string;
  /** A column that may have nothing to say is left out where it has not. */
  readonly isEmpty?: (row: StatisticRow) => boolean;
}

const shareColumns = (['block', 'redact', 'warn', 'failed', 'refused'] as const).map((name): StatisticColumn => {
  const isEmpty = name === 'block' || name === 'redact' ? undefined : (row: StatisticRow) => row.decisions[name] === 0;
  return { name, of: ({ decisions, prompts }) => share(decisions[name], prompts), ...(isEmpty && { isEmpty }) };
});

const columns: readonly StatisticColumn[] = [
  { name: 'prompts', of: ({ prompts }) => grouped(prompts) },
  ...shareColumns,
  { name: 'tokens', of: ({ promptTokens, completionTokens }) => amount(promptTokens + completionTokens) },
  { name: 'cost', of: ({ cost }) => costWords(cost), isEmpty: ({ cost }) => cost === undefined },
  { name: 'p50', of: ({ p50 }) => latency(p50) },
  { name: 'p95', of: ({ p95 }) => latency(p95) },
];

/** The columns that have something to say of these rows. */
export function columnsFor(rows: readonly StatisticRow[]): readonly StatisticColumn[] {
  return columns.filter(({ isEmpty }) => isEmpty === undefined || !rows.every((row) => isEmpty(row)));
}

/** Names for what a prompt does not have, by the key. */
const absent: Readonly<Record<StatisticKey, string>> = {
  policy: 'no finding',
  rule: 'no finding',
  motif: 'no Motif',
  user: 'no user',
  team: 'no team',
  token: 'no token',
  provider: 'none asked',
  model: 'none',
  day: 'no day',
};

/** The values of a row in words; those of a prompt without a finding are said once. */
export function valueTexts(by: readonly StatisticKey[], values: readonly (string | null)[]): readonly string[] {
  const wasAsked = typeof values[by.indexOf('provider')] === 'string';
  const wordsFor = (key: StatisticKey) =>
    key === 'model' && by.includes('provider') ? (wasAsked ? 'none named' : absent.provider) : absent[key];
  const words = values.map((value, at) => (value === null ? wordsFor(by[at]!) : defuseLine(value, cellCharactersMax)));
  return words.map((word, at) => (values[at] === null && words.indexOf(word) < at ? '' : word));
}

function share(part: number, whole: number): string {
  if (part === 0) return '0';
  const percent = (100 * part) / whole;
  return percent < 0.1 ? '<0.1 %' : `${percent.toFixed(1)} %`;
}

/** A cost in the currency of the prices: two decimals, and under a hundredth two digits that are no zeros. */
function costWords(cost: number | undefined): string {
  if (cost === undefined) return '';
  if (cost === 0 || cost >= 0.01) return cost.toFixed(2);
  return cost < 1e-6 ? '<0.000001' : cost.toFixed(1 - Math.floor(Math.log10(cost)));
}

function amount(count: number): string {
  if (count >= 1e9) return `${(count / 1e9).toFixed(1)} G`;
  if (count >= 1e6) return `${(count / 1e6).toFixed(count >= 1e8 ? 0 : 1)} M`;
  return grouped(count);
}

function latency(ms: number | undefined): string {
  return ms === undefined ? '' : formatDuration(ms);
}

function policyLines(
  { policy, total }: AuditStatisticsReport,
  { style, isAccessible, columns: width }: StatsScreen,
  dim: (line: string) => string,
): readonly string[] {
  if (policy === undefined) return [];
  const rows = ruleRows(policy).map(([rule, ...counts]) => [defuseLine(rule, cellCharactersMax), ...counts]);
  const align = ruleHead.map((_, index) => (index === 0 ? 'left' : 'right'));
  const paint = (cell: string, at: number, line: number): string =>
    paintCell(style, cell, line === 0 ? '' : ruleHead[at]!, at === 0);
  return [
    dim(policyLine({ policy, total })),
    ...(rows.length === 0
      ? [policy.excepted.prompts === 0 ? 'it found nothing' : 'it found nothing else']
      : isAccessible
        ? foldAll(spokenRows(ruleHead, rows, 1), width)
        : plainTable({ rows: [ruleHead, ...rows], align, paint })),
  ];
}

export const ruleHead = ['rule', 'found', 'blocked', 'redacted', 'let through'] as const;

/** Rows of a policy's rules, in the order of the head; the name of a rule as the file has it. */
export function ruleRows({ rules }: PolicyStatistics): readonly (readonly [string, ...string[]])[] {
  return rules.map(({ rule, found, blocked, redacted }) => [
    rule,
    ...[found, blocked, redacted, found - blocked - redacted].map(grouped),
  ]);
}
