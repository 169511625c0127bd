import { fstatSync, readSync } from 'node:fs';
import { MotifError } from '../errors.ts';
import { errorCode, faultWords } from './fault-words.ts';
import { toFileInfo } from './files/file-info.ts';
import { isTerminalAt } from './output.ts';
import { StreamChunks } from './stream-chunks.ts';
import { setRaw } from './terminal-mode.ts';
import type { Input } from './world.ts';

const chunkBytes = 64 * 1024;

/** Standard input; every wait for it ends when `interrupted` aborts. */
export function createInput(interrupted: AbortSignal): Input {
  let kind: Input['kind'] | undefined;
  return {
    get kind() {
      kind ??= kindOfStdin();
      return kind;
    },
    get identity() {
      return this.kind === 'file' ? toFileInfo(fstatSync(0, { bigint: true })).identity : undefined;
    },
    chunks(signal) {
      const either = signal === undefined ? interrupted : AbortSignal.any([interrupted, signal]);
      return { [Symbol.asyncIterator]: () => namingFaults(open(this.kind, either)) };
    },
    setRaw,
  };
}

function open(kind: Input['kind'], signal: AbortSignal): AsyncIterator<Uint8Array> {
  if (kind === 'none') return { next: async () => ({ done: true, value: undefined }) };
  return kind === 'file' ? readFile(signal) : new StreamChunks(process.stdin, signal);
}

function namingFaults(chunks: AsyncIterator<Uint8Array>): AsyncIterator<Uint8Array> {
  return {
    async next() {
      try {
        return await chunks.next();
      } catch (error) {
        throw toStdinFault(error);
      }
    },
    return: async () => (await chunks.return?.()) ?? { done: true, value: undefined },
  };
}

function toStdinFault(error: unknown): unknown {
  const code = errorCode(error);
  return code === undefined
    ? error
    : new MotifError('io', `stdin could not be read: ${faultWords(code)}`, { cause: error });
}

/** Node puts the null device where a descriptor was closed, so a closed stdin is a device as well. */
function kindOfStdin(): Input['kind'] {
  const stats = fstatSync(0);
  if (stats.isFIFO() || stats.isSocket()) return 'pipe';
  if (stats.isFile()) return 'file';
  return isTerminalAt(0) ? 'terminal' : 'none';
}

async function* readFile(signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for (;;) {
    signal.throwIfAborted();
    const chunk = Buffer.allocUnsafe(chunkBytes);
    const count = readSync(0, chunk);
    if (count === 0) return;
    yield chunk.subarray(0, count);
  }
}
