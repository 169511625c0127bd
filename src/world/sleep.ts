import type { World } from './world.ts';

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
