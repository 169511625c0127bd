/** More than comes while lines are gathered: 25,000 rows a second are not to wait for the writer. */
const pieceCharacters = 512 * 1024;
/** A line waits at most so long for others to be written with it. */
const gatherMs = 20;

/** Writes lines in their order, many at once, because a write each would cost more than a row. */
export class LineWriter {
  readonly #sink: (text: string) => Promise<void>;
  readonly #sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly #closing = new AbortController();
  #pending = '';
  #writing: Promise<void> | undefined;
  #fault: { readonly reason: unknown } | undefined;

  constructor(
    sink: (text: string) => Promise<void>,
    { sleep }: { readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void> },
  ) {
    this.#sink = sink;
    this.#sleep = sleep;
  }

  /** Takes a line with its end. Where the reader is slower than the lines come, it is to be waited for. */
  write(line: string): Promise<void> | undefined {
    this.#pending += line;
    this.#writing ??= this.#drain();
    return this.#fault !== undefined || this.#pending.length > pieceCharacters ? this.#caughtUp() : undefined;
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
    if (signal.aborted || this.#pending.length > pieceCharacters) return;
    await this.#sleep(gatherMs, signal).catch(() => undefined);
  }

  async #drain(): Promise<void> {
    try {
      while (this.#pending !== '') {
        await this.#gather();
        const text = this.#pending;
        this.#pending = '';
        await this.#sink(text);
      }
    } catch (reason) {
      this.#fault = { reason };
    } finally {
      this.#writing = undefined;
    }
  }
}
