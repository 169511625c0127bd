import type { PromptOutcome } from '../client/client.ts';
import { toTurnOutcome } from '../conversations/conversation.ts';
import { Interrupted, MotifError } from '../errors.ts';
import { composeText } from '../messages/compose.ts';
import type { Message } from '../wire/request.ts';
import { type Chat, shownAtOnceMax } from './chat.ts';
import { fitMessages, type Fitted, learnScale } from './context.ts';
import { statusLine, sumsOf } from './status.ts';

/** The end of a turn; a text that was not answered is held for Up, /edit and /retry. */
export type TurnEnd = 'answered' | 'blocked' | 'empty' | 'stopped' | MotifError;

interface TurnOptions {
  /** Asks for another answer in the place of the last one, which stays if there is none. */
  readonly replacesLast?: boolean;
}

/**
 * Sends a text after everything that was said before. Only what was answered becomes part of the conversation, and it
 * is on disk before it is shown; a blocked text is kept nowhere but in this process, for the person to change it.
 */
export async function takeTurn(text: string, chat: Chat, { replacesLast = false }: TurnOptions = {}): Promise<TurnEnd> {
  const said = replacesLast ? [] : newMessages(text, chat);
  const fitted = fit([...(replacesLast ? beforeAnswer(chat) : chat.conversation.messages), ...said], chat);
  tellLeftOut(fitted, chat);
  chat.held = { text, replacesLast };
  const outcome = await ask(fitted.messages, chat);
  if (outcome instanceof MotifError) chat.held = { text, replacesLast, hasFailed: true };
  if (outcome === 'stopped' || outcome instanceof MotifError) return outcome;
  chat.last = { outcome, text, sent: fitted.messages };
  const { reply } = outcome;
  if (reply.blocked) {
    chat.blockedTurns += 1;
    await trySaving(chat, () => chat.conversation.addBlocked(toTurnOutcome(reply, outcome.elapsedMs)));
  } else if (reply.response !== '') {
    await keep(reply.response, outcome, { said, replacesLast }, chat);
    chat.scale = learnScale(fitted.messages, reply.usage?.prompt_tokens ?? null);
  }
  await show(outcome, lineOf(outcome, fitted.leftOut, chat), chat);
  tellSaved(chat);
  if (reply.blocked) return 'blocked';
  if (reply.response !== '') return 'answered';
  chat.ports.tell.notice(
    'an empty answer is not kept, because most services refuse an empty message; /retry asks again',
  );
  return 'empty';
}

/** The messages that would be sent with this text; without one, those before it. */
export function nextMessages(text: string, chat: Chat): Fitted {
  return fit([...chat.conversation.messages, ...newMessages(text, chat)], chat);
}

function fit(messages: readonly Message[], { ports, scale }: Chat): Fitted {
  return fitMessages(messages, { tokensMax: ports.contextTokensMax, scale });
}

function newMessages(text: string, { ahead, attached }: Chat): readonly Message[] {
  const content = composeText({ ...attached, given: [], turns: [], words: [text] });
  return content === '' ? ahead : [...ahead, { role: 'user', content }];
}

function beforeAnswer({ conversation: { messages } }: Chat): readonly Message[] {
  return messages.slice(0, messages.findLastIndex(({ role }) => role === 'user') + 1);
}

/** A failure is a result here, for the chat goes on; only what ends motif itself is thrown. */
async function ask(
  messages: readonly Message[],
  { ports, asked }: Chat,
): Promise<PromptOutcome | 'stopped' | MotifError> {
  let stopped: AbortSignal | undefined;
  try {
    return await ports.working((signal) => asked.prompt(messages, (stopped = signal)));
  } catch (error) {
    if (error instanceof MotifError) return error;
    if (error instanceof Interrupted || stopped?.aborted !== true) throw error;
    return 'stopped';
  }
}

/** A long answer can be stopped like a long wait. */
async function show(outcome: PromptOutcome, line: string, { ports, asked }: Chat): Promise<void> {
  if ((outcome.reply.response ?? '').length <= shownAtOnceMax) return asked.show(outcome, line);
  const isCut = await ports.working(async (stop) => {
    await asked.show(outcome, line, stop);
    return stop.aborted;
  });
  if (isCut) ports.tell.notice('stopped; the whole answer is part of the conversation, /messages shows it');
}

async function keep(
  answer: string,
  outcome: PromptOutcome,
  { said, replacesLast }: { readonly said: readonly Message[]; readonly replacesLast: boolean },
  chat: Chat,
): Promise<void> {
  const { conversation, asked } = chat;
  const last = replacesLast ? conversation.saidTurns.at(-1) : undefined;
  const place = last === undefined ? { messages: said } : { messages: last.messages.slice(0, -1), replaces: last.turn };
  await trySaving(chat, async () => {
    const others = await conversation.addTurn({
      ...place,
      answer,
      outcome: toTurnOutcome(outcome.reply, outcome.elapsedMs),
      asked,
    });
    if (others > 0) tellOthers(others, chat);
  });
  chat.held = undefined;
  chat.ahead = [];
  chat.attached = { files: [] };
}

/** Shows an answer that was paid for, even where it cannot be saved. */
export async function trySaving(chat: Chat, save: () => Promise<void>): Promise<void> {
  const { said, ports } = chat;
  try {
    await save();
    said.delete('unsaved');
  } catch (error) {
    if (!(error instanceof MotifError)) throw error;
    if (said.has('unsaved')) return;
    said.add('unsaved');
    const hint = 'the next turn tries again; /fork goes on in a new file, /export markdown FILE keeps a copy';
    await ports.tell.failure(new MotifError('io', `the conversation is not saved for now: ${error.message}`, { hint }));
  }
}

function tellSaved({ said, ports, conversation }: Chat): void {
  if (!conversation.isSaved || said.has('path')) return;
  said.add('path');
  ports.tell.notice(`this conversation is saved in ${conversation.path}`);
}

function tellOthers(turns: number, { ports }: Chat): void {
  const what = turns === 1 ? 'a turn' : `${turns} turns`;
  ports.tell.notice(`another motif added ${what} to this conversation; /messages shows all of it`);
}

function tellLeftOut({ leftOut }: Fitted, { said, ports }: Chat): void {
  if (leftOut === 0 || said.has('left out')) return;
  said.add('left out');
  const what = leftOut === 1 ? 'the oldest turn is' : `the ${leftOut} oldest turns are`;
  ports.tell.notice(
    `${what} not sent any more (--max-context-tokens ${ports.contextTokensMax}); /messages shows what is`,
  );
}

function lineOf({ reply: { usage }, elapsedMs }: PromptOutcome, turnsLeftOut: number, chat: Chat): string {
  const { asked, conversation } = chat;
  return statusLine({ ...asked, ...sumsOf(conversation), usage, elapsedMs, promptId: null, turnsLeftOut });
}
