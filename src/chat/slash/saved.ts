import { copyTitle, takenTitle } from '../../conversations/finding.ts';
import { changeOfMotif } from '../../conversations/title.ts';
import { exportForms, exportFormats, exportFormatOf, formatOfFile } from '../../conversations/export.ts';
import { MotifError } from '../../errors.ts';
import { counted } from '../../text/sizes.ts';
import { defuseLine, quotedLine } from '../../text/defuse.ts';
import { closest } from '../../text/similar.ts';
import { begin, type Chat } from '../chat.ts';
import { motifName } from '../status.ts';
import { deliver, isFileName } from './answer.ts';
import { refreshing } from './messages.ts';
import { takeWords } from './slash.ts';
import { trySaving } from '../turn.ts';

export async function save(words: string, chat: Chat): Promise<void> {
  const { conversation, ports } = chat;
  const { title } = conversation;
  const wanted = words === '' ? undefined : await freeTitle(words, chat);
  ports.allowSaving();
  chat.saves = true;
  if (wanted !== undefined) await conversation.rename(wanted);
  chat.said.add('path');
  await conversation.save();
  const where = conversation.isSaved ? 'is saved in' : 'will be saved with its first turn in';
  ports.tell.notice(`this conversation${newTitle(title, conversation.title)} ${where} ${conversation.path}`);
  if (isFileName(words)) ports.tell.notice(`a file of it: /export ${words}; of the last answer alone: /copy ${words}`);
}

/** Words for a title that has changed. */
function newTitle(before: string | null, now: string | null): string {
  if (now === null || now === before) return '';
  const other = before === null ? '' : `, ${quotedLine(before, 200)} before,`;
  return `${other} is called ${quotedLine(now, 200)} now and`;
}

export async function load(words: string, chat: Chat): Promise<void> {
  const { ports } = chat;
  if (words === '')
    throw new MotifError('usage', '/load needs the id or the title of a conversation', {
      hint: 'Tab behind /load lists them, and so does motif history list',
    });
  begin(await ports.saved.find(words, { isKept: chat.saves }), chat);
  tellGoingOn(chat);
}

export function tellGoingOn(chat: Chat): void {
  const { title, turns, id, isSaved } = chat.conversation;
  // A conversation that was found again needs no word on where it is.
  if (isSaved) chat.said.add('path');
  chat.ports.tell.notice(`going on with ${quotedLine(title ?? id, 200)} (${counted(turns, 'turn')})`);
  tellChangeOfMotif(chat);
}

export function tellChangeOfMotif({ conversation, asked, ports }: Chat): void {
  const change = changeOfMotif(conversation, asked);
  if (change !== undefined) ports.tell.notice(change);
}

export async function fork(words: string, chat: Chat): Promise<void> {
  const { conversation, ports } = chat;
  const { title } = conversation;
  const wanted = words === '' ? undefined : await freeTitle(words, chat, { isCopy: true });
  const copied = title === null ? undefined : await copyTitle(title, ports.saved);
  const copy = await conversation.fork(wanted ?? copied);
  begin(copy, chat);
  if (copy.isSaved) chat.said.add('path');
  const named = copy.title === null ? '' : ` ${quotedLine(copy.title, 200)}`;
  ports.tell.notice(`going on in a copy${named}${copy.isSaved ? `, ${copy.path}` : ''}; the one before stays as it is`);
}

export async function setTitle(words: string, chat: Chat): Promise<void> {
  const { conversation, ports } = chat;
  if (words === '') return ports.tell.text(conversation.title ?? 'no title yet; /title TITLE sets one');
  const wanted = await freeTitle(words, chat);
  await trySaving(chat, () => conversation.rename(wanted));
  ports.tell.notice('the title is set');
}

/**
 * The title, unless another conversation has it; a copy may not even have that of its own. A person takes another one;
 * the lines of a script go on with a number behind it, for their prompts were paid for.
 */
async function freeTitle(title: string, { conversation, ports }: Chat, { isCopy = false } = {}): Promise<string> {
  const own = isCopy ? undefined : conversation.id;
  const taken = await takenTitle(title, ports.saved, {
    own,
    hint: (id) => [`to go on with it: /load ${id}`, 'or take another title'],
  });
  if (taken === undefined) return title;
  if (ports.isInteractive) throw taken;
  const copy = await copyTitle(title, ports.saved, own);
  ports.tell.notice(`${taken.message}; this one gets the title ${quotedLine(copy, 200)}`);
  return copy;
}

export async function startAnew(_words: string, chat: Chat): Promise<void> {
  const { conversation, asked, ports, saves } = chat;
  begin(await ports.saved.create({ ...asked, opening: conversation.opening, isKept: saves }), chat);
  const before = conversation.isSaved ? `; the one before stays: /load ${conversation.id}` : '';
  ports.tell.notice(`a new conversation${before}`);
}

/** Exports the whole conversation, with what another motif has added to it. */
export async function exportWhole(words: string, chat: Chat): Promise<void> {
  const [word = '', second = ''] = takeWords(words, 'export', 2);
  const isFile = second === '' && /[./]/.test(word);
  const [typed, path] = isFile ? [formatOfFile(word), word] : [word === '' ? 'markdown' : word, second];
  const format = exportFormatOf(typed);
  if (format === undefined) {
    const near = closest(typed, exportFormats);
    throw new MotifError('usage', `/export has no format ${defuseLine(typed, 40)}, only ${exportFormats.join(', ')}`, {
      hint: near === undefined ? 'to a file: /export markdown FILE' : `did you mean ${near}?`,
    });
  }
  await refreshing(chat);
  await deliver(exportForms[format].render(chat.conversation), { command: '/export', path }, chat);
}

/** The conversation goes along; nothing else does: the other profile has a connection and a token of its own. */
export async function switchProfile(words: string, chat: Chat): Promise<void> {
  const { ports, asked } = chat;
  if (words === '') {
    const names = await ports.profiles();
    const rows = names.map((name) => `  ${name}${name === asked.profile ? ', in use' : ''}`);
    const ways: Readonly<Record<string, string>> = { demo: ' (--demo), no profile', local: ' (--local), no profile' };
    return ports.tell.text([`talking to ${motifName(asked)}${ways[asked.service ?? ''] ?? ''}`, ...rows].join('\n'));
  }
  const [name = ''] = takeWords(words, 'profile', 1);
  chat.asked = await ports.working((stop) => ports.connect(name, stop));
  ports.tell.notice(`talking to ${motifName(chat.asked)} now; the conversation goes along`);
}

export async function setTimeLimit(words: string, chat: Chat): Promise<void> {
  const { asked, ports } = chat;
  if (words === '') return ports.tell.text(asked.timeLimit());
  const [duration = ''] = takeWords(words, 'timeout', 1);
  ports.allowTime(duration);
  ports.tell.notice(
    `a prompt may take ${asked.timeLimit()} now${chat.held === undefined ? '' : '; /retry sends the text again'}`,
  );
}
