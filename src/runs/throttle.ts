import type { ClientTools } from '../client/client.ts';
import type { HttpReply } from '../wire/http.ts';
import { parseRetryAfter } from '../wire/retry-after.ts';
import { ConcurrencyLimit } from './concurrency-limit.ts';
import { LearntPace } from './learnt-pace.ts';
import { PlaceLimit } from './place-limit.ts';

/** A service that asks to wait longer than this is not waited for: the run ends and says when to come back. */
const patienceMsMax = 10 * 60_000;

/** The header of a refusal that names the limit of prompts at once, as `motif serve` does. */
const placesFull = /^"in_flight"/;

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
  readonly #learnt: LearntPace;
  readonly #places = new PlaceLimit();
  /** Requests that were sent and have no reply yet. */
  #sent = 0;
  #answers = 0;
  /** Retries whose time has come, and those of them that wait for a place. */
  #due = 0;
  readonly #queue: (() => void)[] = [];
  #nextAt: number;
  #comeBackAt: number | undefined;
  #retries = 0;
  #waiting = 0;
  #pause: { readonly status: number; readonly until: number } | undefined;

  constructor({ concurrency, rpm }: ThrottleOptions, clock: RunClock) {
    this.#clock = clock;
    this.#nextAt = clock.monotonic();
    this.#gapMs = rpm === undefined ? 0 : 60_000 / rpm;
    this.#limit = new ConcurrencyLimit(concurrency);
    this.#learnt = new LearntPace();
  }

  /** The most requests that may be under way now: fewer after a 429 or where answers become slow, more again later. */
  get limit(): number {
    return this.#limit.current;
  }

  /** True where one more prompt may begin beside those of the run; one that waits to be sent again has no place. */
  hasRoom(prompts: number): boolean {
    const underWay = prompts - this.#waiting + this.#due;
    return prompts < this.limitMax && this.#hasPlace(underWay);
  }

  #hasPlace(underWay: number): boolean {
    return underWay < this.limit && this.#places.hasRoom(underWay);
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

  /** Prompts that wait for their next attempt. */
  get waiting(): number {
    return this.#waiting;
  }

  /** The wait that the service asked for, or that a refusal brought, while it lasts: its status, and the time left. */
  get pause(): { readonly status: number; readonly leftMs: number } | undefined {
    const leftMs = (this.#pause?.until ?? -Infinity) - this.#clock.monotonic();
    return this.#pause === undefined || leftMs <= 0 ? undefined : { status: this.#pause.status, leftMs };
  }

  /**
   * The tools for the client: the same, but that the throttle hears what happens and spaces the retries. The client
   * sleeps for nothing but a retry, so that each sleep counts as one.
   */
  tools(tools: ClientTools, noRetries?: AbortSignal): ClientTools {
    return {
      now: () => tools.now(),
      monotonic: () => tools.monotonic(),
      noRetries,
      sleep: async (ms, signal) => {
        this.#waiting += 1;
        try {
          await tools.sleep(ms, signal);
          await this.#turnOfRetry(signal);
        } finally {
          this.#waiting -= 1;
        }
        this.#retries += 1;
      },
      send: async (request, options) => {
        const startedAt = tools.monotonic();
        const answersBefore = this.#answers;
        this.#learnt.started(startedAt);
        const window = this.#limit.started();
        this.#sent += 1;
        let reply: HttpReply | undefined;
        try {
          reply = await tools.send(request, options);
          return reply;
        } finally {
          this.#sent -= 1;
          const isAnswered = reply !== undefined && reply.status < 300;
          this.#limit.ended(window, isAnswered ? tools.monotonic() - startedAt : undefined);
          this.#hear(reply, { startedAt, beside: this.#sent + this.#answers - answersBefore });
          this.#wakeRetries();
        }
      },
    };
  }

  #hear(reply: HttpReply | undefined, { startedAt, beside }: { startedAt: number; beside: number }): void {
    const retryAfter = reply?.headers['retry-after'];
    const waitMs = retryAfter === undefined ? undefined : parseRetryAfter(retryAfter, this.#clock.now());
    const status = reply?.status ?? 0;
    const isRefused = status === 429 || (status === 503 && waitMs !== undefined);
    const isOfPlaces = isRefused && beside > 0 && placesFull.test(reply!.headers['ratelimit'] ?? '');
    if (isOfPlaces) {
      this.#places.refused({ startedAt, now: this.#clock.monotonic(), beside });
      this.#learnt.leaveOut();
    } else if (status === 429) this.#limited(startedAt, waitMs);
    else if (isRefused) this.#overloaded(startedAt, waitMs ?? 0);
    else if (status >= 200 && status < 300) this.#answered(startedAt);
  }

  /** A retry takes a place before any new prompt does. */
  async #turnOfRetry(signal: AbortSignal | undefined): Promise<void> {
    this.#due += 1;
    try {
      while (!this.#hasPlace(this.#sent + this.#due - this.#queue.length - 1)) await this.#nextEnd(signal);
      await this.turn(signal);
    } finally {
      this.#due -= 1;
    }
  }

  /** Lets as many of the waiting retries go on as there are places, which may have become more than one. */
  #wakeRetries(): void {
    while (this.#queue.length > 0 && this.#hasPlace(this.#sent + this.#due - this.#queue.length))
      this.#queue.shift()!();
  }

  /** Waits until a place is free for one more retry. */
  async #nextEnd(signal: AbortSignal | undefined): Promise<void> {
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        this.#queue.splice(this.#queue.indexOf(wake), 1);
        wake();
      };
      this.#queue.push(wake);
      signal?.addEventListener('abort', leave);
    });
    signal?.throwIfAborted();
  }

  /** Waits until the next request may start, and takes that start. */
  async turn(signal?: AbortSignal): Promise<void> {
    for (let waitMs = this.take(); waitMs > 0; waitMs = this.take()) await this.#clock.sleep(waitMs, signal);
  }

  /** Takes the start of the next request if it may be now; else the time until it may be, in milliseconds. */
  take(): number {
    const now = this.#clock.monotonic();
    const waitMs = Math.max(0, this.#nextAt - now);
    if (waitMs === 0) {
      const gapMs = Math.max(this.#gapMs, this.#learnt.gapMs(now));
      this.#nextAt = Math.max(this.#nextAt, now - catchUpMs) + gapMs;
    }
    // A whole number, as timers take none else.
    return Math.ceil(waitMs);
  }

  #answered(startedAt: number): void {
    this.#answers += 1;
    this.#places.answered();
    this.#learnt.answered(startedAt);
  }

  /** A service that is overloaded or starts anew has no limit that could be learnt. */
  #overloaded(startedAt: number, waitMs: number): void {
    this.#limit.refused(startedAt, this.#clock.monotonic());
    this.#pauseAll(503, waitMs);
  }

  /** Takes note of a 429: a pace that was learnt is lowered, and the number of requests under way may stay. */
  #limited(startedAt: number, waitMs = 0): void {
    if (!this.#learnt.isLearnt && !this.#learnt.isRefused) this.#limit.refused(startedAt, this.#clock.monotonic());
    const tryInMs = this.#learnt.refused(startedAt, this.#clock.monotonic(), waitMs > 0);
    this.#pauseAll(429, Math.max(tryInMs, waitMs));
  }

  #pauseAll(status: number, waitMs: number): void {
    if (waitMs > patienceMsMax) {
      this.#comeBackAt = this.#clock.now() + waitMs;
      return;
    }
    const until = this.#clock.monotonic() + waitMs;
    this.#nextAt = Math.max(this.#nextAt, until);
    if (until > (this.#pause?.until ?? -Infinity)) this.#pause = { status, until };
  }
}
