import { FileFault, type Files } from '../world/world.ts';
import type { Summary } from './conversation.ts';
import { conversationPath, idOf } from './file-name.ts';
import { conversationBytesMax, type ReadConversation, readConversation } from './reading.ts';
import { ConversationFault } from './record.ts';
import { type CachedSummary, readCache, writeCache } from './summary-cache.ts';

/**
 * All conversations in a few words each, in no order. Ten thousand files are not opened for that: what was read of them
 * is kept by size and time of each, so that only what has changed since is read.
 */
export async function readSummaries(files: Files, folder: string): Promise<readonly Summary[]> {
  const known = await readCache(files, folder);
  const entries = new Map<string, CachedSummary>();
  let isChanged = false;
  for (const { name, size, modifiedAt } of await files.survey(folder)) {
    const id = idOf(name);
    if (id === undefined) continue;
    const cached = known.get(id);
    const isFresh = cached !== undefined && cached.size === size && cached.modifiedAt === modifiedAt;
    isChanged ||= !isFresh;
    entries.set(id, isFresh ? cached : { size, modifiedAt, summary: await summarize(files, folder, id, modifiedAt) });
  }
  if (isChanged || entries.size !== known.size) await writeCache(files, folder, entries);
  return [...entries.values()].flatMap(({ summary }) => (summary === null ? [] : [summary]));
}

/** The end of the years with four digits; a file system may name a later moment. */
const lastMoment = 253_402_300_799_999;

/** Files that cannot be used are listed too, with the reason, so that it can be found and deleted. */
async function summarize(files: Files, folder: string, id: string, modifiedAt: number): Promise<Summary | null> {
  const path = conversationPath(folder, id);
  try {
    const { bytes } = await files.read(path, { bytesMax: conversationBytesMax, follow: false });
    const reading = readConversation(bytes, id, { isBrief: true });
    return reading === undefined ? null : toSummary(reading, path);
  } catch (error) {
    if (!(error instanceof ConversationFault) && !(error instanceof FileFault)) throw error;
    const time = new Date(Math.min(Math.max(modifiedAt, 0), lastMoment)).toISOString();
    const nothing = { title: null, motifId: null, profile: null, turns: 0, totalTokens: 0, blocked: 0 };
    return { id, path, created: time, updated: time, ...nothing, fault: error.message };
  }
}

/** The facts of a conversation that was read; by hand, for spreading a head of each would cost a search more. */
export function toSummary({ head, state }: ReadConversation, path: string): Summary {
  const { id, title, created, motifId, profile } = head;
  return {
    id,
    path,
    title: state.title ?? title,
    created,
    motifId,
    profile,
    updated: state.updated || created,
    turns: state.turnCount,
    totalTokens: state.totalTokens,
    blocked: state.blocked,
    fault: null,
  };
}
