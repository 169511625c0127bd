import { setMaxListeners } from 'node:events';
import { closeSync, constants, openSync, readFileSync } from 'node:fs';
import { Interrupted, type SignalName, signalTable } from '../errors.ts';
import { isTerminalAt } from './output.ts';
import { leaveTerminals, restoreTerminal } from './terminal-mode.ts';
import type { World } from './world.ts';

type Signals = Pick<World, 'interrupted' | 'onHangup' | 'onInterrupt'>;

/**
 * Hears SIGINT, SIGTERM and SIGHUP: the first asks everything to tidy up and end, a second one ends at once. SIGUSR1 is
 * heard and ignored, because Node would otherwise open its debugger to every user of this machine, and SIGUSR2, which
 * supervisors send to reload, because it would end the process.
 */
export function watchSignals(): Signals {
  const controller = new AbortController();
  const listeners = new Map<SignalName, () => void>();
  let hadTerminal = false;
  // Every wait of a batch listens to it; Node takes more than ten for a leak and says so on stderr.
  setMaxListeners(0, controller.signal);
  for (const { signal } of signalTable) {
    process.on(signal, () => {
      const isGone = signal === 'SIGHUP' && hadTerminal && isTerminalGone();
      const listener = isGone ? undefined : listeners.get(signal);
      if (listener !== undefined) listener();
      else if (controller.signal.aborted) endBySignal(signal);
      else controller.abort(new Interrupted(signal));
    });
  }
  process.on('SIGUSR1', () => {});
  process.on('SIGUSR2', () => {});
  return {
    interrupted: controller.signal,
    onHangup(listener) {
      const look = (): void => {
        if (!isTerminalGone()) hadTerminal = isTerminalAt(2) || isWaitedFor();
      };
      look();
      // Ctrl-Z and `bg` make a job in the background of it. A terminal that goes away sends this signal as well.
      process.on('SIGCONT', look);
      listeners.set('SIGHUP', listener);
    },
    onInterrupt(listener) {
      listeners.set('SIGINT', listener);
      return () => void listeners.delete('SIGINT');
    },
  };
}

/** True after the window was closed, which sends the same signal as an administrator who wants a file read again. */
function isTerminalGone(): boolean {
  try {
    closeSync(openSync('/dev/tty', constants.O_RDWR | constants.O_NOCTTY));
    return false;
  } catch {
    return true;
  }
}

/**
 * True in a pipeline that a person at a terminal waits for, as one into `tee`, which ends with that terminal. A job in
 * the background goes on without it; what a script starts with `&` is in its foreground, but reads nothing from there.
 * Linux alone can tell.
 */
function isWaitedFor(): boolean {
  try {
    const afterName = readFileSync('/proc/self/stat', 'utf8').replace(/^.*\) /s, '');
    const [, , group, , , foreground] = afterName.split(' ');
    return group === foreground && isTerminalAt(0);
  } catch {
    return false;
  }
}

/** Ends this process by the signal itself, so that a shell's loop around it stops too. */
export function endBySignal(signal: SignalName): void {
  restoreTerminal();
  leaveTerminals();
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}
