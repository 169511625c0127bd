import { MotifError } from '../errors.ts';
import { FileFault, type Files } from '../world/world.ts';
import type {
  Conversation,
  Conversations,
  NewConversation,
  FoundConversation,
  OpenOptions,
  Summary,
} from './conversation.ts';
import { byAge, chooseConversation, copyTitle, noConversation } from './finding.ts';
import { needWritable } from './faults.ts';
import { conversationPath, fileName, idOf, isId, otherStateHints } from './file-name.ts';
import { conversationBytesMax, readConversationText, saidIn } from './reading.ts';
import { ConversationFault } from './record.ts';
import { beginConversation, type ConversationsWorld, freeId, openConversation } from './saved-conversation.ts';
import { mayHold, parseQuery, rate } from './searching.ts';
import { readSummaries, toSummary } from './summaries.ts';
import { forgetCached } from './summary-cache.ts';
import { checkTitle } from './title.ts';
import { lockWaitMs } from '../text/limits.ts';
import { asBuffer } from '../text/utf8.ts';

/** The conversations in a folder, which need not be there yet. */
export function createConversations(world: ConversationsWorld, folder: string): Conversations {
  const { files } = world;
  const summaries = () => touching(folder, () => readSummaries(files, folder));
  const open = async ({ id }: Summary, { isKept = true }: OpenOptions): Promise<Conversation> => {
    const conversation = await openConversation(world, folder, id, isKept);
    if (conversation !== undefined) return conversation;
    // Deleted since it was listed.
    throw new MotifError('usage', `conversation ${id} is not there any more`);
  };
  const takeLock = async () => {
    await files.makeFolder(folder);
    return files.lock(`${folder}/titles`, lockWaitMs);
  };
  const look = async (name: string): Promise<Summary> => chooseConversation(name, await summaries());
  return {
    async create({ title, motifId, profile, service, opening = [], isKept = true }: NewConversation) {
      const id = await freeId(world, folder);
      const created = new Date(world.now()).toISOString();
      const head = { id, title: title === undefined ? null : checkTitle(title), created, motifId, profile, service };
      return beginConversation(world, { folder, head, opening, isKept });
    },

    needWritable: () => needWritable(files, folder),

    async withFreeTitle(title, work) {
      // A fault that keeps us from taking the lock keeps the work from saving as well, and is told then.
      const release = await takeLock().catch(() => undefined);
      try {
        const kept = checkTitle(title);
        const isTaken = (await summaries().catch(() => [])).some((summary) => summary.title === kept);
        return await work(isTaken ? await copyTitle(kept, { list: async () => byAge(await summaries()) }) : kept);
      } finally {
        release?.();
      }
    },

    async latest(options = {}) {
      const newest = byAge(await summaries()).find(({ fault }) => fault === null);
      if (newest === undefined) throw noConversation();
      return open(newest, options);
    },

    async find(name, options = {}) {
      // A whole id needs no look at all the others.
      const named = isId(name) ? await openConversation(world, folder, name, options.isKept) : undefined;
      return named ?? open(await look(name), options);
    },

    list: async () => byAge(await summaries()),

    search: (query) => touching(folder, () => searchAll(files, folder, query)),

    look,

    async said(ids) {
      const texts = new Set<string>();
      for (const id of ids) {
        const reading = files.read(conversationPath(folder, id), { bytesMax: conversationBytesMax, follow: false });
        // A file that cannot be read has no texts to look for, and can be deleted all the same.
        const found = await reading.catch(() => undefined);
        for (const text of found === undefined ? [] : saidIn(found.bytes)) texts.add(text);
      }
      return texts;
    },

    async delete(ids) {
      if (ids.length === 0) return;
      await touching(folder, async () => {
        await forgetCached(files, folder, ids);
        await files.removeAll(folder, ids.map(fileName));
      });
    },
  };
}

/** The number of files in a row that may hold the words, after which the quick test of each is given up. */
const passedMax = 50;

interface Search {
  readonly words: readonly string[];
  passedInARow: number;
}

/** The best first, and of the equally good ones the newest. */
async function searchAll(files: Files, folder: string, query: string): Promise<readonly FoundConversation[]> {
  const search: Search = { words: parseQuery(query), passedInARow: 0 };
  const found: FoundConversation[] = [];
  for (const name of await files.list(folder)) {
    const id = idOf(name);
    const one = id === undefined ? undefined : await searchOne(files, folder, id, search);
    if (one !== undefined) found.push(one);
  }
  const newer = (one: FoundConversation, other: FoundConversation) =>
    one.summary.updated < other.summary.updated ? 1 : -1;
  return found.sort((one, other) => other.score - one.score || newer(one, other));
}

async function searchOne(
  files: Files,
  folder: string,
  id: string,
  search: Search,
): Promise<FoundConversation | undefined> {
  const path = conversationPath(folder, id);
  try {
    const { bytes } = await files.read(path, { bytesMax: conversationBytesMax, follow: false });
    const text = asBuffer(bytes).toString();
    if (search.passedInARow < passedMax) {
      const isPossible = mayHold(text, search.words);
      search.passedInARow = isPossible ? search.passedInARow + 1 : 0;
      if (!isPossible) return undefined;
    }
    const reading = readConversationText(text, id);
    return reading && rate(toSummary(reading, path), reading.state.messages, search.words);
  } catch (error) {
    // Deleted since it was listed, or no conversation that can be used.
    if (error instanceof FileFault || error instanceof ConversationFault) return undefined;
    throw error;
  }
}

async function touching<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    const hint = otherStateHints(folder, error.code);
    throw new MotifError('io', `${folder}: ${error.message}`, { hint, cause: error });
  }
}
