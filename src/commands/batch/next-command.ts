import type { BatchEnd } from '../../batch/contract.ts';
import { linesNamedMax, type Tally } from '../../batch/tally.ts';
import { counted, grouped } from '../../text/sizes.ts';

/** Facts of a run that decide which command goes on after it. */
export interface Again {
  /** Output file of the rows; absent for stdout. */
  readonly output: string | undefined;
  /** Of a run with `--fresh`: rows of it are in the output, which it would ask again. */
  readonly fresh: 'begun' | 'unbegun' | undefined;
}

/** Words behind the reason of an interruption: the rows that are left, and what goes on with them. */
export function goesOn(tally: Tally, again: Again & { readonly end: BatchEnd }): readonly string[] {
  const rest = restText(tally) ?? 'no rows are left';
  if (again.output === undefined) return [rest];
  const isAllDone = tally.ended === tally.total && tally.failed === 0;
  return [rest, isAllDone ? `${sameCommand(again)} puts ${again.output} in order` : nextText(tally, again)];
}

/** The command that goes on with the rows of this run. */
export function sameCommand({ fresh }: Pick<Again, 'fresh'>): string {
  if (fresh === undefined) return 'the same command';
  return `the same command ${fresh === 'begun' ? 'without' : 'with'} --fresh`;
}

/** Words for the command that goes on behind a limit. */
export function withoutLimitText({ fresh }: Pick<Again, 'fresh'>): string {
  return `the same command without ${fresh === 'begun' ? '--fresh and ' : ''}--limit goes on`;
}

/** Words for what goes on after a run: the same command typed again, unless it would come to its end at once. */
export function nextText({ ended, total, failed, empty }: Tally, again: Again & { readonly end: BatchEnd }): string {
  // A row without a prompt is never asked: it is to be filled in.
  const asked = failed - empty;
  if (empty > 0 && asked === 0 && ended === total)
    return `${fillInText(empty)}${again.fresh === 'begun' ? `; then ${sameCommand(again)}` : ''}`;
  if (again.output === undefined) return '-o FILE makes a run that can go on';
  const { raise } = again.end.halted ?? {};
  if (raise !== undefined) return `raise ${raise}${again.fresh === 'begun' ? ' and leave out --fresh' : ''} to go on`;
  const same = sameCommand(again);
  const them = `the ${empty > 0 ? 'other ' : ''}${asked === 1 ? 'one' : grouped(asked)}`;
  if (asked > 0 && ended === total) {
    if (empty > 0) return `${same} asks ${them} again; fill in the empty ${empty === 1 ? 'one' : grouped(empty)}`;
    return `${same} asks ${asked === 1 ? 'it' : them} again`;
  }
  return `${same} goes on${asked === 0 ? '' : `, and asks ${them} in error again`}`;
}

/** Words for what to do about so many rows without a prompt; `lines` names the first of them. */
export function fillInText(count: number, lines: readonly number[] = []): string {
  const [rows, them] = count === 1 ? ['that row', 'it'] : ['those rows', 'them'];
  const named = lines.length === 0 ? '' : ` (${linesText({ count, lines })})`;
  return `fill in the prompt of ${rows}${named}, or take ${them} out`;
}

/** The rows that have not been asked, in words; undefined where there is none. */
export function restText({ ended, total }: Tally): string | undefined {
  if (total === undefined) return 'rows are left';
  const left = total - ended;
  return left === 0 ? undefined : `${grouped(left)} of ${counted(total, 'row')} ${left === 1 ? 'is' : 'are'} left`;
}

/** The first lines of so many rows: `line 3`, `lines 3, 5, 7, 9, 11, ...`. */
export function linesText({ count, lines }: { readonly count: number; readonly lines: readonly number[] }): string {
  const named = lines.slice(0, linesNamedMax).join(', ');
  return `${count === 1 ? 'line' : 'lines'} ${named}${count > linesNamedMax ? ', ...' : ''}`;
}
