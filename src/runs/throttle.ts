import type { ClientTools } from '../client/client.ts';
import { parseRetryAfter } from '../wire/failure.ts';
import { ConcurrencyLimit } from './concurrency-limit.ts';

/** A service that asks to wait longer than this is not waited for: the run ends and says when to come back. */
const waitMsMax = 10 * 60_000;

/** Lateness that a start may have and still be made up for, so that a timer's lateness costs no share of the pace. */
const catchUpMs = 500;

interface ThrottleOptions {
  /** The most requests under way at once. */
  readonly concurrency: number;
  /** The most requests a minute, retries counted. Absent: as many as the service takes. */
  readonly rpm?: number | undefined;
}

/** `now` is the time of day, in which services name moments; everything else is counted in `monotonic`. */
export type RunClock = Pick<ClientTools, 'now' | 'monotonic' | 'sleep'>;

/**
 * The pace of a run: how many requests may be under way, and when the next one may start. One throttle belongs to one
 * run; the client has to work with its `tools`, through which it hears each attempt, each refusal and each retry.
 */
export class Throttle {
  readonly #clock: RunClock;
  readonly #gapMs: number;
  readonly #limit: ConcurrencyLimit;
  #nextAt: number;
  #pausedUntil = 0;
  #comeBackAt: number | undefined;
  #retries = 0;

  constructor({ concurrency, rpm }: ThrottleOptions, clock: RunClock) {
    this.#clock = clock;
    this.#nextAt = clock.monotonic();
    this.#gapMs = rpm === undefined ? 0 : 60_000 / rpm;
    this.#limit = new ConcurrencyLimit(concurrency);
  }

  /** Limit of requests under way now: lower after a 429 or where answers become slow, and more again later. */
  get limit(): number {
    return this.#limit.current;
  }

  get limitMax(): number {
    return this.#limit.max;
  }

  /** Attempts after the first of their prompt. */
  get retries(): number {
    return this.#retries;
  }

  /** The moment that the service named, where it lies further away than is waited for. */
  get comeBackAt(): number | undefined {
    return this.#comeBackAt;
  }

  /** The tools for the client: the same, but that the throttle hears what happens and spaces the retries. */
  tools(tools: ClientTools): ClientTools {
    return {
      now: () => tools.now(),
      monotonic: () => tools.monotonic(),
      sleep: async (ms, signal) => {
        this.#retries += 1;
        await tools.sleep(ms, signal);
        await this.turn(signal);
      },
      send: async (request, options) => {
        const startedAt = tools.monotonic();
        const reply = await tools.send(request, options);
        const waitMs = parseRetryAfter(reply.headers['retry-after'], tools.now());
        if (reply.status === 429 || (reply.status === 503 && waitMs !== undefined)) this.#refused(startedAt, waitMs);
        else if (reply.status < 300) this.#limit.answered(tools.monotonic() - startedAt);
        return reply;
      },
    };
  }

  /** Waits until the next request may start, and takes that start. */
  async turn(signal?: AbortSignal): Promise<void> {
    for (let waitMs = this.take(); waitMs > 0; waitMs = this.take()) await this.#clock.sleep(waitMs, signal);
  }

  /** Takes the start of the next request if it may be now; else the time until it may be, in milliseconds. */
  take(): number {
    const now = this.#clock.monotonic();
    const startsAt = Math.max(this.#nextAt, this.#pausedUntil);
    if (startsAt <= now) this.#nextAt = Math.max(this.#nextAt, now - catchUpMs) + this.#gapMs;
    return Math.max(0, startsAt - now);
  }

  #refused(startedAt: number, waitMs = 0): void {
    const now = this.#clock.monotonic();
    this.#limit.refused(startedAt, now);
    if (waitMs > waitMsMax) this.#comeBackAt = this.#clock.now() + waitMs;
    else this.#pausedUntil = Math.max(this.#pausedUntil, now + waitMs);
  }
}
