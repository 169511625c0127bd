import type { ScratchFile } from '../../world/world.ts';
import type { ScratchSpace } from './scratch.ts';

const pageBits = 10;
const pageNumbers = 1 << pageBits;
const pageMask = pageNumbers - 1;
const pageBytes = pageNumbers * 4;

/**
 * Many numbers of 32 bits, all 0 at first. Only some pages of them are in memory, each in the one frame that its
 * number leads to; the rest are on disk, which is not touched before more are in use than there are frames.
 */
export class PagedNumbers {
  readonly #space: Pick<ScratchSpace, 'open'>;
  readonly #frameMask: number;
  readonly #numbers: Uint32Array<ArrayBuffer>;
  /** The page in each frame; -1 where there is none yet. */
  readonly #pages: Int32Array;
  readonly #isChanged: Uint8Array;
  #scratch: ScratchFile | undefined;

  /** `frames` is a power of two. */
  constructor(space: Pick<ScratchSpace, 'open'>, frames: number) {
    this.#space = space;
    this.#frameMask = frames - 1;
    this.#numbers = new Uint32Array(frames * pageNumbers);
    this.#pages = new Int32Array(frames).fill(-1);
    this.#isChanged = new Uint8Array(frames);
  }

  get(place: number): number {
    return this.#numbers[this.#find(place)]!;
  }

  set(place: number, value: number): void {
    const at = this.#find(place);
    this.#numbers[at] = value;
    this.#isChanged[at >>> pageBits] = 1;
  }

  /** Sets a record: the first of its numbers, and 0 for the others. A page holds a whole number of records. */
  fill(place: number, length: number, first: readonly number[]): void {
    const at = this.#find(place);
    for (let index = 0; index < length; index++) this.#numbers[at + index] = index < first.length ? first[index]! : 0;
    this.#isChanged[at >>> pageBits] = 1;
  }

  #find(place: number): number {
    const page = place >>> pageBits;
    const frame = page & this.#frameMask;
    if (this.#pages[frame] !== page) this.#load(page, frame);
    return (frame << pageBits) | (place & pageMask);
  }

  #load(page: number, frame: number): void {
    const before = this.#pages[frame]!;
    const bytes = new Uint8Array(this.#numbers.buffer, frame * pageBytes, pageBytes);
    if (this.#isChanged[frame] === 1) {
      this.#scratch ??= this.#space.open();
      this.#scratch.write(before * pageBytes, bytes);
      this.#isChanged[frame] = 0;
    }
    if (this.#scratch !== undefined) this.#scratch.read(page * pageBytes, bytes);
    else if (before !== -1) bytes.fill(0);
    this.#pages[frame] = page;
  }
}
