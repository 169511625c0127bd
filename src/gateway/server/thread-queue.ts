import type { Inspected } from '../policies/judging.ts';
import type { Inspection } from '../contract.ts';
import { motifOf } from '../access/holder.ts';

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

  /**
   * True where one more prompt of a token would be more than it leaves free of so many places of its Motif, or more of
   * this than it leaves free of twice as many.
   */
  isFullFor(holder: string, promptsMax: number): boolean {
    const prompts = this.#jobs.filter(({ inspection }) => inspection.side === 'prompt');
    const ofMotif = prompts.filter((job) => motifOfJob(job) === motifOf(holder));
    const own = ofMotif.filter(({ inspection }) => inspection.holder === holder);
    return own.length >= promptsMax - ofMotif.length || ofMotif.length >= 2 * promptsMax - prompts.length;
  }

  some(isOne: (job: Job) => boolean): boolean {
    return this.#jobs.some(isOne);
  }

  /**
   * Of those that may be begun, if need be one of a token that a thread is busy with, the one with the lowest rank in
   * the Motif that used the least.
   */
  takeNext(
    busy: ReadonlySet<string>,
    mayBegin: (job: Job) => boolean,
    usedBy: (motif: string) => number,
    rankOf: (job: Job) => number,
  ): Job | undefined {
    const some = this.#jobs.filter(mayBegin);
    const free = some.filter(({ inspection }) => !busy.has(inspection.holder));
    const ready = free.length > 0 ? free : some;
    const motif = lowestOf([...new Set(ready.map(motifOfJob))], usedBy);
    const job = lowestOf(
      ready.filter((each) => motifOfJob(each) === motif),
      rankOf,
    );
    if (job !== undefined) this.delete(job);
    return job;
  }
}

function motifOfJob({ inspection }: Job): string {
  return motifOf(inspection.holder);
}

function lowestOf<T>(all: readonly T[], rankOf: (one: T) => number): T | undefined {
  const ranked = all.map((one) => ({ one, rank: rankOf(one) }));
  return ranked.toSorted((one, other) => one.rank - other.rank)[0]?.one;
}
