import cluster from 'node:cluster';
import type { Counters } from '../access/counters.ts';
import type { GatewayConfig } from '../config.ts';
import type { Log } from '../records/log.ts';
import type { MetricsSnapshot } from '../records/metrics.ts';
import type { TlsIdentity } from './http/server.ts';
import { type CountAnswer, type CountCall, SharedCounters } from './shared-counters.ts';

/** Messages between the processes. */
export type Order =
  | { readonly order: 'drain' }
  | { readonly order: 'reload' }
  | { readonly order: 'snapshot'; readonly id: number }
  | { readonly order: 'counted'; readonly answers: readonly CountAnswer[] }
  | { readonly order: 'versions'; readonly versions: readonly ReadVersion[] }
  | { readonly order: 'written'; readonly id: number; readonly fault: WriteFault | null }
  | ({ readonly order: 'place' } & PlaceAmongOthers);
export type Report =
  | { readonly report: 'listening'; readonly port: number; readonly snapshot: MetricsSnapshot }
  | { readonly report: 'draining'; readonly withinMs: number }
  | { readonly report: 'snapshot'; readonly id: number; readonly snapshot: MetricsSnapshot }
  | { readonly report: 'count'; readonly calls: readonly CountCall[] }
  | { readonly report: 'lines'; readonly id: number; readonly text: string }
  | { readonly report: 'needs versions' }
  | { readonly report: 'needs place' };

/** The reason why lines of a worker could not be written, and the number of their bytes that were. */
interface WriteFault {
  readonly reason: string;
  readonly written: number;
}

/** The place at which the workers of a pool listen, which the gateway file may name otherwise by now. */
export interface ListenPlace extends Pick<GatewayConfig['listen'], 'host' | 'port'> {
  /** The certificate that the others show last; undefined where they have none. */
  readonly tls: TlsIdentity | undefined;
}

/** SHA-256 of the text of each file; null for one that was not read. */
export type HashesByPath = Readonly<Record<string, string | null>>;

export interface PlaceAmongOthers {
  readonly place: ListenPlace;
  /** The files as the process above has read them last. */
  readonly read: HashesByPath;
}

/** The texts of a gateway file and of all that it names, as one version of them was read and applied. */
export interface ReadVersion {
  readonly text: string;
  /** By path as the gateway file names it; one that could not be read is missing. */
  readonly files: Readonly<Record<string, string>>;
  /** By pattern. */
  readonly documents: Readonly<Record<string, readonly { readonly name: string; readonly text: string }[]>>;
  readonly faultyParts: readonly string[];
}

/** Orders of the process above, as a worker carries them out. */
interface WorkerHandlers {
  /** Returns the most milliseconds that it may take. */
  drain(): number;
  reload(): void;
  snapshot(): MetricsSnapshot;
}

export function isWorker(): boolean {
  return cluster.isWorker;
}

/** The variable by which a worker knows that motif started it. */
const ownVariable = 'MOTIF_SERVE_WORKER';
export const workerEnvironment: Readonly<Record<string, string>> = { [ownVariable]: '1' };

/** True where another program of Node made a worker of this process, and hears nothing of what one of motif says. */
export function isForeignWorker(env: Readonly<Record<string, string | undefined>>): boolean {
  return cluster.isWorker && env[ownVariable] === undefined;
}

/** True in a worker that starts beside others or in the place of one; the first tells what keeps them all from it. */
export function isLaterWorker(): boolean {
  return cluster.worker !== undefined && cluster.worker.id > 1;
}

/** Counters of a worker, whose counts the process above keeps. */
export function countersOfWorker(parts: { readonly log: Log; readonly monotonic: () => number }): Counters {
  const { worker } = cluster;
  if (worker === undefined) throw new Error('only a worker counts elsewhere');
  // Nothing can be written to a process above that was just killed; Node ends the worker once it knows.
  worker.on('error', () => undefined);
  const counters = new SharedCounters({
    ...parts,
    send(calls) {
      if (worker.isConnected()) worker.send({ report: 'count', calls } satisfies Report);
    },
    after: (ms, task) => void setTimeout(task, ms).unref(),
  });
  worker.on('message', (message: Order) => {
    if (message.order === 'counted') counters.answered(message.answers);
  });
  return counters;
}

/**
 * Returns what writes to stdout in a worker: the process above does it, because lines that are longer than a pipe takes
 * at once would be torn by those of other workers. It resolves once the system has them.
 */
export function stdoutOfWorker(): (text: string) => Promise<void> {
  const { worker } = cluster;
  if (worker === undefined) throw new Error('only a worker has its lines written elsewhere');
  const waiting = new Map<number, { resolve(): void; reject(error: Error): void }>();
  let id = 0;
  worker.on('message', (message: Order) => {
    if (message.order !== 'written') return;
    const found = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.fault === null) found?.resolve();
    else found?.reject(Object.assign(new Error(message.fault.reason), { written: message.fault.written }));
  });
  return (text) =>
    new Promise((resolve, reject) => {
      if (!worker.isConnected()) return reject(new Error('the process above the workers has gone'));
      waiting.set((id += 1), { resolve, reject });
      worker.send({ report: 'lines', id, text } satisfies Report);
    });
}

/** Called in a worker that cannot read all of its files; the versions that are served, earliest first. */
export async function askForVersions(): Promise<readonly ReadVersion[]> {
  return (await askAbove('needs versions', 'versions')).versions;
}

/** Called in a worker that starts. */
export async function askForPlace(): Promise<PlaceAmongOthers> {
  return await askAbove('needs place', 'place');
}

function askAbove<K extends 'versions' | 'place'>(
  report: `needs ${K}`,
  order: K,
): Promise<Extract<Order, { order: K }>> {
  const { worker } = cluster;
  if (worker === undefined) throw new Error('only a worker asks the process above it');
  return new Promise((resolve) => {
    const hear = (message: Order): void => {
      if (message.order !== order) return;
      worker.removeListener('message', hear);
      resolve(message as Extract<Order, { order: K }>);
    };
    worker.on('message', hear).send({ report });
  });
}

/** Called in a worker once it listens, so that the process above can tell a slow worker from one that cannot start. */
export function announceReady(port: number, handlers: WorkerHandlers): void {
  const { worker } = cluster;
  if (worker === undefined) throw new Error('only a worker announces itself');
  const report = (what: Report): void => void worker.send(what);
  worker.on('message', (message: Order) => {
    if (message.order === 'drain') report({ report: 'draining', withinMs: handlers.drain() });
    if (message.order === 'reload') handlers.reload();
    if (message.order === 'snapshot') report({ report: 'snapshot', id: message.id, snapshot: handlers.snapshot() });
  });
  report({ report: 'listening', port, snapshot: handlers.snapshot() });
}

/** A worker that does not say so is kept alive by the line to the process above it, whatever else has ended. */
export function leavePool(): void {
  if (cluster.worker?.isConnected()) cluster.worker.disconnect();
}
