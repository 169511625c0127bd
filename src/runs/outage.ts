import type { RunClock, Throttle } from './throttle.ts';

const firstTryMs = 1000;
const tryMsMax = 60_000;
/** The excess of a wait from which on the machine slept, so that the service is not called away. */
const sleptByMs = 30_000;

/** A pause of the whole run while the service is away: since which time of day, and how long until the next try. */
export interface Hold {
  readonly since: number;
  readonly nextTryMs: number;
}

export interface OutageOptions {
  readonly throttle: Throttle;
  readonly clock: RunClock;
  /** Time that the service may be away before the run ends. Absent: an outage is not waited for. */
  readonly outageMsMax?: number;
  /** The longest one item may take; more is a machine that slept. */
  readonly itemMsMax: number;
  readonly onHold?: (hold: Hold) => void;
}

/** Watches for the service to go away and to come back, and counts the time in between that this machine was awake. */
export class Outage {
  readonly #options: OutageOptions;
  #streak = 0;
  #hold: { readonly since: number; readonly startedAt: number; nextTryMs: number; awakeMs: number } | undefined;
  #heldMs = 0;
  #asleepMs = 0;
  #heardAt = -Infinity;
  /** Lead of the time of day of the monotonic clock, which stands still where the machine sleeps. */
  #ahead: number;

  constructor(options: OutageOptions) {
    this.#options = options;
    this.#ahead = options.clock.now() - options.clock.monotonic();
  }

  get hold(): Hold | undefined {
    return this.#hold;
  }

  get heldMs(): number {
    return this.#heldMs + (this.#hold?.awakeMs ?? 0);
  }

  get asleepMs(): number {
    return this.#asleepMs;
  }

  /** Takes note of one result: whether it tells of an outage, and when its item was begun. */
  hear(isTrouble: boolean, startedAt: number): void {
    const { clock, throttle, itemMsMax, outageMsMax } = this.#options;
    const now = clock.monotonic();
    const awakeMs = this.#countAwake(Math.max(startedAt, this.#heardAt), now, itemMsMax);
    this.#heardAt = now;
    if (this.#hold !== undefined) this.#hold.awakeMs += awakeMs;
    if (!isTrouble) return this.#resume();
    this.#streak += 1;
    if (this.#hold !== undefined) {
      const isTry = startedAt > this.#hold.startedAt;
      if (isTry) this.#hold.nextTryMs = Math.min(tryMsMax, this.#hold.nextTryMs * 2);
    } else if (outageMsMax !== undefined && this.#streak >= 2 * throttle.limitMax) {
      this.#hold = { since: clock.now(), startedAt: now, nextTryMs: firstTryMs, awakeMs: 0 };
    }
  }

  /** Waits until one item may be tried; `over` once the service was away for as long as is waited for. */
  async waitForTry(stop: AbortSignal): Promise<'try' | 'over'> {
    const hold = this.#hold;
    const { clock, outageMsMax = Infinity, onHold } = this.#options;
    if (hold === undefined) return 'try';
    if (hold.awakeMs >= outageMsMax) return 'over';
    const ms = Math.min(hold.nextTryMs, Math.max(1, outageMsMax - hold.awakeMs));
    onHold?.({ since: hold.since, nextTryMs: ms });
    const startedAt = clock.monotonic();
    try {
      await clock.sleep(ms, stop);
    } catch (error) {
      if (!stop.aborted) throw error;
    }
    hold.awakeMs += this.#countAwake(startedAt, clock.monotonic(), ms);
    return 'try';
  }

  #resume(): void {
    this.#streak = 0;
    this.#heldMs += this.#hold?.awakeMs ?? 0;
    this.#hold = undefined;
  }

  /** If the monotonic clock goes on while the machine sleeps, a wait that took too long tells of it. */
  #countAwake(from: number, to: number, atMostMs: number): number {
    const { clock } = this.#options;
    const ahead = clock.now() - clock.monotonic();
    if (ahead - this.#ahead > sleptByMs) this.#asleepMs += ahead - this.#ahead;
    this.#ahead = ahead;
    const ms = Math.max(0, to - from);
    if (ms <= atMostMs + sleptByMs) return ms;
    this.#asleepMs += ms - atMostMs;
    return atMostMs;
  }
}
