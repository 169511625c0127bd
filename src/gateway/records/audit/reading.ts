import { isAscii } from 'node:buffer';
import { shapeOfJson } from '../../../text/json/shape.ts';
import { nestingMax } from '../../../text/limits.ts';

/** A line of an audit file as an object; its members are untrusted until they are looked at. */
export type AuditRecord = Readonly<Record<string, unknown>>;

/** A line with its kind: torn lines are no JSON, foreign ones are JSON that is no line of an audit. */
export interface AuditLine {
  readonly kind: 'prompt' | 'config' | 'seal' | 'torn' | 'foreign';
  /** From 1, in its file. */
  readonly number: number;
  readonly record: AuditRecord;
  /** The bytes with the newline, which stay as they are for as long as somebody has them. */
  readonly bytes: Uint8Array;
}

/** The most that one line may take; it holds places and, where they are kept, the texts of one prompt. */
const lineBytesMax = 64 * 1024 * 1024;
/** Less is never nested so deeply that it could not be written as JSON again. */
const deepCharactersMin = 4096;
const newline = 0x0a;
const nothing: AuditRecord = {};
/** ISO, in UTC: the order of such texts is that of time. */
export const isoTime = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The bytes of a line with its newline, before anybody looked into them. */
export interface RawLine {
  /** From 1, in its file. */
  readonly number: number;
  readonly bytes: Buffer;
  /** True for one that is too long, whose bytes are not kept. */
  readonly isTooLong: boolean;
  /** The text of the chunk in which all of it stood; undefined where it came in several. */
  readonly chunk: ChunkText | undefined;
  /** Its place in that chunk. */
  readonly start: number;
}

/** The text of a chunk, decoded at once when its first line is looked into, because a call for each line costs more. */
class ChunkText {
  readonly #bytes: Buffer;
  #text: string | undefined;
  #isPlain: boolean | undefined;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Undefined where the chunk is not all ASCII, so that its places are not those of its bytes. */
  slice(start: number, end: number): string | undefined {
    this.#isPlain ??= isAscii(this.#bytes);
    if (!this.#isPlain) return undefined;
    this.#text ??= this.#bytes.toString('latin1');
    return this.#text.slice(start, end);
  }
}

/**
 * The lines of a file, as many at once as came together, so that what a line costs is the work on it. Nothing in a file
 * ends the reading. Empty lines are left out.
 */
export async function* readRawLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly RawLine[]> {
  const splitter = new AuditLineSplitter();
  for await (const chunk of chunks) yield splitter.take(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
  yield splitter.finish();
}

/** The lines of an audit: torn, foreign and overlong ones are handed on as what they are. */
export async function* readAuditLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly AuditLine[]> {
  for await (const lines of readRawLines(chunks)) yield toAuditLines(lines);
}

export function toAuditLines(lines: readonly RawLine[]): readonly AuditLine[] {
  const found: AuditLine[] = [];
  for (const line of lines) {
    const { number, bytes, isTooLong } = line;
    const record = isTooLong ? undefined : parsed(textOf(line));
    if (record !== undefined) found.push({ kind: kindOf(record), number, record, bytes });
    else if (isTooLong) found.push({ kind: 'torn', number, record: nothing, bytes });
    else addPieces(line, found);
  }
  return found;
}

/** The beginning or the end of a line; neither can stand within one, because a quote in a text is escaped. */
const border = /(?=\{"(?:time|event)":")|,"line":\d+\}|"sha256":"[0-9a-f]{64}"\}/g;
/** The most pieces that one torn line is taken apart into. */
const piecesMax = 1000;

/** Adds the pieces of a torn line: behind the part that a full disk took, a line of another process may stand. */
function addPieces({ number, bytes }: RawLine, found: AuditLine[]): void {
  let start = 0;
  for (const end of [...bordersIn(bytes), bytes.length]) {
    const piece = bytes.subarray(start, end);
    const record = parsed(piece.toString());
    // Its writer hashed the newline too, whether or not there was room for that.
    const line = end === bytes.length ? piece : Buffer.concat([piece, Buffer.of(newline)]);
    found.push({
      kind: record === undefined ? 'torn' : kindOf(record),
      number,
      record: record ?? nothing,
      bytes: line,
    });
    start = end;
  }
}

/** Places between lines within a torn one. */
function bordersIn(bytes: Buffer): readonly number[] {
  const places: number[] = [];
  for (const match of bytes.toString('latin1').matchAll(border)) {
    const at = match.index + match[0].length;
    if (at > (places.at(-1) ?? 0) && bytes[at] !== newline) places.push(at);
    if (places.length === piecesMax) break;
  }
  return places;
}

class AuditLineSplitter {
  #number = 0;
  #rest: Buffer[] = [];
  #restBytes = 0;
  /** The beginning of this line was let go, because it was too long. */
  #isTooLong = false;

  take(chunk: Buffer): readonly RawLine[] {
    const lines: RawLine[] = [];
    const text = new ChunkText(chunk);
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      const bytes = chunk.subarray(start, end + 1);
      if (this.#rest.length === 0) this.#add(lines, bytes, text, start);
      else this.#add(lines, this.#whole(bytes), undefined, 0);
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
    return lines;
  }

  /** The last line, where it lacks its end: it may be whole all the same, which its JSON shows. */
  finish(): readonly RawLine[] {
    return this.#restBytes === 0 && !this.#isTooLong ? [] : this.take(Buffer.from([newline]));
  }

  #keep(piece: Buffer): void {
    this.#restBytes += piece.length;
    if (this.#restBytes > lineBytesMax) {
      this.#isTooLong = true;
      this.#rest = [];
      this.#restBytes = 0;
    } else this.#rest.push(Buffer.from(piece));
  }

  #whole(end: Buffer): Buffer {
    const whole = Buffer.concat([...this.#rest, end]);
    this.#rest = [];
    this.#restBytes = 0;
    return whole;
  }

  #add(lines: RawLine[], bytes: Buffer, chunk: ChunkText | undefined, start: number): void {
    const number = (this.#number += 1);
    const isTooLong = this.#isTooLong;
    this.#isTooLong = false;
    if (bytes.length <= 2 && bytes.toString('latin1').trim() === '') return;
    lines.push({ number, bytes, isTooLong, chunk, start });
  }
}

function textOf({ bytes, chunk, start }: RawLine): string {
  return chunk?.slice(start, start + bytes.length) ?? bytes.toString();
}

function parsed(text: string): AuditRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !isDeep(text) ? (value as AuditRecord) : nothing;
  } catch {
    return undefined;
  }
}

/** True of lists and objects that no line of an audit holds inside each other. */
function isDeep(text: string): boolean {
  return text.length >= deepCharactersMin && shapeOfJson(text).depth > nestingMax;
}

function kindOf({ event, prompt_id, decision, time }: AuditRecord): AuditLine['kind'] {
  if (event === undefined) {
    const isTimed = typeof time === 'string' && isoTime.test(time);
    return isTimed && typeof prompt_id === 'string' && typeof decision === 'string' ? 'prompt' : 'foreign';
  }
  return event === 'config' || event === 'seal' ? event : 'foreign';
}
