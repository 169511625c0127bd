import * as fs from 'node:fs';
import { readFully, writeFully } from './atomic-write.ts';
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
        into.fill(0, readFully(fd, into, start));
      }),
    write: (start, bytes) => naming(() => writeFully(fd, bytes, start)),
    close: () => naming(() => fs.closeSync(fd)),
  };
}
