const pieceCharacters = 64 * 1024;

/**
 * Writes lines in their order, many at once: those that come while a write is under way wait for the next one. A slow
 * reader makes `write` wait.
 */
export class LineWriter {
  readonly #sink: (text: string) => Promise<void>;
  #pending = '';
  #writing: Promise<void> | undefined;
  #fault: { readonly reason: unknown } | undefined;

  constructor(sink: (text: string) => Promise<void>) {
    this.#sink = sink;
  }

  /** Takes a line with its end. */
  async write(line: string): Promise<void> {
    this.#pending += line;
    this.#writing ??= this.#drain();
    if (this.#pending.length > pieceCharacters) await this.#writing;
    if (this.#fault !== undefined) throw this.#fault.reason;
  }

  /** Resolves once all lines are handed over. */
  async finish(): Promise<void> {
    await this.#writing;
    if (this.#fault !== undefined) throw this.#fault.reason;
  }

  async #drain(): Promise<void> {
    try {
      while (this.#pending !== '') {
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
