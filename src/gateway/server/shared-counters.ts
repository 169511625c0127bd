import type { Counters, Exhausted, LimitHolder } from '../access/counters.ts';
import type { Log } from '../records/log.ts';
import { Refusal } from '../refusal.ts';

/** A call of a worker to the counts, which the process above the workers keeps. */
export type CountCall = TakeCall | GivePlaceCall | AddTokensCall;

interface TakeCall {
  readonly call: 'takePrompt' | 'takePlace';
  readonly id: number;
  readonly holders: readonly LimitHolder[];
  /** The moment on the clock of the machine from which on it takes nothing, for its prompt is given up by then. */
  readonly until: number;
}

interface GivePlaceCall {
  readonly call: 'givePlace';
  readonly id: number;
  readonly holders: readonly LimitHolder[];
}

interface AddTokensCall {
  readonly call: 'addTokens';
  readonly id: number;
  readonly holders: readonly LimitHolder[];
  readonly count: number;
}

/** The answer to a call; null where what was asked for is taken, and for what nothing refuses. */
export interface CountAnswer {
  readonly id: number;
  readonly exhausted: Exhausted | null;
  /** True where nothing is taken, because the call was read too late. */
  readonly isLate?: true;
}

interface SharedCountersParts {
  send(calls: readonly CountCall[]): void;
  monotonic(): number;
  /** Runs a task once, after so many milliseconds; it keeps no process alive. */
  after(ms: number, task: () => void): void;
  readonly log: Log;
}

interface WaitingCall {
  readonly call: CountCall;
  readonly askedAt: number;
  readonly resolve: (exhausted: Exhausted | undefined) => void;
  readonly reject: (refusal: Refusal) => void;
  isGivenUp: boolean;
}

/** The time that the process above has to answer: one that is stopped, or out of memory, would hold all prompts. */
export const answerWaitMs = 5000;
/** The share of it after which a call is not carried out any more, so that the answer comes while it is waited for. */
const carryOutMs = 4000;

/**
 * Counters of one worker. All calls of a turn of the event loop are sent together. Where they are not answered no
 * prompt passes uncounted: all are refused until the first answer comes.
 */
export class SharedCounters implements Counters {
  readonly #parts: SharedCountersParts;
  readonly #waiting = new Map<number, WaitingCall>();
  #calls: CountCall[] = [];
  #id = 0;
  #isAway = false;
  #isWatching = false;

  constructor(parts: SharedCountersParts) {
    this.#parts = parts;
  }

  takePrompt(holders: readonly LimitHolder[]): Promise<Exhausted | undefined> {
    return this.#take('takePrompt', holders);
  }

  takePlace(holders: readonly LimitHolder[]): Promise<Exhausted | undefined> {
    return this.#take('takePlace', holders);
  }

  async givePlace(holders: readonly LimitHolder[]): Promise<void> {
    const given = this.#ask((id) => ({ call: 'givePlace', id, holders }));
    if (!this.#isAway) await given;
  }

  async addTokens(holders: readonly LimitHolder[], count: number): Promise<void> {
    await this.#ask((id) => ({ call: 'addTokens', id, holders, count }));
  }

  /** Called with the answers of the process above. */
  answered(answers: readonly CountAnswer[]): void {
    if (this.#isAway) this.#parts.log.info('limits can be counted again');
    this.#isAway = false;
    for (const { id, exhausted, isLate } of answers) {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (waiting === undefined) continue;
      const { call, resolve, reject, isGivenUp } = waiting;
      if (isLate) reject(new Refusal('limits_unavailable'));
      else if (!isGivenUp) resolve(exhausted ?? undefined);
      else if (call.call === 'takePlace' && exhausted === null) void this.givePlace(call.holders);
    }
  }

  #take(call: TakeCall['call'], holders: readonly LimitHolder[]): Promise<Exhausted | undefined> {
    if (this.#isAway) return Promise.reject(new Refusal('limits_unavailable'));
    return this.#ask((id, askedAt) => ({ call, id, holders, until: askedAt + carryOutMs }));
  }

  #ask(callOf: (id: number, askedAt: number) => CountCall): Promise<Exhausted | undefined> {
    const id = (this.#id += 1);
    const askedAt = this.#parts.monotonic();
    const call = callOf(id, askedAt);
    this.#add(call);
    this.#watch(answerWaitMs);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { call, askedAt, resolve, reject, isGivenUp: false });
    });
  }

  #add(call: CountCall): void {
    this.#calls.push(call);
    if (this.#calls.length > 1) return;
    setImmediate(() => {
      const calls = this.#calls;
      this.#calls = [];
      this.#parts.send(calls);
    });
  }

  #watch(ms: number): void {
    if (this.#isWatching) return;
    this.#isWatching = true;
    // Answers that have come are read before: it may be this process that was stopped.
    this.#parts.after(ms, () => setImmediate(() => this.#look()));
  }

  #look(): void {
    this.#isWatching = false;
    const open = [...this.#waiting.values()].filter(({ isGivenUp }) => !isGivenUp);
    const [oldest] = open;
    if (oldest === undefined) return;
    const leftMs = oldest.askedAt + answerWaitMs - this.#parts.monotonic();
    if (leftMs > 0) return this.#watch(leftMs);
    if (!this.#isAway)
      this.#parts.log.error('the process above the workers does not answer, so no limit can be counted');
    this.#isAway = true;
    for (const waiting of open) giveUp(waiting);
  }
}

/** Calls that nothing refuses are carried out whenever they are read, and the reply need not wait for that. */
function giveUp(waiting: WaitingCall): void {
  waiting.isGivenUp = true;
  if ('until' in waiting.call) waiting.reject(new Refusal('limits_unavailable'));
  else waiting.resolve(undefined);
}

/** The counts of all workers, and the places that each of them holds, which are free once it has ended. */
export class CountKeeper {
  readonly #counters: Counters;
  readonly #monotonic: () => number;
  readonly #places = new Map<number, Map<string, { readonly holder: LimitHolder; held: number }>>();
  /** Workers that have ended, whose last calls may come, or be answered, after that. */
  readonly #ended = new Set<number>();

  constructor(counters: Counters, monotonic: () => number) {
    this.#counters = counters;
    this.#monotonic = monotonic;
  }

  async answer(worker: number, calls: readonly CountCall[]): Promise<readonly CountAnswer[]> {
    const answers: CountAnswer[] = [];
    for (const call of calls) {
      if (call.call === 'addTokens') {
        await this.#counters.addTokens(call.holders, call.count);
        answers.push({ id: call.id, exhausted: null });
      } else if (call.call === 'givePlace') {
        await this.#give(worker, call.holders);
        answers.push({ id: call.id, exhausted: null });
      } else if (this.#monotonic() > call.until) answers.push({ id: call.id, exhausted: null, isLate: true });
      else answers.push({ id: call.id, exhausted: (await this.#take(worker, call.call, call.holders)) ?? null });
    }
    return answers;
  }

  async #take(
    worker: number,
    call: 'takePrompt' | 'takePlace',
    holders: readonly LimitHolder[],
  ): Promise<Exhausted | undefined> {
    const exhausted = await this.#counters[call](holders);
    if (call === 'takePrompt' || exhausted !== undefined) return exhausted;
    if (this.#ended.has(worker)) await this.#counters.givePlace(holders);
    else this.#note(worker, holders, 1);
    return exhausted;
  }

  #give(worker: number, holders: readonly LimitHolder[]): Promise<void> | undefined {
    if (this.#ended.has(worker)) return undefined;
    this.#note(worker, holders, -1);
    return this.#counters.givePlace(holders);
  }

  #note(worker: number, holders: readonly LimitHolder[], by: number): void {
    const places = this.#places.get(worker) ?? new Map<string, { holder: LimitHolder; held: number }>();
    this.#places.set(worker, places);
    for (const holder of holders) {
      const place = places.get(holder.key) ?? { holder, held: 0 };
      place.held += by;
      if (place.held > 0) places.set(holder.key, place);
      else places.delete(holder.key);
    }
  }

  /** Gives back all places of a worker that has ended. */
  forget(worker: number): void {
    this.#ended.add(worker);
    for (const { holder, held } of this.#places.get(worker)?.values() ?? []) {
      for (let given = 0; given < held; given++) void this.#counters.givePlace([holder]);
    }
    this.#places.delete(worker);
  }
}
