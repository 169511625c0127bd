import { setMaxListeners } from 'node:events';
import { type Hold, Outage, type OutageOptions } from './outage.ts';
import { type Finished, ResultOrder } from './result-order.ts';
import type { Trouble } from './trouble.ts';

export interface WorkOptions<Result> extends OutageOptions {
  /** `input`: results come in the order of the items; `finished`: each as soon as it is there. */
  readonly order: 'input' | 'finished';
  /** Trouble of a result that tells that the service is away (`troubleOf` of a failure); undefined where it is not. */
  readonly troubleOf: (result: Result) => Trouble | undefined;
  /** False for a result without a request, which tells nothing of the service. Absent: each had one. */
  readonly wasAsked?: (result: Result) => boolean;
  /** Once it aborts no item is begun any more; those under way finish and are handed out. */
  readonly stop?: AbortSignal;
  /** Hands out nothing more once it aborts; `work` gets a signal that aborts with it. */
  readonly signal?: AbortSignal;
}

/** Why no further item was begun: none was left, `stop`, the service stayed away, or it named a later moment. */
export type WorkEnd = 'done' | 'stopped' | 'outage' | 'later';

/** Items may be this far ahead of what was handed out: a slow reader, or one slow answer, fills no memory. */
export const windowItems = 1024;
/** An item that surely was not asked is asked again this often before its failure is handed out. */
const askedAgainMax = 8;
/** In a hold an item that was lost is tried so often before the next one is: it may be the only one that fails. */
const triesLostMax = 4;

interface Entry<Item, Result> {
  readonly item: Item;
  readonly place: number;
  attempts: number;
  /** Tries in a hold that ended without a reply. */
  triesLost: number;
  /** Outcome of a try that may have been asked; handed out unless a further one ends otherwise. */
  lost?: Finished<Item, Result>;
}

/**
 * Does `work` for each item, several at once, and gives the results out one by one. Items are read as they are needed.
 * After 2 x concurrency results in a row that tell of an outage the run holds: it tries one item from time to time and
 * goes on once that succeeds. Items that surely were not asked go back to be asked again; what is never asked in the
 * end is not handed out at all.
 *
 *     const throttle = new Throttle({ concurrency: 8 }, world);
 *     const client = createClient(settings, throttle.tools(tools), listener);
 *     const run = new WorkRun(rows, (row) => ask(client, row), { throttle, clock: world, order: 'input', ... });
 *     await run.each(({ item, result }) => ...);
 *     if (run.end !== 'done') ...
 */
export class WorkRun<Item, Result> {
  readonly #groups: AsyncIterator<Iterable<Item>> | undefined;
  #group: Iterator<Item>;
  readonly #work: (item: Item, signal: AbortSignal) => Promise<Result>;
  readonly #options: WorkOptions<Result>;
  readonly #outage: Outage;
  /** Aborts when nothing more may be begun, for whatever reason. */
  readonly #closing = new AbortController();
  readonly #abandoned = new AbortController();
  readonly #again: Entry<Item, Result>[] = [];
  readonly #results: ResultOrder<Item, Result>;
  #begun = 0;
  #handedOut = 0;
  #inFlight = 0;
  #isReading = false;
  #isExhausted = false;
  #isFed = false;
  /** The first failure; `isFinal` once the reader failed or `signal` ended the run: nothing is handed out any more. */
  #fault: { readonly reason: unknown; readonly isFinal: boolean } | undefined;
  #giveOut: (finished: Finished<Item, Result>) => Promise<void> | void = () => {};
  #isGivingOut = false;
  #wakeReader = () => {};
  #wakeFeeder = () => {};
  #giveUpReading = () => {};
  #end: WorkEnd | undefined;

  constructor(
    items: AsyncIterable<Iterable<Item>> | Iterable<Item>,
    work: (item: Item, signal: AbortSignal) => Promise<Result>,
    options: WorkOptions<Result>,
  ) {
    this.#groups = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : undefined;
    this.#group = (Symbol.asyncIterator in items ? [] : items)[Symbol.iterator]();
    this.#work = work;
    this.#options = options;
    this.#outage = new Outage(options);
    this.#results = new ResultOrder(options.order, windowItems);
    // Each item under way listens to it.
    setMaxListeners(0, this.#abandoned.signal);
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** The pause that the run is in, if it is in one. */
  get hold(): Hold | undefined {
    return this.#outage.hold;
  }

  /** Time that the service was waited for, and that the machine slept meanwhile, in milliseconds. */
  get heldMs(): number {
    return this.#outage.heldMs;
  }

  get asleepMs(): number {
    return this.#outage.asleepMs;
  }

  /** Known once the results have been handed out. */
  get end(): WorkEnd {
    // Stopped while the last ones were under way, it has done all the same.
    const isDone = this.#isExhausted && this.#handedOut === this.#begun;
    return this.#end === undefined || (this.#end === 'stopped' && isDone) ? 'done' : this.#end;
  }

  /** Does all of it. Each result goes to `take` as soon as it may; the next waits for the promise of that, if any. */
  async each(take: (finished: Finished<Item, Result>) => Promise<void> | void): Promise<void> {
    const { stop, signal } = this.#options;
    const onStop = () => this.#close('stopped');
    const onAbort = () => this.#fail(signal?.reason, { isFinal: true });
    stop?.addEventListener('abort', onStop);
    signal?.addEventListener('abort', onAbort);
    if (stop?.aborted === true) onStop();
    if (signal?.aborted === true) onAbort();
    this.#giveOut = take;
    const feeding = this.#feed().catch((reason: unknown) => this.#fail(reason, { isFinal: false }));
    try {
      for (;;) {
        this.#handOut();
        if (this.#fault?.isFinal === true || (this.#fault !== undefined && !this.#isGivingOut))
          throw this.#fault.reason;
        if (this.#isFed && this.#inFlight === 0 && !this.#isGivingOut) return;
        await new Promise<void>((wake) => (this.#wakeReader = wake));
      }
    } finally {
      stop?.removeEventListener('abort', onStop);
      signal?.removeEventListener('abort', onAbort);
      this.#close('stopped');
      this.#abandoned.abort(signal?.reason);
      await feeding;
      this.#group.return?.();
      const closing = this.#groups?.return?.();
      if (!this.#isReading) await closing;
    }
  }

  #close(end: WorkEnd): void {
    if (!this.#isFed) this.#end ??= end;
    this.#closing.abort();
    this.#giveUpReading();
    this.#wakeFeeder();
  }

  /** After a fault of the work what is answered is still handed out. */
  #fail(reason: unknown, { isFinal }: { readonly isFinal: boolean }): void {
    this.#fault = {
      reason: this.#fault === undefined ? reason : this.#fault.reason,
      isFinal: isFinal || this.#fault?.isFinal === true,
    };
    this.#close('stopped');
    this.#abandoned.abort(reason);
    this.#wakeReader();
  }

  /** Begins one item after the other, as the throttle, the window and an outage allow. */
  async #feed(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      if (!this.#hasRoom()) {
        await new Promise<void>((wake) => (this.#wakeFeeder = wake));
        continue;
      }
      if (this.#outage.hold !== undefined && (await this.#outage.waitForTry(this.#closing.signal)) === 'over') {
        this.#close('outage');
      }
      if (this.#closing.signal.aborted) break;
      const entry = this.#again.shift() ?? this.#nextOfGroup();
      if (entry !== undefined) {
        if (this.#options.throttle.take() > 0) await this.#waitForTurn();
        if (!this.#closing.signal.aborted) this.#begin(entry);
      } else if (!this.#isExhausted) await this.#readGroup();
      else if (this.#inFlight === 0) break;
      else await new Promise<void>((wake) => (this.#wakeFeeder = wake));
    }
    for (const { place, lost } of this.#again) if (lost !== undefined) this.#results.put(place, lost);
    this.#isFed = true;
    this.#wakeReader();
  }

  #hasRoom(): boolean {
    if (!this.#outage.hasRoom(this.#inFlight)) return false;
    return this.#options.throttle.hasRoom(this.#inFlight) && this.#begun - this.#handedOut < windowItems;
  }

  async #waitForTurn(): Promise<void> {
    try {
      await this.#options.throttle.turn(this.#closing.signal);
    } catch (error) {
      if (!this.#closing.signal.aborted) throw error;
    }
  }

  #begin(entry: Entry<Item, Result>): void {
    this.#inFlight += 1;
    const startedAt = this.#options.clock.monotonic();
    this.#work(entry.item, this.#abandoned.signal).then(
      (result) => this.#finish(entry, result, startedAt),
      (reason: unknown) => {
        this.#inFlight -= 1;
        this.#fail(reason, { isFinal: false });
      },
    );
  }

  #nextOfGroup(): Entry<Item, Result> | undefined {
    const next = this.#group.next();
    if (next.done === true) return undefined;
    const place = this.#begun;
    this.#begun += 1;
    return { item: next.value, place, attempts: 0, triesLost: 0 };
  }

  /** An input that says nothing must not keep the run from ending. */
  async #readGroup(): Promise<void> {
    this.#isReading = true;
    const next = await new Promise<IteratorResult<Iterable<Item>> | undefined>((resolve, reject) => {
      this.#giveUpReading = () => resolve(undefined);
      if (this.#groups === undefined) resolve({ done: true, value: undefined });
      else this.#groups.next().then(resolve, reject);
    });
    if (next === undefined) return;
    this.#isReading = false;
    if (next.done === true) this.#isExhausted = true;
    else this.#group = next.value[Symbol.iterator]();
  }

  #finish(entry: Entry<Item, Result>, result: Result, startedAt: number): void {
    const { troubleOf, wasAsked, throttle } = this.#options;
    this.#inFlight -= 1;
    const trouble = troubleOf(result);
    const wasHeld = this.#outage.hold !== undefined;
    if (wasAsked?.(result) !== false) this.#outage.hear(trouble, startedAt);
    if (throttle.comeBackAt !== undefined) this.#close('later');
    entry.attempts += wasHeld ? 0 : 1;
    this.#keep(entry, { item: entry.item, result }, trouble);
    this.#handOut();
    this.#wakeFeeder();
    if (this.#isFed) this.#wakeReader();
  }

  /** In a hold an item that was lost is tried again, so that an outage costs few, and an item never ends the run. */
  #keep(entry: Entry<Item, Result>, finished: Finished<Item, Result>, trouble: Trouble | undefined): void {
    const isHeld = this.#outage.hold !== undefined;
    if (trouble?.isUnasked === true && (isHeld || entry.attempts <= askedAgainMax)) this.#again.push(entry);
    else if (trouble?.isLost === true && isHeld && (entry.triesLost += 1) < triesLostMax) {
      entry.lost = finished;
      this.#again.unshift(entry);
    } else this.#results.put(entry.place, finished);
  }

  /** Gives out the results that may be, until one of them has to be waited for. */
  #handOut(): void {
    try {
      while (!this.#isGivingOut && this.#fault?.isFinal !== true) {
        const next = this.#take();
        if (next === undefined) return;
        const giving = this.#giveOut(next);
        if (giving !== undefined)
          this.#waitFor(giving).catch((reason: unknown) => this.#fail(reason, { isFinal: true }));
      }
    } catch (reason) {
      this.#fail(reason, { isFinal: true });
    }
  }

  async #waitFor(giving: Promise<void>): Promise<void> {
    this.#isGivingOut = true;
    try {
      await giving;
    } finally {
      this.#isGivingOut = false;
    }
    this.#handOut();
    this.#wakeFeeder();
    this.#wakeReader();
  }

  #take(): Finished<Item, Result> | undefined {
    const isAll = this.#fault !== undefined || (this.#isFed && this.#inFlight === 0);
    const next = this.#results.take(isAll ? this.#begun : undefined);
    if (next !== undefined) this.#handedOut += 1;
    return next;
  }
}
