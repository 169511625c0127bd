import type { Server } from 'node:net';
import { setImmediate } from 'node:timers/promises';

/** The time for which connections are accepted, while more of them come. */
const acceptMsMax = 1000;

/** Accepts the connections that wait for it: where a server closes, the system resets them, with their requests. */
export async function acceptWaiting(server: Server): Promise<void> {
  let accepted = 0;
  const count = (): void => void (accepted += 1);
  server.on('connection', count);
  const until = performance.now() + acceptMsMax;
  for (let before = -1; before !== accepted && performance.now() < until;) {
    before = accepted;
    // The second one comes after a whole round of the event loop, in which one is accepted.
    await setImmediate();
    await setImmediate();
  }
  server.off('connection', count);
}
