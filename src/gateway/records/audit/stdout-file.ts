import { afterAwake, type AwakeTimer } from '../../../text/awake-timer.ts';
import { type AppendFile, writtenOf } from './append-file.ts';

/** The time without a piece that was taken after which an unread pipe counts as a file that cannot be written. */
const unreadMsMax = 5000;
/** The same once the gateway ends. */
const lastUnreadMsMax = 1000;
/** The most bytes of one write to a pipe that stay together, whatever programs beside the gateway write to it. */
const atomicBytes = 4096;

/** A file of audit lines that is stdout, for the log collector of a container. There is nothing to open anew. */
export function createStdoutFile(
  write: (text: string) => Promise<void>,
  unreadMs = unreadMsMax,
  lastUnreadMs = lastUnreadMsMax,
): AppendFile {
  let isStuck = false;
  let patienceMs = unreadMs;
  let shorten: (() => void) | undefined;
  return {
    async write(lines, isLossy) {
      if (isStuck) throw new Error('nobody reads stdout');
      let timer: AwakeTimer | undefined;
      const late = new Promise<'late'>((resolve) => {
        const wait = (): void => void (timer = afterAwake(patienceMs, () => resolve('late')));
        wait();
        shorten = () => {
          timer?.end();
          wait();
        };
      });
      let isSlow = false;
      const slow = isLossy === true ? setTimeout(() => (isSlow = true), unreadMs) : undefined;
      // A slow reader of many long lines reads: where prompts wait, it may take any time for all of them together.
      const writing = writePieces(lines, async (piece) => {
        if (isSlow) throw new Error('stdout is read more slowly than lines come');
        await write(piece);
        timer?.again();
      });
      const ended = await Promise.race([writing, late]).finally(() => {
        shorten = undefined;
        timer?.end();
        clearTimeout(slow);
      });
      if (ended !== 'late') return;
      isSlow = false;
      isStuck = true;
      const goOn = (): void => void (isStuck = false);
      void writing.then(goOn, goOn);
      // The reader gets them all once it reads on, so they are part of the chain.
      throw Object.assign(new Error(`nobody has read stdout for ${patienceMs} ms`), {
        written: Buffer.byteLength(lines),
      });
    },
    isCurrent: () => true,
    hurry() {
      patienceMs = lastUnreadMs;
      shorten?.();
    },
    close: () => Promise.resolve(),
  };
}

async function writePieces(lines: string, write: (text: string) => Promise<void>): Promise<void> {
  let written = 0;
  for (const piece of piecesOf(lines)) {
    await write(piece).catch((error: unknown) => {
      throw Object.assign(error as Error, { written: written + writtenOf(error) });
    });
    written += Buffer.byteLength(piece);
  }
}

function piecesOf(lines: string): readonly string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const line of lines.match(/[^\n]*\n/g) ?? []) {
    if (piece !== '' && Buffer.byteLength(piece) + Buffer.byteLength(line) > atomicBytes) {
      pieces.push(piece);
      piece = '';
    }
    piece += line;
  }
  return [...pieces, piece];
}
