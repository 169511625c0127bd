import { markedEveryMs, type Wakefulness } from './wakefulness.ts';

/** A request on its way, which has to end at a moment, and at once when its signal aborts. */
export interface WatchedCall {
  readonly deadlineAt: number;
  readonly signal: AbortSignal | undefined;
  expire(): void;
  abort(): void;
}

/** The one listener for all calls of a signal, and how many wait on it. */
interface Listening {
  readonly onAbort: () => void;
  calls: number;
}

/** The most signals whose listener stays while no call waits: to set it anew for each call takes long. */
const idleSignalsMax = 128;

/** The time in which a process that was stopped reads the answers that came meanwhile, before its calls expire. */
const catchUpMs = 500;

/**
 * Ends calls at their deadline or with their signal. All of them share one timer and one listener for each signal. An
 * array holds them, for a listener or an entry of a Set that was removed points to what came later, by which thousands
 * of calls that are over would be taken for live ones until the next full collection of garbage.
 */
export class CallWatch {
  readonly #clock: { now(): number };
  readonly #wakefulness: Wakefulness;
  readonly #calls: WatchedCall[] = [];
  readonly #listening = new Map<AbortSignal, Listening>();
  #timer: NodeJS.Timeout | undefined;
  #checkAt = Infinity;
  /** Set from the first check that finds that the process was stopped to the first that does not. */
  #catchesUpUntil: number | undefined;

  constructor(clock: { now(): number }, wakefulness: Wakefulness) {
    this.#clock = clock;
    this.#wakefulness = wakefulness;
  }

  add(call: WatchedCall): void {
    if (this.#calls.length === 0) {
      this.#wakefulness.begin();
      this.#timer?.ref();
    }
    this.#calls.push(call);
    if (call.signal !== undefined) this.#listen(call.signal);
    if (call.deadlineAt < this.#checkAt) this.#checkIn(call.deadlineAt - this.#clock.now());
  }

  delete(call: WatchedCall): void {
    const at = this.#calls.indexOf(call);
    if (at === -1) return;
    const last = this.#calls.pop()!;
    if (at < this.#calls.length) this.#calls[at] = last;
    this.#wakefulness.mark();
    if (call.signal !== undefined) this.#unlisten(call.signal);
    // The timer stays for the next call, which mostly comes before it rings: to set it anew takes longer.
    if (this.#calls.length === 0) this.#timer?.unref();
  }

  #listen(signal: AbortSignal): void {
    const found = this.#listening.get(signal);
    if (found !== undefined) {
      found.calls += 1;
      return;
    }
    const onAbort = (): void => {
      this.#listening.delete(signal);
      this.#calls.filter((call) => call.signal === signal).forEach((call) => call.abort());
    };
    signal.addEventListener('abort', onAbort, { once: true });
    this.#listening.set(signal, { onAbort, calls: 1 });
  }

  #unlisten(signal: AbortSignal): void {
    const listening = this.#listening.get(signal);
    if (listening === undefined) return;
    listening.calls -= 1;
    if (listening.calls > 0 || this.#listening.size <= idleSignalsMax) return;
    signal.removeEventListener('abort', listening.onAbort);
    this.#listening.delete(signal);
  }

  /** A timer counts the time that this machine was awake, so the clock is asked again at least this often. */
  #checkIn(ms: number): void {
    clearTimeout(this.#timer);
    const waitMs = Math.min(Math.max(ms, 0), markedEveryMs);
    this.#checkAt = this.#clock.now() + waitMs;
    this.#timer = setTimeout(() => this.#check(), waitMs);
  }

  #check(): void {
    this.#timer = undefined;
    this.#checkAt = Infinity;
    const now = this.#clock.now();
    if (this.#calls.length > 0) this.#wakefulness.mark();
    if (!this.#wakefulness.hasSleptSince(now - catchUpMs)) this.#catchesUpUntil = undefined;
    // Once: a clock that is set forward all the time looks like one sleep after the other.
    else this.#catchesUpUntil ??= now + catchUpMs;
    if (this.#calls.length === 0) return;
    // A timer rings before the sockets are read, and an answer that lies there has been paid for.
    if (now < (this.#catchesUpUntil ?? now)) return this.#checkIn(catchUpMs);
    for (const call of this.#calls.filter(({ deadlineAt }) => now >= deadlineAt)) call.expire();
    let nextAt = Infinity;
    for (const { deadlineAt } of this.#calls) nextAt = Math.min(nextAt, deadlineAt);
    if (this.#calls.length > 0) this.#checkIn(nextAt - this.#clock.now());
  }
}
