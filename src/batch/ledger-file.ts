import { MotifError } from '../errors.ts';
import { formatDuration } from '../text/durations.ts';
import { lockWaitMs, staleLockMs } from '../text/limits.ts';
import { findOldRows, oldPathOf } from './old-rows.ts';
import { changedByOther } from './output-line.ts';
import { FileFault, type Files, type GrowingFile, type GrownFile } from '../world/world.ts';

const noFile: GrownFile = { size: 0, read: () => 0, close: () => undefined };

interface OutputParts {
  readonly files: Files;
  readonly grown: GrownFile;
  readonly isThere: boolean;
  readonly old: 'none' | 'kept' | 'other';
  readonly release: () => void;
  readonly lockFault: unknown;
  readonly say: ((words: string) => void) | undefined;
}

/**
 * The file that a run adds to, under its lock. Until `begin` it is read alone, so that a run that asks nothing changes
 * nothing: no file is made, and a finished one may lie on a disk that takes no writing.
 */
export class LedgerFile implements GrownFile {
  readonly path: string;
  readonly #files: Files;
  readonly #release: () => void;
  readonly #lockFault: unknown;
  readonly #isThere: boolean;
  readonly #say: ((words: string) => void) | undefined;
  #grown: GrownFile;
  #growing: GrowingFile | undefined;
  /** The rows that stand beside it since a run with `--fresh` that is not finished: this one or one of before. */
  #old: 'none' | 'kept' | 'other';
  #isMovedAside = false;
  /** The first line that is written takes the place of all that is there. */
  #isGivenUp = false;
  #isFinished = false;

  private constructor(path: string, { files, grown, isThere, old, release, lockFault, say }: OutputParts) {
    this.#say = say;
    this.path = path;
    this.#files = files;
    this.#grown = grown;
    this.#isThere = isThere;
    this.#old = old;
    this.#release = release;
    this.#lockFault = lockFault;
  }

  /** Takes the lock and opens what is there. Where it cannot be taken because of the disk, that is told by `begin`. */
  static async open(path: string, files: Files, say?: (words: string) => void): Promise<LedgerFile> {
    const lock = await takeLock(path, files, say).catch((fault: unknown) => {
      if (fault instanceof FileFault) return { fault };
      throw fault;
    });
    const [release, lockFault] = typeof lock === 'function' ? [lock] : [() => undefined, lock.fault];
    try {
      const isThere = (await files.info(path)) !== undefined;
      if (!isThere && lockFault !== undefined) throw toIoError(`${path}.lock`, lockFault);
      const old = await findOldRows(path, files);
      const grown = isThere ? await files.openGrown(path) : noFile;
      return new LedgerFile(path, { files, grown, isThere, old, release, lockFault, say });
    } catch (error) {
      release();
      throw toIoError(path, error);
    }
  }

  get size(): number {
    return this.#isGivenUp ? 0 : this.#grown.size;
  }

  read(start: number, into: Uint8Array): number {
    return this.#grown.read(start, into);
  }

  /**
   * Makes it ready to be written. Of what is there stays so much (`end`); where its rows are given up, they stay under
   * another name, unless older ones stand there: then those are kept, and these go once a new row is written.
   */
  async begin({ end, isReplaced, rows }: FileBegin): Promise<void> {
    if (this.#lockFault !== undefined) throw toIoError(`${this.path}.lock`, this.#lockFault);
    const { size } = this.#grown;
    try {
      if (isReplaced && rows > 0 && this.#old !== 'kept') await this.#moveAside();
      const growing = await this.#files.openGrowing(this.path);
      this.#grown.close();
      this.#grown = this.#growing = growing;
      if (this.#isMovedAside) return await this.#keepMode(oldPathOf(this.path));
      if (growing.size !== size) throw changedByOther();
      if (isReplaced) this.#isGivenUp = true;
      else if (end < size) growing.cut(end);
    } catch (error) {
      throw toIoError(this.path, error);
    }
  }

  write(content: string): void {
    if (this.#isGivenUp) this.#growing!.cut(0);
    this.#isGivenUp = false;
    this.#growing!.write(content);
  }

  async sync(): Promise<void> {
    await this.#growing?.sync();
  }

  /** True where something stands in it since `begin`. */
  get isKept(): boolean {
    return this.#growing !== undefined && this.size > 0;
  }

  /** Leaves all as it was before `begin`, also where that failed, if nothing was written since. */
  async undoEmpty(): Promise<void> {
    if (this.#isFinished || this.isKept) return;
    if (this.#isMovedAside) {
      await this.#files.rename(oldPathOf(this.path), this.path);
      this.#isMovedAside = false;
      this.#old = 'none';
      this.#say?.(`no row has ended: ${this.path} holds again what it held before`);
    } else if (!this.#isThere && this.#growing !== undefined) await this.#files.remove(this.path);
  }

  /** Puts a whole file in the place of this one. */
  async replaceBy(whole: string): Promise<void> {
    const info = await this.#files.info(this.path);
    if (info !== undefined) await this.#files.setMode(whole, info.mode);
    await this.#files.rename(whole, this.path);
    this.#isFinished = true;
  }

  /** Removes the rows of before, of which none is needed once all have an answer; else says that they stay. */
  async endOld({ isWhole }: { readonly isWhole: boolean }): Promise<void> {
    if (this.#old !== 'kept' || this.#lockFault !== undefined) return;
    const old = oldPathOf(this.path);
    if (!isWhole) return this.#say?.(`not all rows have an answer: what was there before stays in ${old}`);
    // An old file that cannot be removed does no harm.
    await this.#files.remove(old).catch(() => undefined);
    this.#old = 'none';
  }

  close(): void {
    this.#grown.close();
    this.#release();
  }

  async #keepMode(old: string): Promise<void> {
    const info = await this.#files.info(old);
    if (info !== undefined) await this.#files.setMode(this.path, info.mode);
  }

  async #moveAside(): Promise<void> {
    const old = oldPathOf(this.path);
    if (this.#old === 'other') {
      throw new MotifError('usage', `${old} is no output of a batch, and what ${this.path} holds is to be kept there`, {
        hint: 'move it away',
      });
    }
    await this.#files.rename(this.path, old);
    this.#isMovedAside = true;
    this.#old = 'kept';
    this.#say?.(`what ${this.path} holds is kept in ${old} until all rows have an answer again`);
  }
}

interface FileBegin {
  readonly end: number;
  readonly isReplaced: boolean;
  /** The rows that are there. */
  readonly rows: number;
}

async function takeLock(path: string, files: Files, say?: (words: string) => void): Promise<() => void> {
  const words = `${path} was being written on another machine or in another container: watching for ${formatDuration(staleLockMs)} whether it still is`;
  const release = await files.lock(path, 0, { ms: lockWaitMs, begins: () => say?.(words) });
  if (release !== undefined) return release;
  throw new MotifError('io', `another run writes ${path}`, {
    hint: [`wait for it, or name another file with -o; its lock is ${path}.lock`],
  });
}

export function toIoError(path: string, error: unknown): unknown {
  if (!(error instanceof FileFault)) return error;
  const hint = error.code === 'ENOTFILE' || error.code === 'EISDIR' ? 'without -o all goes to stdout' : undefined;
  return new MotifError('io', `${path}: ${error.message}`, { cause: error, ...(hint === undefined ? {} : { hint }) });
}
