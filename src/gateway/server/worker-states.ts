import type { Worker } from 'node:cluster';
import type { Log } from '../records/log.ts';
import { countsIn, type MetricsSnapshot, addUpSnapshots } from '../records/metrics.ts';
import type { Order, Report } from './workers.ts';

/** One worker that is too busy to say how it is must not keep the others from being heard: probes wait for a second. */
const snapshotWaitMs = 500;
/** A worker that has said nothing for so long since it was asked hangs, or was stopped. */
const hangingMs = 10_000;

interface WorkerState {
  /** The last one: a worker that says nothing now may still serve the file that it served then. */
  last: MetricsSnapshot;
  /** The moment at which it was first asked since it said something. */
  askedAt: number | undefined;
  isHanging: boolean;
}

/** The state of each worker, as far as it says so when it is asked. */
export class WorkerStates {
  readonly #log: Log;
  readonly #monotonic: () => number;
  readonly #states = new WeakMap<Worker, WorkerState>();
  /** All that workers which have ended had counted: a count that falls is to Prometheus one that began anew. */
  #ended: MetricsSnapshot = {};
  #id = 0;

  constructor(log: Log, monotonic: () => number) {
    this.#log = log;
    this.#monotonic = monotonic;
  }

  add(worker: Worker, first: MetricsSnapshot): void {
    const state: WorkerState = { last: first, askedAt: undefined, isHanging: false };
    this.#states.set(worker, state);
    worker.once('exit', () => (this.#ended = addUpSnapshots([this.#ended, countsIn(state.last)])));
    // However late: one that is merely busy says it in the end.
    worker.on('message', (message: Report) => {
      if (message.report !== 'snapshot') return;
      state.last = message.snapshot;
      state.askedAt = undefined;
      if (state.isHanging) this.#log.warn('a worker answers again', { worker: worker.id });
      state.isHanging = false;
    });
  }

  isHanging(worker: Worker): boolean {
    return this.#states.get(worker)?.isHanging === true;
  }

  /** Asks those who listen; that of before where one does not answer soon. The last is of those who have ended. */
  async snapshotsOf(listening: ReadonlySet<Worker>): Promise<readonly MetricsSnapshot[]> {
    await Promise.all([...listening].map((worker) => this.#ask(worker)));
    // One that ended meanwhile counts among those who have ended.
    const told = [...listening].map((worker) => this.#states.get(worker)?.last ?? {});
    return [...told, this.#ended];
  }

  async #ask(worker: Worker): Promise<void> {
    const state = this.#states.get(worker);
    if (state === undefined) return;
    const now = this.#monotonic();
    state.askedAt ??= now;
    if (!state.isHanging && now - state.askedAt >= hangingMs) {
      state.isHanging = true;
      this.#log.error('a worker does not answer', { worker: worker.id });
    }
    await this.#answer(worker);
  }

  #answer(worker: Worker): Promise<void> {
    const id = (this.#id += 1);
    return new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        worker.removeListener('message', hear);
        resolve();
      };
      const hear = (message: Report): void => {
        if (message.report === 'snapshot' && message.id === id) finish();
      };
      const timer = setTimeout(finish, snapshotWaitMs);
      worker.on('message', hear).send({ order: 'snapshot', id } satisfies Order);
    });
  }
}
