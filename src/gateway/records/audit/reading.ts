import { isAscii } from 'node:buffer';

/** A line of an audit file as an object; its members are untrusted until they are looked at. */
export type AuditRecord = Readonly<Record<string, unknown>>;

/** A line with what it is: torn lines are no JSON, foreign ones are JSON of somebody else. */
export interface AuditLine {
  readonly kind: 'prompt' | 'config' | 'seal' | 'torn' | 'foreign';
  /** From 1, in its file. */
  readonly number: number;
  readonly record: AuditRecord;
  /** The bytes with the newline; valid until the next lines are asked for. */
  readonly bytes: Uint8Array;
}

/** The most that one line may take; it holds places and, where they are kept, the texts of one prompt. */
const lineBytesMax = 64 * 1024 * 1024;
const newline = 0x0a;
const nothing: AuditRecord = {};

/**
 * The lines of an audit, many at once, so that what a line costs is the parsing of its JSON. Nothing in a file ends the
 * reading: a line that is torn, foreign or too long is handed on as what it is. Empty lines are left out.
 */
export async function* readAuditLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly AuditLine[]> {
  const splitter = new LineSplitter();
  for await (const chunk of chunks) yield splitter.take(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
  const last = splitter.finish();
  if (last !== undefined) yield [last];
}

class LineSplitter {
  #number = 0;
  #rest: Buffer[] = [];
  #restBytes = 0;
  /** The beginning of this line was let go, because it was too long. */
  #isTooLong = false;

  take(chunk: Buffer): readonly AuditLine[] {
    const lines: AuditLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      this.#add(lines, this.#whole(chunk.subarray(start, end + 1)));
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
    return lines;
  }

  /** The last line, where it lacks its end: whoever wrote it was stopped, or is still writing. */
  finish(): AuditLine | undefined {
    if (this.#restBytes === 0 && !this.#isTooLong) return undefined;
    const bytes = Buffer.concat(this.#rest);
    return { kind: 'torn', number: this.#number + 1, record: nothing, bytes };
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
    if (this.#rest.length === 0) return end;
    const whole = Buffer.concat([...this.#rest, end]);
    this.#rest = [];
    this.#restBytes = 0;
    return whole;
  }

  #add(lines: AuditLine[], bytes: Buffer): void {
    const number = (this.#number += 1);
    const isTooLong = this.#isTooLong;
    this.#isTooLong = false;
    if (isTooLong) return void lines.push({ kind: 'foreign', number, record: nothing, bytes });
    if (bytes.length <= 2 && bytes.toString('latin1').trim() === '') return;
    const record = parsed(bytes);
    lines.push({ kind: record === undefined ? 'torn' : kindOf(record), number, record: record ?? nothing, bytes });
  }
}

function parsed(bytes: Buffer): AuditRecord | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8'));
    return typeof value === 'object' && value !== null ? (value as AuditRecord) : nothing;
  } catch {
    return undefined;
  }
}

function kindOf({ event, prompt_id, decision, time }: AuditRecord): AuditLine['kind'] {
  if (event === undefined) {
    const isPrompt = typeof prompt_id === 'string' && typeof decision === 'string' && typeof time === 'string';
    return isPrompt ? 'prompt' : 'foreign';
  }
  return event === 'config' || event === 'seal' ? event : 'foreign';
}
