import * as fs from 'node:fs';
import { dirname } from 'node:path';
import { syncFolder, writeFully } from './atomic-write.ts';
import { FileRefusal, namingFaults, toFileFault } from '../fault-words.ts';
import { needRegular, toFileInfo } from './file-info.ts';
import type { GrowingFile, GrownFile } from '../world.ts';

const { O_CREAT, O_NOCTTY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR } = fs.constants;

/**
 * A file that one process alone adds to and reads anywhere. What is added is with the system when `write` returns, so
 * that a kill loses nothing of it, and on disk after `sync`. A write that did not fit is taken back.
 */
export function openGrowing(path: string, shownPath: string): GrowingFile {
  const file = growingFile(openFile(path, O_RDWR | O_CREAT), shownPath);
  // A new one has a name on disk before anything is in it.
  if (file.size === 0) syncFolder(dirname(path));
  return file;
}

/** The same file to be read alone, where it is there. */
export function openGrown(path: string, shownPath: string): GrownFile {
  return growingFile(openFile(path, O_RDONLY), shownPath);
}

function growingFile(fd: number, shownPath: string): GrowingFile {
  let size = 0;
  try {
    const info = toFileInfo(fs.fstatSync(fd, { bigint: true }));
    needRegular(info);
    size = info.size;
  } catch (error) {
    fs.closeSync(fd);
    throw error;
  }
  const naming = namingFaults(shownPath);
  return {
    get size() {
      return size;
    },
    read: (start, into) => naming(() => fs.readSync(fd, into, 0, into.length, start)),
    write: (content) =>
      naming(() => {
        const bytes = typeof content === 'string' ? Buffer.from(content) : content;
        try {
          writeFully(fd, bytes, size);
        } catch (error) {
          fs.ftruncateSync(fd, size);
          throw error;
        }
        size += bytes.length;
      }),
    cut: (length) =>
      naming(() => {
        fs.ftruncateSync(fd, length);
        size = length;
      }),
    sync: () =>
      new Promise((resolve, reject) => {
        fs.fdatasync(fd, (error) => (error ? reject(toFileFault(shownPath, error) as Error) : resolve()));
      }),
    close: () => naming(() => fs.closeSync(fd)),
  };
}

/** A link is refused, for what lies behind it may be somebody else's or no file of its own. */
function openFile(path: string, access: number): number {
  try {
    return fs.openSync(path, access | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0o666);
  } catch (error) {
    const isLink = error instanceof Error && 'code' in error && error.code === 'ELOOP';
    throw isLink ? new FileRefusal('ENOTFILE', 'is a symbolic link') : error;
  }
}

/** The bytes that are free for this user on the disk of a folder; undefined where the system does not tell. */
export function freeBytes(folder: string): number | undefined {
  try {
    const { bavail, bsize } = fs.statfsSync(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}
