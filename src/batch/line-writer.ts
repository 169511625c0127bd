/** More than comes while lines are gathered: 25,000 rows a second are not to wait for the writer. */
const pieceBytes = 512 * 1024;
/** A line waits at most so long for others to be written with it. */
const gatherMs = 20;
/** The most that UTF-8 takes for one unit of a text. */
const bytesOfUnitMax = 3;

/**
 * Writes lines in their order, many at once, because a write each would cost more than a row. They wait as bytes: texts
 * that are put together live long enough to be copied by each collection of garbage.
 */
export class LineWriter {
  readonly #sink: (lines: Uint8Array) => Promise<void>;
  readonly #sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly #closing = new AbortController();
  #pending = Buffer.allocUnsafe(pieceBytes / 8);
  #length = 0;
  /** The buffer that takes turns with the other. */
  #spare = Buffer.allocUnsafe(pieceBytes / 8);
  #writing: Promise<void> | undefined;
  #fault: { readonly reason: unknown } | undefined;

  /** The bytes belong to `sink` until its promise is settled. */
  constructor(
    sink: (lines: Uint8Array) => Promise<void>,
    { sleep }: { readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void> },
  ) {
    this.#sink = sink;
    this.#sleep = sleep;
  }

  /** Takes a line with its end. Where the reader is slower than the lines come, it is to be waited for. */
  write(line: string): Promise<void> | undefined {
    if (this.#pending.length - this.#length < line.length * bytesOfUnitMax) this.#needRoom(Buffer.byteLength(line));
    this.#length += this.#pending.write(line, this.#length);
    this.#writing ??= this.#drain();
    return this.#fault !== undefined || this.#length > pieceBytes ? this.#caughtUp() : undefined;
  }

  #needRoom(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#pending.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#pending.length * 2));
    this.#pending.copy(larger, 0, 0, this.#length);
    this.#pending = larger;
  }

  async #caughtUp(): Promise<void> {
    await this.#writing;
    if (this.#fault !== undefined) throw this.#fault.reason;
  }

  /** Resolves once all lines are handed over. */
  async finish(): Promise<void> {
    this.#closing.abort();
    await this.#caughtUp();
  }

  async #gather(): Promise<void> {
    const { signal } = this.#closing;
    if (signal.aborted || this.#length > pieceBytes) return;
    await this.#sleep(gatherMs, signal).catch(() => undefined);
  }

  async #drain(): Promise<void> {
    try {
      while (this.#length > 0) {
        await this.#gather();
        const full = this.#pending;
        const lines = full.subarray(0, this.#length);
        this.#pending = this.#spare;
        this.#length = 0;
        await this.#sink(lines);
        this.#spare = full;
      }
    } catch (reason) {
      this.#fault = { reason };
    } finally {
      this.#writing = undefined;
    }
  }
}
