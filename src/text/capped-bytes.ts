/**
 * Collects chunks up to a cap. One growing buffer, not a list: millions of one-byte chunks of a hostile peer would
 * cost a hundred bytes each if they were kept. The first chunk is taken as it is, because it is often the only one.
 */
export class CappedBytes {
  readonly #bytesMax: number;
  #buffer: Buffer | undefined;
  #length = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get length(): number {
    return this.#length;
  }

  get bytes(): Uint8Array {
    return this.#buffer?.subarray(0, this.#length) ?? new Uint8Array();
  }

  /** All bytes, which are held here no longer: what collected them may live as long as its connection. */
  take(): Uint8Array {
    const { bytes } = this;
    this.#buffer = undefined;
    this.#length = 0;
    return bytes;
  }

  /** False, with nothing added, if that would be more than the cap. The chunk must stay as it is from now on. */
  add(chunk: Buffer): boolean {
    const length = this.#length + chunk.length;
    if (length > this.#bytesMax) return false;
    if (this.#buffer === undefined) this.#buffer = chunk;
    else this.#append(this.#buffer, chunk, length);
    this.#length = length;
    return true;
  }

  /** A buffer with room to spare is always one of ours. */
  #append(buffer: Buffer, chunk: Buffer, length: number): void {
    if (length > buffer.length) {
      this.#buffer = Buffer.allocUnsafe(Math.min(Math.max(length, 2 * buffer.length), this.#bytesMax));
      buffer.copy(this.#buffer, 0, 0, this.#length);
    }
    chunk.copy(this.#buffer!, this.#length);
  }
}
