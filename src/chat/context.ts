import type { Message } from '../wire/request.ts';

/** What one token takes in most languages, as long as the service has said nothing better. */
export const usualCharactersPerToken = 4;

export interface Fitted {
  readonly messages: readonly Message[];
  /** How many of the oldest turns were left out. */
  readonly leftOut: number;
}

/**
 * The messages within a number of tokens, as well as that can be told beforehand: the oldest turns go first, the system
 * messages and the last turn never do.
 */
export function fitMessages(
  messages: readonly Message[],
  { tokensMax, charactersPerToken }: { readonly tokensMax: number | undefined; readonly charactersPerToken: number },
): Fitted {
  if (tokensMax === undefined) return { messages, leftOut: 0 };
  const turnAt = turnsOf(messages);
  const sizes: number[] = [];
  for (const [index, turn] of turnAt.entries()) {
    const { role, content } = messages[index]!;
    sizes[turn] = (sizes[turn] ?? 0) + (role === 'system' ? 0 : content.length);
  }
  const charactersMax = tokensMax * charactersPerToken;
  let characters = charactersOf(messages);
  let firstKept = 0;
  while (characters > charactersMax && firstKept < sizes.length - 1) characters -= sizes[firstKept++]!;
  const kept = messages.filter((message, index) => message.role === 'system' || turnAt[index]! >= firstKept);
  return { messages: kept, leftOut: firstKept };
}

export function estimateTokens(messages: readonly Message[], charactersPerToken: number): number {
  return Math.ceil(charactersOf(messages) / charactersPerToken);
}

/** What the service counted for what was sent; it may have added text of its own, and its count may be senseless. */
export function learnCharactersPerToken(sent: readonly Message[], promptTokens: number | null): number {
  if (promptTokens === null || promptTokens === 0) return usualCharactersPerToken;
  return Math.min(8, Math.max(0.5, charactersOf(sent) / promptTokens));
}

function charactersOf(messages: readonly Message[]): number {
  return messages.reduce((sum, { content }) => sum + content.length, 0);
}

/** The number of the turn that each message belongs to; a turn begins with a message of the user. */
function turnsOf(messages: readonly Message[]): readonly number[] {
  let turn = 0;
  let hasBegun = false;
  return messages.map((message) => {
    if (message.role === 'user' && hasBegun) turn += 1;
    hasBegun ||= message.role !== 'system';
    return turn;
  });
}
