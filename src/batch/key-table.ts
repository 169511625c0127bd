const rowStates = ['unasked', 'failed', 'answered', 'blocked'] as const;
export type RowState = (typeof rowStates)[number];

/** True where a row is finished: it is not asked again, whether it was answered or blocked. */
export function isFinal(state: RowState): boolean {
  return state === 'answered' || state === 'blocked';
}

const wordsOfKey = 3;
const segmentBits = 16;
const segmentRows = 1 << segmentBits;
const rowMask = segmentRows - 1;
const firstSlots = 2048;

/** The rows of one part of the table: it grows by parts, so that nothing is copied. */
class Segment {
  readonly keys = new Uint32Array(segmentRows * wordsOfKey);
  readonly states = new Uint8Array(segmentRows);
  readonly found = new Uint8Array(segmentRows);
  /** Absent while none of its rows has a line. */
  lines: { readonly starts: Float64Array; readonly lengths: Uint32Array; readonly extras: Uint32Array } | undefined;
}

/**
 * The keys of up to many million rows, and what is known of each, in typed arrays: a Set of strings would take five
 * times the memory. Rows are numbered in the order in which they were added.
 */
export class KeyTable {
  #count = 0;
  #segments: Segment[] = [];
  /** Number of a row + 1, at the place its key hashes to or after it; 0 where nothing is. */
  #slots = new Int32Array(firstSlots);
  /** Number of times that a row was found again, for the few that were; the rest is found at most once. */
  readonly #repeats = new Map<number, number>();

  get count(): number {
    return this.#count;
  }

  /** Forgets all rows. */
  clear(): void {
    this.#count = 0;
    this.#segments = [];
    this.#slots = new Int32Array(firstSlots);
    this.#repeats.clear();
  }

  /** The number of a key's row, which is added if it is new. */
  add(key: string): number {
    const words = wordsOf(key);
    const slot = this.#slotOf(words);
    const found = this.#slots[slot]!;
    if (found !== 0) return found - 1;
    const row = this.#count;
    this.#count += 1;
    this.#slots[slot] = this.#count;
    if (row >>> segmentBits === this.#segments.length) this.#segments.push(new Segment());
    const { keys } = this.#segmentOf(row);
    keys.set(words, (row & rowMask) * wordsOfKey);
    if (this.#count * 2 > this.#slots.length) this.#growSlots();
    return row;
  }

  stateOf(row: number): RowState {
    return rowStates[this.#segmentOf(row).states[row & rowMask]!]!;
  }

  setState(row: number, state: RowState): void {
    this.#segmentOf(row).states[row & rowMask] = rowStates.indexOf(state);
  }

  /** Place of a row's line in the file; a length of 0 where it has none. */
  lineOf(row: number): { readonly start: number; readonly length: number } {
    const { lines } = this.#segmentOf(row);
    return { start: lines?.starts[row & rowMask] ?? 0, length: lines?.lengths[row & rowMask] ?? 0 };
  }

  setLine(row: number, start: number, length: number): void {
    const lines = this.#linesOf(row);
    lines.starts[row & rowMask] = start;
    lines.lengths[row & rowMask] = length;
  }

  /** A checksum of the foreign fields in the line of a row. */
  extraOf(row: number): number {
    return this.#segmentOf(row).lines?.extras[row & rowMask] ?? 0;
  }

  setExtra(row: number, checksum: number): void {
    this.#linesOf(row).extras[row & rowMask] = checksum;
  }

  /** Counts one more occurrence of a key's content in the input; returns how many there were before it. */
  countOccurrence(row: number): number {
    const { found } = this.#segmentOf(row);
    if (found[row & rowMask] === 0) {
      found[row & rowMask] = 1;
      return 0;
    }
    const before = (this.#repeats.get(row) ?? 0) + 1;
    this.#repeats.set(row, before);
    return before;
  }

  /** Begins to count occurrences anew, for another pass over the input. */
  forgetOccurrences(): void {
    for (const { found } of this.#segments) found.fill(0);
    this.#repeats.clear();
  }

  #segmentOf(row: number): Segment {
    return this.#segments[row >>> segmentBits]!;
  }

  #linesOf(row: number): NonNullable<Segment['lines']> {
    return (this.#segmentOf(row).lines ??= {
      starts: new Float64Array(segmentRows),
      lengths: new Uint32Array(segmentRows),
      extras: new Uint32Array(segmentRows),
    });
  }

  #slotOf(words: KeyWords): number {
    const mask = this.#slots.length - 1;
    for (let slot = words[0] & mask; ; slot = (slot + 1) & mask) {
      const row = this.#slots[slot]! - 1;
      if (row < 0 || this.#holds(row, words)) return slot;
    }
  }

  #holds(row: number, words: KeyWords): boolean {
    const { keys } = this.#segmentOf(row);
    const at = (row & rowMask) * wordsOfKey;
    return keys[at] === words[0] && keys[at + 1] === words[1] && keys[at + 2] === words[2];
  }

  #growSlots(): void {
    this.#slots = new Int32Array(this.#slots.length * 2);
    const mask = this.#slots.length - 1;
    for (let row = 0; row < this.#count; row++) {
      let slot = this.#segmentOf(row).keys[(row & rowMask) * wordsOfKey]! & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = row + 1;
    }
  }
}

type KeyWords = readonly [number, number, number];

function wordsOf(key: string): KeyWords {
  return [hexWord(key, 0), hexWord(key, 8), hexWord(key, 16)];
}

/** The number that eight hexadecimal digits, in small letters, stand for. */
function hexWord(text: string, start: number): number {
  let word = 0;
  for (let at = start; at < start + 8; at++) {
    const unit = text.charCodeAt(at);
    word = (word << 4) | (unit < 0x3a ? unit - 0x30 : unit - 0x57);
  }
  return word >>> 0;
}
