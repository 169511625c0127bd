import type { Gunzip } from 'node:zlib';
import { MotifError } from '../errors.ts';
import { checkPathHint } from '../text/defuse.ts';
import { FileFault, type Files, type Input } from '../world/world.ts';

/** An input that rows are read from, and the name it has in messages. */
export interface RowSource {
  readonly name: string;
  /** The bytes from the start, unpacked where they were gzip; a file can be read again, stdin only once. */
  chunks(): AsyncIterable<Uint8Array>;
}

/** The fault of gzip data that ends too early or is damaged; all that can be unpacked before it came before it. */
export class TornGzip extends MotifError {}

/** A file or pipe as a source of rows; one that cannot be read is a usage error, for the person named it. */
export function fileSource(files: Pick<Files, 'chunks'>, path: string, signal?: AbortSignal): RowSource {
  const read = (): AsyncIterable<Uint8Array> => namingFaults(path, files.chunks(path, signal));
  return { name: path, chunks: () => unpacked(path, read()) };
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
    throw new MotifError('usage', `${path}: ${error.message}`, { hint: checkPathHint(path, error.code), cause: error });
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

/** Gzip data that is unpacked at once; more makes nothing faster. */
const packedBytes = 16 * 1024;
/** Bytes that come of it at once: pieces of 16 kB, as Node makes them, cost half as much again. */
const unpackedBytes = 128 * 1024;

/**
 * The bytes that gzip data unpacks to, all those before a fault too. Node hands out nothing of a piece in which the
 * fault is, so a second unzipper goes one piece behind the first and unpacks that piece byte by byte.
 */
async function* gunzip(name: string, packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { createGunzip } = await import('node:zlib');
  const [first, second] = [0, 1].map(() => new Unzipper(createGunzip({ chunkSize: unpackedBytes }))) as [
    Unzipper,
    Unzipper,
  ];
  let piece: Uint8Array = new Uint8Array();
  try {
    for await (const next of piecesOf(packed)) {
      await second.add(piece);
      second.take();
      piece = next;
      await first.add(piece);
      yield* first.take();
    }
    piece = new Uint8Array();
    await first.end();
    yield* first.take();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (typeof code !== 'string' || !code.startsWith('Z_')) throw error;
    yield* first.take();
    yield* await restOf(second, piece, first.count);
    const message = code === 'Z_BUF_ERROR' ? 'its gzip data ends too early' : 'its gzip data is damaged';
    throw new TornGzip('usage', `${name}: ${message}`, { cause: error });
  } finally {
    first.close();
    second.close();
  }
}

async function* piecesOf(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of packed) {
    for (let start = 0; start < chunk.length; start += packedBytes) yield chunk.subarray(start, start + packedBytes);
  }
}

/** The bytes of a piece up to its fault, without those that were given already. */
async function restOf(unzipper: Unzipper, piece: Uint8Array, given: number): Promise<readonly Uint8Array[]> {
  const start = unzipper.count;
  try {
    for (let at = 0; at < piece.length; at++) await unzipper.add(piece.subarray(at, at + 1));
  } catch {
    // The fault that the other one found.
  }
  return [Buffer.concat(unzipper.take()).subarray(given - start)];
}

/** Unpacks bytes as they are added. */
class Unzipper {
  readonly #zip: Gunzip;
  #found: Uint8Array[] = [];
  #isOver = false;
  #failed: ((error: Error) => void) | undefined;
  #done: (() => void) | undefined;
  /** The number of bytes that have come of all so far. */
  count = 0;

  constructor(zip: Gunzip) {
    this.#zip = zip;
    const over = (): void => {
      this.#isOver = true;
      this.#done?.();
    };
    zip.on('data', (bytes: Uint8Array) => {
      this.#found.push(bytes);
      this.count += bytes.length;
    });
    zip.on('error', (error) => this.#failed?.(error)).on('end', over);
  }

  /** Resolves once all of the bytes are unpacked; what stands behind the end of the data is left out. */
  async add(bytes: Uint8Array): Promise<void> {
    if (!this.#isOver && bytes.length > 0) await this.#run((done) => this.#zip.write(bytes, done));
  }

  async end(): Promise<void> {
    if (!this.#isOver) await this.#run(() => this.#zip.end());
  }

  async #run(work: (done: () => void) => void): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      [this.#done, this.#failed] = [resolve, reject];
      work(resolve);
    });
  }

  /** Takes out what has come. */
  take(): readonly Uint8Array[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }

  close(): void {
    this.#zip.destroy();
  }
}
