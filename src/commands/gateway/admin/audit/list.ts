import {
  matchesFilter,
  type PromptFacts,
  type PromptFilter,
  toPromptFacts,
} from '../../../../gateway/records/audit/prompt-facts.ts';
import type { AuditRecord } from '../../../../gateway/records/audit/reading.ts';
import { printLines } from '../../../../terminal/output.ts';
import type { Style } from '../../../../terminal/style.ts';
import { defuseLine, escapeJson } from '../../../../text/defuse.ts';
import { grouped } from '../../../../text/sizes.ts';
import { columnsOf, fold } from '../../../../text/width.ts';
import type { JsonFlags } from '../../../shared/flags/options.ts';
import type { FlagsOf } from '../../../shared/flags/flags.ts';
import { isAccessible, type Run, styleOf } from '../../../shared/run.ts';
import { layOutRow, placeColumns } from '../../../shared/row-layout.ts';
import { bold, dim, noRoomWords, outcome, spokenLines, tabbed } from '../../../shared/table.ts';
import type { AdminFlags } from '../flags.ts';
import { type FilterFlags, type listFlags, toFilter } from './flags.ts';
import { auditInputs, type AuditInputs, LeftOut, readAudits } from './inputs.ts';
import { AuditNames } from './names.ts';

type ListRun = Run<AdminFlags & JsonFlags & FilterFlags & FlagsOf<typeof listFlags>>;

/** Prints the prompts that were asked for, as they are read, so that memory does not grow with the files. */
export async function runAuditList(run: ListRun, files: readonly string[]): Promise<void> {
  const filter = toFilter(run.flags, run.world);
  const audit = await auditInputs(files, run);
  await listPrompts(run, filter, audit).finally(audit.close);
}

async function listPrompts(run: ListRun, filter: PromptFilter, { inputs, config }: AuditInputs): Promise<void> {
  const { world, flags, notice } = run;
  const { isTerminal, columns } = world.stdout;
  const screen: ListScreen = {
    style: await styleOf(run, world.stdout),
    width: isTerminal ? columns : Infinity,
    ...(isTerminal && isAccessible(run) && { columns: listColumns, isSpoken: true }),
  };
  const names = new AuditNames(filter, config);
  const leftOut = new LeftOut();
  let count = 0;
  for await (const { file, lines } of readAudits(inputs)) {
    let text = '';
    const shown: PromptFacts[] = [];
    for (const line of lines) {
      leftOut.take(file, line);
      if (line.kind === 'config') names.takeConfig(line.record);
      if (line.kind !== 'prompt') continue;
      const facts = toPromptFacts(line.record);
      names.take(facts);
      if (!matchesFilter(facts, filter)) continue;
      if (flags.json) text += `${count === 0 ? documentHead : ','}${documentText(line.record)}`;
      else if (flags.jsonl) text += `${documentText(line.record)}\n`;
      else shown.push(facts);
      count += 1;
    }
    await printLines(`${text}${rowsText(shown, count === shown.length, screen)}`, world);
  }
  leftOut.needPrompt();
  if (count === 0) await names.check();
  const remarks = count === 0 ? names.remarks() : [];
  for (const remark of remarks) notice(remark);
  if (flags.json) await printLines(`${count === 0 ? documentHead : ''}],"error":null}`, world);
  else if (count === 0 && remarks.length === 0)
    notice(
      Object.values(filter).some((each) => each !== undefined)
        ? 'no prompt fits these flags'
        : leftOut.count > 0
          ? 'what could be read holds no prompt'
          : 'no prompt was asked yet',
    );
  await printLines(noRoomText(screen), world);
  leftOut.say(notice);
}

/** Names the columns that a terminal had no room for; empty where it had. */
function noRoomText({ columns, style, width }: ListScreen): string {
  const left = listColumns.filter(({ name }) => columns?.some((column) => column.name === name) === false);
  return left.length === 0 ? '' : `${style.dim(fold(noRoomWords(left.map(({ name }) => name)), width, '  '))}\n`;
}

const documentHead = '{"ok":true,"items":[';

function documentText(record: AuditRecord): string {
  return escapeJson(JSON.stringify(record));
}

const cellCharactersMax = 1000;

/** The screen of the list; a pipe is endlessly wide, and gets no head. */
interface ListScreen {
  readonly style: Style;
  readonly width: number;
  /** True where a row is a sentence. */
  readonly isSpoken?: boolean;
  /** Chosen by the first rows. */
  columns?: readonly ListColumn[];
}

/** A column of the list. Rows are printed as they are read, so that one is as wide as its cells usually are. */
interface ListColumn {
  readonly name: string;
  readonly width: number;
  /** The part of a cell that a narrow terminal gets. */
  readonly narrow?: { readonly width: number; readonly of: (cell: string) => string };
  /** True where the narrowest terminals do without it. */
  readonly isDispensable?: boolean;
  readonly of: (facts: PromptFacts) => string;
  readonly paint?: (style: Style, cell: string) => string;
}

const toMinutes = { width: 16, of: (time: string): string => time.slice(0, 16) };

/** The end of a prompt ID, by which `admin audit` finds it; names of lines of another kind stay whole. */
const lastSix = { width: 7, of: (id: string): string => (/^[0-9A-Z]{26}$/.test(id) ? `…${id.slice(-6)}` : id) };

/** The last column is as long as it is. */
const listColumns: readonly ListColumn[] = [
  {
    name: 'time (UTC)',
    width: 19,
    narrow: toMinutes,
    of: ({ time }) => time.slice(0, 19).replace('T', ' '),
    paint: dim,
  },
  { name: 'prompt', width: 26, narrow: lastSix, of: ({ promptId }) => promptId },
  { name: 'decision', width: 7, of: ({ decision }) => decision, paint: outcome },
  { name: 'Motif', width: 0, of: ({ motif }) => motif, paint: bold },
  { name: 'caller', width: 0, isDispensable: true, of: ({ user, token }) => user ?? token ?? '-', paint: dim },
  { name: 'found', width: 0, of: foundWords },
];

/** Tried one after the other, until the rows fit: shorter times, then shorter prompt IDs, and then no caller either. */
const columnChoices: readonly (readonly ListColumn[])[] = [
  listColumns,
  listColumns.map((column) => shortened(column, [toMinutes])),
  listColumns.map((column) => shortened(column, [toMinutes, lastSix])),
  listColumns.filter(({ isDispensable }) => !isDispensable).map((column) => shortened(column, [toMinutes, lastSix])),
];

function shortened(column: ListColumn, parts: readonly ListColumn['narrow'][]): ListColumn {
  const { narrow, of } = column;
  if (narrow === undefined || !parts.includes(narrow)) return column;
  return { ...column, width: narrow.width, of: (facts) => narrow.of(of(facts)) };
}

/** The width that the last column has at least, where its cells are that long: a policy with its rule. */
const foundWidthMin = 30;

/** The columns for which a terminal has room, by the rows that are shown first. */
function columnsFor(prompts: readonly PromptFacts[], width: number): readonly ListColumn[] {
  const isRoom = (columns: readonly ListColumn[]): boolean => {
    const widths = columns.map(({ name, width: least, of }) =>
      Math.max(least, columnsOf(name), ...prompts.map((facts) => columnsOf(cellOf(of(facts))))),
    );
    const needed = widths.slice(0, -1).reduce((sum, each) => sum + each + 2, Math.min(widths.at(-1)!, foundWidthMin));
    return needed <= width;
  };
  return columnChoices.find(isRoom) ?? columnChoices.at(-1)!;
}

function cellOf(text: string): string {
  return defuseLine(text, cellCharactersMax);
}

function foundWords({ rules, excepted, reason, count, provider, isFallback }: PromptFacts): string {
  return [
    ...(reason === null ? [] : [reason]),
    ...(count === 1 ? [] : [`${grouped(count)} prompts`]),
    ...(isFallback ? [`fallback ${provider ?? ''}`.trimEnd()] : []),
    ...new Set(rules.map(({ policy, rule }) => `${policy}/${rule}`)),
    ...new Set(excepted.map(({ policy, rule }) => `${policy}/${rule} excepted`)),
  ].join('  ');
}

/** Lines of prompts that were read together, under a head where they are the first ones on a terminal. */
function rowsText(prompts: readonly PromptFacts[], isFirst: boolean, screen: ListScreen): string {
  if (prompts.length === 0) return '';
  const { style, width } = screen;
  const isTerminal = width !== Infinity;
  const columns = (screen.columns ??= columnsFor(prompts, width));
  const rows = prompts.map((facts) => columns.map(({ of }) => cellOf(of(facts))));
  if (!isTerminal) return rows.map((row) => `${tabbed(row)}\n`).join('');
  const names = columns.map(({ name }) => name);
  if (screen.isSpoken === true) return `${spokenLines(names, rows, width).join('\n')}\n`;
  const usual = columns.map((column) => 'x'.repeat(column.width));
  const places = placeColumns([usual, names, ...rows], width);
  const lineOf = (row: readonly string[], paint: (text: string, at: number) => string): string => {
    const cells = row.map((text, at) => ({ text, paint: (shown: string) => paint(shown, at) }));
    return `${layOutRow(cells, places, width)}\n`;
  };
  const head = isFirst ? lineOf(names, (text) => style.dim(text)) : '';
  return head + rows.map((row) => lineOf(row, (text, at) => columns[at]!.paint?.(style, text) ?? text)).join('');
}
