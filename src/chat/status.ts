import { usageLine, type UsageOutcome } from '../terminal/usage-line.ts';
import { counted } from '../text/sizes.ts';
import { defuseLine } from '../text/defuse.ts';

interface StatusFacts extends UsageOutcome {
  readonly motifId: string | null;
  readonly profile: string | null;
  /** Of the conversation, with this turn. */
  readonly turns: number;
  readonly turnTokens: number;
  /** With those of turns that were blocked or taken back. */
  readonly totalTokens: number;
  readonly turnsLeftOut: number;
}

const nameCharactersMax = 64;

/** One line after each turn: what it cost, and where the conversation stands. */
export function statusLine(facts: StatusFacts): string {
  const { turns, turnTokens, totalTokens, turnsLeftOut } = facts;
  const inAll = totalTokens === turnTokens ? '' : ` (${totalTokens} in all)`;
  const conversationSums = `${turnTokens} in ${counted(turns, 'turn')}${inAll}`;
  const parts = [
    motifName(facts),
    usageLine(facts),
    conversationSums,
    turnsLeftOut === 0 ? '' : `${turnsLeftOut} left out`,
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

/** `support-bot`, or `support-bot (staging)` where the profile has another name. */
export function motifName({ motifId, profile }: { motifId: string | null; profile: string | null }): string {
  const name = defuseLine(motifId ?? 'unknown', nameCharactersMax);
  return profile === null || profile === motifId ? name : `${name} (${profile})`;
}
