import { MotifError } from '../../errors.ts';
import { blockNotes, extractBlock } from '../../terminal/code-blocks.ts';
import { usageLine } from '../../terminal/usage-line.ts';
import { counted } from '../../text/sizes.ts';
import { defuseLine } from '../../text/defuse.ts';
import type { Chat } from '../chat.ts';
import { takeWords } from './slash.ts';
import { motifName, sumsOf, sumsWords } from '../status.ts';

export async function showUsage(_words: string, chat: Chat): Promise<void> {
  const { last, conversation, blockedTurns, asked, ports } = chat;
  const rows = [
    ['motif', motifName(asked)],
    ['last turn', last === undefined ? 'none in this chat yet' : usageLine({ ...last.outcome, ...last.outcome.reply })],
    ['conversation', `tokens ${sumsWords(sumsOf(conversation))}`],
    ...(blockedTurns === 0 ? [] : [['blocked', `${counted(blockedTurns, 'turn')} in this chat`]]),
  ];
  await ports.tell.text(rows.map(([name = '', value = '']) => `${name.padEnd(14)}${value}`).join('\n'));
}

/** On the clipboard, or into the file. */
export async function copyAnswer(words: string, chat: Chat): Promise<void> {
  const answer = lastAnswer(chat);
  const [path = ''] = takeWords(words, 'copy', 1);
  if (path === '') chat.ports.tell.notice(await chat.ports.copy(answer));
  else await deliver(answer.endsWith('\n') ? answer : `${answer}\n`, { command: '/copy', path }, chat);
}

/**
 * A word with an ending, or a path, is the file, as with /export. The first block in the language of the ending goes
 * there, or else the first one.
 */
export async function extractCode(words: string, chat: Chat): Promise<void> {
  const answer = lastAnswer(chat);
  const [which = '', path = ''] = takeWords(words, 'extract', 2);
  const wanted = /^[1-9]\d*$/.test(which) ? Number(which) : which;
  const code = extractBlock(answer, wanted === '' ? undefined : wanted);
  if (code === undefined && path === '' && (isFileName(which) || which.includes('/'))) {
    const ending = /\w*$/.exec(which)![0];
    const block = extractBlock(answer, ending) ?? extractBlock(answer, undefined);
    if (block !== undefined) return await deliver(block, { command: '/extract', path: which }, chat);
  }
  if (code === undefined) {
    const what = which === '' ? 'code block' : `code block ${defuseLine(which, 40)}`;
    throw new MotifError('failed', `the last answer has no ${what}`, {
      notes: blockNotes(answer),
      hint: isFileName(which) ? `the whole answer into a file: /copy ${which}` : [],
    });
  }
  await deliver(code, { command: '/extract', path }, chat);
}

/** True for a word with an ending, as files have one. */
export function isFileName(word: string): boolean {
  return /^[\w./~-]*\w\.[a-z]\w{0,4}$/i.test(word);
}

/** The last turn as a case of a suite of motif check; only here is the text of a blocked turn written, as asked. */
export async function addCase(words: string, { conversation, last, ports }: Chat): Promise<void> {
  if (last === undefined) throw new MotifError('usage', 'there was no turn in this chat yet');
  const [suite = ''] = takeWords(words, 'case', 1);
  const { blocked, response } = last.outcome.reply;
  const isKept = !blocked && response !== '';
  // A blocked or empty reply makes no turn of the conversation.
  const isApart = !isKept && last.isTakenBack !== true;
  const { messages } = conversation;
  const isBlocked = isApart && blocked;
  const sent = isApart ? last.sent : messages.slice(0, messages.findLastIndex(({ role }) => role === 'user') + 1);
  if (!isApart && conversation.turns === 0) throw new MotifError('usage', 'there is no turn left to make a case of');
  ports.tell.notice(await ports.addCase(suite, sent, isBlocked ? 'blocked' : 'answered'));
}

/** On stdout, or into the file. */
export async function deliver(
  content: string,
  { command, path }: { readonly command: string; readonly path: string },
  { ports }: Chat,
): Promise<void> {
  if (path === '') return ports.tell.content(content);
  const what = await ports.saveFile(path, content, command);
  ports.tell.notice(what === 'made' ? `written to ${path}` : `written to ${path}, in place of what it held`);
}

function lastAnswer({ conversation }: Chat): string {
  const answer = conversation.turns === 0 ? undefined : conversation.messages.findLast(isAnswer);
  if (answer === undefined) throw new MotifError('usage', 'there is no answer yet');
  return answer.content;
}

function isAnswer({ role }: { readonly role: string }): boolean {
  return role === 'assistant';
}
