import { MotifError } from '../../errors.ts';
import { PagedNumbers } from './paged-numbers.ts';
import { rowsWithoutDisk, type ScratchSpace } from './scratch.ts';
import { SortedEntries } from './sorted-entries.ts';

const rowStates = ['unasked', 'failed', 'answered', 'blocked'] as const;
export type RowState = (typeof rowStates)[number];

/** True where a row is finished: it is not asked again, whether it was answered or blocked. */
export function isFinal(state: RowState): boolean {
  return state === 'answered' || state === 'blocked';
}

/** The numbers of a row: three words of its key, its line, the checksum of its foreign fields, its state. */
const recordNumbers = 8;
const lineAt = 3;
const extraAt = 6;
/** Bits 0 and 1 are the state, 2 to 4 the pass in which the row was found last, the rest how often it was in that. */
const stateAt = 7;
const passShift = 2;
const passMask = 7;
const countShift = 5;
/** The last pass is the one that puts rows in order. */
const orderingPass = passMask;
/** As often as one row can be counted. */
const rowsMax = 2 ** (32 - countShift);
/** The part of a table that is in memory; both numbers are powers of two. */
interface TableSize {
  readonly recentRows: number;
  /** Pages of 4 KiB. */
  readonly recordFrames: number;
}

const usualSize: TableSize = { recentRows: rowsWithoutDisk, recordFrames: 1024 };

interface LinePlace {
  readonly start: number;
  readonly length: number;
}

interface StoredFacts extends LinePlace {
  readonly state: RowState;
  readonly extra: number;
}

/**
 * The keys of any number of rows, and what is known of each. Rows are numbered in the order in which they were added.
 * The last 64 Ki are found through a table in memory, the others in a sorted file on disk: memory stays the same from
 * there on. Rows that come again in the order of before are found without either.
 */
export class KeyTable {
  #count = 0;
  /** The rows before this one are in the sorted file. */
  #sortedCount = 0;
  /** The row that is expected to be looked for next. */
  #expected = 0;
  #pass = 0;
  readonly #records: PagedNumbers;
  readonly #sorted: SortedEntries;
  /** Of the rows that are not sorted yet: number among them + 1, at the place its key hashes to or after it. */
  readonly #slots: Int32Array;
  readonly #recentRows: number;

  constructor(space: Pick<ScratchSpace, 'open'>, { recentRows, recordFrames } = usualSize) {
    this.#recentRows = recentRows;
    this.#slots = new Int32Array(recentRows * 2);
    this.#records = new PagedNumbers(space, recordFrames);
    this.#sorted = new SortedEntries(space);
  }

  get count(): number {
    return this.#count;
  }

  /** Forgets all rows. */
  clear(): void {
    this.#count = 0;
    this.#sortedCount = 0;
    this.#expected = 0;
    this.#sorted.clear();
    this.#slots.fill(0);
  }

  /** The number of a key's row, which is added if it is new. */
  add(key: string): number {
    const words = wordsOf(key);
    const found = this.#find(words);
    if (found !== undefined) return found;
    const row = this.#append(words, this.#slotOf(words));
    this.#keepRecentSmall();
    return row;
  }

  /** The number of a key's row; undefined where there is none. */
  find(key: string): number | undefined {
    return this.#find(wordsOf(key));
  }

  #find(words: KeyWords): number | undefined {
    if (this.#expected < this.#count && this.#holds(this.#expected, words)) return this.#expected++;
    const found = this.#slotRow(this.#slotOf(words)) ?? this.#sorted.find(words[0], (row) => this.#holds(row, words));
    if (found !== undefined) this.#expected = found + 1;
    return found;
  }

  /**
   * Adds the key of a stored line. Of several with one key the last counts, unless only an earlier one is finished.
   * `endLoading` is to be called after them.
   */
  load(key: string, { start, length, extra, state }: StoredFacts): void {
    const words = wordsOf(key);
    const slot = this.#slotOf(words);
    const older = this.#slotRow(slot);
    const row = this.#append(words, slot);
    this.setLine(row, start, length);
    this.setExtra(row, extra);
    this.setState(row, state);
    if (older !== undefined) this.#slots[slot] = this.#chooseLine(older, row)! - this.#sortedCount + 1;
    this.#keepRecentSmall();
  }

  endLoading(): void {
    if (!this.#sorted.isEmpty) this.#sortRecent();
  }

  stateOf(row: number): RowState {
    return rowStates[this.#get(row, stateAt) & 3]!;
  }

  setState(row: number, state: RowState): void {
    this.#set(row, stateAt, (this.#get(row, stateAt) & ~3) | rowStates.indexOf(state));
  }

  /** Place of a row's line in the file; a length of 0 where it has none. */
  lineOf(row: number): LinePlace {
    const start = this.#get(row, lineAt) + this.#get(row, lineAt + 1) * 2 ** 32;
    return { start, length: this.#get(row, lineAt + 2) };
  }

  setLine(row: number, start: number, length: number): void {
    this.#set(row, lineAt, start % 2 ** 32);
    this.#set(row, lineAt + 1, Math.floor(start / 2 ** 32));
    this.#set(row, lineAt + 2, length);
  }

  /** A checksum of the foreign fields in the line of a row. */
  extraOf(row: number): number {
    return this.#get(row, extraAt);
  }

  setExtra(row: number, checksum: number): void {
    this.#set(row, extraAt, checksum);
  }

  /** Counts one more occurrence of a key's content in this pass over the input; returns how many were before it. */
  countOccurrence(row: number): number {
    const facts = this.#get(row, stateAt);
    const before = ((facts >>> passShift) & passMask) === this.#pass ? facts >>> countShift : 0;
    this.#setPass(row, this.#pass, before + 1);
    return before;
  }

  /** Begins to count occurrences anew, for another pass over the input, of which there are at most six. */
  beginPass(): void {
    this.#pass += 1;
    this.#expected = 0;
  }

  /** Marks a row as put in order; false where it was marked before. */
  placeInOrder(row: number): boolean {
    if (((this.#get(row, stateAt) >>> passShift) & passMask) === orderingPass) return false;
    this.#setPass(row, orderingPass, 0);
    return true;
  }

  #setPass(row: number, pass: number, count: number): void {
    this.#set(row, stateAt, (this.#get(row, stateAt) & 3) | (pass << passShift) | (count << countShift));
  }

  #get(row: number, which: number): number {
    return this.#records.get(row * recordNumbers + which);
  }

  #set(row: number, which: number, value: number): void {
    this.#records.set(row * recordNumbers + which, value);
  }

  /** Adds a row whose key belongs to a slot. */
  #append(words: KeyWords, slot: number): number {
    const row = this.#count;
    if (row === rowsMax)
      throw new MotifError('usage', `more than ${rowsMax} rows`, { hint: 'cut the input in two files' });
    this.#count += 1;
    this.#records.fill(row * recordNumbers, recordNumbers, words);
    this.#slots[slot] = row - this.#sortedCount + 1;
    return row;
  }

  #keepRecentSmall(): void {
    if (this.#count - this.#sortedCount === this.#recentRows) this.#sortRecent();
  }

  /** Moves the rows of the table in memory to the sorted file. */
  #sortRecent(): void {
    const hashes = new Float64Array(this.#count - this.#sortedCount);
    for (let at = 0; at < hashes.length; at++) hashes[at] = this.#get(this.#sortedCount + at, 0);
    this.#sorted.merge(this.#sortedCount, hashes, (older, newer) => this.#chooseLine(older, newer));
    this.#sortedCount = this.#count;
    this.#slots.fill(0);
  }

  /** The row that counts of two with one key; the other one loses its key and line. Undefined where the keys differ. */
  #chooseLine(older: number, newer: number): number | undefined {
    if (![0, 1, 2].every((at) => this.#get(older, at) === this.#get(newer, at))) return undefined;
    const isOlderBetter = isFinal(this.stateOf(older)) && !isFinal(this.stateOf(newer));
    const [stays, goes] = isOlderBetter ? [older, newer] : [newer, older];
    for (let at = 0; at < recordNumbers; at++) this.#set(goes, at, 0);
    return stays;
  }

  #slotOf(words: KeyWords): number {
    const mask = this.#slots.length - 1;
    for (let slot = words[0] & mask; ; slot = (slot + 1) & mask) {
      const row = this.#slotRow(slot);
      if (row === undefined || this.#holds(row, words)) return slot;
    }
  }

  #slotRow(slot: number): number | undefined {
    const found = this.#slots[slot]!;
    return found === 0 ? undefined : found - 1 + this.#sortedCount;
  }

  #holds(row: number, [first, second, third]: KeyWords): boolean {
    return this.#get(row, 0) === first && this.#get(row, 1) === second && this.#get(row, 2) === third;
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
