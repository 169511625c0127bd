import { readFileSync, readlinkSync } from 'node:fs';

/** The number by which the system knows this thread; undefined where it does not tell. */
export function ownThread(): string | undefined {
  try {
    return readlinkSync('/proc/thread-self').split('/').at(-1);
  } catch {
    return undefined;
  }
}

/** Milliseconds that a thread of this process has used of processors; 0 where the system does not tell. */
export function threadMs(thread: string): number {
  return preciseMs(thread) ?? coarseMs(thread);
}

/** Of a system that counts nanoseconds for each thread: a step of the other count is as long as some texts take. */
function preciseMs(thread: string): number | undefined {
  try {
    return Number(readFileSync(`/proc/self/task/${thread}/schedstat`, 'latin1').split(' ')[0]) / 1e6;
  } catch {
    return undefined;
  }
}

function coarseMs(thread: string): number {
  try {
    const facts = readFileSync(`/proc/self/task/${thread}/stat`, 'latin1');
    // The second of them is a name in brackets, which may hold blanks; the 14th and 15th are in hundredths of a second.
    const [user, system] = facts.slice(facts.lastIndexOf(')')).split(' ').slice(12, 14);
    return (Number(user) + Number(system)) * 10;
  } catch {
    return 0;
  }
}
