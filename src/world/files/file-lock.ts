import * as fs from 'node:fs';
import { staleLockMs } from '../../text/limits.ts';
import { FileFault, type LockWatch } from '../world.ts';
import { errorCode } from '../fault-words.ts';
import { infoOf, notFileWords } from './file-info.ts';

const { O_CREAT, O_EXCL, O_NOCTTY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = fs.constants;

/** Holder of a lock, as its file says. */
interface Holder {
  readonly pid: number;
  /** When the process started, where the system tells: its number is given to other processes later. */
  readonly started: string | null;
  readonly host: string;
  /** The start of the machine and the namespace of process numbers, where the system tells. */
  readonly space: string | null;
}

/** The parts of a world that a wait needs. */
export interface LockClock {
  monotonic(): number;
  sleep(ms: number): Promise<void>;
}

const holderBytesMax = 4096;
/** A holder that was killed between making its file and filling it is not waited for longer. */
const emptyMs = 10_000;
/** A lock begins so, however few of its bytes were written; a poetry.lock, say, is another program's file. */
const ownStart = '{"pid":';
const pollMs = 50;
/** A holder touches its lock this often, for a container or another machine that cannot look for its process. */
const renewMs = 5000;

/** The locks of one process: what it has seen of others' is remembered from one attempt to the next. */
export class FileLocks {
  readonly #clock: LockClock;
  readonly #seen = new Map<string, { readonly state: string; readonly since: number }>();

  constructor(clock: LockClock) {
    this.#clock = clock;
  }

  /** Takes the lock beside a file, waiting at most so long; returns what lets it go, or undefined while it is held. */
  async take(path: string, waitMs: number, watch?: LockWatch): Promise<(() => void) | undefined> {
    const lock = lockPath(path);
    const startedAt = this.#clock.monotonic();
    for (let isWatched = false; ; await this.#clock.sleep(pollMs)) {
      const release = this.#try(lock);
      if (release !== undefined) return release;
      needLockFile(lock);
      const found = readLock(lock);
      const holder = found && parseHolder(found.content);
      const watched = holder !== undefined && !isNeighbour(holder) ? watch : undefined;
      // Whoever would watch another machine also waits until a lock without a name is known to be left over.
      const isUnsigned = found !== undefined && holder === undefined;
      const ownMs = isUnsigned && watch !== undefined ? Math.max(waitMs, emptyMs + pollMs) : waitMs;
      if (this.#clock.monotonic() - startedAt >= (watched?.ms ?? ownMs)) return undefined;
      if (!isWatched) watched?.begins();
      isWatched ||= watched !== undefined;
    }
  }

  #try(lock: string): (() => void) | undefined {
    const own = JSON.stringify(thisProcess());
    for (let attempt = 0; attempt < 2; attempt++) {
      if (create(lock, own)) return hold(lock, own);
      const found = readLock(lock);
      if (found === undefined) continue;
      if (this.#isHeld(lock, found) || !moveAside(lock, found)) return undefined;
    }
    return undefined;
  }

  #isHeld(lock: string, found: LockFile): boolean {
    const holder = parseHolder(found.content);
    if (holder === undefined) {
      if (!ownStart.startsWith(found.content.slice(0, ownStart.length)))
        throw new FileFault(lock, 'ENOTFILE', 'is no lock of motif, but stands in the place of one: move it away');
      return found.modifiedAt > Date.now() - emptyMs && !this.#isUnchangedFor(emptyMs, lock, found);
    }
    if (isNeighbour(holder)) return isRunning(holder);
    return !this.#isUnchangedFor(staleLockMs, lock, found);
  }

  /** The clock of another machine may be wrong by hours, so only what was watched here counts. */
  #isUnchangedFor(ms: number, lock: string, { content, modifiedAt }: LockFile): boolean {
    const state = `${modifiedAt} ${content}`;
    const seen = this.#seen.get(lock);
    if (seen?.state === state) return this.#clock.monotonic() - seen.since >= ms;
    this.#seen.set(lock, { state, since: this.#clock.monotonic() });
    return false;
  }
}

/** The lock of a file: that of the real one behind a person's own link, for whoever writes through it replaces that. */
export function lockPath(path: string): string {
  const link = infoOf(path, false);
  const isOwnLink = link?.type === 'link' && link.uid === process.getuid?.() && infoOf(path, true) !== undefined;
  return `${isOwnLink ? fs.realpathSync(path) : path}.lock`;
}

/** Removes the locks of a folder whose holders have ended, as far as this machine can tell. */
export function sweepLocks(folder: string, names: readonly string[]): void {
  for (const name of names.filter((each) => each.endsWith('.lock'))) {
    const found = readLock(`${folder}/${name}`);
    const holder = found && parseHolder(found.content);
    if (holder === undefined || !isNeighbour(holder) || isRunning(holder)) continue;
    try {
      moveAside(`${folder}/${name}`, found!);
    } catch {
      // One of another user in a folder of all, such as /tmp, is theirs to remove.
    }
  }
}

function hold(lock: string, own: string): () => void {
  const renewing = setInterval(() => renew(lock, own), renewMs).unref();
  return () => {
    clearInterval(renewing);
    release(lock, own);
  };
}

/** A lock that cannot be touched just now is still held; it is tried again. */
function renew(lock: string, own: string): void {
  try {
    const now = new Date();
    if (readLock(lock)?.content === own) fs.utimesSync(lock, now, now);
  } catch {
    // Whoever watches waits longer than one renewal that failed.
  }
}

function create(lock: string, content: string): boolean {
  const fd = openNew(lock);
  if (fd === undefined) return false;
  try {
    const bytes = Buffer.from(content);
    try {
      if (fs.writeSync(fd, bytes, 0, bytes.length, 0) < bytes.length)
        throw Object.assign(new Error('the system took a part of the lock'), { code: 'ENOSPC' });
    } finally {
      fs.closeSync(fd);
    }
    return true;
  } catch (error) {
    // Without a name in it, it would be waited for.
    removeQuietly(lock);
    throw error;
  }
}

function openNew(lock: string): number | undefined {
  try {
    return fs.openSync(lock, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return undefined;
    throw error;
  }
}

/** Only our own: it may have been taken for one that was left behind. */
function release(lock: string, own: string): void {
  if (readLock(lock)?.content === own) removeQuietly(lock);
}

/** Two may find the same leftover: the second one moves what the first has made since, sees that, and puts it back. */
function moveAside(lock: string, found: LockFile): boolean {
  const aside = `${lock}.${Math.random().toString(36).slice(2, 12)}`;
  try {
    fs.renameSync(lock, aside);
    const moved = readLock(aside);
    const isLeftover = moved?.content === found.content && moved.modifiedAt === found.modifiedAt;
    if (!isLeftover) fs.linkSync(aside, lock);
    return isLeftover;
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    removeQuietly(aside);
  }
}

function thisProcess(): Holder {
  return { pid: process.pid, started: startOf(process.pid) ?? null, host: hostName(), space: spaceOfNumbers() };
}

/** True where a holder's process number means the same process here: containers may share a host name or a kernel. */
function isNeighbour({ host, space }: Holder): boolean {
  const own = spaceOfNumbers();
  return own === null ? space === null && host === hostName() : space === own;
}

/** The name of this machine; `node:os` is loaded by what takes a lock, and not by every start. */
function hostName(): string {
  return process.getBuiltinModule('node:os').hostname();
}

function spaceOfNumbers(): string | null {
  try {
    return `${fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${fs.readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return null;
  }
}

/** A number is given to other processes later, so that the start counts as well, where it is known. */
function isRunning({ pid, started }: Holder): boolean {
  return isAlive(pid) && !isZombie(pid) && (started === null || started === startOf(pid));
}

/** True of one that has ended and that nobody has asked for its end yet: in many containers nobody ever does. */
function isZombie(pid: number): boolean {
  return statFields(pid)?.[0] === 'Z';
}

/** Linux alone tells without another program; elsewhere the number has to do. */
function startOf(pid: number): string | undefined {
  return statFields(pid)?.[19];
}

/** Fields that the system tells of a process, behind its number and name. */
function statFields(pid: number): readonly string[] | undefined {
  const stat = readQuietly(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
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
    const { pid, started, host, space = 'unknown' } = JSON.parse(content) as Partial<Holder>;
    const isWhole = Number.isSafeInteger(pid) && pid! > 0 && typeof host === 'string';
    return isWhole ? { pid: pid!, started: started ?? null, host, space } : undefined;
  } catch {
    return undefined;
  }
}

/** Throws for a folder, link or pipe in the place of a lock, which nobody holds and nobody lets go. */
function needLockFile(lock: string): void {
  const words = notFileWords(infoOf(lock, false));
  if (words !== undefined) throw new FileFault(lock, 'ENOTFILE', `${words} in the place of a lock: remove it`);
}

interface LockFile {
  readonly content: string;
  readonly modifiedAt: number;
}

/** The content of a lock file; undefined for anything but a regular file, too, which could block its reader. */
function readLock(path: string): LockFile | undefined {
  let fd: number | undefined;
  try {
    fd = fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    const stats = fs.fstatSync(fd);
    if (!stats.isFile()) return undefined;
    const bytes = Buffer.alloc(holderBytesMax);
    return { content: bytes.toString('utf8', 0, fs.readSync(fd, bytes)), modifiedAt: stats.mtimeMs };
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) fs.closeSync(fd);
  }
}

/** A network file system may fail to remove what was used a moment ago; unrenewed, the lock does not hold for long. */
function removeQuietly(path: string): void {
  try {
    fs.rmSync(path, { force: true });
  } catch {
    // The work that the lock was for is done, and its result is what counts.
  }
}

function readQuietly(path: string): string | undefined {
  try {
    return fs.readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
