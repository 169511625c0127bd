/**
 * Collects chunks up to a cap. One growing buffer, not a list: a hostile server's millions of one-byte chunks would
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

/**
 * A timer counts the time that this machine was awake, so the wall clock is asked again at least this often: a laptop
 * that slept past the moment finds out at once. It also keeps every single timer far below 2^31 ms, where Node's
 * overflow.
 */
const recheckMs = 1000;

/** Calls `ring` once, when the clock has reached `at`; returns how to call it off. */
export function setAlarm(at: number, clock: { now(): number }, ring: () => void): () => void {
  const leftMs = () => Math.min(Math.max(at - clock.now(), 0), recheckMs);
  const check = () => {
    if (clock.now() >= at) ring();
    else timer = setTimeout(check, leftMs());
  };
  let timer = setTimeout(check, leftMs());
  return () => clearTimeout(timer);
}
