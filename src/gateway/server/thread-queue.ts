import type { Inspected } from '../policies/judging.ts';
import type { Inspection } from '../contract.ts';

/** Texts to be judged in a thread, and what takes the result. */
export interface Job {
  readonly inspection: Inspection;
  readonly characters: number;
  settle(inspected: Inspected): void;
  /** For a client that has gone, while it waits. */
  leave(): void;
}

/** Jobs that wait for a thread. */
export class ThreadQueue {
  #jobs: readonly Job[] = [];

  get size(): number {
    return this.#jobs.length;
  }

  add(job: Job): void {
    this.#jobs = [...this.#jobs, job];
  }

  /** False where it no longer waits. */
  delete(job: Job): boolean {
    const others = this.#jobs.filter((each) => each !== job);
    const isDeleted = others.length < this.#jobs.length;
    this.#jobs = others;
    return isDeleted;
  }

  takeAll(): readonly Job[] {
    const all = this.#jobs;
    this.#jobs = [];
    return all;
  }

  /** True where one more prompt of a token would be more than it leaves free of so many places. */
  isFullFor(holder: string, promptsMax: number): boolean {
    const prompts = this.#jobs.filter(({ inspection }) => inspection.side === 'prompt');
    const own = prompts.filter(({ inspection }) => inspection.holder === holder);
    return own.length >= promptsMax - prompts.length;
  }

  some(isOne: (job: Job) => boolean): boolean {
    return this.#jobs.some(isOne);
  }

  /** Of those that may be begun, if need be one of a token that a thread is busy with, the one with the lowest rank. */
  takeNext(busy: ReadonlySet<string>, mayBegin: (job: Job) => boolean, rankOf: (job: Job) => number): Job | undefined {
    const some = this.#jobs.filter(mayBegin);
    const free = some.filter(({ inspection }) => !busy.has(inspection.holder));
    const ranked = (free.length > 0 ? free : some).map((job) => ({ job, rank: rankOf(job) }));
    if (ranked.length === 0) return undefined;
    const { job } = ranked.reduce((one, other) => (other.rank < one.rank ? other : one));
    this.delete(job);
    return job;
  }
}
