import * as fs from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import type { Ignore } from 'ignore';

/** More names of what to leave out than this is no file that a person wrote. */
const bytesMax = 1024 * 1024;
const alwaysIgnored: ReadonlySet<string> = new Set(['.git', 'node_modules']);

type IsIgnored = (path: string, isFolder: boolean) => boolean;

/**
 * Tells what git would leave out below a folder: `.git`, `node_modules`, and what the .gitignore files from the top of
 * the repository down name; all of a folder that is left out itself. Whoever works in such a folder means it, and then
 * nothing is left out.
 */
export async function createIsIgnored(folder: string, workingFolder: string): Promise<IsIgnored> {
  const { default: ignore } = await import('ignore');
  const known = new Map<string, Ignore | undefined>();
  const rulesOf = (each: string): Ignore | undefined => {
    if (!known.has(each)) known.set(each, readRules(each, ignore));
    return known.get(each);
  };
  const top = topOf(folder) ?? (isWithin(workingFolder, folder) ? workingFolder : folder);
  const isIgnored: IsIgnored = (path, isFolder) => {
    if (isFolder && alwaysIgnored.has(basename(path))) return true;
    let result = false;
    for (const above of foldersBetween(top, path)) {
      const { ignored, unignored } = rulesOf(above)?.test(relative(above, path) + (isFolder ? '/' : '')) ?? {};
      if (ignored) result = true;
      if (unignored) result = false;
    }
    return result;
  };
  const named = folder === top ? [] : [...foldersBetween(top, folder).slice(1), folder];
  const outside = named.filter((each) => isIgnored(each, true));
  if (outside.length === 0) return isIgnored;
  const isMeant = outside.some((each) => isWithin(each, workingFolder));
  return () => !isMeant;
}

/** True of the folder itself and of all below it. */
function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** The folder of the repository; undefined where the folder is in none. */
function topOf(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (fs.existsSync(join(at, '.git'))) return at;
    if (at === dirname(at)) return undefined;
  }
}

/** From the first to the folder of the path, each a part of the next. */
function foldersBetween(first: string, path: string): readonly string[] {
  const folders: string[] = [];
  for (let at = dirname(path); at.startsWith(first); at = dirname(at)) {
    folders.unshift(at);
    if (at === first || at === dirname(at)) break;
  }
  return folders;
}

function readRules(folder: string, create: () => Ignore): Ignore | undefined {
  try {
    const path = join(folder, '.gitignore');
    const { size } = fs.statSync(path);
    return size > bytesMax ? undefined : create().add(fs.readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
