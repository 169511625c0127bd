import * as fs from 'node:fs';
import { toFileFault } from '../fault-words.ts';
import { needRegular, toFileInfo } from './file-info.ts';
import type { FileInfo } from '../world.ts';

const { O_NOCTTY, O_NONBLOCK, O_RDONLY } = fs.constants;

const chunkBytes = 256 * 1024;

/**
 * The bytes of a regular file or a named pipe, from its start to its end. A pipe is read off the main thread, because
 * its writer may be slow; a file is read here, which is faster and loads no streams.
 */
export async function* readChunks(
  path: string,
  shownPath: string,
  { signal, opened }: { readonly signal?: AbortSignal | undefined; readonly opened?: (file: FileInfo) => void } = {},
): AsyncGenerator<Uint8Array> {
  let fd: number | undefined;
  try {
    fd = openRegular(path, opened);
    if (fd === undefined) return yield* readPipe(path, signal);
    for (;;) {
      signal?.throwIfAborted();
      const chunk = Buffer.allocUnsafe(chunkBytes);
      const count = fs.readSync(fd, chunk);
      if (count === 0) return;
      yield chunk.subarray(0, count);
      // A signal gets its turn, however large the file is.
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  } catch (error) {
    throw toFileFault(shownPath, error);
  } finally {
    if (fd !== undefined) fs.closeSync(fd);
  }
}

/** Opened without waiting; undefined for all that is no regular file, even where it became so a moment ago. */
function openRegular(path: string, opened?: (file: FileInfo) => void): number | undefined {
  if (!fs.statSync(path).isFile()) return undefined;
  const fd = fs.openSync(path, O_RDONLY | O_NOCTTY | O_NONBLOCK);
  const info = toFileInfo(fs.fstatSync(fd, { bigint: true }));
  if (info.type === 'file') {
    opened?.(info);
    return fd;
  }
  fs.closeSync(fd);
  return undefined;
}

async function* readPipe(path: string, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  const handle = await fs.promises.open(path, O_RDONLY | O_NOCTTY);
  try {
    const info = toFileInfo(await handle.stat({ bigint: true }));
    if (info.type !== 'fifo') needRegular(info);
    for (;;) {
      signal?.throwIfAborted();
      const chunk = Buffer.allocUnsafe(chunkBytes);
      const { bytesRead } = await handle.read(chunk);
      if (bytesRead === 0) return;
      yield chunk.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}
