import type { Message } from '../../wire/request.ts';

/** A conversation for services that take the system text apart and want user and assistant to take turns. */
interface Turns {
  readonly system: string | undefined;
  readonly turns: readonly Message[];
}

const between = '\n\n';
/** The words of a user who has to speak first but did not; these services accept no conversation without. */
const opening: Message = { role: 'user', content: '…' };

/**
 * All system messages, wherever they stand, become one text. Neighbours of one role become one message, empty ones go,
 * and a conversation that does not begin with the user gets an opening that says nothing.
 */
export function toTurns(messages: readonly Message[]): Turns {
  const said = messages.filter(({ content }) => content !== '');
  const system = said.filter(({ role }) => role === 'system').map(({ content }) => content);
  const turns: Message[] = [];
  for (const { role, content } of said.filter((message) => message.role !== 'system')) {
    const last = turns.at(-1);
    if (last?.role === role) turns[turns.length - 1] = { role, content: last.content + between + content };
    else turns.push({ role, content });
  }
  if (turns[0]?.role !== 'user') turns.unshift(opening);
  return { system: system.length === 0 ? undefined : system.join(between), turns };
}

/**
 * The system messages at the start become one, because the chat templates of many open models take only one; all else
 * stays as it was sent.
 */
export function joinLeadingSystem(messages: readonly Message[]): readonly Message[] {
  const end = messages.findIndex(({ role }) => role !== 'system');
  const leading = end === -1 ? messages : messages.slice(0, end);
  if (leading.length < 2) return messages;
  const content = leading.map((message) => message.content).join(between);
  return [{ role: 'system', content }, ...messages.slice(leading.length)];
}
