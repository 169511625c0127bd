import type { ScratchFile } from '../../world/world.ts';
import type { ScratchSpace } from './scratch.ts';

/** An item is a hash and its entry, both of 32 bits. */
const itemBytes = 8;
const blockItems = 8192;
const prefixBits = 16;
const prefixes = 1 << prefixBits;
/** The number that a hash is multiplied with beside the place of its entry in a batch. */
const batchMax = 1 << 16;

/** The entry that stays where two have the same key; undefined where their keys only share the hash. */
type ChooseEntry = (older: number, newer: number) => number | undefined;

/**
 * Entries of a table by the hash of their keys, in one sorted file on disk. Hashes are even, so that one small table
 * leads to the few items that can be meant, in one read. Each batch is merged into a new file: for 64 Ki entries that
 * costs less than a microsecond an entry up to some million, and no memory.
 */
export class SortedEntries {
  readonly #space: Pick<ScratchSpace, 'open'>;
  #file: ScratchFile | undefined;
  #spare: ScratchFile | undefined;
  #count = 0;
  /** The place of the first item whose hash begins with each prefix. */
  readonly #starts = new Float64Array(prefixes + 1);
  readonly #block = new Uint32Array(blockItems * 2);

  constructor(space: Pick<ScratchSpace, 'open'>) {
    this.#space = space;
  }

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  clear(): void {
    this.#count = 0;
    this.#starts.fill(0);
  }

  /** The entry of a hash that is the wanted one; undefined where there is none. */
  find(hash: number, isWanted: (entry: number) => boolean): number | undefined {
    const prefix = hash >>> (32 - prefixBits);
    const end = this.#starts[prefix + 1]!;
    for (let start = this.#starts[prefix]!; start < end; start += blockItems) {
      const count = Math.min(blockItems, end - start);
      const block = readItems(this.#file!, start, this.#block.subarray(0, count * 2));
      for (let at = 0; at < count * 2; at += 2) {
        if (block[at] === hash && isWanted(block[at + 1]!)) return block[at + 1];
      }
    }
    return undefined;
  }

  /** Takes in the entries from `first` on, of which `hashes` has the hash of each, at most `batchMax`. */
  merge(first: number, hashes: Float64Array, choose: ChooseEntry): void {
    for (let at = 0; at < hashes.length; at++) hashes[at] = hashes[at]! * batchMax + at;
    hashes.sort();
    const old = new ItemReader(this.#file, this.#count, this.#block);
    const merged = new ItemWriter((this.#spare ??= this.#space.open()), this.#starts, choose);
    for (let at = 0; at < hashes.length; at++) {
      const hash = Math.floor(hashes[at]! / batchMax);
      for (; old.hash <= hash; old.advance()) merged.add(old.hash, old.entry);
      merged.add(hash, first + (hashes[at]! % batchMax));
    }
    for (; old.hash < Infinity; old.advance()) merged.add(old.hash, old.entry);
    this.#count = merged.finish();
    [this.#file, this.#spare] = [this.#spare, this.#file];
  }
}

function readItems(file: ScratchFile, start: number, into: Uint32Array): Uint32Array {
  file.read(start * itemBytes, new Uint8Array(into.buffer, into.byteOffset, into.byteLength));
  return into;
}

/** The items of a file, one after the other. */
class ItemReader {
  /** Infinity at the end. */
  hash = Infinity;
  entry = 0;
  readonly #file: ScratchFile | undefined;
  readonly #count: number;
  readonly #block: Uint32Array;
  #next = 0;

  constructor(file: ScratchFile | undefined, count: number, block: Uint32Array) {
    this.#file = file;
    this.#count = count;
    this.#block = block;
    this.advance();
  }

  advance(): void {
    if (this.#file === undefined || this.#next >= this.#count) {
      this.hash = Infinity;
      return;
    }
    const at = (this.#next % blockItems) * 2;
    if (at === 0) {
      readItems(this.#file, this.#next, this.#block.subarray(0, Math.min(blockItems, this.#count - this.#next) * 2));
    }
    this.hash = this.#block[at]!;
    this.entry = this.#block[at + 1]!;
    this.#next += 1;
  }
}

/** Writes sorted items and where each prefix begins; of entries with one key only the chosen one. */
class ItemWriter {
  readonly #file: ScratchFile;
  readonly #starts: Float64Array;
  readonly #choose: ChooseEntry;
  readonly #block = new Uint32Array(blockItems * 2);
  /** Entries of the hash that was added last, which are not in the block yet. */
  #group: number[] = [];
  #hash = 0;
  #count = 0;
  #prefix = 0;

  constructor(file: ScratchFile, starts: Float64Array, choose: ChooseEntry) {
    this.#file = file;
    this.#starts = starts;
    this.#choose = choose;
  }

  add(hash: number, entry: number): void {
    if (hash !== this.#hash) this.#endGroup();
    this.#hash = hash;
    for (let at = 0; at < this.#group.length; at++) {
      const chosen = this.#choose(this.#group[at]!, entry);
      if (chosen === undefined) continue;
      this.#group[at] = chosen;
      return;
    }
    this.#group.push(entry);
  }

  /** Returns the number of items. */
  finish(): number {
    this.#endGroup();
    const left = (this.#count % blockItems) * 2;
    if (left > 0) this.#writeBlock(left);
    for (; this.#prefix <= prefixes; this.#prefix++) this.#starts[this.#prefix] = this.#count;
    return this.#count;
  }

  #endGroup(): void {
    const prefix = this.#hash >>> (32 - prefixBits);
    if (this.#group.length > 0) for (; this.#prefix <= prefix; this.#prefix++) this.#starts[this.#prefix] = this.#count;
    for (const entry of this.#group) {
      const at = (this.#count % blockItems) * 2;
      this.#block[at] = this.#hash;
      this.#block[at + 1] = entry;
      this.#count += 1;
      if (at + 2 === this.#block.length) this.#writeBlock(this.#block.length);
    }
    this.#group.length = 0;
  }

  #writeBlock(numbers: number): void {
    const start = Math.floor((this.#count - 1) / blockItems) * blockItems * itemBytes;
    this.#file.write(start, new Uint8Array(this.#block.buffer, 0, numbers * 4));
  }
}
