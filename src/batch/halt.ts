import { counted } from '../text/sizes.ts';
import type { Tally } from './tally.ts';

/** A threshold: so many rows, or a share of the asked ones in percent. */
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

/** A share says nothing about a few rows. */
const rowsForShare = 100;

/** The rule that a run has come to, in words that follow "halted: ". */
export function haltReason(
  tally: Tally,
  rules: HaltRules,
  { isOver }: { readonly isOver: boolean },
): string | undefined {
  const asked = tally.ended - tally.earlier;
  const isEnough = isOver || asked >= rowsForShare;
  if (isBeyond(rules.maxErrors, tally.failed, asked, isEnough)) {
    return `${counted(tally.failed, 'row')} ended in error (--max-errors ${spell(rules.maxErrors)})`;
  }
  if (isBeyond(rules.maxBlocked, tally.blocked, tally.ended, isEnough)) {
    return `${counted(tally.blocked, 'row was', 'rows were')} blocked (--max-blocked ${spell(rules.maxBlocked)})`;
  }
  const tokens = tally.tokens.total_tokens ?? 0;
  if (!isOver && rules.maxTokensTotal !== undefined && tokens >= rules.maxTokensTotal) {
    return `${tokens} tokens were used (--max-tokens-total ${rules.maxTokensTotal})`;
  }
  return undefined;
}

function isBeyond(threshold: HaltThreshold | undefined, found: number, of: number, isEnough: boolean): boolean {
  if (threshold === undefined) return false;
  if (threshold.count !== undefined) return found > threshold.count;
  return isEnough && found * 100 > (threshold.percent ?? 100) * of;
}

function spell({ count, percent }: HaltThreshold = {}): string {
  return count === undefined ? `${percent}%` : String(count);
}
