import { MotifError } from '../errors.ts';
import { FileFault, type Files, type GrownFile } from '../world/world.ts';
import { parseStoredRow, startsLikeRow } from './output-line.ts';
import { StoredLines } from './stored-lines.ts';

const pieceBytes = 1024 * 1024;

/** Finding about a file: rows of a batch, only a part of the first one, something else, or nothing. */
type Finding = 'rows' | 'torn row' | 'other' | 'nothing';

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
    return this.#found === 'rows' || this.#found === 'torn row';
  }

  /** Puts them back into an output without a row: its run was killed before the first, or somebody has removed it. */
  async putBack(): Promise<boolean> {
    if (this.#found !== 'rows') return false;
    const inOutput = await findRows(this.#output, this.#files);
    if (inOutput === 'rows' || inOutput === 'other') return false;
    await this.#files.rename(this.path, this.#output);
    this.#found = 'nothing';
    return true;
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
      const piece = Buffer.alloc(pieceBytes);
      for (let at = 0; at < end;) {
        const count = output.read(at, piece.subarray(0, Math.min(pieceBytes, end - at)));
        file.write(piece.subarray(0, count));
        at += count;
      }
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

async function findRows(path: string, files: Files): Promise<Finding> {
  const info = await files.info(path, { follow: false });
  if (info === undefined) return 'nothing';
  if (info.type !== 'file') return 'other';
  if (info.size === 0) return 'nothing';
  try {
    const file = await files.openGrown(path);
    try {
      const [first] = new StoredLines(file).all();
      if (first === undefined) return startsLikeRow(file) ? 'torn row' : 'other';
      return parseStoredRow(first.text) === undefined ? 'other' : 'rows';
    } finally {
      file.close();
    }
  } catch (error) {
    if (error instanceof FileFault) return 'other';
    throw error;
  }
}
