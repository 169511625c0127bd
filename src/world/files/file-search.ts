import * as fs from 'node:fs';
import { resolve } from 'node:path';
import { globBase, matchesGlob } from '../../text/patterns/glob.ts';
import { FileRefusal, toFileFault } from '../fault-words.ts';
import { createIsIgnored } from './git-ignore.ts';
import { FileFault, type SkippedFile } from '../world.ts';

/** Names looked at in one search; more means that the pattern starts too high in the tree. */
const searchNamesMax = 500_000;
/** After so many a signal has its turn. */
const namesAtOnce = 1000;

interface SearchOptions {
  readonly namesMax?: number;
  readonly signal?: AbortSignal | undefined;
  /** Leaves out what git would; nothing where the working folder is left out itself. */
  readonly withoutIgnored?: boolean | undefined;
  /** Hears of what matches and is no file, of links to folders that `**` does not go through, and of faulty folders. */
  readonly skipped?: SkippedFile | undefined;
}

/**
 * Regular files that match, sorted. `place` turns a path as spelled into one to open. As in a shell, a folder that may
 * not be read holds nothing, hidden folders are entered only where the pattern spells out a leading dot, and `**` goes
 * through no link to a folder, so that none can lead it in a circle.
 */
export async function searchFiles(
  pattern: string,
  place: (path: string) => string,
  { namesMax = searchNamesMax, signal, withoutIgnored = false, skipped }: SearchOptions = {},
): Promise<readonly string[]> {
  const base = globBase(pattern);
  const wanted = segmentsOf(pattern).slice(segmentsOf(base).length);
  const depthMax = /\*\*|\{/.test(pattern) ? Infinity : wanted.length;
  const entersHidden = wanted.some((segment) => /[.[{]/.test(segment[0] ?? ''));
  const isIgnored = withoutIgnored ? await createIsIgnored(resolve(place(base)), resolve(place(''))) : () => false;
  const found: string[] = [];
  let looked = 0;
  const folders = [{ path: base, depth: 1 }];
  for (const folder of folders) {
    for (const entry of entriesOf(folder.path, place, skipped)) {
      looked += 1;
      if (looked > namesMax)
        throw new FileRefusal('ETOOMANY', `looks at more than ${namesMax} names; begin it in a deeper folder`);
      if (looked % namesAtOnce === 0) await new Promise((resolve) => setImmediate(resolve));
      signal?.throwIfAborted();
      const path = joinSpelled(folder.path, entry.name);
      const kind = kindOf(entry, place(path), depthMax === Infinity);
      const isEntered = !entry.name.startsWith('.') || entersHidden;
      if (kind === undefined && isEntered && skipped !== undefined) {
        const reason = skippedReason(entry, place(path), matchesGlob(pattern, path));
        if (reason !== undefined) skipped(path, reason);
      }
      if (kind === 'file' && matchesGlob(pattern, path) && !isIgnored(resolve(place(path)), false)) found.push(path);
      if (kind !== 'folder' || folder.depth >= depthMax || !isEntered) continue;
      if (isIgnored(resolve(place(path)), true)) continue;
      folders.push({ path, depth: folder.depth + 1 });
    }
  }
  return found.sort();
}

function segmentsOf(path: string): readonly string[] {
  return path.split('/').filter(Boolean);
}

function entriesOf(
  folder: string,
  place: (path: string) => string,
  skipped: SkippedFile | undefined,
): readonly fs.Dirent[] {
  try {
    return fs.readdirSync(place(folder), { withFileTypes: true });
  } catch (error) {
    const fault = toFileFault(folder, error);
    const isThere = fault instanceof FileFault && !/^(?:ENOENT|ENOTDIR)$/.test(fault.code);
    if (isThere) skipped?.(folder, `cannot be read: ${fault.message}`, fault);
    return [];
  }
}

/** A link counts as what it leads to; one that leads nowhere is nothing. */
function kindOf(entry: fs.Dirent, path: string, isUnbounded: boolean): 'file' | 'folder' | undefined {
  const type = entry.isSymbolicLink() ? statOf(path) : entry;
  if (type?.isFile()) return 'file';
  return type?.isDirectory() && (type === entry || !isUnbounded) ? 'folder' : undefined;
}

/** The reason for which what is neither file nor folder is left out, where somebody may miss it. */
function skippedReason(entry: fs.Dirent, path: string, isMatch: boolean): string | undefined {
  if (!entry.isSymbolicLink()) return isMatch ? 'is no regular file' : undefined;
  if (statOf(path)?.isDirectory()) return 'is a link to a folder, which ** does not go through';
  return isMatch ? 'is a link that leads to no file' : undefined;
}

function statOf(path: string): fs.Stats | undefined {
  try {
    return fs.statSync(path);
  } catch {
    return undefined;
  }
}

function joinSpelled(folder: string, name: string): string {
  return folder === '' || folder.endsWith('/') ? `${folder}${name}` : `${folder}/${name}`;
}
