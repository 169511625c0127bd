import { uptime } from 'node:os';
import type { Log } from '../records/log.ts';

interface ClockParts {
  readonly now: () => number;
  readonly monotonic: () => number;
  /** Milliseconds since the machine started, those that it slept included. */
  readonly sinceBoot?: () => number;
  readonly log: Log;
  /** Calls again and again until the result is called. */
  readonly every: (ms: number, call: () => void) => () => void;
}

const checkEveryMs = 10_000;
/** Less is the work of the network's time, or of a machine that is busy. */
const noticedMs = 2000;

/**
 * Logs that the machine slept, which no deadline counts, or that its clock was set, which moves the end of a day and of
 * tokens: whoever wonders later about a connection or a limit finds it there.
 */
export function watchClocks({ now, monotonic, sinceBoot = () => uptime() * 1000, log, every }: ClockParts): () => void {
  const look = () => ({ wall: now(), run: monotonic(), boot: sinceBoot() });
  let before = look();
  return every(checkEveryMs, () => {
    const current = look();
    const passedMs = current.boot - before.boot;
    const sleptMs = passedMs - (current.run - before.run);
    const setMs = current.wall - before.wall - passedMs;
    before = current;
    if (sleptMs >= noticedMs) log.warn('this machine slept', { seconds: Math.round(sleptMs / 1000) });
    if (Math.abs(setMs) >= noticedMs)
      log.warn('the clock of this machine was set', { seconds: Math.round(setMs / 1000) });
  });
}
