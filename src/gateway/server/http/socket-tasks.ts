import { nextTick } from 'node:process';
import { ByHolder } from '../by-holder.ts';

/** Milliseconds of such tasks in one round of the event loop; the last one may take longer. */
const turnMs = 5;
/** The longest rest behind tasks: a task that seems to take longer stood still with the process, as after SIGSTOP. */
const restMsMax = 1000;

/**
 * Runs what sockets need beside the reading of requests (handshakes, ends, timeouts), for thousands of them may need it
 * at once: one task after the other, for a few milliseconds of a round and half of the time at most.
 */
export class SocketTasks {
  readonly #tasks = new Set<() => void>();
  readonly #lastTasks = new ByHolder<() => void>();
  #isArmed = false;
  #restUntil = 0;

  add(task: () => void): void {
    this.#tasks.add(task);
    if (!this.#isArmed) this.#arm();
  }

  /** Adds a task that comes after all others. Of those the holders take turns. */
  addLast(holder: string, task: () => void): void {
    this.#lastTasks.add(holder, task);
    if (!this.#isArmed) this.#arm();
  }

  deleteLast(holder: string, task: () => void): void {
    this.#lastTasks.delete(holder, task);
  }

  #arm(): void {
    this.#isArmed = true;
    const restMs = this.#restUntil - performance.now();
    // Not in the timer: one that is over already comes before the sockets are read, and would make one turn of two.
    const runSoon = (): void => void setImmediate(() => this.#run());
    if (restMs <= 0) runSoon();
    else setTimeout(runSoon, restMs);
  }

  #run(): void {
    const startedAt = performance.now();
    const tasks = this.#tasks.values();
    const runNext = (): void => {
      const ms = performance.now() - startedAt;
      const task = ms < turnMs ? (tasks.next().value ?? this.#lastTasks.takeNext()) : undefined;
      if (task === undefined) return this.#rest(startedAt, ms);
      this.#tasks.delete(task);
      task();
      // Most of its work is done in the ticks and promises that it leaves behind.
      nextTick(queueMicrotask, runNext);
    };
    runNext();
  }

  #rest(startedAt: number, ms: number): void {
    if (ms >= 1) this.#restUntil = startedAt + ms + Math.min(ms, restMsMax);
    this.#isArmed = false;
    if (this.#tasks.size + this.#lastTasks.size > 0) this.#arm();
  }
}
