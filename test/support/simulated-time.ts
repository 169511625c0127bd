import type { RunClock } from '../../src/runs/throttle.ts';

/** A clock that jumps from one sleeper to the next, in the order of their moments, once nothing else is to be done. */
export function createSimulatedTime(): RunClock & { run<T>(work: Promise<T>): Promise<T> } {
  const sleepers: { readonly endsAt: number; readonly wake: () => void }[] = [];
  let now = 0;
  const wakeNext = (): void => {
    let first = 0;
    for (let at = 1; at < sleepers.length; at++) if (sleepers[at]!.endsAt < sleepers[first]!.endsAt) first = at;
    const [sleeper] = sleepers.splice(first, 1);
    now = Math.max(now, sleeper?.endsAt ?? now);
    sleeper?.wake();
  };
  return {
    now: () => now,
    monotonic: () => now,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        sleepers.push({ endsAt: now + Math.max(0, ms), wake });
        signal?.addEventListener('abort', wake);
      });
      signal?.throwIfAborted();
    },
    async run(work) {
      let isOver = false;
      const over = work.finally(() => (isOver = true));
      over.catch(() => undefined);
      while (!isOver) {
        await new Promise(setImmediate);
        wakeNext();
      }
      return over;
    },
  };
}
