import { FileFault, type Files } from '../world/world.ts';
import type { Summary } from './conversation.ts';
import { conversationPath, isId } from './file-name.ts';

/** Facts of a conversation that a list shows, and of which state of its file. */
export interface CachedSummary {
  readonly size: number;
  readonly modifiedAt: number;
  /** Null for a file in which nothing was said yet. */
  readonly summary: Summary | null;
}

const version = 1;
const bytesMax = 64 * 1024 * 1024;
/** Characters of a moment as `toISOString` writes it. */
const timeCharacters = 24;

/** Its entries that make sense, by id; whatever is wrong with the file only costs the time to make it anew. */
export async function readCache(files: Files, folder: string): Promise<Map<string, CachedSummary>> {
  const entries = new Map<string, CachedSummary>();
  for (const row of await readCachedRows(files, folder)) {
    const entry = parseRow(row, folder);
    if (entry !== undefined) entries.set(entry.id, entry);
  }
  return entries;
}

/**
 * Writes the entries, each as an array, because the names of keys would be most of the file. If it cannot be written,
 * the old one goes, and all that is lost is time.
 */
export async function writeCache(
  files: Files,
  folder: string,
  entries: ReadonlyMap<string, CachedSummary>,
): Promise<void> {
  const rows = [...entries].map(([id, { size, modifiedAt, summary }]) => [
    id,
    size,
    modifiedAt,
    ...(summary === null ? [] : factsOf(summary)),
  ]);
  try {
    await files.writeAtomic(cachePath(folder), JSON.stringify({ v: version, rows }));
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    await files.remove(cachePath(folder)).catch(() => undefined);
  }
}

/** Forgets conversations. To be called before their files are deleted, so that no title outlives its conversation. */
export async function forgetCached(files: Files, folder: string, ids: readonly string[]): Promise<void> {
  const entries = await readCache(files, folder);
  const found = ids.filter((id) => entries.delete(id));
  if (found.length > 0) await writeCache(files, folder, entries);
}

function cachePath(folder: string): string {
  return `${folder}/summaries.json`;
}

async function readCachedRows(files: Files, folder: string): Promise<readonly unknown[]> {
  try {
    const { bytes } = await files.read(cachePath(folder), { bytesMax, follow: false });
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    const { v, rows } = (value ?? {}) as Readonly<Record<string, unknown>>;
    return v === version && Array.isArray(rows) ? rows : [];
  } catch (error) {
    if (error instanceof FileFault || error instanceof SyntaxError) return [];
    throw error;
  }
}

/** The facts of a summary as `parseRow` takes them, by hand: loops over their names would cost a list more. */
function factsOf({ title, motifId, profile, fault, created, updated, turns, totalTokens, blocked }: Summary) {
  return [title, motifId, profile, fault, created, updated, turns, totalTokens, blocked];
}

function parseRow(row: unknown, folder: string): (CachedSummary & { readonly id: string }) | undefined {
  if (!Array.isArray(row)) return undefined;
  const [id, size, modifiedAt, ...facts] = row as readonly unknown[];
  if (typeof id !== 'string' || !isId(id) || typeof size !== 'number' || typeof modifiedAt !== 'number')
    return undefined;
  if (facts.length === 0) return { id, size, modifiedAt, summary: null };
  const [title, motifId, profile, fault, created, updated, turns, totalTokens, blocked] = facts;
  if (!isText(title) || !isText(motifId) || !isText(profile) || !isText(fault)) return undefined;
  if (!isTime(created) || !isTime(updated)) return undefined;
  if (!isCount(turns) || !isCount(totalTokens) || !isCount(blocked)) return undefined;
  const path = conversationPath(folder, id);
  const summary = { id, path, title, motifId, profile, fault, created, updated, turns, totalTokens, blocked };
  return { id, size, modifiedAt, summary };
}

function isText(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && value.length === timeCharacters;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
