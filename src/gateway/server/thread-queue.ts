import type { Inspected } from '../policies/judging.ts';
import type { Inspection } from '../contract.ts';

/** Texts to be judged in a thread, and what takes the result. */
export interface Job {
  readonly inspection: Inspection;
  settle(inspected: Inspected): void;
}

/** Jobs that wait for a thread. Tokens take turns, however many jobs of one have come before those of others. */
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

  /** The first that may be begun of a token that no thread is busy with, else the first that may. */
  takeNext(busy: ReadonlySet<string>, mayBegin: (job: Job) => boolean): Job | undefined {
    const some = this.#jobs.filter(mayBegin);
    const next = some.find(({ inspection }) => !busy.has(inspection.holder)) ?? some[0];
    if (next === undefined) return undefined;
    const others = this.#jobs.filter((job) => job !== next);
    const isOwn = ({ inspection }: Job): boolean => inspection.holder === next.inspection.holder;
    this.#jobs = [...others.filter((job) => !isOwn(job)), ...others.filter(isOwn)];
    return next;
  }
}
