import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { errorCode, FileRefusal } from '../fault-words.ts';
import { needRegular, toFileInfo } from './file-info.ts';
import { sweepLocks } from './file-lock.ts';
import type { FileInfo } from '../world.ts';
import { debrisAgeMs } from '../../text/limits.ts';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_WRONLY } = fs.constants;

const debrisShape = /^\.motif-[0-9a-z]+\.tmp$/;

/** Errors that say "this file system cannot sync such a thing", not "the bytes are lost". */
const unsyncable: ReadonlySet<string | undefined> = new Set([
  'EINVAL',
  'ENOSYS',
  'ENOTSUP',
  'EOPNOTSUPP',
  'EACCES',
  'EPERM',
]);

/**
 * Replaces a file as a whole or not at all. `usual` is the mode a shell's `>` would leave: an existing file keeps its
 * bits and its group, a new one gets what the umask allows. A file that holds another text than the one that is `over`
 * stays. Returns the folder that is to be synced.
 */
export function writeAtomic(path: string, content: string | Uint8Array, mode: number | 'usual', over?: string): string {
  const target = linkTargetOf(path);
  const folder = dirname(target.path);
  sweepDebris(folder);
  const wanted = mode === 'usual' ? target.info?.mode : mode;
  const temporary = createTemporary(folder, wanted === undefined ? 0o666 : 0o600);
  if (mode === 'usual' && target.info !== undefined) keepGroup(temporary, target.info);
  fill(temporary, content, wanted, () => {
    // Compared last of all: to write and sync the new one takes a while.
    if (over !== undefined && new TextDecoder().decode(fs.readFileSync(target.path)) !== over)
      throw new FileRefusal('ECHANGED', 'was changed meanwhile');
    fs.renameSync(temporary.path, target.path);
  });
  return folder;
}

/** Writes a file that nobody reads before it is whole: a killed run leaves it under the name that its owner knows. */
export function writeNew(path: string, content: string): string {
  const folder = dirname(path);
  sweepDebris(folder);
  fill({ path, fd: fs.openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600) }, content, 0o600);
  return folder;
}

interface OpenFile {
  readonly path: string;
  readonly fd: number;
}

/** Writes all of an empty file to the disk, and closes it; removes it where that, or what comes `after` it, fails. */
function fill(
  { path, fd }: OpenFile,
  content: string | Uint8Array,
  mode: number | undefined,
  after?: () => void,
): void {
  try {
    try {
      writeFully(fd, Buffer.from(content));
      setDescriptorMode(fd, mode);
      sync(fd);
    } finally {
      fs.closeSync(fd);
    }
    after?.();
  } catch (error) {
    removeQuietly(path);
    throw error;
  }
}

/** Removes the leftovers of writers that were killed, which may hold a token: ours alone, once nobody needs them. */
export function sweepDebris(folder: string): void {
  const uid = process.getuid?.();
  const names = namesIn(folder);
  sweepLocks(folder, names);
  for (const name of names) {
    if (!debrisShape.test(name)) continue;
    const path = join(folder, name);
    const info = lookAt(path);
    if (info?.type === 'file' && info.uid === uid && info.modifiedAt < Date.now() - debrisAgeMs) removeQuietly(path);
  }
}

type WriteSome = (fd: number, bytes: Uint8Array, offset: number, length: number, position: number) => number;

/**
 * The system may take fewer bytes than it was given without calling that an error. Each write names its place, so that
 * nothing else that holds the descriptor can move it.
 */
export function writeFully(fd: number, bytes: Uint8Array, start = 0, write: WriteSome = fs.writeSync): void {
  for (let done = 0; done < bytes.length;) {
    const count = write(fd, bytes, done, bytes.length - done, start + done);
    if (count === 0) throw Object.assign(new Error('the system took no byte'), { code: 'ENOSPC' });
    done += count;
  }
}

/** Fills the bytes from a place in a file on, as far as there is something; returns how many it read. */
export function readFully(fd: number, into: Uint8Array, start: number): number {
  let done = 0;
  for (let count = 1; count > 0 && done < into.length; done += count) {
    count = fs.readSync(fd, into, done, into.length - done, start + done);
  }
  return done;
}

/** Makes a rename or a removal survive a power loss. */
export function syncFolder(folder: string): void {
  const fd = openQuietly(folder);
  if (fd === undefined) return;
  try {
    sync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

/**
 * The real file behind the person's own link is replaced, as their dotfile tools expect; a link that someone else laid,
 * or that leads to someone else's file, is refused.
 */
function linkTargetOf(path: string): { readonly path: string; readonly info: FileInfo | undefined } {
  const link = lookAt(path);
  const isLink = link?.type === 'link';
  const real = isLink ? fs.realpathSync(path) : path;
  const info = isLink ? lookAt(real) : link;
  if (isLink && (link.uid !== process.getuid?.() || info?.uid !== link.uid)) {
    throw new FileRefusal('ELOOP', 'is a symbolic link that is not yours alone');
  }
  if (info) needRegular(info);
  return { path: real, info };
}

function createTemporary(folder: string, mode: number): OpenFile {
  // The name need not be secret: O_EXCL refuses whatever already lies there.
  const path = join(folder, `.motif-${process.pid.toString(36)}${Math.random().toString(36).slice(2, 12)}.tmp`);
  return { path, fd: fs.openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode) };
}

/** Hands a new file to the group of the old one, which may be that of the program that reads it. */
function keepGroup({ path, fd }: OpenFile, { gid, mode }: FileInfo): void {
  if (fs.fstatSync(fd).gid === gid) return;
  try {
    fs.fchownSync(fd, -1, gid);
  } catch {
    // A group that may do no more than all others loses nothing.
    if ((mode >> 3) & ~mode & 0o7) {
      fs.closeSync(fd);
      removeQuietly(path);
      throw new FileRefusal('EPERM', `belongs to a group (${gid}) that a new file cannot be given`);
    }
  }
}

/** Sets the bits only where they differ, because some file systems refuse every change of them. */
function setDescriptorMode(fd: number, mode: number | undefined): void {
  if (mode !== undefined && (fs.fstatSync(fd).mode & 0o7777) !== mode) fs.fchmodSync(fd, mode);
}

function sync(fd: number): void {
  try {
    fs.fsyncSync(fd);
  } catch (error) {
    if (!unsyncable.has(errorCode(error))) throw error;
  }
}

function openQuietly(folder: string): number | undefined {
  try {
    return fs.openSync(folder, O_RDONLY);
  } catch (error) {
    if (unsyncable.has(errorCode(error))) return undefined;
    throw error;
  }
}

function lookAt(path: string): FileInfo | undefined {
  const stats = fs.lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && toFileInfo(stats);
}

function namesIn(folder: string): readonly string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}

function removeQuietly(path: string): void {
  try {
    fs.unlinkSync(path);
  } catch {
    // A file that could not be removed now is swept by a later write.
  }
}
