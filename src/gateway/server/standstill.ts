/** A process that did nothing for so long was stopped, or did not get to read its files. */
const standstillMs = 1500;
const lookEveryMs = 500;

interface StandstillParts {
  readonly monotonic: () => number;
  /** Calls again and again until the result is called. */
  readonly every: (ms: number, call: () => void) => () => void;
  /** Reads what has changed meanwhile. */
  readonly wake: () => Promise<unknown>;
}

/**
 * Notices that this process stood still, as after SIGSTOP: whoever asks next waits until what has changed meanwhile is
 * read, for the token of a prompt may have been revoked.
 */
export class Standstill {
  readonly #parts: StandstillParts;
  #seenAt: number;
  #waking: Promise<unknown> | undefined;

  constructor(parts: StandstillParts) {
    this.#parts = parts;
    this.#seenAt = parts.monotonic();
  }

  /** Begins to look; returns what ends that. */
  watch(): () => void {
    this.#seenAt = this.#parts.monotonic();
    return this.#parts.every(lookEveryMs, () => void this.look());
  }

  /** Has whoever asks from now on wait until what has changed is read. */
  wake(): void {
    this.#waking ??= this.#wake();
  }

  /** Resolves once this process is up to date; undefined where it is. */
  look(): Promise<unknown> | undefined {
    const now = this.#parts.monotonic();
    // Timers and sockets are read in no order that is known, so that each of both looks.
    if (now - this.#seenAt > standstillMs) this.wake();
    this.#seenAt = now;
    return this.#waking;
  }

  async #wake(): Promise<void> {
    try {
      await this.#parts.wake();
    } finally {
      this.#waking = undefined;
    }
  }
}
