import { type Kind, MotifError } from '../errors.ts';
import type { Chat } from './chat.ts';
import type { EditorResult } from './editor/contract.ts';
import { findSlash, isParting, type Next, parseTyped, spellTyped, takeWords } from './slash/slash.ts';
import { slashTable } from './slash/table.ts';
import { takeTurn, type TurnEnd } from './turn.ts';

/** The source of texts: a person at an editor, or the lines of stdin. */
export interface TurnSource {
  /** `initial`: a text that is to be edited. */
  read(initial?: string): Promise<EditorResult>;
  /** One that was answered may be remembered for later runs; `end` is undefined where nothing was sent. */
  ended?(text: string, end: TurnEnd | undefined): Promise<void>;
}

/** One text after the other until there is none. A person goes on after a failure; a script ends with the first. */
export async function talk(source: TurnSource, chat: Chat): Promise<void> {
  let initial: string | undefined;
  for (;;) {
    const typed = await source.read(initial);
    initial = undefined;
    if (typed.kind === 'left') return;
    if (typed.text.trim() === '') continue;
    // A person types them so in other chats; a script may have them as texts.
    if (chat.ports.isInteractive && isParting(typed.text)) return;
    const next = await obey(typed.text, chat).catch(async (error: unknown) => {
      if (!(error instanceof MotifError) || !chat.ports.isInteractive) throw error;
      await chat.ports.tell.failure(error);
    });
    if (next?.kind === 'leave') return;
    if (next?.kind === 'edit') initial = spellTyped(next.text);
    const end = next?.kind === 'send' ? await takeTurn(next.text, chat, next) : undefined;
    if (end !== undefined) await tellEnd(end, chat);
    // The text that was sent again counts.
    const text = next?.kind === 'send' ? spellTyped(next.text) : typed.text;
    await source.ended?.(text, end);
  }
}

/** The next step for a text: to be sent, or the result of a slash command. */
async function obey(typed: string, chat: Chat): Promise<Next | void> {
  const parsed = parseTyped(typed);
  if ('text' in parsed) return { kind: 'send', text: parsed.text, replacesLast: false };
  const command = findSlash(parsed.name, slashTable);
  if (command.words === '') takeWords(parsed.words, command.name, 0);
  return command.run(parsed.words, chat);
}

async function tellEnd(end: TurnEnd, chat: Chat): Promise<void> {
  const { tell, isInteractive, hasKeys } = chat.ports;
  if (end instanceof MotifError) {
    if (!isInteractive) throw end;
    await tell.failure(end);
  }
  const back = hasKeys ? 'Up or /edit brings the text back' : '/edit shows the text';
  if (end === 'stopped') tell.notice(`stopped; ${back}, /retry sends it`);
  if (end instanceof MotifError && isFirst('held', chat)) tell.notice(`${back}, /retry sends it`);
  if (end instanceof MotifError && settledElsewhere.has(end.kind) && isFirst('elsewhere', chat))
    tell.notice(elsewhereWords(chat.asked));
  if (end === 'blocked' && isInteractive && isFirst('blocked', chat)) {
    tell.notice(`a blocked text is not part of the conversation and is saved nowhere; ${back}`);
    const beside = sentBeside(chat);
    if (beside !== undefined) tell.notice(`the cause may also be ${beside}, which goes with the next text as well`);
  }
}

/** Names the parts that went with a text, other than turns that were answered before. */
function sentBeside({ conversation, attached: { files, template } }: Chat): string | undefined {
  const parts = [
    ...(conversation.opening.some(({ role }) => role === 'system') ? ['the system message (/system)'] : []),
    ...(files.length > 0 ? ['a file (/file)'] : []),
    ...(template === undefined ? [] : ['the template']),
  ];
  return parts.length === 0 ? undefined : parts.join(' or ');
}

/** Failures that are often mended by settings, which a chat has read when it began. */
const settledElsewhere: ReadonlySet<Kind> = new Set(['auth', 'config', 'network']);

function elsewhereWords({ profile }: Chat['asked']): string {
  return profile === null
    ? 'flags and variables were read at the start of the chat: leave to change them'
    : `what motif login or motif profile set changes elsewhere counts here after /profile ${profile}`;
}

function isFirst(what: 'held' | 'blocked' | 'elsewhere', { said }: Chat): boolean {
  const isNew = !said.has(what);
  said.add(what);
  return isNew;
}
