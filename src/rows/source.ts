import { MotifError } from '../errors.ts';
import { FileFault, type Files, type Input } from '../world/world.ts';

/** An input that rows are read from, and the name it has in messages. */
export interface RowSource {
  readonly name: string;
  /** The bytes from the start, unpacked where they were gzip; a file can be read again, stdin only once. */
  chunks(): AsyncIterable<Uint8Array>;
  /** All that can be unpacked of a file whose gzip data is torn or damaged, slowly; absent where it is read once. */
  salvage?(): AsyncIterable<Uint8Array>;
}

/** The fault of gzip data that ends too early or is damaged; what came before it may have been lost with it. */
export class TornGzip extends MotifError {}

/** A file or pipe as a source of rows; one that cannot be read is a usage error, for the person named it. */
export function fileSource(files: Pick<Files, 'chunks'>, path: string, signal?: AbortSignal): RowSource {
  const read = (): AsyncIterable<Uint8Array> => namingFaults(path, files.chunks(path, signal));
  return { name: path, chunks: () => unpacked(path, read()), salvage: () => salvaged(read()) };
}

export function stdinSource(stdin: Pick<Input, 'chunks'>, signal?: AbortSignal): RowSource {
  return { name: 'stdin', chunks: () => unpacked('stdin', stdin.chunks(signal)) };
}

/** Text that is in memory already as a source of rows. */
export function textSource(name: string, text: string | Uint8Array): RowSource {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  return { name, chunks: () => unpacked(name, oneChunk(bytes)) };
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes;
}

async function* namingFaults(path: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    throw new MotifError('usage', `${path}: ${error.message}`, { cause: error });
  }
}

/** Gzip is told by its first two bytes, which no UTF-8 text begins with, whatever the file is called. */
async function* unpacked(name: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  let head: Uint8Array = new Uint8Array();
  try {
    while (head.length < 2) {
      const next = await iterator.next();
      if (next.done === true) break;
      head = head.length === 0 ? next.value : Buffer.concat([head, next.value]);
    }
    const rest = { [Symbol.asyncIterator]: () => prefixed(head, iterator) };
    if (head[0] === 0x1f && head[1] === 0x8b) yield* gunzip(name, rest);
    else yield* rest;
  } finally {
    await iterator.return?.();
  }
}

async function* prefixed(head: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (head.length > 0) yield head;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

/** Bytes that are unpacked at once: pieces of 16 kB, as Node makes them, cost half as much again. */
const unpackedBytes = 128 * 1024;

async function* gunzip(name: string, packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const [{ createGunzip }, { Readable }, { pipeline }] = await Promise.all([
    import('node:zlib'),
    import('node:stream'),
    import('node:stream/promises'),
  ]);
  const unzipper = createGunzip({ chunkSize: unpackedBytes });
  // The pipeline ends the unzipper with whatever went wrong before it, which the loop then throws.
  pipeline(Readable.from(packed), unzipper).catch(() => undefined);
  try {
    for await (const chunk of unzipper) yield chunk as Uint8Array;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (typeof code !== 'string' || !code.startsWith('Z_')) throw error;
    const message = code === 'Z_BUF_ERROR' ? 'its gzip data ends too early' : 'its gzip data is damaged';
    throw new TornGzip('usage', `${name}: ${message}`, { cause: error });
  }
}

/** Bytes of gzip data that are unpacked at once, so that what came of them is handed on before the next ones fail. */
const salvageBytes = 16 * 1024;

async function* salvaged(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { createGunzip } = await import('node:zlib');
  const unzipper = createGunzip();
  const found: Uint8Array[] = [];
  let isOver = false;
  unzipper.on('data', (chunk: Uint8Array) => found.push(chunk));
  const failed = new Promise<void>((resolve) => {
    unzipper.on('error', () => {
      isOver = true;
      resolve();
    });
  });
  try {
    for await (const chunk of packed) {
      for (let start = 0; start < chunk.length; start += salvageBytes) {
        const slice = chunk.subarray(start, start + salvageBytes);
        await Promise.race([failed, new Promise<void>((resolve) => unzipper.write(slice, () => resolve()))]);
        await new Promise((turn) => setImmediate(turn));
        yield* found.splice(0);
        if (isOver) return;
      }
    }
  } finally {
    unzipper.destroy();
  }
}
