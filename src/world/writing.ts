import { write } from 'node:fs';
import { errorCode } from './fault-words.ts';

const fullPollMs = 10;

/**
 * Writes everything to a pipe, socket, terminal, device or file, however slow its reader is: the system may take a part
 * only, or, where another program made the pipe non-blocking, nothing for now. The wait happens off the main thread,
 * so that signals are still heard.
 */
export async function writeAll(fd: number, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    done += await writeSome(fd, bytes, done);
  }
}

async function writeSome(fd: number, bytes: Uint8Array, done: number): Promise<number> {
  try {
    return await new Promise((resolve, reject) => {
      write(fd, bytes, done, bytes.length - done, null, (error, count) => (error ? reject(error) : resolve(count)));
    });
  } catch (error) {
    if (errorCode(error) !== 'EAGAIN') throw error;
    await new Promise((wake) => setTimeout(wake, fullPollMs));
    return 0;
  }
}
