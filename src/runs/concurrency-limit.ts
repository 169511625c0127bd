/** Answers are called slow when they take this many times as long as they did at best, and this much longer. */
const slowFactor = 3;
const slowByMs = 1000;
/** Slow answers alone never take the limit below this share of its maximum: the service may be slow whoever asks. */
const slowFloor = 1 / 4;
/** The answers that are counted before the limit is judged. */
const windowMin = 16;

/** Limit of requests under way: halved after a refusal, lowered while answers are slow, raised step by step. */
export class ConcurrencyLimit {
  readonly max: number;
  #current: number;
  #cutAt = -Infinity;
  #sinceChange = 0;
  #latencies: number[] = [];
  #bestMs = Infinity;
  #isSlow = false;

  constructor(max: number) {
    this.max = max;
    this.#current = max;
  }

  get current(): number {
    return Math.floor(this.#current);
  }

  /** Requests that were under way at the last cut knew nothing of it, so their refusals are part of the same one. */
  refused(startedAt: number, now: number): void {
    if (startedAt <= this.#cutAt) return;
    this.#cutAt = now;
    this.#sinceChange = 0;
    this.#current = Math.max(1, Math.floor(this.#current / 2));
  }

  answered(latencyMs: number): void {
    this.#latencies.push(latencyMs);
    if (this.#latencies.length >= Math.max(windowMin, 2 * this.current)) this.#judgeLatency();
    this.#sinceChange += 1;
    if (this.#isSlow || this.#sinceChange < this.#current) return;
    this.#sinceChange = 0;
    this.#current = Math.min(this.max, this.#current + Math.max(1, this.#current / 8));
  }

  #judgeLatency(): void {
    const median = this.#latencies.sort((a, b) => a - b)[this.#latencies.length >> 1]!;
    this.#latencies = [];
    // The best of long ago may never come again.
    this.#bestMs = Math.min(median, this.#bestMs * 1.05);
    this.#isSlow = median > this.#bestMs * slowFactor && median > this.#bestMs + slowByMs;
    if (!this.#isSlow) return;
    this.#sinceChange = 0;
    this.#current = Math.min(this.#current, Math.max(1, this.max * slowFloor, this.#current * 0.75));
  }
}
