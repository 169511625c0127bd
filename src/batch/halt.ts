import { formatDuration } from '../text/durations.ts';
import { counted, grouped } from '../text/sizes.ts';
import type { Tally } from './tally.ts';

/** A threshold: so many rows, or a share of the rows so far in percent. */
export interface HaltThreshold {
  readonly count?: number;
  readonly percent?: number;
}

/** When a run ends before its last row. */
export interface HaltRules {
  readonly maxErrors?: HaltThreshold | undefined;
  readonly maxBlocked?: HaltThreshold | undefined;
  readonly maxTokensTotal?: number | undefined;
}

/** A rule that a run has come to. */
export interface Halt {
  /** Words that follow "halted: ". */
  readonly words: string;
  /** The flag of a limit that the same command would be over again, whatever comes of its next rows. */
  readonly raise?: string;
}

/** A share says nothing about a few rows. */
const rowsForShare = 100;

/** The first rule that the rows so far have come to; `isOver`: none is left, so that a share of few counts too. */
export function haltOf(
  tally: Tally,
  { maxErrors, maxBlocked, maxTokensTotal }: HaltRules,
  { isOver }: { readonly isOver: boolean },
): Halt | undefined {
  const { failed, blocked, ended, earlier } = tally;
  const asked = isOver ? ended : ended - earlier;
  if (isBeyond(maxErrors, failed, asked, isOver))
    return {
      words: `${spell(maxErrors, failed, asked, asked < ended ? 'asked row' : 'row')} ended in error (--max-errors ${value(maxErrors)})`,
    };
  if (isBeyond(maxBlocked, blocked, ended, isOver)) {
    const were = blocked === 1 ? 'was' : 'were';
    const words = `${spell(maxBlocked, blocked, ended)} ${were} blocked (--max-blocked ${value(maxBlocked)})`;
    return { words, raise: '--max-blocked' };
  }
  const tokens = tally.tokens.total_tokens ?? 0;
  if (!isOver && maxTokensTotal !== undefined && tokens >= maxTokensTotal)
    return { words: `${tokens} tokens were used (--max-tokens-total ${maxTokensTotal})` };
  return undefined;
}

/** The rule that the rows of earlier runs have come to already, so that no further row is asked. */
export function haltBefore(tally: Tally, rules: HaltRules): Halt | undefined {
  const halt = haltOf(tally, rules, { isOver: false });
  return halt && { ...halt, words: `${halt.words}; nothing was asked` };
}

/** The end of a run whose service was away for longer than is waited for. */
export function outageHalt(outageMsMax: number, status: number | undefined): Halt {
  const what = status === undefined ? 'was out of reach' : `answered ${status}`;
  return { words: `the service ${what} for longer than ${formatDuration(outageMsMax)} (--max-outage)` };
}

function isBeyond(
  threshold: HaltThreshold | undefined,
  found: number,
  of: number,
  isOver: boolean,
): threshold is HaltThreshold {
  if (threshold === undefined) return false;
  if (threshold.count !== undefined) return found > threshold.count;
  return (isOver || of >= rowsForShare) && found * 100 > (threshold.percent ?? 100) * of;
}

/** The rows that were found; of how many, where the limit is a share. */
function spell({ percent }: HaltThreshold, found: number, of: number, row = 'row'): string {
  return percent === undefined ? counted(found, 'row') : `${grouped(found)} of ${counted(of, row)}`;
}

function value({ count, percent }: HaltThreshold): string {
  return count === undefined ? `${percent}%` : String(count);
}
