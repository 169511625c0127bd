import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync, statSync } from 'node:fs';
import { errorCode, FileRefusal } from '../fault-words.ts';
import type { FileInfo } from '../world.ts';

/** The bits of a mode that let others than the owner in. */
export const othersBits = 0o077;

const refusals: Readonly<Record<Exclude<FileInfo['type'], 'file'>, string>> = {
  folder: 'is a folder',
  link: 'is a symbolic link',
  fifo: 'is a pipe (FIFO)',
  device: 'is a device',
  other: 'is a socket',
};

/** The kind of thing that is no regular file, in words; undefined for a file, and for nothing. */
export function notFileWords(info: FileInfo | undefined): string | undefined {
  return info === undefined || info.type === 'file' ? undefined : refusals[info.type];
}

/** From the big form of stat, for inode numbers above 2^53 exist and two files must not look like one. */
export function toFileInfo(stats: BigIntStats): FileInfo {
  return {
    type: typeOf(stats),
    size: Number(stats.size),
    mode: Number(stats.mode) & 0o7777,
    uid: Number(stats.uid),
    gid: Number(stats.gid),
    modifiedAt: Number(stats.mtimeMs),
    changedAt: String(stats.ctimeNs),
    identity: `${stats.dev}:${stats.ino}`,
    bornAt: String(stats.birthtimeNs),
    links: Number(stats.nlink),
  };
}

/** The facts of a path; undefined where nothing can be seen there. */
export function infoOf(path: string, follow: boolean): FileInfo | undefined {
  try {
    return toFileInfo(follow ? statSync(path, { bigint: true }) : lstatSync(path, { bigint: true }));
  } catch {
    return undefined;
  }
}

/** A descriptor of a regular file, whose facts are those of what is open and not of what the path leads to by then. */
export interface RegularFile {
  readonly fd: number;
  readonly info: FileInfo;
}

/** Opens a regular file; throws for anything else. */
export function openRegular(path: string, flags: number, mode?: number): RegularFile {
  const fd = openAtOnce(path, flags, mode);
  try {
    const info = toFileInfo(fstatSync(fd, { bigint: true }));
    needRegular(info);
    return { fd, info };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Opens without waiting for a FIFO's other end or taking a terminal; with O_NOFOLLOW it refuses a link. */
export function openAtOnce(path: string, flags: number, mode?: number): number {
  try {
    return openSync(path, flags | constants.O_NONBLOCK | constants.O_NOCTTY, mode);
  } catch (error) {
    const isLink = (flags & constants.O_NOFOLLOW) !== 0 && errorCode(error) === 'ELOOP';
    throw isLink ? new FileRefusal('ENOTFILE', 'is a symbolic link') : error;
  }
}

/** Throws unless it is a regular file. */
export function needRegular({ type }: Pick<FileInfo, 'type'>): void {
  if (type !== 'file') throw new FileRefusal(type === 'folder' ? 'EISDIR' : 'ENOTFILE', refusals[type]);
}

function typeOf(stats: BigIntStats): FileInfo['type'] {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'folder';
  if (stats.isSymbolicLink()) return 'link';
  if (stats.isFIFO()) return 'fifo';
  return stats.isCharacterDevice() || stats.isBlockDevice() ? 'device' : 'other';
}
