import * as fs from 'node:fs';
import { globBase, matchesGlob } from '../text/glob.ts';
import { FileFault } from './world.ts';

/** Names looked at in one search; more means that the pattern starts too high in the tree. */
export const searchNamesMax = 500_000;

interface Folder {
  /** As the pattern spells it; empty for the current folder. */
  readonly path: string;
  readonly depth: number;
  /** The identities of the folders above and of this one: a link back to one of them would lead in a circle. */
  readonly line: readonly string[];
}

/**
 * Regular files that match, sorted. `place` turns a path as spelled into one to open. A folder that may not be read
 * holds nothing, as in a shell, and hidden folders are entered only where the pattern spells out a leading dot.
 */
export function searchFiles(
  pattern: string,
  place: (path: string) => string,
  namesMax = searchNamesMax,
): readonly string[] {
  const base = globBase(pattern);
  const wanted = segmentsOf(pattern).slice(segmentsOf(base).length);
  const depthMax = /\*\*|\{/.test(pattern) ? Infinity : wanted.length;
  const entersHidden = wanted.some((segment) => /[.[{]/.test(segment[0] ?? ''));
  const found: string[] = [];
  let looked = 0;
  const folders: Folder[] = [{ path: base, depth: 1, line: lineOf(place(base), []) ?? [] }];
  for (const folder of folders) {
    for (const entry of entriesOf(place(folder.path))) {
      looked += 1;
      if (looked > namesMax)
        throw new FileFault(pattern, 'ETOOMANY', `looks at more than ${namesMax} names; start it deeper`);
      const path = joinSpelled(folder.path, entry.name);
      const kind = kindOf(entry, place(path));
      if (kind === 'file' && matchesGlob(pattern, path)) found.push(path);
      if (kind !== 'folder' || folder.depth >= depthMax || (entry.name.startsWith('.') && !entersHidden)) continue;
      const line = lineOf(place(path), folder.line);
      if (line !== undefined) folders.push({ path, depth: folder.depth + 1, line });
    }
  }
  return found.sort();
}

function segmentsOf(path: string): readonly string[] {
  return path.split('/').filter(Boolean);
}

function entriesOf(folder: string): readonly fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Links count as what they lead to, as in a shell; one that leads nowhere is nothing. */
function kindOf(entry: fs.Dirent, path: string): 'file' | 'folder' | undefined {
  const type = entry.isSymbolicLink() ? statOf(path) : entry;
  if (type?.isFile()) return 'file';
  return type?.isDirectory() ? 'folder' : undefined;
}

function lineOf(path: string, above: readonly string[]): readonly string[] | undefined {
  const stats = statOf(path);
  const identity = `${stats?.dev}:${stats?.ino}`;
  return above.includes(identity) ? undefined : [...above, identity];
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
