/** Latencies as counts by size, each within one per cent, so that millions of them take a few kilobytes. */
export class Latencies {
  readonly #buckets = new Uint32Array(bucketsMax);
  #count = 0;

  add(ms: number): void {
    const bucket = ms <= smallestMs ? 0 : Math.ceil(Math.log(ms / smallestMs) / logStep);
    this.#buckets[Math.min(bucket, bucketsMax - 1)]! += 1;
    this.#count += 1;
  }

  /** The latency that a share of all stays within; undefined where there is none. */
  at(share: number): number | undefined {
    if (this.#count === 0) return undefined;
    let left = Math.max(1, Math.ceil(this.#count * share));
    const bucket = this.#buckets.findIndex((count) => (left -= count) <= 0);
    return smallestMs * Math.exp((bucket - 0.5) * logStep);
  }
}

const smallestMs = 0.1;
const logStep = Math.log(1.02);
/** Up to a day. */
const bucketsMax = 1040;
