import { isAscii } from 'node:buffer';
import { MotifError } from '../errors.ts';
import { formatSize } from '../text/sizes.ts';
import { decodeUtf8, Utf8Fault } from '../text/utf8.ts';
import type { RowSource } from './source.ts';

/** The most one row may take: a prompt of the largest size, written with escapes, and its other fields. */
export const rowBytesMax = 64 * 1024 * 1024;

const newline = 0x0a;

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
export async function* readLines(
  source: RowSource,
  { bytesMax = rowBytesMax }: LineOptions = {},
): AsyncGenerator<TextLine> {
  let number = 0;
  let parts: Buffer[] = [];
  let length = 0;
  const add = (bytes: Buffer): void => {
    length += bytes.length;
    if (length > bytesMax) throw rowFault(source.name, number + 1, `is longer than ${formatSize(bytesMax)}`);
    parts.push(bytes);
  };
  const finish = (isEnded: boolean): TextLine => {
    const whole = parts.length === 1 ? parts[0]! : Buffer.concat(parts, length);
    parts = [];
    length = 0;
    number += 1;
    return { number, text: decodeLine(whole, source.name, number), isEnded };
  };
  for await (const chunk of source.chunks()) {
    const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    let start = 0;
    for (let end = buffer.indexOf(newline); end !== -1; end = buffer.indexOf(newline, start)) {
      add(buffer.subarray(start, end));
      yield finish(true);
      start = end + 1;
    }
    if (start < buffer.length) add(buffer.subarray(start));
  }
  if (length > 0) yield finish(false);
}

/** A usage error that names the file and the line: `tickets.jsonl:41: ...`. */
export function rowFault(name: string, line: number, message: string, hint?: string): MotifError {
  return new MotifError('usage', `${name}:${line}: ${message}`, hint === undefined ? {} : { hint });
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
