import { MotifError } from '../../errors.ts';
import { pathWord } from '../../text/defuse.ts';
import { formatDuration } from '../../text/durations.ts';
import { lockWaitMs, staleLockMs } from '../../text/limits.ts';
import { OldRows, pieces } from './old-rows.ts';
import { changedByOther } from '../output-line.ts';
import { FileFault, type Files, type GrowingFile, type GrownFile } from '../../world/world.ts';

const noFile: GrownFile = { size: 0, read: () => 0, close: () => undefined };

interface OutputParts {
  readonly files: Files;
  readonly grown: GrownFile;
  readonly isThere: boolean;
  readonly old: OldRows;
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
  /** The file that is written, by device and inode. */
  #identity: string | undefined;
  readonly #old: OldRows;
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

  /**
   * Takes the lock and opens what is there. Where it cannot be taken because of the disk, that is told by `begin`.
   * `say` is told what was changed; without it nothing is.
   */
  static async open(path: string, files: Files, say?: (words: string) => void): Promise<LedgerFile> {
    const lock = await takeLock(path, files, say).catch((fault: unknown) => {
      if (fault instanceof FileFault) return { fault };
      throw fault;
    });
    const [release, lockFault] = typeof lock === 'function' ? [lock] : [() => undefined, lock.fault];
    try {
      const old = await OldRows.open(path, files);
      const isBack = lockFault === undefined && (await old.belongBack());
      if (lockFault === undefined && say !== undefined) {
        await files.remove(orderedPath(path));
        if (isBack) await old.putBack();
        if (isBack) say(`${path} has no row: it holds again what was kept in ${old.path}`);
      }
      const place = isBack && say === undefined ? old.path : path;
      const isThere = (await files.info(place)) !== undefined;
      if (!isThere && lockFault !== undefined) throw toIoError(`${path}.lock`, lockFault);
      const grown = isThere ? await files.openGrown(place) : noFile;
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
   * Makes it ready to be written. Of what is there stays so much (`end`); where its rows are given up, they are copied
   * beside it, and the first new row takes their place.
   */
  async begin({ end, isReplaced, rows }: FileBegin): Promise<void> {
    if (this.#lockFault !== undefined) throw toIoError(`${this.path}.lock`, this.#lockFault);
    const { size } = this.#grown;
    try {
      if (isReplaced && rows > 0) {
        await this.#old.add(this.#grown, end);
        this.#say?.(`what ${this.path} holds is kept in ${this.#old.path} until all rows have an answer again`);
      }
      const growing = await this.#files.openGrowing(this.path);
      this.#grown.close();
      this.#grown = this.#growing = growing;
      this.#identity = (await this.#files.info(this.path))?.identity;
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

  /** Throws where its name stands for another file, which is not ours to replace; its rows are beside it then. */
  async needPlace(): Promise<void> {
    if (!this.isKept || (await this.#isInPlace())) return;
    const beside = await freePath(`${this.path}.rows`, this.#files);
    const copy = await this.#files.openGrowing(beside);
    try {
      for (const piece of pieces(this, 0, this.size)) copy.write(piece);
      await copy.sync();
    } finally {
      copy.close();
    }
    throw new OutputTaken(this.path, beside);
  }

  async #isInPlace(): Promise<boolean> {
    return (await this.#files.info(this.path))?.identity === this.#identity;
  }

  /** True where something stands in it since `begin`. */
  get isKept(): boolean {
    return this.#growing !== undefined && this.size > 0;
  }

  /** Leaves all as it was before `begin`, also where that failed, if nothing was written since. */
  async undoEmpty(): Promise<void> {
    if (this.#isFinished || this.isKept) return;
    if (await this.#old.undoAdd()) this.#say?.(`no row has ended: ${this.path} holds what it held before`);
    if (!this.#isThere && this.#growing !== undefined && (await this.#isInPlace())) await this.#files.remove(this.path);
  }

  /** Puts the file of all rows in order in the place of this one. */
  async replaceByOrdered(): Promise<void> {
    const ordered = orderedPath(this.path);
    const info = await this.#files.info(this.path);
    if (info !== undefined) await this.#files.setMode(ordered, info.mode);
    await this.#files.rename(ordered, this.path);
    this.#isFinished = true;
  }

  /** Removes the rows of before, of which none is needed once all have an answer; else says that they stay. */
  async endOld({ isWhole }: { readonly isWhole: boolean }): Promise<void> {
    if (!this.#old.areKept || this.#lockFault !== undefined) return;
    if (!isWhole) return this.#say?.(`not all rows have an answer: what was there before stays in ${this.#old.path}`);
    // An old file that cannot be removed does no harm.
    await this.#old.remove().catch(() => undefined);
  }

  close(): void {
    this.#grown.close();
    this.#release();
  }
}

/** Another program has moved or removed the output while it was written. */
export class OutputTaken extends MotifError {
  constructor(path: string, beside: string) {
    super('io', `${path} was moved, removed or replaced by another program while it was written`, {
      notes: [`all its rows are in ${beside}`],
      hint: `move what is there now away, then: mv ${pathWord(beside)} ${pathWord(path)}; the same command goes on`,
    });
  }
}

async function freePath(path: string, files: Files): Promise<string> {
  let free = path;
  for (let number = 2; (await files.info(free, { follow: false })) !== undefined; number++) free = `${path}${number}`;
  return free;
}

/** The name under which all rows are put in order; what a killed run has left there only takes room. */
export function orderedPath(path: string): string {
  return `${path}.ordering`;
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
