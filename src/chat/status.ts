import type { Conversation } from '../conversations/conversation.ts';
import { tokensOf } from '../conversations/state.ts';
import { usageLine, type UsageOutcome } from '../terminal/usage-line.ts';
import { counted } from '../text/sizes.ts';
import { defuseLine } from '../text/defuse.ts';

/** The turns of a conversation and their tokens. */
interface ConversationSums {
  /** Of the conversation, with this turn. */
  readonly turns: number;
  readonly turnTokens: number;
  /** With those of turns that were blocked or taken back. */
  readonly totalTokens: number;
}

interface StatusFacts extends UsageOutcome, ConversationSums {
  readonly motifId: string | null;
  readonly profile: string | null;
  readonly turnsLeftOut: number;
}

export function sumsOf({ turns, totalTokens, saidTurns }: Conversation): ConversationSums {
  return { turns, totalTokens, turnTokens: saidTurns.reduce((sum, { outcome }) => sum + tokensOf(outcome), 0) };
}

/** `34 in 2 turns (58 paid for)`: those of the list of conversations, with turns that were taken back. */
export function sumsWords({ turns, turnTokens, totalTokens }: ConversationSums): string {
  const paid = totalTokens === turnTokens ? '' : ` (${totalTokens} paid for)`;
  return `${turnTokens} in ${counted(turns, 'turn')}${paid}`;
}

const nameCharactersMax = 64;

/** One line after each turn: what it cost, and where the conversation stands. */
export function statusLine(facts: StatusFacts): string {
  const { turnsLeftOut } = facts;
  const parts = [
    motifName(facts),
    usageLine(facts),
    sumsWords(facts),
    turnsLeftOut === 0 ? '' : `${turnsLeftOut} left out`,
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

/** `support-bot`, or `support-bot (staging)` where the profile has another name. */
export function motifName({ motifId, profile }: { motifId: string | null; profile: string | null }): string {
  const name = defuseLine(motifId ?? 'unknown', nameCharactersMax);
  return profile === null || profile === motifId ? name : `${name} (${profile})`;
}
