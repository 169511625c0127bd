/** State of a row; only the last two are for good. */
const rowStates = ['unasked', 'failed', 'answered', 'blocked'] as const;
export type RowState = (typeof rowStates)[number];

const wordsOfKey = 3;
const firstCapacity = 1024;

/**
 * The keys of up to many million rows, and what is known of each, in typed arrays: a Set of strings would take five
 * times the memory. Rows are numbered in the order in which they were added.
 */
export class KeyTable {
  #count = 0;
  #keys = new Uint32Array(firstCapacity * wordsOfKey);
  /** Number of a row + 1, at the place its key hashes to or after it; 0 where nothing is. */
  #slots = new Int32Array(firstCapacity * 2);
  #states = new Uint8Array(firstCapacity);
  #starts = new Float64Array(firstCapacity);
  #lengths = new Uint32Array(firstCapacity);
  #extras = new Uint32Array(firstCapacity);
  /** Number of times that a row was found again, for the few that were; the rest is found at most once. */
  readonly #repeats = new Map<number, number>();
  #found = new Uint8Array(firstCapacity);

  get count(): number {
    return this.#count;
  }

  /** Forgets all rows. */
  clear(): void {
    this.#count = 0;
    for (const column of [this.#slots, this.#states, this.#lengths, this.#found]) column.fill(0);
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
    if (this.#count > this.#states.length) this.#grow();
    const at = row * wordsOfKey;
    this.#keys[at] = words[0];
    this.#keys[at + 1] = words[1];
    this.#keys[at + 2] = words[2];
    this.#slots[this.#slotOf(words)] = this.#count;
    return row;
  }

  stateOf(row: number): RowState {
    return rowStates[this.#states[row]!]!;
  }

  setState(row: number, state: RowState): void {
    this.#states[row] = rowStates.indexOf(state);
  }

  /** Place of a row's line in the file; a length of 0 where it has none. */
  lineOf(row: number): { readonly start: number; readonly length: number } {
    return { start: this.#starts[row]!, length: this.#lengths[row]! };
  }

  setLine(row: number, start: number, length: number): void {
    this.#starts[row] = start;
    this.#lengths[row] = length;
  }

  /** A checksum of the foreign fields in the line of a row. */
  extraOf(row: number): number {
    return this.#extras[row]!;
  }

  setExtra(row: number, checksum: number): void {
    this.#extras[row] = checksum;
  }

  /** Counts one more occurrence of a key's content in the input; returns how many there were before it. */
  countOccurrence(row: number): number {
    if (this.#found[row] === 0) {
      this.#found[row] = 1;
      return 0;
    }
    const before = (this.#repeats.get(row) ?? 0) + 1;
    this.#repeats.set(row, before);
    return before;
  }

  /** Begins to count occurrences anew, for another pass over the input. */
  forgetOccurrences(): void {
    this.#found.fill(0);
    this.#repeats.clear();
  }

  #slotOf(words: KeyWords): number {
    const mask = this.#slots.length - 1;
    for (let slot = words[0] & mask; ; slot = (slot + 1) & mask) {
      const row = this.#slots[slot]! - 1;
      if (row < 0 || this.#holds(row, words)) return slot;
    }
  }

  #holds(row: number, words: KeyWords): boolean {
    const at = row * wordsOfKey;
    return this.#keys[at] === words[0] && this.#keys[at + 1] === words[1] && this.#keys[at + 2] === words[2];
  }

  #grow(): void {
    const capacity = this.#states.length * 2;
    this.#keys = copied(this.#keys, new Uint32Array(capacity * wordsOfKey));
    this.#states = copied(this.#states, new Uint8Array(capacity));
    this.#starts = copied(this.#starts, new Float64Array(capacity));
    this.#lengths = copied(this.#lengths, new Uint32Array(capacity));
    this.#extras = copied(this.#extras, new Uint32Array(capacity));
    this.#found = copied(this.#found, new Uint8Array(capacity));
    this.#slots = new Int32Array(capacity * 2);
    const mask = this.#slots.length - 1;
    for (let row = 0; row < this.#count - 1; row++) {
      let slot = this.#keys[row * wordsOfKey]! & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = row + 1;
    }
  }
}

function copied<T extends Uint8Array | Uint32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
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
