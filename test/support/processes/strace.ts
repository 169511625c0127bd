import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Ended, shell } from './child.ts';

export interface Syscall {
  readonly name: string;
  /** Which call of this name it is in the main thread, counted from 1. */
  readonly nth: number;
  readonly line: string;
}

interface Traced extends Ended {
  readonly calls: readonly Syscall[];
}

const names = 'openat,pwrite64,fchmod,fsync,close,rename,unlink,statx,getdents64';

/** Runs a program under strace, which may fail one of its calls or kill it there: `pwrite64:error=EIO:when=2`. */
export async function trace(command: readonly string[], inject?: string, umask = '022'): Promise<Traced> {
  const folder = mkdtempSync(join(tmpdir(), 'motif-strace-'));
  const log = join(folder, 'log');
  const faults = inject === undefined ? [] : ['-e', `inject=${inject}`];
  // Much faster, but strace 6.1 sends no signal with it.
  const speed = inject?.includes('signal=') ? [] : ['--seccomp-bpf'];
  const words = ['strace', '-f', ...speed, '-o', log, '-e', `trace=${names}`, ...faults, ...command];
  try {
    const ended = await shell(`umask ${umask}; exec "$@"`, ...words);
    return { ...ended, calls: callsOfMainThread(readFileSync(log, 'utf8')) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function callsOfMainThread(log: string): readonly Syscall[] {
  const [pid] = log.split(' ', 1);
  const counts = new Map<string, number>();
  return log.split('\n').flatMap((text) => {
    const [, thread, line = '', name = ''] = /^(\d+) +((\w+)\(.*)$/.exec(text) ?? [];
    if (thread !== pid) return [];
    const nth = (counts.get(name) ?? 0) + 1;
    counts.set(name, nth);
    return [{ name, nth, line }];
  });
}
