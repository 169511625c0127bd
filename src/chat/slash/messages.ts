import { MotifError } from '../../errors.ts';
import { quotedLine } from '../../text/defuse.ts';
import { counted, formatSize } from '../../text/sizes.ts';
import type { Message } from '../../wire/request.ts';
import type { Chat } from '../chat.ts';
import { estimateContextTokens } from '../context.ts';
import { type Next, takeWord } from './slash.ts';
import { nextMessages, trySaving } from '../turn.ts';

export async function changeSystem(words: string, chat: Chat): Promise<void> {
  const { conversation, ports } = chat;
  const current = conversation.messages.find(({ role }) => role === 'system')?.content;
  if (words === '') return ports.tell.text(current ?? 'there is no system message; /system TEXT sets one');
  const text = words === '""' || words === "''" ? undefined : words;
  await trySaving(chat, () => conversation.setSystem(text));
  ports.tell.notice(text === undefined ? 'the system message is removed' : 'the system message is set');
}

/** Attaches files as they are now: a file that changes afterwards has to be named again. */
export async function addFile(words: string, chat: Chat): Promise<void> {
  const { ports, attached } = chat;
  if (words === '') return ports.tell.text(attachedText(chat));
  const { word, rest } = takeWord(words);
  if (word === '') {
    chat.attached = { files: [] };
    return ports.tell.notice('no file goes with the next message');
  }
  // A name with blanks needs no quotes where it is all that stands there.
  const files = await ports.readFiles(rest === '' ? word : words);
  chat.attached = { ...attached, files: [...attached.files, ...files] };
  return ports.tell.text(attachedText(chat));
}

function attachedText({ attached: { template, files } }: Chat): string {
  const rows = [
    ...(template === undefined ? [] : [`the template (${sizeOf(template)})`]),
    ...files.map(({ name, text }) => `${name} (${sizeOf(text)})`),
  ];
  return rows.length === 0
    ? 'no file goes with the next message; /file NAME adds one'
    : `with the next message goes:\n${rows.map((row) => `  ${row}`).join('\n')}`;
}

function sizeOf(text: string): string {
  return formatSize(Buffer.byteLength(text));
}

export async function editHeldText(_words: string, chat: Chat): Promise<Next> {
  if (!chat.ports.isInteractive) {
    throw new MotifError('usage', '/edit needs a terminal: elsewhere each line is sent as it is');
  }
  const text = chat.held?.text ?? chat.last?.text ?? lastUserText(chat);
  if (text === undefined) throw new MotifError('usage', 'there is no text to edit yet');
  return { kind: 'edit', text };
}

export async function retry(_words: string, chat: Chat): Promise<Next> {
  const { held } = chat;
  if (held !== undefined) return { kind: 'send', ...held };
  const text = lastUserText(chat);
  if (text === undefined) throw new MotifError('usage', 'nothing was sent yet, so nothing can be sent again');
  return { kind: 'send', text, replacesLast: true };
}

function lastUserText({ conversation }: Chat): string | undefined {
  return conversation.turns === 0 ? undefined : conversation.messages.findLast(({ role }) => role === 'user')?.content;
}

/** Characters of a text that say which one it is. */
const firstWordsMax = 60;

/** Takes back a text that was not answered, if that was the last one, else the last turn. */
export async function undo(_words: string, chat: Chat): Promise<void> {
  const { conversation, ports, held, last } = chat;
  if (held !== undefined && held.isTakenBack !== true) {
    chat.held = { ...held, isTakenBack: true };
    if (last?.text === held.text) chat.last = { ...last, isTakenBack: true };
    return ports.tell.notice(
      `the text that was not answered is taken back, ${counted(conversation.turns, 'turn')} left; /edit brings it back`,
    );
  }
  let undone: readonly Message[] | undefined;
  await trySaving(chat, async () => void (undone = await conversation.undo()));
  if (undone === undefined) throw new MotifError('usage', 'there is no turn to take back');
  const text = undone.findLast(({ role }) => role === 'user')?.content;
  chat.held = text === undefined ? undefined : { text, replacesLast: false, isTakenBack: true };
  const what = text === undefined ? 'the last turn' : quotedLine(text, firstWordsMax);
  ports.tell.notice(
    `taken back with its answer: ${what}, ${counted(conversation.turns, 'turn')} left; /edit brings its text back`,
  );
}

export async function showMessages(_words: string, chat: Chat): Promise<void> {
  await refreshing(chat);
  const { messages, leftOut } = nextMessages('', chat);
  const texts = messages.map(({ role, content }) => `${role}:\n${content.replace(/^/gm, '  ')}`);
  const { added } = chat.scale;
  const tokens = estimateContextTokens(messages, { ...chat.scale, added: 0 });
  const size = `${counted(messages.length, 'message')}, about ${tokens} tokens`;
  const beside = added === 0 ? '' : `; the Motif added about ${Math.round(added)} of its own`;
  const missing = leftOut === 0 ? '' : `; the oldest ${counted(leftOut, 'turn')} left out (--max-context-tokens)`;
  await chat.ports.tell.text([...texts, `${size}, before what you type next${missing}${beside}`].join('\n'));
}

/** Takes in what another motif has added; where the file cannot be read, what is known here is all that there is. */
export async function refreshing({ conversation, ports }: Chat): Promise<void> {
  try {
    await conversation.refresh();
  } catch (error) {
    if (!(error instanceof MotifError)) throw error;
    ports.tell.notice(error.message);
  }
}
