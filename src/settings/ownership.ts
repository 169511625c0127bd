import { MotifError } from '../errors.ts';
import { shellWord } from '../text/defuse.ts';
import type { FileInfo } from '../world/world.ts';

const rootUid = 0;
const othersWrite = 0o022;
const sticky = 0o1000;

/**
 * Throws where another user decides what a path of ours holds: that decides where a token goes, and which command is
 * run to get it. Root may set things up for somebody, as containers do.
 */
export function refuseForeign(path: string, { type, uid: owner, mode }: FileInfo, uid: number | undefined): void {
  if (uid === undefined) return;
  if (owner !== uid && owner !== rootUid) {
    throw new MotifError('config', `${path} belongs to another user (${owner})`, {
      hint: 'was motif run with sudo? give the file to yourself, or move it away and log in again',
    });
  }
  // Others may add to a sticky folder, but change nothing in it that is not theirs.
  const isShared = type === 'folder' && (mode & sticky) !== 0;
  if (isShared || (mode & othersWrite) === 0) return;
  throw new MotifError('config', `${path} can be changed by other users (mode 0${mode.toString(8)})`, {
    hint: `look at what it holds, then: chmod go-w ${shellWord(path)}`,
  });
}
