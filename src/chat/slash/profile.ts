import type { Chat } from '../chat.ts';
import { takeWords } from './slash.ts';
import { motifName } from '../status.ts';

/** The conversation goes along; nothing else does: the other profile has a connection and a token of its own. */
export async function switchProfile(words: string, chat: Chat): Promise<void> {
  const { ports, asked } = chat;
  if (words === '') {
    const names = await ports.profiles();
    const rows = names.map((name) => `${name === asked.profile ? '*' : ' '} ${name}`);
    return ports.tell.text([`talking to ${motifName(asked)}`, ...rows].join('\n'));
  }
  const [name = ''] = takeWords(words, 'profile', 1);
  chat.asked = await ports.working((stop) => ports.connect(name, stop));
  ports.tell.notice(`talking to ${motifName(chat.asked)} now; the conversation goes along`);
}
