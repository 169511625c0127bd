import { write } from 'node:fs';
import { errorCode } from './fault-words.ts';

const fullPollMs = 10;
/** A terminal takes nothing else, not even another mode, before it has taken what it was handed at once. */
const terminalPieceBytes = 16 * 1024;
/** Each piece costs a round trip to another thread; a pipe holds no more. */
const pieceBytes = 64 * 1024;

/**
 * Writes everything to a pipe, socket, terminal, device or file, however slow its reader is: the system may take a part
 * only, or, where another program made the pipe non-blocking, nothing for now. The wait happens off the main thread,
 * so that signals are still heard. Once it is stopped the rest is left out.
 */
export async function writeAll(
  fd: number,
  bytes: Uint8Array,
  { isTerminal, isStopped = () => false }: { readonly isTerminal: boolean; readonly isStopped?: () => boolean },
): Promise<void> {
  const pieceMax = isTerminal ? terminalPieceBytes : pieceBytes;
  for (let done = 0; done < bytes.length && !isStopped();) {
    done += await writeSome(fd, bytes, done, Math.min(bytes.length - done, pieceMax));
  }
}

async function writeSome(fd: number, bytes: Uint8Array, done: number, length: number): Promise<number> {
  try {
    return await new Promise((resolve, reject) => {
      write(fd, bytes, done, length, null, (error, count) => (error ? reject(error) : resolve(count)));
    });
  } catch (error) {
    if (errorCode(error) !== 'EAGAIN') throw error;
    await new Promise((wake) => setTimeout(wake, fullPollMs));
    return 0;
  }
}
