import * as fs from 'node:fs';
import { toFileFault } from './fault-words.ts';
import { needRegular, toFileInfo } from './file-info.ts';

const { O_NOCTTY, O_RDONLY } = fs.constants;

const chunkBytes = 256 * 1024;

/**
 * The bytes of a regular file or a named pipe, from its start to its end. A pipe is read off the main thread, because
 * its writer may be slow; a file is read here, which is faster.
 */
export async function* readChunks(path: string, shownPath: string, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  let handle: fs.promises.FileHandle | undefined;
  try {
    handle = await fs.promises.open(path, O_RDONLY | O_NOCTTY);
    const info = toFileInfo(await handle.stat({ bigint: true }));
    if (info.type !== 'fifo') needRegular(info);
    for (;;) {
      signal?.throwIfAborted();
      const chunk = Buffer.allocUnsafe(chunkBytes);
      const count = info.type === 'file' ? fs.readSync(handle.fd, chunk) : (await handle.read(chunk)).bytesRead;
      if (count === 0) return;
      yield chunk.subarray(0, count);
    }
  } catch (error) {
    throw toFileFault(shownPath, error);
  } finally {
    await handle?.close();
  }
}
