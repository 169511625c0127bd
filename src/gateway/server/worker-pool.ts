import cluster, { type Worker } from 'node:cluster';
import { availableParallelism } from 'node:os';
import { afterAwake } from '../../text/awake-timer.ts';
import type { Counters } from '../access/counters.ts';
import { wordsOf, writtenOf } from '../records/audit/append-file.ts';
import type { Log } from '../records/log.ts';
import { createMetrics, type MetricsSnapshot } from '../records/metrics.ts';
import { logMinuteCounts } from '../records/minute-counts.ts';
import { stalledMs, UntakenConnections, type UntakenParts } from './http/untaken-connections.ts';
import { repeat } from './repeat.ts';
import { CountKeeper } from './shared-counters.ts';
import { WorkerStates } from './worker-states.ts';
import {
  type HashesByPath,
  type ListenPlace,
  type Order,
  type ReadVersion,
  type Report,
  workerEnvironment,
} from './workers.ts';

interface WorkerPoolParts extends Pick<UntakenParts, 'processorMs'> {
  readonly log: Log;
  readonly monotonic: () => number;
  /** The counts that all workers share. */
  readonly counters: Counters;
  /** The versions by which a new worker comes to what the others serve where files cannot be read; earliest first. */
  readonly versions: () => Promise<readonly ReadVersion[]>;
  /** The files as they were read last; a new worker waits until it finds them so. */
  readonly read: () => HashesByPath;
  /** The place at which all workers listen, those too that start once the gateway file names another. */
  readonly place: () => ListenPlace;
  /** Writes to stdout, one text behind the other. */
  readonly write: (text: string) => Promise<void>;
  /** Connections that wait for a worker. */
  readonly untakenMax: number;
  /** Once it is aborted, no worker is waited for any more that does not listen yet. */
  readonly signal: AbortSignal;
}

interface WorkerPool {
  readonly port: number;
  /** True while at least one worker listens, and does not hang. */
  isReady(): boolean;
  /** The numbers of those that say nothing when they are asked. */
  hanging(): readonly number[];
  snapshots(): Promise<readonly MetricsSnapshot[]>;
  reload(): void;
  /** Resolves when the last worker has answered what it had, and is gone; one that hangs is killed. */
  drain(): Promise<void>;
}

/** One that ends sooner after its start, or before it listened, is not replaced at once: it would likely end again. */
const soonMs = 2000;
const restartDelayMs = 1000;
/** Workers are asked this often how they are, so that one that hangs is told of where nobody asks the admin port. */
const askMs = 10_000;
/** A worker that does not hear in this time that it is to end hangs, or was stopped. */
const unheardMs = 10_000;
/** Beyond the time that a worker says it needs to end. */
const endSlackMs = 5000;

export function workerCount(workers: number | 'auto'): number {
  return workers === 'auto' ? availableParallelism() : workers;
}

/**
 * Starts workers that share one port, and replaces those that die. The first one is waited for before the others start,
 * so that what keeps them all from starting is said once; all of them are waited for in the end. Undefined if it did
 * not come to listen; it has said why.
 */
export async function startWorkers(count: number, parts: WorkerPoolParts): Promise<WorkerPool | undefined> {
  const pool = new ClusterPool(parts);
  if (!(await pool.startFirst())) return undefined;
  for (let started = 1; started < count && !parts.signal.aborted; started++) pool.spawn();
  await pool.allListen(count);
  return pool;
}

class ClusterPool implements WorkerPool {
  readonly #log: Log;
  readonly #keeper: CountKeeper;
  readonly #versions: WorkerPoolParts['versions'];
  readonly #read: WorkerPoolParts['read'];
  readonly #place: WorkerPoolParts['place'];
  readonly #write: WorkerPoolParts['write'];
  readonly #signal: AbortSignal;
  readonly #listening = new Set<Worker>();
  readonly #metrics = createMetrics();
  readonly #untaken: UntakenConnections;
  /** The port that each worker was told to listen at, which may be 0. */
  readonly #toldPorts = new WeakMap<Worker, number>();
  readonly #states: WorkerStates;
  #port = 0;
  #isDraining = false;
  #arrival = (): void => undefined;
  readonly #stopCounts: () => void;
  readonly #stopAsking: () => void;

  constructor({ log, monotonic, counters, versions, read, place, write, untakenMax, signal, ...own }: WorkerPoolParts) {
    this.#log = log;
    this.#keeper = new CountKeeper(counters, monotonic);
    this.#states = new WorkerStates(log, monotonic);
    this.#versions = versions;
    this.#read = read;
    this.#place = place;
    this.#write = write;
    this.#untaken = new UntakenConnections({
      ...own,
      max: untakenMax,
      dropped: () => this.#metrics.count('dropped', { reason: 'limit' }),
      reset: () => this.#metrics.count('dropped', { reason: 'reset' }),
    });
    this.#signal = signal;
    this.#stopCounts = logMinuteCounts({ metrics: this.#metrics, log, every: repeat });
    this.#stopAsking = repeat(askMs, () => void this.snapshots());
  }

  get port(): number {
    return this.#port;
  }

  async startFirst(): Promise<boolean> {
    const worker = this.#fork();
    if (worker === undefined) return false;
    return await new Promise((resolve) => {
      const ended = (_code: number, signal: string | null): void => {
        const { aborted } = this.#signal;
        // One that ended by itself has said why, and at the end of the gateway all are told to end.
        if (signal !== null && !aborted)
          this.#log.error('a worker was ended before it listened', { worker: worker.id, signal });
        resolve(aborted);
      };
      worker.once('exit', ended);
      this.#signal.addEventListener('abort', () => resolve(true), { once: true });
      worker.on('message', (message: Report) => {
        if (message.report !== 'listening') return;
        worker.removeListener('exit', ended);
        this.#watch(worker);
        this.#arrived(worker, message);
        resolve(true);
      });
    });
  }

  async allListen(count: number): Promise<void> {
    this.#signal.addEventListener('abort', () => this.#arrival(), { once: true });
    while (this.#listening.size < count && !this.#signal.aborted)
      await new Promise<void>((resolve) => (this.#arrival = resolve));
  }

  spawn(): void {
    const worker = this.#fork();
    if (worker === undefined) return void setTimeout(() => this.#replace(), restartDelayMs);
    worker.on('message', (message: Report) => {
      if (message.report === 'listening') this.#arrived(worker, message);
    });
    this.#watch(worker);
  }

  /** Undefined where the system refuses to start one, as it does where memory is short. */
  #fork(): Worker | undefined {
    let worker: Worker;
    try {
      worker = cluster.fork(workerEnvironment);
    } catch (error) {
      this.#failedToStart(error as Error);
      return undefined;
    }
    const { process: child } = worker;
    if (child.pid === undefined) this.#hearFailedStart(worker);
    else this.#untaken.serve(worker);
    // An order to one that has just ended cannot be written; its end is heard of, and nobody waits for it.
    worker.on('error', () => undefined);
    const send = (order: Order): void => void worker.send(order);
    return worker.on('message', (message: Report) => {
      if (message.report === 'needs versions')
        void this.#versions().then((versions) => this.#signal.aborted || send({ order: 'versions', versions }));
      if (message.report === 'needs place') send({ order: 'place', place: this.#placeOf(worker), read: this.#read() });
      if (message.report === 'lines') this.#writeFor(worker, message);
    });
  }

  /** Node tells no end of a process that the system could not start, so that nobody would start another. */
  #hearFailedStart({ process: child }: Worker): void {
    child.once('error', (error) => {
      this.#failedToStart(error);
      child.emit('exit', child.exitCode, null);
    });
  }

  #failedToStart({ message }: Error): void {
    this.#log.error('a worker could not be started', { reason: message });
  }

  /** The place for a worker: for port 0 the free one that was taken, once no worker is left by whom Node knows it. */
  #placeOf(worker: Worker): ListenPlace {
    const place = this.#place();
    const isKnown = this.#port === 0 || [...this.#listening].some((each) => this.#toldPorts.get(each) === place.port);
    const port = isKnown ? place.port : this.#port;
    this.#toldPorts.set(worker, port);
    return { ...place, port };
  }

  #writeFor(worker: Worker, { id, text }: Extract<Report, { readonly report: 'lines' }>): void {
    const tell = (fault: Extract<Order, { readonly order: 'written' }>['fault']): void => {
      if (worker.isConnected()) worker.send({ order: 'written', id, fault } satisfies Order);
    };
    void this.#write(text).then(
      () => tell(null),
      (error: unknown) => tell({ reason: wordsOf(error), written: writtenOf(error) }),
    );
  }

  #watch(worker: Worker): void {
    const startedAt = performance.now();
    worker.on('error', (error) => this.#log.error('a worker cannot be reached', { reason: error.message }));
    worker.on('message', (message: Report) => {
      if (message.report !== 'count') return;
      void this.#keeper.answer(worker.id, message.calls).then((answers) => {
        if (answers.length > 0 && worker.isConnected()) worker.send({ order: 'counted', answers } satisfies Order);
      });
    });
    worker.once('exit', (code, signal) => {
      this.#keeper.forget(worker.id);
      const hasListened = this.#listening.delete(worker);
      if (this.#isDraining) return;
      this.#log.error('a worker ended and is replaced', { worker: worker.id, code, signal });
      const mayEndAgain = !hasListened || performance.now() - startedAt < soonMs;
      setTimeout(() => this.#replace(), mayEndAgain ? restartDelayMs : 0);
    });
  }

  #replace(): void {
    if (!this.#isDraining) this.spawn();
  }

  #arrived(worker: Worker, { port, snapshot }: Extract<Report, { report: 'listening' }>): void {
    // The last worker that knew the free port of all ended while this one was loading; another takes its place.
    const isElsewhere = this.#port !== 0 && port !== this.#port;
    if (this.#isDraining || isElsewhere) return void worker.send({ order: 'drain' } satisfies Order);
    this.#port = port;
    this.#listening.add(worker);
    this.#states.add(worker, snapshot);
    this.#arrival();
    this.#log.info('a worker listens', { worker: worker.id, port });
  }

  isReady(): boolean {
    return !this.#isDraining && this.#listening.size > this.hanging().length;
  }

  async snapshots(): Promise<readonly MetricsSnapshot[]> {
    return [...(await this.#states.snapshotsOf(this.#listening)), this.#metrics.snapshot()];
  }

  hanging(): readonly number[] {
    return [...this.#listening].filter((worker) => this.#states.isHanging(worker)).map(({ id }) => id);
  }

  reload(): void {
    for (const worker of this.#listening) worker.send({ order: 'reload' } satisfies Order);
  }

  async drain(): Promise<void> {
    this.#isDraining = true;
    // One that still reads its files has nothing to finish, and would open the port anew.
    const loading = this.#workers().filter((worker) => !this.#untaken.isAtPort(worker));
    for (const { process: child } of loading) child.kill('SIGKILL');
    const heardMs = (await this.#untaken.closePort()) ? unheardMs : unheardMs - stalledMs;
    this.#stopCounts();
    this.#stopAsking();
    await Promise.all(this.#workers().map((worker) => this.#end(worker, heardMs)));
  }

  #workers(): readonly Worker[] {
    return Object.values(cluster.workers ?? {}).filter((worker) => worker?.isDead() === false) as Worker[];
  }

  #end(worker: Worker, heardMs: number): Promise<void> {
    const { process: child } = worker;
    const kill = (): void => {
      this.#log.error('a worker did not end and is killed', { worker: worker.id });
      child.kill('SIGKILL');
    };
    return new Promise((resolve) => {
      let timer = afterAwake(heardMs, kill);
      worker.on('message', (message: Report) => {
        if (message.report !== 'draining') return;
        timer.end();
        timer = afterAwake(message.withinMs + endSlackMs, kill);
      });
      worker.once('exit', () => {
        timer.end();
        resolve();
      });
      if (worker.isConnected()) worker.send({ order: 'drain' } satisfies Order);
    });
  }
}
