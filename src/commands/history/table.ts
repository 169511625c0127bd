import type { Summary } from '../../conversations/conversation.ts';
import { untitled } from '../../conversations/title.ts';
import { printLines } from '../../terminal/output.ts';
import { defuseLine } from '../../text/defuse.ts';
import { formatDuration } from '../../text/durations.ts';
import { clip, columnsOf, columnsOfAll } from '../../text/width.ts';
import { isAccessible, type Run, styleOf } from '../shared/run.ts';
import { spokenLines, tabbed } from '../shared/table.ts';

const titleColumnsMin = 16;
const gap = 2;
const cellCharactersMax = 300;

interface HistoryColumn {
  readonly name: string;
  readonly isNumber?: boolean;
  /** Columns with a lower number go first where a terminal is narrow; without one a column always stays. */
  readonly dispensable?: number;
  cell(summary: Summary, now: number): string;
}

const columns: readonly HistoryColumn[] = [
  { name: 'id', cell: ({ id }) => id },
  { name: 'age', dispensable: 4, cell: ({ updated }, now) => ageOf(updated, now) },
  { name: 'title', cell: ({ title }) => title ?? untitled },
  { name: 'Motif', dispensable: 2, cell: ({ motifId }) => motifId ?? '' },
  { name: 'turns', dispensable: 3, isNumber: true, cell: ({ turns }) => String(turns) },
  { name: 'tokens in all', dispensable: 1, isNumber: true, cell: ({ totalTokens }) => String(totalTokens) },
];

/** A table that fits a terminal, or a line with tabs for each where another program reads. */
export async function printSummaries(run: Run, summaries: readonly Summary[]): Promise<void> {
  const { world } = run;
  if (!world.stdout.isTerminal) {
    return printLines(summaries.map((summary) => `${tabbed(summaryCells(summary))}\n`).join(''), world);
  }
  if (isAccessible(run)) {
    const names = columns.map(({ name }) => name);
    const rows = summaries.map((summary) => columns.map((column) => cellText(column.cell(summary, world.now()))));
    return printLines(spokenLines(names, rows, world.stdout.columns).join('\n'), world);
  }
  const style = await styleOf(run, world.stdout);
  const [head = '', ...rows] = layOut(summaries, world.now(), world.stdout.columns);
  const named = rows.map((row) => row.replace(/^\S+/, (id) => style.bold(id)));
  await printLines([style.dim(head), ...named].join('\n'), world);
}

/** Cells of a conversation in a pipe. */
function summaryCells({ id, updated, title, motifId, turns, totalTokens }: Summary): readonly string[] {
  return [id, updated, title ?? '', motifId ?? '', String(turns), String(totalTokens)];
}

function cellText(text: string): string {
  return defuseLine(text, cellCharactersMax);
}

function layOut(summaries: readonly Summary[], now: number, width: number): readonly string[] {
  const all = columns.map((column) => {
    const cells = summaries.map((summary) => cellText(column.cell(summary, now)));
    return { column, cells, wide: columnsOfAll([column.name, ...cells]) };
  });
  const title = all.find(({ column }) => column.name === 'title');
  let shown = all;
  const rest = () => shown.reduce((sum, each) => sum + (each === title ? 0 : each.wide + gap), 0);
  const order = [...columns].filter(({ dispensable }) => dispensable !== undefined);
  for (const column of order.sort((one, other) => (one.dispensable ?? 0) - (other.dispensable ?? 0))) {
    if (width - rest() >= Math.min(titleColumnsMin, title?.wide ?? 0)) break;
    shown = shown.filter((each) => each.column !== column);
  }
  const titleColumns = Math.max(1, Math.min(title?.wide ?? 0, width - rest()));
  const line = (texts: readonly string[]) =>
    shown
      .map(({ column, wide }, at) => {
        const isTitle = column.name === 'title';
        return pad(clip(texts[at] ?? '', isTitle ? titleColumns : wide), isTitle ? titleColumns : wide, column);
      })
      .join(' '.repeat(gap))
      .trimEnd();
  return [
    line(shown.map(({ column }) => column.name)),
    ...summaries.map((_, row) => line(shown.map(({ cells }) => cells[row] ?? ''))),
  ];
}

function pad(text: string, wide: number, { isNumber }: HistoryColumn): string {
  const blanks = ' '.repeat(Math.max(0, wide - columnsOf(text)));
  return isNumber ? blanks + text : text + blanks;
}

/** In its largest unit: `now`, `5 m`, `3 h`, `12 d`. */
export function ageOf(time: string, now: number): string {
  const ms = now - Date.parse(time);
  if (!(ms >= 60_000)) return 'now';
  return formatDuration(ms).split(' ').slice(0, 2).join(' ');
}
