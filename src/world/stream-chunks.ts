/**
 * A Node stream as an iterator that can be left at any moment, even while it waits, which a generator cannot. Leaving
 * pauses the stream, hands back what was not taken, and lets the process end.
 */
export class StreamChunks implements AsyncIterator<Uint8Array, undefined> {
  readonly #stream: NodeJS.ReadStream;
  readonly #signal: AbortSignal;
  readonly #queue: Uint8Array[] = [];
  #isOver: boolean;
  #fault: Error | undefined;
  #wake: () => void = () => {};

  constructor(stream: NodeJS.ReadStream, signal: AbortSignal) {
    this.#stream = stream;
    this.#signal = signal;
    this.#isOver = stream.readableEnded || stream.destroyed;
    this.#fault = stream.errored ?? undefined;
    stream.ref();
    if (stream.listenerCount('error', ignore) === 0) stream.on('error', ignore);
    stream.on('data', this.#onData).on('end', this.#onEnd).on('close', this.#onEnd).on('error', this.#onError);
    signal.addEventListener('abort', this.#onAbort);
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    while (this.#queue.length === 0 && !this.#isOver && !this.#signal.aborted) {
      this.#stream.resume();
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    const chunk = this.#signal.aborted ? undefined : this.#queue.shift();
    if (chunk !== undefined) return { done: false, value: chunk };
    this.#leave();
    this.#signal.throwIfAborted();
    if (this.#fault) throw this.#fault;
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#leave();
    return { done: true, value: undefined };
  }

  #leave(): void {
    const stream = this.#stream;
    this.#signal.removeEventListener('abort', this.#onAbort);
    stream.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onEnd).off('error', this.#onError);
    stream.pause();
    stream.unref();
    const rest = this.#queue.splice(0).reverse();
    if (!stream.readableEnded) for (const chunk of rest) stream.unshift(chunk);
    this.#isOver = true;
    this.#wake();
  }

  // One chunk at a time: what is not asked for stays with the system.
  readonly #onData = (chunk: Uint8Array): void => {
    this.#queue.push(chunk);
    this.#stream.pause();
    this.#wake();
  };

  readonly #onEnd = (): void => {
    this.#isOver = true;
    this.#wake();
  };

  readonly #onError = (error: Error): void => {
    this.#fault = error;
    this.#onEnd();
  };

  readonly #onAbort = (): void => this.#wake();
}

/**
 * A terminal that goes away fails a read that was under way, also after its iterator was left; without a listener Node
 * would end the program for it. The next iterator finds the fault at the stream.
 */
function ignore(): void {}
