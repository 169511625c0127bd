import * as fs from 'node:fs';
import { writeFully } from './atomic-write.ts';
import { namingFaults } from '../fault-words.ts';
import type { ScratchFile } from '../world.ts';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR } = fs.constants;

/** A file that loses its name at once, so that whatever ends the process leaves nothing of it. */
export function openScratch(beside: string, shownPath: string): ScratchFile {
  const naming = namingFaults(shownPath);
  const fd = naming(() => {
    const path = `${beside}.${process.getBuiltinModule('node:crypto').randomBytes(8).toString('hex')}.scratch`;
    const opened = fs.openSync(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    fs.unlinkSync(path);
    return opened;
  });
  return {
    read: (start, into) =>
      naming(() => {
        let done = 0;
        for (let count = 1; count > 0 && done < into.length; done += count) {
          count = fs.readSync(fd, into, done, into.length - done, start + done);
        }
        into.fill(0, done);
      }),
    write: (start, bytes) => naming(() => writeFully(fd, bytes, start)),
    close: () => naming(() => fs.closeSync(fd)),
  };
}
