import { MotifError } from '../errors.ts';
import { formatDuration } from '../text/durations.ts';
import { lockWaitMs, staleLockMs } from '../text/limits.ts';
import { FileFault, type Files, type GrowingFile, type GrownFile } from '../world/world.ts';

const noFile: GrownFile = { size: 0, read: () => 0, close: () => undefined };

interface OutputParts {
  readonly files: Files;
  readonly grown: GrownFile;
  readonly isThere: boolean;
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
  #old: string | undefined;
  #isFinished = false;

  private constructor(path: string, { files, grown, isThere, release, lockFault, say }: OutputParts) {
    this.#say = say;
    this.path = path;
    this.#files = files;
    this.#grown = grown;
    this.#isThere = isThere;
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
      const grown = isThere ? await files.openGrown(path) : noFile;
      return new LedgerFile(path, { files, grown, isThere, release, lockFault, say });
    } catch (error) {
      release();
      throw toIoError(path, error);
    }
  }

  get size(): number {
    return this.#grown.size;
  }

  read(start: number, into: Uint8Array): number {
    return this.#grown.read(start, into);
  }

  /** Makes it ready to be written. Of what is there stays so much; `isReplaced`: all of it, under another name. */
  async begin({ end, isReplaced }: { readonly end: number; readonly isReplaced: boolean }): Promise<void> {
    if (this.#lockFault !== undefined) throw toIoError(`${this.path}.lock`, this.#lockFault);
    const { size } = this.#grown;
    try {
      if (isReplaced && size > 0) await this.#moveAside();
      const growing = await this.#files.openGrowing(this.path);
      if (this.#old !== undefined) await this.#keepMode(this.#old);
      this.#grown.close();
      this.#grown = this.#growing = growing;
      if (this.#old === undefined && growing.size !== size) throw changedByOther();
      if (!isReplaced && end < size) growing.cut(end);
    } catch (error) {
      throw toIoError(this.path, error);
    }
  }

  write(content: string): void {
    this.#growing!.write(content);
  }

  async sync(): Promise<void> {
    await this.#growing?.sync();
  }

  /** True where something stands in it since `begin`. */
  get isKept(): boolean {
    return this.#growing !== undefined && this.#growing.size > 0;
  }

  /** Leaves all as it was before `begin`, where nothing was written since. */
  async undoEmpty(): Promise<void> {
    if (this.#isFinished || this.#growing === undefined || this.isKept) return;
    if (this.#old !== undefined) {
      await this.#files.rename(this.#old, this.path);
      this.#say?.(`no row has ended: ${this.path} holds again what it held before`);
    } else if (!this.#isThere) await this.#files.remove(this.path);
    this.#old = undefined;
  }

  /** Puts a whole file in the place of this one; the rows of before are removed, unless they stay (`keepsOld`). */
  async replaceBy(whole: string, { keepsOld }: { readonly keepsOld: boolean }): Promise<void> {
    const info = await this.#files.info(this.path);
    if (info !== undefined) await this.#files.setMode(whole, info.mode);
    await this.#files.rename(whole, this.path);
    this.#isFinished = true;
    if (this.#old === undefined) return;
    if (keepsOld) this.#say?.(`not all rows have an answer: what was there before stays in ${this.#old}`);
    // An old file that cannot be removed does no harm.
    else await this.#files.remove(this.#old).catch(() => undefined);
  }

  close(): void {
    this.#grown.close();
    this.#release();
  }

  async #keepMode(old: string): Promise<void> {
    const info = await this.#files.info(old);
    if (info !== undefined) await this.#files.setMode(this.path, info.mode);
  }

  /** Under a name that is free: a run of before that was killed may have left its own. */
  async #moveAside(): Promise<void> {
    for (let number = 1; ; number++) {
      const old = `${this.path}.old${number === 1 ? '' : number}`;
      if ((await this.#files.info(old, { follow: false })) !== undefined) continue;
      await this.#files.rename(this.path, old);
      this.#old = old;
      return this.#say?.(`what ${this.path} holds is kept in ${old} until all rows have been asked again`);
    }
  }
}

/** The failure where another program wrote into an output that was being written. */
export function changedByOther(): MotifError {
  return new MotifError('io', 'another program has changed the output file while it was written', {
    hint: 'end that one, and run the same command again',
  });
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
