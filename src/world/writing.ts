import { write } from 'node:fs';
import { errorCode } from './fault-words.ts';

const fullPollMs = 10;
/** A terminal takes nothing else, not even another mode, before it has taken what it was handed at once. */
const terminalPieceBytes = 16 * 1024;
/** Each piece costs a round trip to another thread; a pipe holds no more. */
const pieceBytes = 64 * 1024;
const newline = 0x0a;

interface WriteOptions {
  readonly isTerminal: boolean;
  readonly isStopped?: () => boolean;
}

/**
 * Writes everything to a pipe, socket, terminal, device or file, however slow its reader is: the system may take a part
 * only, or, where another program made the pipe non-blocking, nothing for now. The wait happens off the main thread,
 * so that signals are still heard. Once it is stopped the rest is left out. `written` of an error is the number of
 * bytes that were taken.
 */
export async function writeAll(
  fd: number,
  bytes: Uint8Array,
  { isTerminal, isStopped = () => false }: WriteOptions,
): Promise<void> {
  const pieceMax = isTerminal ? terminalPieceBytes : pieceBytes;
  let written = 0;
  try {
    while (written < bytes.length && !isStopped()) {
      written += await writeSome(fd, bytes, written, Math.min(bytes.length - written, pieceMax));
    }
  } catch (error) {
    throw Object.assign(error as Error, { written });
  }
}

/**
 * Returns what writes whole lines, also after a fault: a line that the system took a part of is ended before the next
 * ones. `written` of an error is the number of bytes of these lines alone.
 */
export function createLineWriter() {
  let isTorn = false;
  return async (fd: number, lines: Uint8Array, options: WriteOptions): Promise<void> => {
    const bytes = isTorn ? Buffer.concat([Buffer.of(newline), lines]) : lines;
    const before = isTorn ? 1 : 0;
    try {
      await writeAll(fd, bytes, options);
      isTorn = false;
    } catch (error) {
      const { written } = error as { readonly written: number };
      if (written > 0) isTorn = bytes[written - 1] !== newline;
      throw Object.assign(error as Error, { written: Math.max(0, written - before) });
    }
  };
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
