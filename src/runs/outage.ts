import type { RunClock, Throttle } from './throttle.ts';
import type { Trouble } from './trouble.ts';

const firstTryMs = 1000;
const tryMsMax = 60_000;
/** The excess of a wait from which on the machine slept, so that the service is not called away. */
const sleptByMs = 30_000;

/** A pause of the whole run while the service is away. */
export interface Hold {
  /** Its begin, as a time of day. */
  readonly since: number;
  /** Its begin on the monotonic clock. */
  readonly startedAt: number;
  /** The moment of the next try on that clock; undefined while one is under way. */
  readonly nextTryAt: number | undefined;
  /** Status of the last reply; undefined where none came. */
  readonly status: number | undefined;
}

interface OwnHold extends Hold {
  nextTryAt: number | undefined;
  status: number | undefined;
  waitMs: number;
  awakeMs: number;
}

export interface OutageOptions {
  readonly throttle: Throttle;
  readonly clock: RunClock;
  /** Time that the service may be away before the run ends. Absent: an outage is not waited for. */
  readonly outageMsMax?: number;
  /** The longest one item may take; more is a machine that slept. */
  readonly itemMsMax: number;
  /** Called before each try of a hold, and without one once it is over. */
  readonly onHold?: (hold: Hold | undefined) => void;
}

/** Watches for the service to go away and to come back, and counts the time in between that this machine was awake. */
export class Outage {
  readonly #options: OutageOptions;
  #streak = 0;
  /** When the first trouble of the streak was heard of. */
  #troubleAt = Infinity;
  #hold: OwnHold | undefined;
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

  /** Takes note of one result: the trouble that it tells of, and when its item was begun. */
  hear(trouble: Trouble | undefined, startedAt: number): void {
    const { clock, throttle, itemMsMax, outageMsMax } = this.#options;
    const now = clock.monotonic();
    const awakeMs = this.#countAwake(Math.max(startedAt, this.#heardAt), now, itemMsMax);
    this.#heardAt = now;
    if (this.#hold !== undefined) this.#hold.awakeMs += awakeMs;
    // An answer that was on its way before the trouble began does not tell that it is over.
    if (trouble === undefined) return startedAt < this.#troubleAt && this.#streak > 0 ? undefined : this.#resume();
    if (this.#streak === 0) this.#troubleAt = now;
    this.#streak += 1;
    const { status } = trouble;
    if (this.#hold !== undefined) {
      this.#hold.status = status;
      const isTry = startedAt > this.#hold.startedAt;
      if (isTry) this.#hold.waitMs = Math.min(tryMsMax, this.#hold.waitMs * 2);
    } else if (outageMsMax !== undefined && this.#streak >= 2 * throttle.limitMax) {
      const startedNow = { since: clock.now(), startedAt: now, nextTryAt: undefined, status };
      this.#hold = { ...startedNow, waitMs: firstTryMs, awakeMs: 0 };
    }
  }

  /** True where one more item may be begun; as many as a hold takes to begin are all that can be lost. */
  hasRoom(inFlight: number): boolean {
    const { throttle, outageMsMax } = this.#options;
    if (this.#hold !== undefined) return inFlight === 0;
    return outageMsMax === undefined || inFlight < 2 * throttle.limitMax - this.#streak;
  }

  /** Waits until one item may be tried; `over` once the service was away for as long as is waited for. */
  async waitForTry(stop: AbortSignal): Promise<'try' | 'over'> {
    const hold = this.#hold;
    const { clock, outageMsMax = Infinity, onHold } = this.#options;
    if (hold === undefined) return 'try';
    if (hold.awakeMs >= outageMsMax) return 'over';
    const ms = Math.min(hold.waitMs, Math.max(1, outageMsMax - hold.awakeMs));
    const startedAt = clock.monotonic();
    hold.nextTryAt = startedAt + ms;
    onHold?.(hold);
    try {
      await clock.sleep(ms, stop);
    } catch (error) {
      if (!stop.aborted) throw error;
    }
    hold.nextTryAt = undefined;
    hold.awakeMs += this.#countAwake(startedAt, clock.monotonic(), ms);
    return 'try';
  }

  #resume(): void {
    this.#streak = 0;
    if (this.#hold === undefined) return;
    this.#heldMs += this.#hold.awakeMs;
    this.#hold = undefined;
    this.#options.onHold?.(undefined);
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
