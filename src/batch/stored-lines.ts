import type { GrowingFile } from '../world/world.ts';

const newline = 0x0a;
const blockBytes = 1024 * 1024;
const windowBytesMin = 4096;
/** So many lines found in a window speak for reading more at once. */
const hitsForMore = 4;

export interface StoredLine {
  readonly text: string;
  readonly start: number;
  /** In bytes, without the newline. */
  readonly length: number;
}

/** The lines of a ledger's file, all in turn or one at a place. */
export class StoredLines {
  readonly #file: Pick<GrowingFile, 'size' | 'read'>;
  #window: Uint8Array = new Uint8Array();
  #windowStart = 0;
  #windowBytes = windowBytesMin;
  #hits = 0;

  constructor(file: Pick<GrowingFile, 'size' | 'read'>) {
    this.#file = file;
  }

  /** Every whole line from the start; a last one without a newline is left out. */
  *all(): Generator<StoredLine> {
    let rest = Buffer.alloc(0);
    let start = 0;
    for (let at = 0; at < this.#file.size;) {
      const block = this.#file.read(at, blockBytes);
      if (block.length === 0) return;
      at += block.length;
      rest = rest.length === 0 ? Buffer.from(block) : Buffer.concat([rest, block]);
      let from = 0;
      for (let end = rest.indexOf(newline); end !== -1; end = rest.indexOf(newline, from)) {
        yield { text: rest.toString('utf8', from, end), start: start + from, length: end - from };
        from = end + 1;
      }
      start += from;
      rest = rest.subarray(from);
    }
  }

  /** The text at a place. Lines that are asked for nearly in their order are read many at once. */
  at({ start, length }: { readonly start: number; readonly length: number }): string {
    if (start < this.#windowStart || start + length > this.#windowStart + this.#window.length)
      this.#move(start, length);
    else this.#hits += 1;
    const from = start - this.#windowStart;
    return Buffer.from(this.#window.buffer, this.#window.byteOffset + from, length).toString('utf8');
  }

  /** A little before the line, for lines that were finished together stand in any order. */
  #move(start: number, length: number): void {
    this.#windowBytes = this.#hits >= hitsForMore ? Math.min(blockBytes, this.#windowBytes * 2) : windowBytesMin;
    this.#hits = 0;
    this.#windowStart = Math.max(0, start - Math.floor(this.#windowBytes / 8));
    this.#window = this.#file.read(this.#windowStart, Math.max(this.#windowBytes, start + length - this.#windowStart));
  }
}
