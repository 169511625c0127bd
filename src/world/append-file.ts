import * as fs from 'node:fs';
import { writeFully } from './atomic-write.ts';
import { toFileFault } from './fault-words.ts';
import { needRegular, toFileInfo } from './file-info.ts';
import type { AppendFile } from './world.ts';

const { O_APPEND, O_CREAT, O_NOCTTY, O_NOFOLLOW, O_NONBLOCK, O_RDWR } = fs.constants;
const newline = 0x0a;

/**
 * A file that stays open for lines to be added. The system keeps what is appended at once together, so several
 * processes may write to one file; what did not fit cannot be taken back, for another's lines may stand behind it. The
 * system keeps the bytes in memory, so that to wait for another thread would take longer than to write them here.
 */
export function openAppend(path: string, shownPath: string): AppendFile {
  const fd = fs.openSync(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0o600);
  let mayBeTorn = true;
  try {
    needRegular(toFileInfo(fs.fstatSync(fd, { bigint: true })));
  } catch (error) {
    fs.closeSync(fd);
    throw error;
  }
  return {
    async write(lines) {
      try {
        const start = mayBeTorn && isTorn(fd) ? '\n' : '';
        mayBeTorn = true;
        writeFully(fd, Buffer.from(start + lines), 0, writeAtEnd);
        mayBeTorn = false;
      } catch (error) {
        throw toFileFault(shownPath, error);
      }
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

/** Elsewhere than on Linux a write that names its place goes there, whatever the file was opened for. */
function writeAtEnd(fd: number, bytes: Uint8Array, offset: number, length: number): number {
  return fs.writeSync(fd, bytes, offset, length, null);
}

function isTorn(fd: number): boolean {
  const { size } = fs.fstatSync(fd);
  const last = Buffer.alloc(1);
  return size > 0 && fs.readSync(fd, last, 0, 1, size - 1) === 1 && last[0] !== newline;
}
