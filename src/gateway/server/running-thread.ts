import { Worker } from 'node:worker_threads';
import type { Inspected } from '../policies/judging.ts';
import type { ThreadJob, ThreadReport } from './judging-thread.ts';
import type { Job } from './thread-queue.ts';

/** A thread that needs more ends, and with it what it judges, but not the gateway. */
const memoryMb = 512;
/** A thread is ended once its job took so many times the time that it has, whoever had the processors. */
const timesMax = 3;
/** The first text of a thread may take so many times as long as others: much is made, and compiled, with it. */
const firstTimes = 2;
/** The time in which a thread gives back its job; one that reads far with a single pattern does not. */
const stopMsMax = 500;
/** The times that a job is looked at, at least, before it counts as slow. */
const looksMin = 4;

export interface ThreadParts {
  /** The program of a thread. */
  readonly program: string | URL;
  readonly monotonic: () => number;
  /** Milliseconds that this process has used of processors, or a thread, by the system's number of it. */
  readonly processorMs: (thread?: string) => number;
}

export interface ThreadLimits {
  /** A backstop behind the budget of work, which is counted and not timed. */
  readonly judgingMsMax: number;
  /** Texts that take longer are slow. */
  readonly slowMs: number;
}

interface Owner {
  /** Of the threads of the owner, those that judge something. */
  countBusy(): number;
  isReady(thread: RunningThread): void;
  judged(thread: RunningThread, inspected: Inspected): void;
  /** It was told to stop, and has not judged its job. */
  stopped(thread: RunningThread): void;
  /** Its job is slow; told again and again. */
  isSlow(thread: RunningThread): void;
  /** `isItsDoing`: what it judged took too much time or memory, and not the making of policies. */
  broke(thread: RunningThread, reason: string, isItsDoing: boolean): void;
}

/** A thread that judges one job after the other, with a clock over each. Throws where the system has no room for it. */
export class RunningThread {
  readonly #parts: ThreadParts;
  readonly #limits: ThreadLimits;
  readonly #owner: Owner;
  readonly #worker: Worker;
  /** Shared with the thread, which looks at it while it judges. */
  readonly #stop = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  /** Since when it is to stop, and what its job had used by then. */
  #stopped: { readonly at: number; readonly usedMs: number } | undefined;
  /** The system's number of the thread, if it tells. */
  #number: string | undefined;
  /** Numbers of the policies that it has. */
  readonly #seen = new Set<number>();
  #clock: NodeJS.Timeout | undefined;
  #usedBefore = 0;
  /** It makes the policies that came with its job, for which no token is slow or has a thread ended. */
  #isMaking = false;
  /** Policies of an earlier version of the file, which the next job has it forget. */
  #forgets: number[] = [];
  #hasJudged = false;
  job: Job | undefined;
  beganAt = 0;
  isReady = false;

  constructor(parts: ThreadParts, limits: ThreadLimits, owner: Owner) {
    this.#parts = parts;
    this.#limits = limits;
    this.#owner = owner;
    this.#worker = new Worker(parts.program, {
      // Neither the keys of the environment nor what this process was started with.
      env: {},
      argv: [],
      execArgv: [],
      workerData: this.#stop.buffer,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    });
    this.#worker.unref();
    this.#worker.on('message', ({ inspected, isStopped, thread }: ThreadReport) => {
      if (isStopped) owner.stopped(this);
      else if (inspected !== undefined) {
        owner.judged(this, inspected);
        this.#hasJudged = true;
      } else if (this.#isMaking) {
        this.#isMaking = false;
        // It may have been ended meanwhile, and what it sent before that still comes.
        if (this.job !== undefined) this.#startClock();
      } else {
        this.isReady = true;
        this.#number = thread;
        owner.isReady(this);
      }
    });
    this.#worker.on('error', ({ message, code }: NodeJS.ErrnoException) =>
      owner.broke(this, message, code === 'ERR_WORKER_OUT_OF_MEMORY' && !this.#isMaking),
    );
    this.#worker.on('exit', () => owner.broke(this, 'it ended', false));
  }

  get isIdle(): boolean {
    return this.isReady && this.job === undefined;
  }

  /** It forgets the policies that it has but for some, with its next job. */
  renew(kept: ReadonlySet<number | undefined>): void {
    for (const number of this.#seen) {
      if (kept.has(number)) continue;
      this.#seen.delete(number);
      this.#forgets.push(number);
    }
  }

  give(job: Job, policies: ThreadJob['unseen']): void {
    const { side, texts, policyWork, areAll } = job.inspection;
    const unseen = policies.filter(([number]) => !this.#seen.has(number));
    for (const [number] of unseen) this.#seen.add(number);
    const forgets = this.#forgets;
    this.#forgets = [];
    this.#isMaking = unseen.length > 0;
    Atomics.store(this.#stop, 0, 0);
    this.#stopped = undefined;
    this.job = job;
    this.#startClock();
    const numbers = policies.map(([number]) => number);
    this.#worker.postMessage({
      side,
      texts,
      policyWork,
      areAll,
      policies: numbers,
      unseen,
      forgets,
    } satisfies ThreadJob);
  }

  /** Takes its job from it, whether that is done or not. */
  take(): Job | undefined {
    clearTimeout(this.#clock);
    const { job } = this;
    this.job = undefined;
    return job;
  }

  /** Has it give back its job soon, as where that is not wanted any more; false where it was told so and does not. */
  stop(): boolean {
    this.#stopped ??= { at: this.#parts.monotonic(), usedMs: this.usedMs() };
    Atomics.store(this.#stop, 0, 1);
    const { at, usedMs } = this.#stopped;
    // On a busy machine it may not have had a moment to see it.
    return this.#parts.monotonic() - at < stopMsMax || this.usedMs() - usedMs < stopMsMax;
  }

  end(): void {
    clearTimeout(this.#clock);
    void this.#worker.terminate();
  }

  /** True once its job took long, and that not because others had the processors. */
  get isSlow(): boolean {
    const slowMs = this.#limits.slowMs * (this.#hasJudged ? 1 : firstTimes);
    return !this.#isMaking && this.#elapsedMs() > slowMs && this.usedMs() > slowMs;
  }

  #elapsedMs(): number {
    return this.#parts.monotonic() - this.beganAt;
  }

  #processorMs(): number {
    return this.#parts.processorMs(this.#number);
  }

  /** Milliseconds that its job used, or where the system does not tell, its share of those of the process. */
  usedMs(): number {
    const ms = this.#processorMs() - this.#usedBefore;
    return this.#number === undefined ? ms / this.#owner.countBusy() : ms;
  }

  #startClock(): void {
    clearTimeout(this.#clock);
    this.beganAt = this.#parts.monotonic();
    this.#usedBefore = this.#processorMs();
    this.#look();
  }

  #look(): void {
    const { judgingMsMax, slowMs } = this.#limits;
    this.#clock = setTimeout(
      () => {
        const times = this.#elapsedMs() / judgingMsMax;
        // On a busy machine a thread gets less time than the clock tells.
        if (times >= timesMax || (times >= 1 && this.usedMs() >= judgingMsMax))
          return this.#owner.broke(this, `it took longer than ${judgingMsMax / 1000} s`, !this.#isMaking);
        this.#look();
        if (this.isSlow) this.#owner.isSlow(this);
      },
      Math.min(judgingMsMax, slowMs / looksMin),
    );
  }
}
