import { setImmediate } from 'node:timers/promises';

/**
 * The time of a processor for which connections are accepted, while more of them come: where a server closes, the
 * system resets those that wait for it, with their requests. By the clock a machine that stood still would have none.
 */
const acceptMsMax = 1000;

/** A round that takes longer says nothing of those who came while it went on. */
const quickRoundMsMax = 1;

/** Resolves behind a round of the event loop in which none was accepted, however many were before. */
export async function untilNoneComes(accepted: () => number, processorMs: () => number): Promise<void> {
  const until = processorMs() + acceptMsMax;
  for (let isQuiet = false; !isQuiet && processorMs() < until;) {
    const before = accepted();
    // The second one comes after a whole round of the event loop, in which one is accepted.
    await setImmediate();
    const began = performance.now();
    await setImmediate();
    isQuiet = before === accepted() && performance.now() - began < quickRoundMsMax;
  }
}
