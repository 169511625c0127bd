import { MotifError } from '../../errors.ts';
import { FileFault, type Files, type GrownFile } from '../../world/world.ts';
import { parseStoredRow, startsLikeRow } from '../output-line.ts';
import { StoredLines } from './stored-lines.ts';

const pieceBytes = 1024 * 1024;

/** Finding about a file: rows of a batch, at most a part of the first one, something else, or no file. */
type Finding = 'rows' | 'no row' | 'other' | 'nothing';

/**
 * The rows that runs with `--fresh` have given up, in a file beside the output until each row has an answer again. Each
 * such run adds what it finds in the output, before its own first row takes the place of that.
 */
export class OldRows {
  readonly path: string;
  readonly #output: string;
  readonly #files: Files;
  #found: Finding;
  /** The bytes that were there before this run added to them; undefined while it has not. */
  #before: number | undefined;

  private constructor(output: string, files: Files, { path, found }: { path: string; found: Finding }) {
    this.path = path;
    this.#output = output;
    this.#files = files;
    this.#found = found;
  }

  static async open(output: string, files: Files): Promise<OldRows> {
    const path = `${output}.before-fresh`;
    return new OldRows(output, files, { path, found: await findRows(path, files) });
  }

  /** True where the file is there and is ours. */
  get areKept(): boolean {
    return this.#found === 'rows' || this.#found === 'no row';
  }

  /** True where they belong back into an output without a row: a run was killed before its first, or it was removed. */
  async belongBack(): Promise<boolean> {
    if (this.#found !== 'rows') return false;
    const inOutput = await findRows(this.#output, this.#files);
    return inOutput !== 'rows' && inOutput !== 'other';
  }

  async putBack(): Promise<void> {
    await this.#files.rename(this.path, this.#output);
    this.#found = 'nothing';
  }

  /** Adds the first bytes of the output; they are on disk when this resolves. */
  async add(output: GrownFile, end: number): Promise<void> {
    if (this.#found === 'other') {
      const message = `${this.path} is no output of a batch, and what ${this.#output} holds is to be kept there`;
      throw new MotifError('usage', message, { hint: 'move it away' });
    }
    const file = await this.#files.openGrowing(this.path);
    try {
      this.#before = 0;
      for (const { start, length } of new StoredLines(file).all()) this.#before = start + length + 1;
      file.cut(this.#before);
      // A run that was killed before its first row has added them already.
      if (!endsWith(file, output, end)) for (const piece of pieces(output, 0, end)) file.write(piece);
      await file.sync();
    } finally {
      file.close();
    }
    const info = await this.#files.info(this.#output);
    if (info !== undefined) await this.#files.setMode(this.path, info.mode);
    this.#found = 'rows';
  }

  /** Takes back what `add` has added; false where that is nothing. */
  async undoAdd(): Promise<boolean> {
    const before = this.#before;
    if (before === undefined) return false;
    this.#before = undefined;
    if (before === 0) await this.remove();
    else {
      const file = await this.#files.openGrowing(this.path);
      file.cut(before);
      file.close();
    }
    return true;
  }

  async remove(): Promise<void> {
    await this.#files.remove(this.path);
    this.#found = 'nothing';
  }
}

/** The bytes between two places, some at a time; one buffer serves them all. */
export function* pieces(file: GrownFile, start: number, end: number): Generator<Buffer, undefined> {
  const buffer = Buffer.alloc(Math.min(pieceBytes, end - start));
  for (let at = start; at < end;) {
    const count = file.read(at, buffer.subarray(0, end - at));
    if (count === 0) return;
    yield buffer.subarray(0, count);
    at += count;
  }
}

/** True where the last bytes of a file are so many first ones of the output. */
function endsWith(file: GrownFile, output: GrownFile, count: number): boolean {
  if (file.size < count) return false;
  const last = pieces(file, file.size - count, file.size);
  for (const piece of pieces(output, 0, count)) if (last.next().value?.equals(piece) !== true) return false;
  return true;
}

async function findRows(path: string, files: Files): Promise<Finding> {
  const info = await files.info(path, { follow: false });
  if (info === undefined) return 'nothing';
  if (info.type !== 'file') return 'other';
  try {
    const file = await files.openGrown(path);
    try {
      const [first] = new StoredLines(file).all();
      if (first === undefined) return startsLikeRow(file) ? 'no row' : 'other';
      return parseStoredRow(first.text) === undefined ? 'other' : 'rows';
    } finally {
      file.close();
    }
  } catch (error) {
    if (error instanceof FileFault) return 'other';
    throw error;
  }
}
