import type { GrownFile } from '../../world/world.ts';

const newline = 0x0a;
const blockBytes = 1024 * 1024;
const windowBytesMin = 4096;
/** Lines found in one window from which on more is read at once. */
const hitsForMore = 4;

interface StoredLine {
  readonly text: string;
  readonly start: number;
  /** In bytes, without the newline. */
  readonly length: number;
}

/** The lines of a ledger's file, all in turn or one at a place. */
export class StoredLines {
  readonly #file: Pick<GrownFile, 'size' | 'read'>;
  #window = Buffer.alloc(0);
  #windowStart = 0;
  #windowLength = 0;
  #windowBytes = windowBytesMin;
  #hits = 0;

  constructor(file: Pick<GrownFile, 'size' | 'read'>) {
    this.#file = file;
  }

  /** Every whole line from the start; a last one without a newline is left out. One buffer serves them all. */
  *all(): Generator<StoredLine> {
    let buffer = Buffer.alloc(blockBytes);
    let held = 0;
    let start = 0;
    for (;;) {
      if (held === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2);
      const count = this.#file.read(start + held, buffer.subarray(held));
      if (count === 0) return;
      held += count;
      let from = 0;
      for (let end = endOfLine(buffer, from, held); end !== -1; end = endOfLine(buffer, from, held)) {
        yield { text: buffer.toString('utf8', from, end), start: start + from, length: end - from };
        from = end + 1;
      }
      buffer.copyWithin(0, from, held);
      held -= from;
      start += from;
    }
  }

  /** The text at a place. Lines that are asked for nearly in their order are read many at once. */
  at({ start, length }: { readonly start: number; readonly length: number }): string {
    if (start < this.#windowStart || start + length > this.#windowStart + this.#windowLength) this.#move(start, length);
    else this.#hits += 1;
    const from = start - this.#windowStart;
    return this.#window.toString('utf8', from, from + length);
  }

  /** A little before the line, for lines that were finished together stand in any order. */
  #move(start: number, length: number): void {
    this.#windowBytes = this.#hits >= hitsForMore ? Math.min(blockBytes, this.#windowBytes * 2) : windowBytesMin;
    this.#hits = 0;
    this.#windowStart = Math.max(0, start - Math.floor(this.#windowBytes / 8));
    const size = Math.max(this.#windowBytes, start + length - this.#windowStart);
    if (this.#window.length < size) this.#window = Buffer.alloc(size);
    this.#windowLength = this.#file.read(this.#windowStart, this.#window.subarray(0, size));
  }
}

/** The place of the next newline among the bytes that were read; -1 where there is none. */
function endOfLine(buffer: Buffer, from: number, held: number): number {
  const end = buffer.indexOf(newline, from);
  return end < held ? end : -1;
}
