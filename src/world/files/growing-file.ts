import * as fs from 'node:fs';
import { dirname } from 'node:path';
import { syncFolder, writeFully } from './atomic-write.ts';
import { namingFaults, toFileFault } from '../fault-words.ts';
import { openRegular, type RegularFile } from './file-info.ts';
import type { GrowingFile, GrownFile } from '../world.ts';

const { O_CREAT, O_NOFOLLOW, O_RDONLY, O_RDWR } = fs.constants;

/**
 * A file that one process alone adds to and reads anywhere. What is added is with the system when `write` returns, so
 * that a kill loses nothing of it, and on disk after `sync`. A write that did not fit is taken back.
 */
export function openGrowing(path: string, shownPath: string): GrowingFile {
  const file = growingFile(openRegular(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0o666), shownPath);
  // A new one has a name on disk before anything is in it.
  if (file.size === 0) syncFolder(dirname(path));
  return file;
}

/** The same file to be read alone, where it is there. */
export function openGrown(path: string, shownPath: string): GrownFile {
  return growingFile(openRegular(path, O_RDONLY | O_NOFOLLOW), shownPath);
}

function growingFile({ fd, info }: RegularFile, shownPath: string): GrowingFile {
  let { size } = info;
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

/** The bytes that are free for this user on the disk of a folder; undefined where the system does not tell. */
export function freeBytes(folder: string): number | undefined {
  try {
    const { bavail, bsize } = fs.statfsSync(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}
