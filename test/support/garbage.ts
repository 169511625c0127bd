import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

function collectNow(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

/**
 * Has the language let go of all that nobody needs. A reference that was looked at is kept until the next round, and
 * one collection once left behind what nobody held: so there are several, with time between them.
 */
export async function collectGarbage(): Promise<void> {
  for (let collections = 0; collections < 3; collections++) {
    await new Promise((wake) => setTimeout(wake, 5));
    collectNow();
  }
}

/** Bytes of memory that are in use, without what nobody needs any more. */
export function bytesHeld(): number {
  collectNow();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
