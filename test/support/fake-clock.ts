import type { World } from '../../src/world/world.ts';

interface FakeClock extends Pick<World, 'now' | 'monotonic' | 'processorMs' | 'sleep'> {
  readonly slept: readonly number[];
  /** Moves the clock and ends the sleeps whose time has come, in their order. */
  advance(ms: number): Promise<void>;
}

interface Sleeper {
  readonly endsAt: number;
  wake(): void;
}

const startMs = Date.UTC(2026, 10, 20, 12);
/** Start of the monotonic clock, far from the wall clock's, so that mixing up the two is seen. */
export const monotonicStartMs = 1000;

/** A clock that only its sleepers and `advance` move. */
export function createFakeClock(
  { now: start = startMs, sleeps }: { readonly now?: number; readonly sleeps?: 'held' },
  interrupted: AbortSignal,
): FakeClock {
  const slept: number[] = [];
  const sleepers = new Set<Sleeper>();
  let now = start;
  const wakeDue = (): void => {
    const due = [...sleepers].filter(({ endsAt }) => endsAt <= now);
    for (const sleeper of due.toSorted((a, b) => a.endsAt - b.endsAt)) sleeper.wake();
  };
  return {
    slept,
    now: () => now,
    monotonic: () => now - start + monotonicStartMs,
    processorMs: () => now - start,
    async sleep(ms, signal) {
      slept.push(ms);
      const signals = signal === undefined ? [interrupted] : [interrupted, signal];
      for (const each of signals) each.throwIfAborted();
      const endsAt = now + ms;
      const over = new AbortController();
      let sleeper: Sleeper | undefined;
      await new Promise<void>((resolve) => {
        sleeper = { endsAt, wake: resolve };
        sleepers.add(sleeper);
        for (const each of signals) each.addEventListener('abort', () => resolve(), { signal: over.signal });
        // Whatever is ready without waiting comes first, as it would on a real clock.
        if (sleeps !== 'held') setImmediate(resolve);
      });
      over.abort();
      if (sleeper) sleepers.delete(sleeper);
      for (const each of signals) each.throwIfAborted();
      now = Math.max(now, endsAt);
    },
    async advance(ms) {
      now += ms;
      wakeDue();
      await new Promise(setImmediate);
    },
  };
}
