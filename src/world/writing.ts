import { write } from 'node:fs';
import { errorCode } from './fault-words.ts';

const fullPollMs = 10;
/** A terminal takes nothing else, not even another mode, before it has taken what it was handed at once. */
const pieceBytes = 16 * 1024;

/**
 * Writes everything to a pipe, socket, terminal, device or file, however slow its reader is: the system may take a part
 * only, or, where another program made the pipe non-blocking, nothing for now. The wait happens off the main thread,
 * so that signals are still heard. Once `stop` aborts the rest is left out.
 */
export async function writeAll(fd: number, bytes: Uint8Array, stop?: AbortSignal): Promise<void> {
  for (let done = 0; done < bytes.length && stop?.aborted !== true;) {
    done += await writeSome(fd, bytes, done);
  }
}

async function writeSome(fd: number, bytes: Uint8Array, done: number): Promise<number> {
  try {
    return await new Promise((resolve, reject) => {
      write(fd, bytes, done, Math.min(bytes.length - done, pieceBytes), null, (error, count) =>
        error ? reject(error) : resolve(count),
      );
    });
  } catch (error) {
    if (errorCode(error) !== 'EAGAIN') throw error;
    await new Promise((wake) => setTimeout(wake, fullPollMs));
    return 0;
  }
}
