import type { PolicyConfig } from '../config.ts';
import type { Asking, Inspection, JudgingClock, JudgingPool, TextsSize } from '../contract.ts';
import type { Inspected } from '../policies/judging.ts';
import { samples } from '../policies/preparing.ts';
import type { Log } from '../records/log.ts';
import { Refusal } from '../refusal.ts';
import { CostlyTokens } from './costly-tokens.ts';
import { JudgingHistory } from './judging-history.ts';
import { JudgingTurns } from './judging-turns.ts';
import { RunningThread, type ThreadLimits, type ThreadParts } from './running-thread.ts';
import { type Job, ThreadQueue } from './thread-queue.ts';

export interface JudgingLimits extends ThreadLimits {
  readonly threads: number;
  /** Prompts of a Motif that wait, of one token as many as it leaves free; of all Motifs twice as many. */
  readonly waitingMax: number;
  /** The same of small texts, which have places of their own: an honest token's may count as costly for a while. */
  readonly smallWaitingMax: number;
  /** The times in an hour that a token may have a thread ended, by the clock or for want of memory. */
  readonly killsMax: number;
  /** The time after which a gateway that listens starts a thread; one that only runs for a moment needs none. */
  readonly beginMs: number;
}

const judgingLimits: JudgingLimits = {
  threads: 2,
  waitingMax: 64,
  smallWaitingMax: 256,
  judgingMsMax: 20_000,
  slowMs: 250,
  killsMax: 3,
  beginMs: 1000,
};

const retryAfterMs = 1000;
/** Kinds whose tables take longer to make than a large text to judge: a fifth of a second. */
const kindsWithTables: readonly PolicyConfig['kind'][] = ['pii', 'secrets', 'injection'];
/** In place of a token, where a thread looks at texts that nobody sent. */
const nobody = '';
/** The time after which a thread is started again where one did not start, while others judge. */
const startAgainMs = 1000;
/** Characters of an ordinary text that a thread judges in a millisecond, about. */
const charactersPerMs = 1000;

interface JudgingParts extends ThreadParts {
  readonly log: Log;
  /** The system's number of the thread that all this runs in; absent where the system does not tell. */
  readonly ownThread?: string | undefined;
  readonly limits?: Partial<JudgingLimits>;
}

/** The result where a thread was ended: no policy has an outcome, so that all of them have failed. */
const failed: Inspected = { outcomes: [] };

/**
 * Threads for large texts: one from soon after the start, others once texts wait or all are busy with slow ones. A
 * policy whose thread is ended by the clock, or breaks, has failed, which blocks. Slow texts have all threads but one
 * together: another text finds that one ready. Of the Motifs that wait, the one that used the threads least comes
 * first, and of its tokens too, its next text included.
 */
export class JudgingThreads implements JudgingPool {
  readonly #parts: JudgingParts;
  readonly #limits: JudgingLimits;
  readonly #threads = new Set<RunningThread>();
  readonly #numbers = new WeakMap<PolicyConfig, number>();
  readonly #history: JudgingHistory;
  readonly #queue: ThreadQueue;
  #count = 0;
  #startAgainAt = 0;
  #beginning: NodeJS.Timeout | undefined;
  readonly #turns: JudgingTurns;
  readonly #costly: CostlyTokens;

  constructor(parts: JudgingParts) {
    this.#parts = parts;
    this.#history = new JudgingHistory(parts.monotonic);
    this.#queue = new ThreadQueue(this.#history);
    this.#turns = new JudgingTurns(parts.monotonic);
    this.#costly = new CostlyTokens(parts.monotonic, () => parts.processorMs(parts.ownThread));
    this.#limits = { ...judgingLimits, ...parts.limits };
  }

  /** Has a thread make its tables soon, where policies need some: the first large text would wait for all of that. */
  begin(policies: Iterable<PolicyConfig>): void {
    // One of each kind, for a thread that never gets a text should not hold all lists of words.
    const firsts = new Map([...policies].toReversed().map((policy) => [policy.kind, policy]));
    const needed = kindsWithTables.flatMap((kind) => firsts.get(kind) ?? []);
    if (needed.length === 0) return;
    const { signal } = new AbortController();
    const asking = { holder: nobody, signal, side: 'prompt', areAll: false, policyWork: undefined } as const;
    this.#beginning = setTimeout(() => {
      if (this.#threads.size === 0) void this.inspect({ ...asking, policies: needed, texts: samples.slice(0, 1) });
    }, this.#limits.beginMs).unref();
  }

  inspect(inspection: Inspection): Promise<Inspected> {
    const { signal } = inspection;
    // A signal that has aborted tells nobody of it any more.
    const refusal = signal.aborted ? new Refusal('client_gone') : this.#refusalOf(inspection);
    if (refusal !== undefined) return Promise.reject(refusal);
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        if (this.#queue.delete(job)) reject(new Refusal('client_gone'));
        else
          this.#inWork()
            .find((thread) => thread.job === job)
            ?.stop();
      };
      const job: Job = {
        inspection,
        characters: inspection.texts.reduce((sum, { length }) => sum + length, 0),
        leave,
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

  inTurn<T>(asking: Asking, work: () => T | Promise<T>, isShort?: boolean, size?: TextsSize): T | Promise<T> {
    return this.#turns.take(asking, work, isShort, size);
  }

  noteConnection(): void {
    this.#turns.noteConnection();
  }

  noteWork(characters: number): void {
    this.#turns.noteWork(characters);
  }

  clock(holder: string, characters: number, isShort: boolean): JudgingClock {
    return this.#costly.clock(holder, characters, isShort);
  }

  isCostly(holder: string, isShort: boolean): boolean {
    return this.#costly.has(holder, isShort);
  }

  /** For a new version of the gateway file: threads forget the policies that are not in it any more. */
  renew(policies: Iterable<PolicyConfig>): void {
    const kept = new Set([...policies].map((policy) => this.#numbers.get(policy)));
    for (const thread of this.#threads) thread.renew(kept);
  }

  close(): void {
    clearTimeout(this.#beginning);
    for (const thread of this.#threads) this.#end(thread);
  }

  #refusalOf({ holder, side, isSmall = false }: Inspection): Refusal | undefined {
    const { waitingMax, smallWaitingMax, killsMax } = this.#limits;
    const refusal = this.#history.refusalOf(holder, killsMax);
    if (refusal !== undefined) return refusal;
    // An answer is paid for, and the places in work bound how many of them there are.
    if (side === 'inference') return undefined;
    if (!this.#queue.isFullFor(holder, isSmall, isSmall ? smallWaitingMax : waitingMax)) return undefined;
    const message = `too many ${isSmall ? 'costly' : 'large'} texts are being judged`;
    return new Refusal('overloaded', { message, retryAfterMs });
  }

  #distribute(): void {
    for (const thread of [...this.#threads].filter(({ isIdle }) => isIdle)) {
      const job = this.#takeNext();
      if (job === undefined) return;
      thread.give(
        job,
        job.inspection.policies.map((policy) => [this.#numberOf(policy), policy]),
      );
    }
    const starting = [...this.#threads].filter(({ isReady }) => !isReady).length;
    const { size } = this.#threads;
    const mayStart = size === 0 || this.#parts.monotonic() >= this.#startAgainAt;
    const isNeeded = this.#queue.size > starting || (starting === 0 && this.#areAllSlow());
    if (isNeeded && size < this.#limits.threads && mayStart) this.#start();
    else if (starting === 0) this.#freeThread();
  }

  #takeNext(): Job | undefined {
    const inWork = this.#inWork();
    const busy = new Set(inWork.map(({ job }) => job!.inspection.holder));
    const mayBeSlow = this.#mayBeSlow(inWork);
    // Nobody knows yet of such a token that its texts are not slow, and one of them is about to show it.
    const isUnknown = ({ inspection: { holder } }: Job): boolean => busy.has(holder) && !this.#history.isKnown(holder);
    return this.#queue.takeNext(busy, (job) => (mayBeSlow || !this.#isSlow(job)) && !isUnknown(job));
  }

  /** The last thread is for texts that are not slow, unless there is no other. */
  #mayBeSlow(inWork: readonly RunningThread[]): boolean {
    const { size } = this.#threads;
    return size === 1 ? !this.#quickWaits() : inWork.filter(({ job }) => this.#isSlow(job!)).length < size - 1;
  }

  /**
   * Stops the latest thread, or ends it, where all turn out to judge slow texts, and another token waits. Its text is
   * judged anew, in turn with those of other slow tokens.
   */
  #freeThread(): void {
    const inWork = this.#inWork();
    if (inWork.length < 2 || !this.#areAllSlow() || !this.#quickWaits()) return;
    const latest = inWork.reduce((one, other) => (other.beganAt > one.beganAt ? other : one));
    if (!latest.stop()) this.#takeBack(latest, true);
  }

  #takeBack(thread: RunningThread, ends = false): void {
    const job = this.#take(thread);
    if (ends) this.#end(thread);
    if (job !== undefined) this.#queue.add(job);
    if (job?.inspection.signal.aborted) job.leave();
    this.#distribute();
  }

  #inWork(): readonly RunningThread[] {
    return [...this.#threads].filter(({ job }) => job !== undefined);
  }

  #areAllSlow(): boolean {
    const threads = [...this.#threads];
    return threads.length > 0 && threads.every(({ job }) => job !== undefined && this.#isSlow(job));
  }

  /** True for a text of a token that had a slow one lately, and for a long text of any token: it may well be slow. */
  #isSlow({ inspection, characters }: Job): boolean {
    return characters > this.#limits.slowMs * charactersPerMs || this.#history.isSlow(inspection.holder);
  }

  #quickWaits(): boolean {
    return this.#queue.some((job) => !this.#isSlow(job));
  }

  #numberOf(policy: PolicyConfig): number {
    const number = this.#numbers.get(policy) ?? (this.#count += 1);
    this.#numbers.set(policy, number);
    return number;
  }

  #start(): void {
    try {
      const thread = new RunningThread(this.#parts, this.#limits, {
        countBusy: () => this.#inWork().length,
        isReady: () => this.#distribute(),
        isSlow: ({ job }) => {
          this.#history.noteSlow(job!.inspection.holder);
          this.#distribute();
        },
        stopped: (stopped) => this.#takeBack(stopped),
        judged: (judging, inspected) => {
          this.#finish(judging, inspected);
          this.#distribute();
        },
        broke: (broken, reason, isItsDoing) => this.#broke(broken, reason, isItsDoing),
      });
      this.#threads.add(thread);
    } catch (error) {
      this.#startAgainAt = this.#parts.monotonic() + startAgainMs;
      this.#parts.log.error('a thread that judges could not be started', { reason: (error as Error).message });
      // The other threads come to what waits, if there are any.
      if (this.#threads.size === 0) this.#failWaiting();
    }
  }

  #failWaiting(): void {
    for (const job of this.#queue.takeAll()) job.settle(failed);
  }

  #finish(thread: RunningThread, inspected: Inspected): void {
    this.#take(thread)?.settle(inspected);
  }

  #take(thread: RunningThread): Job | undefined {
    const { job } = thread;
    if (job !== undefined) this.#history.noteUse(job.inspection.holder, thread.usedMs());
    if (job !== undefined && thread.isSlow) this.#history.noteSlow(job.inspection.holder);
    return thread.take();
  }

  #broke(thread: RunningThread, reason: string, isItsDoing: boolean): void {
    if (!this.#threads.has(thread)) return;
    const holder = thread.job?.inspection.holder;
    if (isItsDoing && holder !== undefined) this.#history.noteKill(holder);
    this.#parts.log.error('a thread that judges was ended', { reason });
    this.#finish(thread, failed);
    this.#end(thread);
    if (thread.isReady) return this.#distribute();
    // A program that does not start would not do so the next time; the other threads come to what waits, if any.
    this.#startAgainAt = this.#parts.monotonic() + startAgainMs;
    if (this.#threads.size === 0) this.#failWaiting();
  }

  #end(thread: RunningThread): void {
    this.#threads.delete(thread);
    thread.end();
  }
}
