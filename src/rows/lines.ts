import { isAscii, isUtf8 } from 'node:buffer';
import { MotifError } from '../errors.ts';
import { formatSize } from '../text/sizes.ts';
import { asBuffer, decodeUtf8, Utf8Fault } from '../text/utf8.ts';
import type { RowSource } from './source.ts';

/** The most one row may take: a prompt of the largest size, written with escapes, and its other fields. */
export const rowBytesMax = 64 * 1024 * 1024;

const newline = 0x0a;
const carriageReturn = 0x0d;

/** One line of a text, without its line end. */
export interface TextLine {
  /** From 1. */
  readonly number: number;
  /** Exactly as it stands, but for a byte order mark at the start of the text. */
  readonly text: string;
  /** False only for a last line without a newline, which may be torn. */
  readonly isEnded: boolean;
}

export interface LineOptions {
  /** Absent: `rowBytesMax`. */
  readonly bytesMax?: number;
}

/**
 * The lines of a source, streaming; blank lines too. `\n` and `\r\n` end a line. What is no UTF-8, holds a NUL byte or
 * is longer than the limit is a usage error with file and line.
 *
 *     for await (const { number, text } of readLines(fileSource(world.files, 'audit.jsonl.gz'))) ...
 */
export async function* readLines(source: RowSource, options: LineOptions = {}): AsyncGenerator<TextLine> {
  for await (const group of readLineGroups(source, options)) yield* group;
}

/** The same lines, those of a chunk at once: each group is to be read to its end before the next is asked for. */
export async function* readLineGroups(
  source: RowSource,
  { bytesMax = rowBytesMax }: LineOptions = {},
): AsyncGenerator<Iterable<TextLine>> {
  const splitter = new LineSplitter(source.name, bytesMax);
  for await (const chunk of source.chunks()) yield splitter.linesOf(chunk);
  yield splitter.lastLine();
}

class LineSplitter {
  readonly #name: string;
  readonly #bytesMax: number;
  #number = 0;
  #parts: Buffer[] = [];
  #length = 0;

  constructor(name: string, bytesMax: number) {
    this.#name = name;
    this.#bytesMax = bytesMax;
  }

  /** The lines that end in a chunk; the rest of it is kept. */
  *linesOf(chunk: Uint8Array): Generator<TextLine> {
    const buffer = asBuffer(chunk);
    const firstEnd = buffer.indexOf(newline);
    if (firstEnd === -1) return this.#add(buffer);
    this.#add(buffer.subarray(0, firstEnd));
    yield this.#finish(true);
    const end = buffer.lastIndexOf(newline) + 1;
    const whole = buffer.subarray(firstEnd + 1, end);
    const text = whole.length <= this.#bytesMax ? plainText(whole) : undefined;
    if (text === undefined) yield* this.#oneByOne(whole);
    else {
      // To decode many lines at once takes half of the time.
      let start = 0;
      for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', start)) {
        const isTwo = at > start && text.charCodeAt(at - 1) === carriageReturn;
        this.#number += 1;
        yield { number: this.#number, text: text.slice(start, isTwo ? at - 1 : at), isEnded: true };
        start = at + 1;
      }
    }
    if (end < buffer.length) this.#add(buffer.subarray(end));
  }

  *lastLine(): Generator<TextLine> {
    if (this.#length > 0) yield this.#finish(false);
  }

  *#oneByOne(bytes: Buffer): Generator<TextLine> {
    let start = 0;
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      this.#add(bytes.subarray(start, end));
      yield this.#finish(true);
      start = end + 1;
    }
  }

  #add(bytes: Buffer): void {
    this.#length += bytes.length;
    if (this.#length > this.#bytesMax) {
      throw rowFault(this.#name, this.#number + 1, `is longer than ${formatSize(this.#bytesMax)}`);
    }
    this.#parts.push(bytes);
  }

  #finish(isEnded: boolean): TextLine {
    const whole = this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts, this.#length);
    this.#parts = [];
    this.#length = 0;
    this.#number += 1;
    return { number: this.#number, text: decodeLine(whole, this.#name, this.#number), isEnded };
  }
}

/** The text of bytes that are UTF-8 without a NUL; undefined where a line of them has a fault. */
function plainText(bytes: Buffer): string | undefined {
  if (bytes.includes(0)) return undefined;
  if (isAscii(bytes)) return bytes.toString('latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}

/** A usage error that names the file and the line: `tickets.jsonl:41: ...`. */
export function rowFault(name: string, line: number, message: string, hint?: string): MotifError {
  const error = new MotifError('usage', `${name}:${line}: ${message}`, hint === undefined ? {} : { hint });
  return error.withPlaces([{ file: name, line, title: '', message }]);
}

const markBytes = [0xef, 0xbb, 0xbf];

function decodeLine(bytes: Buffer, name: string, number: number): string {
  const text = decode(withoutMark(bytes, number), name, number);
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}

/** Only the mark at the start of the whole text is no part of it. */
function withoutMark(bytes: Buffer, number: number): Buffer {
  return number === 1 && markBytes.every((byte, index) => bytes[index] === byte) ? bytes.subarray(3) : bytes;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(bytes: Buffer, name: string, number: number): string {
  if (!bytes.includes(0)) {
    if (isAscii(bytes)) return bytes.toString('latin1');
    try {
      return decoder.decode(bytes);
    } catch {
      // The strict reader below has the words for it.
    }
  }
  try {
    return decodeUtf8(bytes);
  } catch (error) {
    if (!(error instanceof Utf8Fault)) throw error;
    throw rowFault(name, number, error.message);
  }
}
