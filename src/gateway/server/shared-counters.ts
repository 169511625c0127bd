import type { Counters, Exhausted, LimitHolder } from '../access/counters.ts';

/** A call of a worker to the counts, which the process above the workers keeps. */
export type CountCall =
  | { readonly call: 'takePrompt' | 'takePlace'; readonly id: number; readonly holders: readonly LimitHolder[] }
  | { readonly call: 'givePlace'; readonly holders: readonly LimitHolder[] }
  | {
      readonly call: 'addTokens';
      readonly id: number;
      readonly holders: readonly LimitHolder[];
      readonly count: number;
    };

/** The answer to a call; null where what was asked for is taken, and for tokens, which nothing refuses. */
export interface CountAnswer {
  readonly id: number;
  readonly exhausted: Exhausted | null;
}

/** Counters of one worker. All calls of a turn of the event loop are sent together. */
export class SharedCounters implements Counters {
  readonly #send: (calls: readonly CountCall[]) => void;
  readonly #waiting = new Map<number, (exhausted: Exhausted | undefined) => void>();
  #calls: CountCall[] = [];
  #id = 0;

  constructor(send: (calls: readonly CountCall[]) => void) {
    this.#send = send;
  }

  takePrompt(holders: readonly LimitHolder[]): Promise<Exhausted | undefined> {
    return this.#ask((id) => ({ call: 'takePrompt', id, holders }));
  }

  takePlace(holders: readonly LimitHolder[]): Promise<Exhausted | undefined> {
    return this.#ask((id) => ({ call: 'takePlace', id, holders }));
  }

  givePlace(holders: readonly LimitHolder[]): void {
    this.#add({ call: 'givePlace', holders });
  }

  async addTokens(holders: readonly LimitHolder[], count: number): Promise<void> {
    await this.#ask((id) => ({ call: 'addTokens', id, holders, count }));
  }

  /** Called with the answers of the process above. */
  answered(answers: readonly CountAnswer[]): void {
    for (const { id, exhausted } of answers) {
      this.#waiting.get(id)?.(exhausted ?? undefined);
      this.#waiting.delete(id);
    }
  }

  #ask(callOf: (id: number) => CountCall): Promise<Exhausted | undefined> {
    const id = (this.#id += 1);
    this.#add(callOf(id));
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  #add(call: CountCall): void {
    this.#calls.push(call);
    if (this.#calls.length > 1) return;
    setImmediate(() => {
      const calls = this.#calls;
      this.#calls = [];
      this.#send(calls);
    });
  }
}

/** The counts of all workers, and the places that each of them holds, which are free once it has ended. */
export class CountKeeper {
  readonly #counters: Counters;
  readonly #places = new Map<number, Map<string, { readonly holder: LimitHolder; held: number }>>();
  /** Workers that have ended, whose last calls may come, or be answered, after that. */
  readonly #ended = new Set<number>();

  constructor(counters: Counters) {
    this.#counters = counters;
  }

  async answer(worker: number, calls: readonly CountCall[]): Promise<readonly CountAnswer[]> {
    const answers: CountAnswer[] = [];
    for (const call of calls) {
      if (call.call === 'addTokens') {
        await this.#counters.addTokens(call.holders, call.count);
        answers.push({ id: call.id, exhausted: null });
      } else if (call.call === 'givePlace') this.#give(worker, call.holders);
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
    if (this.#ended.has(worker)) this.#counters.givePlace(holders);
    else this.#note(worker, holders, 1);
    return exhausted;
  }

  #give(worker: number, holders: readonly LimitHolder[]): void {
    if (this.#ended.has(worker)) return;
    this.#note(worker, holders, -1);
    this.#counters.givePlace(holders);
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
      for (let given = 0; given < held; given++) this.#counters.givePlace([holder]);
    }
    this.#places.delete(worker);
  }
}
