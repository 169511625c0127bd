import { MotifError } from '../../errors.ts';
import { formatSize, grouped } from '../../text/sizes.ts';
import { FileFault, type Files, type ScratchFile } from '../../world/world.ts';

/** Bytes that a row takes on the disk, at most, once there are more rows than memory shall hold. */
const bytesOfRow = 64;
/** The rows that are known without a disk. */
export const rowsWithoutDisk = 1 << 16;

type ScratchFiles = Pick<Files, 'openScratch' | 'freeBytes'>;

/** The disk room of one run for what it knows of its rows: memory holds a fixed part of that, however many they are. */
export class ScratchSpace {
  readonly #files: ScratchFiles;
  readonly #beside: string;
  readonly #open: ScratchFile[] = [];

  /** The room is on the disk of the file or folder named by `beside`. */
  constructor(files: ScratchFiles, beside: string) {
    this.#files = files;
    this.#beside = beside;
  }

  /** Refuses to begin with so many rows where the disk has no room to know them all. */
  async needRoom(rows: number): Promise<void> {
    const needed = rows * bytesOfRow;
    const slash = this.#beside.lastIndexOf('/');
    const folder = slash < 0 ? '.' : this.#beside.slice(0, slash) || '/';
    const free = rows <= rowsWithoutDisk ? undefined : await this.#files.freeBytes(folder);
    if (free === undefined || free >= needed) return;
    const what = `the list of ${grouped(rows)} rows needs ${formatSize(needed)} of free disk space in ${folder}`;
    throw new MotifError('io', `${what}, and only ${formatSize(free)} are free`, {
      hint: 'make room, or take fewer rows: --limit, --shard',
    });
  }

  /** Room for one kind of facts. Where no file can be made, as on a read-only disk, it is memory after all. */
  open(): ScratchFile {
    const file = this.#openFile() ?? inMemory();
    this.#open.push(file);
    return file;
  }

  close(): void {
    for (const file of this.#open.splice(0)) file.close();
  }

  #openFile(): ScratchFile | undefined {
    try {
      return untilFull(this.#files.openScratch(this.#beside));
    } catch (error) {
      if (error instanceof FileFault) return undefined;
      throw error;
    }
  }
}

/** A file that goes on in memory once its disk is full: a job that asks nothing more needs no room for its rows. */
function untilFull(file: ScratchFile): ScratchFile {
  let present = file;
  return {
    read(start, into) {
      try {
        present.read(start, into);
      } catch (error) {
        if (!(error instanceof FileFault)) throw error;
        const message = `the keys of the rows, which are kept beside ${error.path}, could not be read: ${error.message}`;
        throw new MotifError('io', message, { cause: error, hint: 'run the same command again' });
      }
    },
    write(start, bytes) {
      try {
        present.write(start, bytes);
      } catch (error) {
        if (!(error instanceof FileFault)) throw error;
        present = inMemory(file);
        present.write(start, bytes);
      }
    },
    close: () => file.close(),
  };
}

const pieceBytes = 1 << 16;

type CopyPart = (piece: Uint8Array, from: number, at: number) => void;

/** Memory alone, or what was written since over what a file holds. */
function inMemory(below?: ScratchFile): ScratchFile {
  const pieces = new Map<number, Uint8Array>();
  const readPiece = (number: number): Uint8Array => {
    const piece = new Uint8Array(pieceBytes);
    below?.read(number * pieceBytes, piece);
    return piece;
  };
  /** Calls `copy` for each part of a range that lies within one piece. */
  const each = (start: number, length: number, isKept: boolean, copy: CopyPart): void => {
    for (let done = 0; done < length;) {
      const number = Math.floor((start + done) / pieceBytes);
      const from = (start + done) % pieceBytes;
      const piece = pieces.get(number) ?? readPiece(number);
      if (isKept) pieces.set(number, piece);
      copy(piece.subarray(0, Math.min(pieceBytes, from + length - done)), from, done);
      done += pieceBytes - from;
    }
  };
  return {
    read: (start, into) => each(start, into.length, false, (piece, from, at) => into.set(piece.subarray(from), at)),
    write: (start, bytes) =>
      each(start, bytes.length, true, (piece, from, at) =>
        piece.set(bytes.subarray(at, at + piece.length - from), from),
      ),
    close: () => pieces.clear(),
  };
}
