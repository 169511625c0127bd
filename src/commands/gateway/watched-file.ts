import { createHash } from 'node:crypto';
import { gatewayFileBytesMax } from '../../gateway/file/parse.ts';
import type { HeldFile, World } from '../../world/world.ts';

/** So much of the end of a file, and another one that ends so too was written to its end. */
const knownEndCharacters = 100;
/** Each takes a descriptor. Of more files the ones that were read last are held. */
const heldMax = 64;

/** The gateway file, and the files that it names, but for documents, of which there may be thousands. */
export class WatchedFiles {
  readonly #files: World['files'];
  readonly #held = new Map<string, WatchedFile>();

  constructor(files: World['files']) {
    this.#files = files;
  }

  /** Takes the file that is there, which has this mark and is about to be read, for one that nobody writes on. */
  async take(path: string, mark: string): Promise<void> {
    const file = this.#held.get(path) ?? new WatchedFile(path, this.#files);
    this.#held.delete(path);
    this.#held.set(path, file);
    await file.take(mark);
    const [oldest] = this.#held.keys();
    if (this.#held.size <= heldMax || oldest === undefined) return;
    const dropped = this.#held.get(oldest);
    this.#held.delete(oldest);
    await dropped?.release();
  }

  noteText(path: string, text: string): void {
    this.#held.get(path)?.noteText(text);
  }

  /** True where the file has come back, or somebody may write on it; undefined for a file that is not held. */
  async mayBeWritten(path: string, mark: string): Promise<boolean | undefined> {
    return await this.#held.get(path)?.mayBeWritten(mark);
  }
}

/**
 * A file as it was read or seen last. It is held until another is, so that a file which is put in its place
 * is told from one that somebody writes there, though a file system gives the inode of a removed file to the next one.
 */
class WatchedFile {
  readonly #path: string;
  readonly #files: World['files'];
  /** Of the text that was read last, which may be a key. */
  #end = endOf('');
  #held: Promise<HeldFile | undefined> = Promise.resolve(undefined);
  #mark = '';
  #isWritten = Promise.resolve(false);

  constructor(path: string, files: World['files']) {
    this.#path = path;
    this.#files = files;
  }

  noteText(text: string): void {
    this.#end = endOf(text);
  }

  async release(): Promise<void> {
    const held = this.#held;
    this.#held = Promise.resolve(undefined);
    (await held)?.();
  }

  async take(mark: string): Promise<void> {
    const before = this.#held;
    this.#held = this.#files.hold(this.#path);
    this.#mark = mark;
    this.#isWritten = Promise.resolve(false);
    (await before)?.();
  }

  /** False where the file was put in its place whole. */
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
    const { length, hash } = this.#end;
    return found !== undefined && length > 0 && endOf(Buffer.from(found.bytes).toString(), length).hash === hash;
  }
}

function endOf(text: string, characters = knownEndCharacters): { readonly length: number; readonly hash: string } {
  const end = text.slice(-characters);
  return { length: end.length, hash: createHash('sha256').update(end).digest('hex') };
}
