import { LatencyLimit, type Window } from './latency-limit.ts';

/** Limit of requests under way: halved after a refusal, raised step by step, lower where more make answers slower. */
export class ConcurrencyLimit {
  readonly max: number;
  readonly #latency: LatencyLimit;
  #current: number;
  #cutAt = -Infinity;
  #sinceChange = 0;

  constructor(max: number) {
    this.max = max;
    this.#latency = new LatencyLimit(max);
    this.#current = max;
  }

  get current(): number {
    return Math.min(Math.floor(this.#current), this.#latency.current);
  }

  /** Requests that were under way at the last cut knew nothing of it, so their refusals are part of the same one. */
  refused(startedAt: number, now: number): void {
    if (startedAt <= this.#cutAt) return;
    this.#cutAt = now;
    this.#sinceChange = 0;
    this.#current = Math.max(1, Math.floor(this.#current / 2));
  }

  /** The window of latencies to which a request belongs that begins now; to be given back at its end. */
  started(): Window | undefined {
    return this.#latency.started();
  }

  /** Takes note of the end of a request; without a latency where it got no answer. */
  ended(window: Window | undefined, latencyMs: number | undefined): void {
    this.#latency.ended(window, latencyMs);
    if (latencyMs === undefined) return;
    this.#sinceChange += 1;
    if (this.#sinceChange < this.#current) return;
    this.#sinceChange = 0;
    this.#current = Math.min(this.max, this.#current + Math.max(1, this.#current / 8));
  }
}
