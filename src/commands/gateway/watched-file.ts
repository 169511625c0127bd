import { gatewayFileBytesMax } from '../../gateway/file/parse.ts';
import type { HeldFile, World } from '../../world/world.ts';

/** So much of the end of a gateway file, and another file that ends so too was written to its end. */
const knownEndCharacters = 100;

/**
 * The gateway file as it was read or seen last. It is held until another is, so that a file which is put in its place
 * is told from one that somebody writes there, though a file system gives the inode of a removed file to the next one.
 */
export class WatchedFile {
  readonly #path: string;
  readonly #files: World['files'];
  /** The text that was read last. */
  text = '';
  #held: Promise<HeldFile | undefined> = Promise.resolve(undefined);
  #mark = '';
  #isWritten = Promise.resolve(false);

  constructor(path: string, files: World['files']) {
    this.#path = path;
    this.#files = files;
  }

  /** Takes the file that is there, which has this mark and is about to be read, for one that nobody writes on. */
  async take(mark: string): Promise<void> {
    const before = this.#held;
    this.#held = this.#files.hold(this.#path);
    this.#mark = mark;
    this.#isWritten = Promise.resolve(false);
    (await before)?.();
  }

  /** True where the file has come back, or somebody may write on it; not where it was put in its place whole. */
  mayBeWritten(mark: string): Promise<boolean> {
    if (mark !== this.#mark) this.#isWritten = this.#judge(mark);
    return this.#isWritten;
  }

  async #judge(mark: string): Promise<boolean> {
    const before = this.#held;
    this.#held = this.#files.hold(this.#path);
    this.#mark = mark;
    const became = (await before)?.() ?? 'same';
    if (mark === '' || became === 'replaced') return false;
    return became === 'same' || !(await this.#endsAsRead());
  }

  async #endsAsRead(): Promise<boolean> {
    const found = await this.#files.read(this.#path, { bytesMax: gatewayFileBytesMax }).catch(() => undefined);
    const end = this.text.slice(-knownEndCharacters);
    return found !== undefined && end !== '' && Buffer.from(found.bytes).toString().endsWith(end);
  }
}
