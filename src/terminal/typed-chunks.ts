import { MotifError } from '../errors.ts';
import type { Input } from '../world/world.ts';

/** One stay of ours at the terminal, between two of somebody else's: what is typed, as each read brings it. */
export class TypedChunks {
  readonly #leaving = new AbortController();
  readonly #chunks: AsyncIterator<Uint8Array>;
  #reading: Promise<void> | undefined;
  #chunk: Uint8Array | undefined;
  #isOver = false;

  constructor(stdin: Pick<Input, 'chunks'>) {
    this.#chunks = stdin.chunks(this.#leaving.signal)[Symbol.asyncIterator]();
  }

  /** The terminal has gone, or we left it. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /**
   * Resolves when there is something to take, or it is over. A read goes on whoever waits for it, and whoever waits
   * next takes it over, so that nothing is lost between two waits.
   */
  async arrival(): Promise<void> {
    if (this.#chunk !== undefined || this.#isOver) return;
    this.#reading ??= this.#readOnce().finally(() => (this.#reading = undefined));
    await this.#reading;
  }

  take(): Uint8Array | undefined {
    const chunk = this.#chunk;
    this.#chunk = undefined;
    return chunk;
  }

  /** From here on the system keeps what is typed. */
  async leave(): Promise<void> {
    this.#isOver = true;
    this.#leaving.abort();
    await this.#reading?.catch(() => undefined);
  }

  async #readOnce(): Promise<void> {
    try {
      const { done, value } = await this.#chunks.next();
      if (done === true) this.#isOver = true;
      else this.#chunk = value;
    } catch (error) {
      const isGone = error instanceof MotifError && error.kind === 'io';
      if (!isGone && !this.#leaving.signal.aborted) throw error;
      this.#isOver = true;
    }
  }
}
