import type { Inspected } from '../policies/judging.ts';
import type { Inspection } from '../contract.ts';
import { motifOf } from '../access/holder.ts';
import type { JudgingHistory } from './judging-history.ts';

/** Texts to be judged in a thread, and what takes the result. */
export interface Job {
  readonly inspection: Inspection;
  readonly characters: number;
  settle(inspected: Inspected): void;
  /** For a client that has gone; a thread that judges it gives it back soon. */
  leave(): void;
}

/** Characters of a text that is built to be costly that a thread judges in a millisecond, about. */
const costlyCharactersPerMs = 250;

/** Jobs that wait for a thread. */
export class ThreadQueue {
  readonly #history: JudgingHistory;
  #jobs: readonly Job[] = [];

  constructor(history: JudgingHistory) {
    this.#history = history;
  }

  get size(): number {
    return this.#jobs.length;
  }

  add(job: Job): void {
    this.#history.noteArrival(
      job.inspection.holder,
      this.#jobs.map(({ inspection }) => inspection.holder),
    );
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
   * this than it leaves free of twice as many. Small prompts and large ones have places of their own.
   */
  isFullFor(holder: string, areSmall: boolean, promptsMax: number): boolean {
    const prompts = this.#jobs.filter(
      ({ inspection: { side, isSmall = false } }) => side === 'prompt' && isSmall === areSmall,
    );
    const ofMotif = prompts.filter((job) => motifOfJob(job) === motifOf(holder));
    const own = ofMotif.filter(({ inspection }) => inspection.holder === holder);
    return own.length >= promptsMax - ofMotif.length || ofMotif.length >= 2 * promptsMax - prompts.length;
  }

  some(isOne: (job: Job) => boolean): boolean {
    return this.#jobs.some(isOne);
  }

  /**
   * Of those that may be begun, if need be one of a token that a thread is busy with: in the Motif that used the least
   * the text of the token that did, the text included.
   */
  takeNext(busy: ReadonlySet<string>, mayBegin: (job: Job) => boolean): Job | undefined {
    const some = this.#jobs.filter(mayBegin);
    const free = some.filter(({ inspection }) => !busy.has(inspection.holder));
    const ready = free.length > 0 ? free : some;
    const motif = lowestOf([...new Set(ready.map(motifOfJob))], (each) => this.#history.usedMs(each));
    const job = lowestOf(
      ready.filter((each) => motifOfJob(each) === motif),
      ({ inspection, characters }) => this.#history.usedMs(inspection.holder) + characters / costlyCharactersPerMs,
    );
    if (job === undefined) return undefined;
    this.delete(job);
    this.#history.noteBegin(job.inspection.holder);
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
