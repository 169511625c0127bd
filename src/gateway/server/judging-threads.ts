import { Worker } from 'node:worker_threads';
import type { PolicyConfig } from '../config.ts';
import type { Asking, Inspection, JudgingPool } from '../contract.ts';
import type { Inspected } from '../policies/judging.ts';
import type { Log } from '../records/log.ts';
import { Refusal } from '../refusal.ts';
import type { ThreadJob, ThreadReport } from './judging-thread.ts';
import { JudgingHistory } from './judging-history.ts';
import { type Job, ThreadQueue } from './thread-queue.ts';
import { JudgingTurns } from './judging-turns.ts';

export interface JudgingLimits {
  readonly threads: number;
  /** Prompts that wait for a thread; of one token at most as many as it leaves free. */
  readonly waitingMax: number;
  /** A backstop behind the budget of work, which is counted and not timed. */
  readonly judgingMsMax: number;
  /** The times in an hour that a token may have a thread ended, by the clock or for want of memory. */
  readonly killsMax: number;
}

const judgingLimits: JudgingLimits = { threads: 2, waitingMax: 64, judgingMsMax: 20_000, killsMax: 3 };

/** Tokens with a text that took so long have all threads but one together for a while: that one is for all others. */
const slowMs = 1000;
/** The times that the clock rings for a thread, at most, until it is ended. */
const ringsMax = 3;
const retryAfterMs = 1000;
/** A thread that needs more ends, and with it what it judges, but not the gateway. */
const threadMemoryMb = 512;

interface JudgingParts {
  /** The program of a thread. */
  readonly program: string | URL;
  readonly monotonic: () => number;
  /** Milliseconds that this process has used of processors. */
  readonly processorMs: () => number;
  readonly log: Log;
  readonly limits?: Partial<JudgingLimits>;
}

/** The result of a thread that was ended: no outcome of any policy. */
const failed: Inspected = { outcomes: [] };

interface Thread {
  readonly worker: Worker;
  readonly seen: Set<number>;
  job: Job | undefined;
  /** True once its job took long, and that not because other programs had the processors. */
  tookLong: () => boolean;
  clock: NodeJS.Timeout | undefined;
  isReady: boolean;
  /** It knows policies of an earlier version of the file, which the next job has it forget. */
  isOld: boolean;
}

/**
 * Threads for large texts, started when the first one comes. A policy whose thread is ended by the clock, or breaks,
 * has failed, which blocks.
 */
export class JudgingThreads implements JudgingPool {
  readonly #parts: JudgingParts;
  readonly #limits: JudgingLimits;
  readonly #threads = new Set<Thread>();
  readonly #numbers = new WeakMap<PolicyConfig, number>();
  readonly #history: JudgingHistory;
  readonly #queue = new ThreadQueue();
  #count = 0;
  readonly #turns: JudgingTurns;

  constructor(parts: JudgingParts) {
    this.#parts = parts;
    this.#history = new JudgingHistory(parts.monotonic);
    this.#turns = new JudgingTurns(parts.monotonic, parts.processorMs);
    this.#limits = { ...judgingLimits, ...parts.limits };
  }

  inspect(inspection: Inspection): Promise<Inspected> {
    const refusal = this.#refusalOf(inspection);
    if (refusal !== undefined) return Promise.reject(refusal);
    return new Promise((resolve, reject) => {
      const { signal } = inspection;
      const leave = (): void => {
        if (this.#queue.delete(job)) reject(new Refusal('client_gone'));
      };
      const job: Job = {
        inspection,
        settle(inspected) {
          signal.removeEventListener('abort', leave);
          const leavesTexts = 'verdict' in inspected && inspected.verdict.texts.length === 0;
          resolve(leavesTexts ? { verdict: { ...inspected.verdict, texts: inspection.texts } } : inspected);
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#queue.add(job);
      this.#distribute();
    });
  }

  inTurn<T>(asking: Asking, work: () => T | Promise<T>): T | Promise<T> {
    return this.#turns.take(asking, work);
  }

  noteWork(characters: number): void {
    this.#turns.noteWork(characters);
  }

  lateness(): () => boolean {
    return this.#turns.lateness();
  }

  noteCostly(holder: string): void {
    this.#turns.noteCostly(holder);
  }

  isCostly(holder: string): boolean {
    return this.#turns.isCostly(holder);
  }

  /** For a new version of the gateway file: threads forget what they know of the old one. */
  renew(): void {
    for (const thread of this.#threads) {
      thread.isOld = true;
      thread.seen.clear();
    }
  }

  close(): void {
    for (const thread of this.#threads) this.#end(thread);
  }

  #refusalOf({ holder, side }: Inspection): Refusal | undefined {
    const { waitingMax, killsMax } = this.#limits;
    const refusal = this.#history.refusalOf(holder, killsMax);
    if (refusal !== undefined) return refusal;
    // An answer is paid for, and the places in work bound how many of them there are.
    if (side === 'inference') return undefined;
    return this.#queue.isFullFor(holder, waitingMax)
      ? new Refusal('overloaded', { message: 'too many large texts are being judged', retryAfterMs })
      : undefined;
  }

  #distribute(): void {
    const idle = [...this.#threads].filter(({ job, isReady }) => job === undefined && isReady);
    for (const thread of idle) {
      const job = this.#takeNext();
      if (job === undefined) return;
      this.#give(thread, job);
    }
    const starting = [...this.#threads].filter(({ isReady }) => !isReady).length;
    if (this.#queue.size > starting && this.#threads.size < this.#limits.threads) this.#start();
  }

  /** One thread is for tokens that are not slow, unless it is the only one and no other waits. */
  #takeNext(): Job | undefined {
    const inWork = [...this.#threads].filter(({ job }) => job !== undefined);
    const busy = new Set(inWork.map(({ job }) => job!.inspection.holder));
    const isSlow = ({ inspection }: Job): boolean => this.#history.isSlow(inspection.holder);
    const slowOnes = inWork.filter((thread) => isSlow(thread.job!) || thread.tookLong()).length;
    const { size } = this.#threads;
    const mayBeSlow = size === 1 ? !this.#queue.some((job) => !isSlow(job)) : slowOnes < size - 1;
    return this.#queue.takeNext(busy, (job) => mayBeSlow || !isSlow(job));
  }

  #give(thread: Thread, job: Job): void {
    const { side, texts, policyWork, areAll, policies } = job.inspection;
    const numbered = policies.map((policy) => [this.#numberOf(policy), policy] as const);
    const unseen = numbered.filter(([number]) => !thread.seen.has(number));
    for (const [number] of unseen) thread.seen.add(number);
    thread.job = job;
    this.#startClock(thread);
    const forgets = thread.isOld;
    thread.isOld = false;
    thread.worker.postMessage({
      side,
      texts,
      policyWork,
      areAll,
      policies: numbered.map(([number]) => number),
      unseen,
      forgets,
    } satisfies ThreadJob);
  }

  #startClock(thread: Thread): void {
    clearTimeout(thread.clock);
    const { monotonic, processorMs } = this.#parts;
    const startedAt = monotonic();
    const usedBefore = processorMs();
    thread.tookLong = () => monotonic() - startedAt > slowMs && processorMs() - usedBefore > slowMs;
    this.#watch(thread, usedBefore, 1);
  }

  /** On a busy machine a thread gets less time than the clock tells: it had no more than the whole process used. */
  #watch(thread: Thread, usedBefore: number, rings: number): void {
    const { judgingMsMax } = this.#limits;
    thread.clock = setTimeout(() => {
      const isOver = rings >= ringsMax || this.#parts.processorMs() - usedBefore >= judgingMsMax;
      if (isOver) this.#broke(thread, `it took longer than ${judgingMsMax / 1000} s`, true);
      else this.#watch(thread, usedBefore, rings + 1);
    }, judgingMsMax);
  }

  #numberOf(policy: PolicyConfig): number {
    const number = this.#numbers.get(policy) ?? (this.#count += 1);
    this.#numbers.set(policy, number);
    return number;
  }

  #start(): void {
    const worker = this.#makeWorker();
    if (worker === undefined) {
      // The other threads come to what waits, if there are any.
      if (this.#threads.size === 0) this.#failWaiting();
      return;
    }
    worker.unref();
    const thread: Thread = {
      worker,
      seen: new Set(),
      job: undefined,
      tookLong: () => false,
      clock: undefined,
      isReady: false,
      isOld: false,
    };
    this.#threads.add(thread);
    worker.on('message', ({ inspected }: ThreadReport) => {
      thread.isReady = true;
      if (inspected !== undefined) this.#finish(thread, inspected);
      else if (thread.job !== undefined) this.#startClock(thread);
      this.#distribute();
    });
    worker.on('error', (error: NodeJS.ErrnoException) =>
      this.#broke(thread, error.message, error.code === 'ERR_WORKER_OUT_OF_MEMORY'),
    );
    worker.on('exit', () => this.#broke(thread, 'it ended'));
  }

  /** Undefined where the system has no room for one more thread: Node throws then. */
  #makeWorker(): Worker | undefined {
    try {
      return new Worker(this.#parts.program, {
        // Neither the keys of the environment nor what this process was started with.
        env: {},
        argv: [],
        execArgv: [],
        resourceLimits: { maxOldGenerationSizeMb: threadMemoryMb },
      });
    } catch (error) {
      this.#parts.log.error('a thread that judges could not be started', { reason: (error as Error).message });
      return undefined;
    }
  }

  #failWaiting(): void {
    for (const job of this.#queue.takeAll()) job.settle(failed);
  }

  #finish(thread: Thread, inspected: Inspected): void {
    clearTimeout(thread.clock);
    if (thread.job && thread.tookLong()) this.#history.noteSlow(thread.job.inspection.holder);
    thread.job?.settle(inspected);
    thread.job = undefined;
  }

  /** `isItsDoing`: what it judged took too much time or memory. */
  #broke(thread: Thread, reason: string, isItsDoing = false): void {
    if (!this.#threads.has(thread)) return;
    const holder = thread.job?.inspection.holder;
    if (isItsDoing && holder !== undefined) this.#history.noteKill(holder);
    this.#parts.log.error('a thread that judges was ended', { reason });
    const wasReady = thread.isReady;
    this.#finish(thread, failed);
    this.#end(thread);
    if (wasReady) this.#distribute();
    // A program that does not start would not do so the next time; the other threads come to what waits, if any.
    else if (this.#threads.size === 0) this.#failWaiting();
  }

  #end(thread: Thread): void {
    this.#threads.delete(thread);
    void thread.worker.terminate();
  }
}
