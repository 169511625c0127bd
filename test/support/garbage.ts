import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

function collectNow(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

/** Has the language let go of all that nobody needs. A reference that was looked at is kept until the next round. */
export async function collectGarbage(): Promise<void> {
  await new Promise(setImmediate);
  collectNow();
}

/** Bytes of memory that are in use, without what nobody needs any more. */
export function bytesHeld(): number {
  collectNow();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
