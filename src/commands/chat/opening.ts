import type { ConnectedMotif, Chat } from '../../chat/chat.ts';
import type { Conversation, Conversations } from '../../conversations/conversation.ts';
import { createConversations } from '../../conversations/store.ts';
import { composeMessages, type Parts } from '../../messages/compose.ts';
import { conversationsFolder, inputHistoryPath, stateFolder } from '../../settings/paths.ts';
import type { Settings } from '../../settings/resolve.ts';
import type { ChatFlags } from './flags.ts';
import { sayBroken } from '../shared/conversation-store.ts';
import type { Notice } from '../shared/notices.ts';
import type { Run } from '../shared/run.ts';
import { readParts } from '../shared/prompt/parts.ts';

/** The state that a chat begins with. */
export interface Opening extends Pick<Chat, 'asked' | 'conversation' | 'attached' | 'ahead' | 'saves'> {
  readonly settings: Settings;
  readonly saved: Conversations;
  readonly notice: Notice;
  /** The file of typed lines; undefined where nothing is kept. */
  readonly inputHistoryPath: string | undefined;
}

interface OpeningParts {
  readonly asked: ConnectedMotif;
  readonly settings: Settings;
}

/** A folder that does not exist, for lack of a home folder: nothing is found in it and nothing is written. */
const nowhere = '/nonexistent';

/** Template and files go with the first message; everything else of a prompt's parts stands before it. */
export async function openOpening(run: Run<ChatFlags>, { asked, settings }: OpeningParts): Promise<Opening> {
  const { world, flags, notice } = run;
  const parts = await readParts({ ...run, flags: { ...flags, noStdin: true } }, [], settings.timeout.value);
  const state = stateFolder(world);
  const saves = !flags.noSave && settings.history.value && state !== undefined;
  const saved = sayingBroken(createConversations(world, conversationsFolder(state ?? nowhere)), notice);
  const { template, files } = parts;
  const begun = await beginWith(parts, { saved, asked, flags, saves });
  return {
    asked,
    settings,
    saved,
    notice,
    saves,
    ...begun,
    attached: { files, ...(template === undefined ? {} : { template }) },
    inputHistoryPath: saves ? inputHistoryPath(state) : undefined,
  };
}

function sayingBroken(saved: Conversations, notice: Notice): Conversations {
  const telling = (conversation: Conversation): Conversation => {
    sayBroken(conversation, notice);
    return conversation;
  };
  return {
    ...saved,
    latest: async (options) => telling(await saved.latest(options)),
    find: async (name, options) => telling(await saved.find(name, options)),
  };
}

interface Beginning {
  readonly saved: Conversations;
  readonly asked: ConnectedMotif;
  readonly flags: ChatFlags;
  readonly saves: boolean;
}

/** In a conversation that is continued, a new system message takes the place of the old one, as with `prompt -c`. */
async function beginWith(
  parts: Parts,
  { saved, asked, flags, saves }: Beginning,
): Promise<{ conversation: Conversation; ahead: Chat['ahead'] }> {
  const { system, ...others } = { ...parts, words: [], files: [], template: '' };
  const options = { isKept: saves };
  if (!flags.continue && flags.conversation === undefined) {
    const opening = composeMessages(system === undefined ? others : { ...others, system });
    return { conversation: await saved.create({ ...asked, opening, ...options }), ahead: [] };
  }
  const named = flags.conversation;
  const conversation = named === undefined ? await saved.latest(options) : await saved.find(named, options);
  if (system !== undefined) await conversation.setSystem(system);
  return { conversation, ahead: composeMessages(others) };
}
