/**
 * Collects chunks up to a cap. One growing buffer, not a list: a hostile server's millions of one-byte chunks would
 * cost a hundred bytes each if they were kept.
 */
export class CappedBytes {
  readonly #bytesMax: number;
  #buffer = Buffer.alloc(0);
  #length = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get length(): number {
    return this.#length;
  }

  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  /** False, with nothing added, if that would be more than the cap. */
  add(chunk: Buffer): boolean {
    const length = this.#length + chunk.length;
    if (length > this.#bytesMax) return false;
    if (length > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.min(Math.max(length, 2 * this.#buffer.length), this.#bytesMax));
      this.#buffer.copy(larger, 0, 0, this.#length);
      this.#buffer = larger;
    }
    chunk.copy(this.#buffer, this.#length);
    this.#length = length;
    return true;
  }
}
