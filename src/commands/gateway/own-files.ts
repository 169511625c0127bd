import { basename, dirname } from 'node:path';
import { isTokenText } from '../../gateway/access/token.ts';
import type { FileInfo, World } from '../../world/world.ts';

/** Names of files that take the place of others once they are whole, such as that of --token-out. */
const temporaryShape = /^\.motif-[0-9a-z]+\.tmp$/;

interface OwnFiles {
  /** The gateway file. */
  readonly path: string;
  readonly audits: ReadonlySet<string>;
  readonly secrets: ReadonlySet<string>;
}

/**
 * Returns a function that says why a file is no document, whatever pattern it matches and whatever link leads there;
 * undefined for any other. One that was replaced since is known by its path.
 */
export async function findOwnFiles({ path, audits, secrets }: OwnFiles, files: World['files']) {
  const reasons = new Map<string, string>();
  const add = async (name: string, reason: string): Promise<void> => {
    const info = await files.info(name);
    if (info !== undefined) reasons.set(info.identity, reason);
    reasons.set(files.absolute(name), reason);
  };
  for (const name of audits) await add(name, 'is an audit');
  for (const name of secrets) await add(name, 'is a secret or a certificate');
  await add(path, 'is the gateway file');
  const locks = [files.lockPath(path)];
  const folderOf = async (name: string): Promise<string | undefined> => (await files.info(dirname(name)))?.identity;
  // An audit that was rotated has a name that begins with its own, and lies beside it; so has a lock that is moved.
  const isBeside = async (name: string, own: Iterable<string>): Promise<boolean> => {
    const near = [...own].filter((each) => basename(name).startsWith(basename(each)));
    if (near.length === 0) return false;
    const folder = await folderOf(name);
    return (await Promise.all(near.map(folderOf))).includes(folder);
  };
  return async ({ path: name, info }: FoundFile): Promise<string | undefined> =>
    reasons.get(info?.identity ?? '') ??
    reasons.get(files.absolute(name)) ??
    ((await isBeside(name, audits)) ? 'is an audit' : undefined) ??
    ((await isBeside(name, locks)) ? 'is the lock of the gateway file' : undefined) ??
    (temporaryShape.test(basename(name)) ? 'is a file that motif is writing' : undefined);
}

interface FoundFile {
  readonly path: string;
  readonly info: FileInfo | undefined;
}

/** Reads a file unless there is a reason against it, also one that shows where a link to it led in the end. */
export async function readUnless(
  reasonOf: (file: FoundFile) => Promise<string | undefined>,
  found: FoundFile,
  read: () => Promise<{ readonly text: string; readonly opened: FoundFile }>,
): Promise<{ readonly text: string; readonly reason?: never } | { readonly text?: never; readonly reason: string }> {
  const early = await reasonOf(found);
  if (early !== undefined) return { reason: early };
  const { text, opened } = await read();
  const reason = (await reasonOf(opened)) ?? (isTokenText(text.trim()) ? 'holds a token' : undefined);
  return reason === undefined ? { text } : { reason };
}
