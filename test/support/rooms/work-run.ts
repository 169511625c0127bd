import { MotifError, TransportError } from '../../../src/errors.ts';
import { Throttle } from '../../../src/runs/throttle.ts';
import { troubleOf } from '../../../src/runs/trouble.ts';
import { type WorkOptions, WorkRun } from '../../../src/runs/work-run.ts';
import { createFakeClock } from '../fake-clock.ts';

type Result = string | MotifError;

const never = new AbortController().signal;
/** A failure of an item that surely was not asked. */
export const refused = () => {
  const error = new TransportError('network', 'refused', { layer: 'connect', sent: false, transient: true });
  return Object.assign(error, { isUnasked: true });
};
/** A failure of an item that may have been asked. */
export const lost = () => new TransportError('network', 'reset', { layer: 'http', sent: true });

/** A failure that the service answered with. */
export const failing = () => new MotifError('service', 'answered 500', { status: 500 });

interface Setup extends Partial<WorkOptions<Result>> {
  readonly concurrency?: number;
  readonly rpm?: number;
  readonly sleeps?: 'held';
  readonly items?: AsyncIterable<Iterable<number>> | Iterable<number>;
  readonly count?: number;
}

/** A run over numbers on a clock that only its sleepers move. */
export function startWork(work: (item: number, signal: AbortSignal) => Promise<Result>, setup: Setup = {}) {
  const { concurrency = 2, rpm, sleeps, count = 6, ...others } = setup;
  const { items = Array.from({ length: count }, (_, index) => index), ...options } = others;
  const clock = createFakeClock(sleeps === undefined ? {} : { sleeps }, never);
  const throttle = new Throttle({ concurrency, rpm }, clock);
  const run = new WorkRun(items, work, {
    throttle,
    clock,
    order: 'input',
    itemMsMax: 300_000,
    troubleOf: (result) => (typeof result === 'string' ? undefined : troubleOf(result)),
    ...options,
  });
  return { run, clock };
}

export async function collect(run: WorkRun<number, Result>) {
  const seen: string[] = [];
  await run.each(({ item, result }) => void seen.push(typeof result === 'string' ? `${item}` : `${item} failed`));
  return seen;
}

export const pause = () => new Promise((wake) => setImmediate(wake));
