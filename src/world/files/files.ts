import * as fs from 'node:fs';
import { dirname, resolve } from 'node:path';
import { MotifError } from '../../errors.ts';
import { defuse } from '../../text/defuse.ts';
import { openAppend, isTorn } from './append-file.ts';
import { sweepDebris, syncFolder, writeAtomic, writeFully, writeNew } from './atomic-write.ts';
import { errorCode, FileRefusal, toFileFault } from '../fault-words.ts';
import { monotonic } from '../clock.ts';
import { infoOf, openAtOnce, openRegular, othersBits } from './file-info.ts';
import { readInside, readPart, readRegular } from './whole-file.ts';
import { readChunks } from './file-chunks.ts';
import { FileLocks, lockPath, type LockClock } from './file-lock.ts';
import { holdFile } from './held-file.ts';
import { freeBytes, openGrowing, openGrown } from './growing-file.ts';
import { isTerminalAt } from '../output.ts';
import { ReadFiles } from './read-files.ts';
import { openScratch } from './scratch-file.ts';
import { FileFault, type FileInfo, type Files, type SurveyedFile } from '../world.ts';
import { writeAll } from '../writing.ts';

const { O_APPEND, O_CREAT, O_NOCTTY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR, O_WRONLY } = fs.constants;

/** Time that a FIFO may stay without a reader before what was to be written there is given up. */
const readerWaitMs = 10_000;
const readerPollMs = 50;

interface FilesParts {
  readonly interrupted?: AbortSignal;
  readonly clock?: LockClock;
}

const realClock: LockClock = {
  monotonic,
  sleep: (ms) => new Promise((wake) => setTimeout(wake, ms)),
};

/**
 * Files of this machine; a relative path starts at `from`, or at the working directory. The calls beneath are
 * synchronous: they start faster, a save cannot be torn apart by a signal, and nothing here opens what could block.
 * Only a search takes long, and ends when `interrupted` aborts.
 */
export function createFiles(from = '', { interrupted, clock = realClock }: FilesParts = {}): Files {
  const locks = new FileLocks(clock);
  const readFiles = new ReadFiles();
  const unsynced = new Map<string, FileFault>();
  const at = (path: string): string => (from === '' ? path : resolve(from, path));
  async function on<T>(path: string, work: (path: string) => T | Promise<T>): Promise<T> {
    try {
      return await work(at(path));
    } catch (error) {
      throw toFileFault(path, error);
    }
  }
  function noted<T extends { readonly info: FileInfo }>(real: string, content: T): T {
    readFiles.add(real, content.info);
    return content;
  }
  function change(path: string, work: (path: string) => string | undefined): Promise<void> {
    return on(path, (real) => {
      const folder = work(real);
      if (folder !== undefined) settle(path, folder, unsynced);
    });
  }
  return {
    unsynced,
    read: (path, { bytesMax, follow = true, within }) =>
      on(path, (real) =>
        within === undefined
          ? noted(real, readRegular(real, bytesMax, follow))
          : noted(real, readInside(real, at(within) || '.', bytesMax)),
      ),
    readPart: (path, start, bytesMax) => on(path, (real) => noted(real, readPart(real, start, bytesMax))),
    chunks: (path, signal) => readChunks(at(path), path, { signal, opened: (info) => readFiles.add(at(path), info) }),
    keep: (path) => readFiles.keep(at(path)),
    wasRead: (info) => readFiles.has(info),
    info: async (path, { follow = true } = {}) => infoOf(at(path), follow),
    absolute: (path) => absolutePath(from, path),
    list: (folder) => on(folder, (real) => namesIn(real)),
    survey: (folder) => on(folder, (real) => survey(real)),
    glob: (pattern, options) =>
      on(pattern, async () => {
        // Few runs search, and every start would read it.
        const { searchFiles } = await import('./file-search.ts');
        return searchFiles(pattern, (path) => at(path) || '.', { signal: interrupted, ...options });
      }),
    writeAtomic: (path, content, { mode = 0o600, over } = {}) =>
      change(path, (real) => writeAtomic(real, content, mode, over)),
    writeNew: (path, content) => change(path, (real) => writeNew(real, content)),
    needWritable: (path) => on(path, (real) => fs.accessSync(real || '.', fs.constants.W_OK)),
    writeThrough: (path, content) => on(path, (real) => writeThrough(real, content)),
    append: (path, line, { mustExist = false } = {}) => on(path, (real) => appendLine(real, line, mustExist)),
    openGrowing: (path) => on(path, (real) => openGrowing(real, path)),
    openGrown: (path) => on(path, (real) => openGrown(real, path)),
    openScratch: (beside) => openScratch(at(beside), beside),
    hold: async (path) => holdFile(at(path)),
    freeBytes: (folder) => on(folder, (real) => freeBytes(real || '.')),
    openAppend: (path) => on(path, (real) => openAppend(real, path)),
    lock: (path, waitMs = 0, watch) => on(path, (real) => locks.take(real, waitMs, watch)),
    lockPath: (path) => {
      const real = lockPath(at(path));
      return real === `${at(path)}.lock` ? `${path}.lock` : real;
    },
    makeFolder: (path) => on(path, (real) => makeFolder(real)),
    rename: (before, after) => change(before, (real) => renameTo(real, at(after))),
    setMode: (path, mode) => on(path, (real) => setMode(real, mode)),
    remove: (path, { recursive = false } = {}) => change(path, (real) => remove(real, recursive)),
    removeAll: (folder, names) => change(folder, (real) => removeAll(real, names)),
  };
}

/**
 * Makes a change last. It is made by then: whoever took a fault here for a failure of it would make it again, or lose
 * a token that counts.
 */
function settle(path: string, folder: string, unsynced: Map<string, FileFault>): void {
  try {
    syncFolder(folder);
  } catch (error) {
    const fault = toFileFault(path, error);
    if (!(fault instanceof FileFault)) throw fault;
    unsynced.set(folder, fault);
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return fs.readdirSync(folder).sort();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

function survey(folder: string): readonly SurveyedFile[] {
  const found: SurveyedFile[] = [];
  for (const name of namesIn(folder)) {
    const info = fs.lstatSync(`${folder}/${name}`, { throwIfNoEntry: false });
    if (info?.isFile()) found.push({ name, size: info.size, modifiedAt: info.mtimeMs });
  }
  return found;
}

async function writeThrough(path: string, content: string): Promise<void> {
  const fd = await openForReader(path);
  try {
    const isTerminal = isTerminalAt(fd);
    await writeAll(fd, Buffer.from(isTerminal ? defuse(content) : content), { isTerminal });
  } finally {
    fs.closeSync(fd);
  }
}

/** A FIFO opens for writing once somebody reads it, and that reader may be starting right now. */
async function openForReader(path: string): Promise<number> {
  for (let waitedMs = 0; ; waitedMs += readerPollMs) {
    try {
      return fs.openSync(path, O_WRONLY | O_NONBLOCK | O_NOCTTY);
    } catch (error) {
      const mayOpenLater = errorCode(error) === 'ENXIO' && infoOf(path, true)?.type === 'fifo';
      if (!mayOpenLater || waitedMs >= readerWaitMs) throw error;
      await new Promise((wake) => setTimeout(wake, readerPollMs));
    }
  }
}

/**
 * The line is on disk when this returns. A torn line that a killed writer left is ended first, so that two records
 * never run into one; a line that did not fit is taken back.
 */
function appendLine(path: string, line: string, mustExist: boolean): void {
  const { fd, info } = openRegular(path, O_RDWR | (mustExist ? 0 : O_CREAT) | O_APPEND | O_NOFOLLOW, 0o600);
  try {
    keepPrivate(fd, info);
    const { size } = info;
    const bytes = Buffer.from(`${isTorn(fd) ? '\n' : ''}${line}\n`);
    try {
      writeFully(fd, bytes, size);
      fs.fdatasyncSync(fd);
    } catch (error) {
      if (fs.fstatSync(fd).size <= size + bytes.length) fs.ftruncateSync(fd, size);
      throw error;
    }
  } finally {
    fs.closeSync(fd);
  }
}

/** One that was copied here is nobody else's to read either. A file system that knows no such bits keeps its own. */
function keepPrivate(fd: number, { mode, uid }: FileInfo): void {
  if ((mode & othersBits) === 0) return;
  try {
    fs.fchmodSync(fd, 0o600);
  } catch (error) {
    if (uid !== process.getuid?.()) throw error;
  }
}

/** Makes a folder and those above it with 0700, whatever the umask; one that is there keeps its bits. */
function makeFolder(path: string): void {
  const info = infoOf(path, true);
  if (info?.type === 'folder') return;
  if (info !== undefined) throw new FileRefusal('ENOTDIR', 'is not a folder');
  const above = dirname(path);
  if (above !== path) makeFolder(above);
  try {
    fs.mkdirSync(path, 0o700);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    // Another process may have made it; a link that leads nowhere or in a circle is no folder.
    if (infoOf(path, true)?.type !== 'folder') throw new FileRefusal('ENOTDIR', 'is not a folder');
    return;
  }
  fs.chmodSync(path, 0o700);
}

function absolutePath(from: string, path: string): string {
  try {
    return resolve(from, path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    throw new MotifError('io', 'the working folder is gone', { hint: 'go to one that is there: cd', cause: error });
  }
}

function renameTo(from: string, to: string): string {
  fs.renameSync(from, to);
  return dirname(to);
}

/** Sets the bits through a descriptor that followed no link, so that no other file can be meant. */
function setMode(path: string, mode: number): void {
  const fd = openAtOnce(path, O_RDONLY | O_NOFOLLOW);
  try {
    fs.fchmodSync(fd, mode);
  } finally {
    fs.closeSync(fd);
  }
}

/** Returns the folder that is to be synced; undefined where there was nothing to remove. */
function remove(path: string, recursive: boolean): string | undefined {
  if (recursive) fs.rmSync(path, { recursive: true, force: true });
  else if (!unlink(path)) return undefined;
  sweepDebris(dirname(path));
  return dirname(path);
}

function removeAll(folder: string, names: readonly string[]): string {
  try {
    for (const name of names) unlink(`${folder}/${name}`);
  } finally {
    sweepDebris(folder);
  }
  return folder;
}

/** False where there was nothing to remove. */
function unlink(path: string): boolean {
  try {
    fs.unlinkSync(path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}
