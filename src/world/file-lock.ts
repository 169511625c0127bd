import * as fs from 'node:fs';
import { hostname } from 'node:os';
import { errorCode } from './fault-words.ts';

const { O_NOCTTY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = fs.constants;

/** Who holds a lock, as its file says. */
interface Holder {
  readonly pid: number;
  /** Which start of the machine and when since, where it tells: a number is given to other processes, too. */
  readonly started: string | null;
  readonly host: string;
}

const holderBytesMax = 4096;
/** A holder that was killed between making its file and filling it is not waited for longer. */
const emptyMs = 10_000;

/**
 * Takes the lock beside a file, and gives the means to let it go; undefined while another process holds it. One that has
 * ended without letting go holds nothing.
 */
export function tryLock(path: string): (() => void) | undefined {
  const lock = `${path}.lock`;
  const own = JSON.stringify(thisProcess());
  for (let attempt = 0; attempt < 2; attempt++) {
    if (create(lock, own)) return () => release(lock, own);
    const found = readLock(lock);
    if (found === undefined) continue;
    if (isHeld(lock, found) || !moveAside(lock, found)) return undefined;
  }
  return undefined;
}

function create(lock: string, content: string): boolean {
  try {
    fs.writeFileSync(lock, content, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    // A full disk may have made the file and taken nothing into it.
    if (errorCode(error) === 'ENOSPC' || errorCode(error) === 'EDQUOT') fs.rmSync(lock, { force: true });
    throw error;
  }
}

/** Only our own: it may have been taken for one that was left behind. */
function release(lock: string, own: string): void {
  if (readLock(lock) === own) fs.rmSync(lock, { force: true });
}

function isHeld(lock: string, content: string): boolean {
  const holder = parseHolder(content);
  if (holder === undefined) return (fs.statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0) > Date.now() - emptyMs;
  if (holder.host !== hostname()) return true;
  return isAlive(holder.pid) && (holder.started === null || holder.started === startOf(holder.pid));
}

/** Two may find the same leftover: the second one moves what the first has made since, sees that, and puts it back. */
function moveAside(lock: string, content: string): boolean {
  const aside = `${lock}.${process.pid}`;
  try {
    fs.renameSync(lock, aside);
    const isLeftover = readLock(aside) === content;
    if (!isLeftover) fs.linkSync(aside, lock);
    return isLeftover;
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    fs.rmSync(aside, { force: true });
  }
}

function thisProcess(): Holder {
  return { pid: process.pid, started: startOf(process.pid) ?? null, host: hostname() };
}

/** Linux alone tells without another program; elsewhere the number has to do. */
function startOf(pid: number): string | undefined {
  const stat = readQuietly(`/proc/${pid}/stat`);
  const ticks = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  return ticks && `${readQuietly('/proc/sys/kernel/random/boot_id')?.trim()} ${ticks}`;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== 'ESRCH';
  }
}

function parseHolder(content: string): Holder | undefined {
  try {
    const { pid, started, host } = JSON.parse(content) as Holder;
    return Number.isSafeInteger(pid) && pid > 0 && typeof host === 'string' ? { pid, started, host } : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined also for what is no file, which nobody of us has made and which could keep its reader for ever. */
function readLock(path: string): string | undefined {
  let fd: number | undefined;
  try {
    fd = fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (!fs.fstatSync(fd).isFile()) return undefined;
    const bytes = Buffer.alloc(holderBytesMax);
    return bytes.toString('utf8', 0, fs.readSync(fd, bytes));
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) fs.closeSync(fd);
  }
}

function readQuietly(path: string): string | undefined {
  try {
    return fs.readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
