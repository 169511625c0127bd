import type { World } from './world.ts';

/** Milliseconds since the machine started. `performance.now()` would load ten modules of Node at every start. */
export function monotonic(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}

/** Node's timers fire at once when asked for more. */
const timerMsMax = 2 ** 31 - 1;

export function createSleep(interrupted: AbortSignal): World['sleep'] {
  return async function sleep(ms, signal) {
    const signals = signal === undefined ? [interrupted] : [interrupted, signal];
    for (const each of signals) each.throwIfAborted();
    await new Promise<void>((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        for (const each of signals) each.removeEventListener('abort', finish);
        resolve();
      };
      const timer = setTimeout(finish, Math.min(ms, timerMsMax));
      for (const each of signals) each.addEventListener('abort', finish);
    });
    for (const each of signals) each.throwIfAborted();
  };
}
