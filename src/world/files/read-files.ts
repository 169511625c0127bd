import { infoOf } from './file-info.ts';
import type { FileInfo } from '../world.ts';

/** The most files that are remembered; a run that reads more of them names none as an output beside these. */
const filesMax = 100_000;

/** The regular files that this process read, so that no output takes the place of one of them. */
export class ReadFiles {
  readonly #paths = new Map<string, string>();

  add(path: string, { identity }: Pick<FileInfo, 'identity'>): void {
    if (this.#paths.size < filesMax) this.#paths.set(identity, path);
  }

  /** Adds a file that was not read; nothing where there is none. */
  keep(path: string): void {
    const info = infoOf(path, true);
    if (info?.type === 'file') this.add(path, info);
  }

  /** True for a file that was read and still stands there; an inode that was freed may belong to another file. */
  has({ identity }: Pick<FileInfo, 'identity'>): boolean {
    const path = this.#paths.get(identity);
    return path !== undefined && infoOf(path, true)?.identity === identity;
  }
}
