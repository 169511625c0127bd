import { type BigIntStats, closeSync, constants, fstatSync, statSync } from 'node:fs';
import { openRegular } from './file-info.ts';
import type { HeldFile } from '../world.ts';

/** Keeps the file of a path open; undefined where it cannot be opened, or is no regular one. */
export function holdFile(path: string): HeldFile | undefined {
  try {
    const { fd } = openRegular(path, constants.O_RDONLY);
    const first = fstatSync(fd, { bigint: true });
    return () => {
      try {
        return compare(first, fstatSync(fd, { bigint: true }), statSync(path, { bigint: true }));
      } catch {
        return 'maybe written';
      } finally {
        closeSync(fd);
      }
    };
  } catch {
    return undefined;
  }
}

/**
 * The change time of the held file is the moment when it lost its name, for nobody reaches it afterwards. A file that
 * was last written before that moment was written elsewhere, and put there by a rename. A rename itself is no writing:
 * it leaves the time of the content behind that of the file. Most file systems give one time to all of a tick of up to
 * 10 ms: a file that is removed, made anew and first written within one is taken for a renamed one.
 */
function compare(first: BigIntStats, last: BigIntStats, now: BigIntStats): ReturnType<HeldFile> {
  if (now.dev === last.dev && now.ino === last.ino) return 'same';
  // It has its name yet: a link on the way leads to another file.
  if (last.ctimeNs === first.ctimeNs) return 'replaced';
  return now.mtimeNs <= last.ctimeNs || now.mtimeNs < now.ctimeNs ? 'replaced' : 'maybe written';
}
