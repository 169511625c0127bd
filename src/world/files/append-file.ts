import * as fs from 'node:fs';
import { writeFully } from './atomic-write.ts';
import { toFileFault } from '../fault-words.ts';
import { infoOf, openRegular, othersBits } from './file-info.ts';
import type { AppendHandle } from '../world.ts';

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_RDWR } = fs.constants;
const newline = Buffer.from('\n');

/**
 * A file that stays open for lines to be added. The system keeps what is appended at once together, so several
 * processes may write to one file; what did not fit cannot be taken back, for another's lines may stand behind it. The
 * system keeps the bytes in memory, so that to wait for another thread would take longer than to write them here.
 */
export function openAppend(path: string, shownPath: string): AppendHandle {
  const { fd, info } = openRegular(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600);
  let mayBeTorn = true;
  return {
    write(lines) {
      let written = 0;
      try {
        if (mayBeTorn && isTorn(fd)) writeFully(fd, newline, 0, writeAtEnd);
        mayBeTorn = true;
        written = fs.writeSync(fd, lines);
        if (written < Buffer.byteLength(lines)) throw partly(fd);
        mayBeTorn = false;
      } catch (error) {
        throw Object.assign(toFileFault(shownPath, error) as Error, { written });
      }
    },
    isCurrent() {
      // Another process may have left a torn line since.
      mayBeTorn = true;
      return infoOf(path, false)?.identity === info.identity;
    },
    makePrivate() {
      const isPrivate = (): boolean => (fs.fstatSync(fd).mode & othersBits) === 0;
      if (isPrivate()) return 'was private';
      try {
        fs.fchmodSync(fd, 0o600);
      } catch {
        // Another user's file, or a file system that knows no such bits.
      }
      return isPrivate() ? 'made private' : 'open';
    },
    async close() {
      try {
        await new Promise<void>((resolve, reject) => {
          fs.fdatasync(fd, (error) => (error ? reject(error) : resolve()));
        });
      } catch (error) {
        throw toFileFault(shownPath, error);
      } finally {
        fs.closeSync(fd);
      }
    },
  };
}

/**
 * The error of a write that the system took a part of: why it takes no more. The rest is not written, because another
 * process may have written behind that part, whose line is ended here if it can be.
 */
function partly(fd: number): unknown {
  try {
    writeFully(fd, newline, 0, writeAtEnd);
    return Object.assign(new Error('the system took a part of the bytes'), { code: 'ENOSPC' });
  } catch (error) {
    return error;
  }
}

/** Elsewhere than on Linux a write that names its place goes there, whatever the file was opened for. */
function writeAtEnd(fd: number, bytes: Uint8Array, offset: number, length: number): number {
  return fs.writeSync(fd, bytes, offset, length, null);
}

/**
 * True where a file does not end with its last line. While another process writes, the file seems to end wherever that
 * has come to; the system lets nobody set the mode meanwhile, so that to set it as it is waits for the end of that.
 */
export function isTorn(fd: number): boolean {
  const { size, mode } = fs.fstatSync(fd);
  const last = Buffer.alloc(1);
  const isWhole = size === 0 || fs.readSync(fd, last, 0, 1, size - 1) === 0 || last[0] === newline[0];
  if (isWhole) return false;
  try {
    fs.fchmodSync(fd, mode & 0o7777);
  } catch {
    // Not allowed to all who may write; then the look alone counts.
  }
  return fs.fstatSync(fd).size === size;
}
