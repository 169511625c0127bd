import type { Message } from '../wire/request.ts';

/** An estimate of how messages become tokens, made without the service. */
export interface TokenScale {
  readonly charactersPerToken: number;
  /** Tokens that the service adds: passages, instructions. */
  readonly added: number;
}

/** The scale of most languages, until a count of the service gives a better one. */
export const usualScale: TokenScale = { charactersPerToken: 4, added: 0 };

const charactersPerTokenMax = 8;

export interface Fitted {
  readonly messages: readonly Message[];
  /** The number of the oldest turns that were left out. */
  readonly leftOut: number;
}

/**
 * The messages within a number of tokens, as well as that can be told beforehand: the oldest turns go first, the system
 * messages and the last turn never do.
 */
export function fitMessages(
  messages: readonly Message[],
  { tokensMax, scale }: { readonly tokensMax: number | undefined; readonly scale: TokenScale },
): Fitted {
  if (tokensMax === undefined) return { messages, leftOut: 0 };
  const turnAt = turnsOf(messages);
  const sizes: number[] = [];
  for (const [index, turn] of turnAt.entries()) {
    const { role, content } = messages[index]!;
    sizes[turn] = (sizes[turn] ?? 0) + (role === 'system' ? 0 : content.length);
  }
  const charactersMax = (tokensMax - scale.added) * scale.charactersPerToken;
  let characters = charactersOf(messages);
  let firstKept = 0;
  while (characters > charactersMax && firstKept < sizes.length - 1) characters -= sizes[firstKept++]!;
  const kept = messages.filter((message, index) => message.role === 'system' || turnAt[index]! >= firstKept);
  return { messages: kept, leftOut: firstKept };
}

export function estimateContextTokens(messages: readonly Message[], { charactersPerToken, added }: TokenScale): number {
  return Math.ceil(charactersOf(messages) / charactersPerToken + added);
}

/**
 * Learns from what the service counted for what was sent. More tokens than characters cannot be in the messages alone,
 * so that the service has put something beside them; and its count may be senseless.
 */
export function learnScale(sent: readonly Message[], promptTokens: number | null): TokenScale {
  if (promptTokens === null || promptTokens === 0) return usualScale;
  const characters = charactersOf(sent);
  if (characters >= promptTokens) {
    return { charactersPerToken: Math.min(charactersPerTokenMax, characters / promptTokens), added: 0 };
  }
  return { ...usualScale, added: promptTokens - characters / usualScale.charactersPerToken };
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
