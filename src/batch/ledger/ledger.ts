import { crc32 } from 'node:zlib';
import { MotifError } from '../../errors.ts';
import type { Files, GrownFile } from '../../world/world.ts';
import { KeyTable, type RowState } from './key-table.ts';
import { firstTail, formatKey, parseStoredRow, reviseLine, startsLikeRow } from '../output-line.ts';
import { LedgerFile, toIoError } from './ledger-file.ts';
import { digestOfContent, digestOfOccurrence } from '../plan.ts';
import type { PlannedRow, RequestMarks } from '../row.ts';
import { ScratchSpace } from './scratch.ts';
import { StoredLines } from './stored-lines.ts';

/** Rows are on disk at the latest so long after they were written. */
const syncMs = 1000;

interface LedgerTools {
  readonly files: Files;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** A row's place in the ledger, under which its line is written. */
export interface LedgerEntry {
  readonly entry: number;
  readonly key: string;
}

/** Keys of rows, and which of them have an answer; without a file nothing is kept. */
export interface RowLedger {
  /** Disk room for what is known of the rows. */
  readonly space: ScratchSpace;
  /** The entry of a row. Rows are to be given in the order of the input, for each equal one is another occurrence. */
  enter(row: PlannedRow): LedgerEntry;
  stateOf(entry: number): RowState;
  /** Begins another pass over the input. */
  restart(): void;
  close(): void;
}

/** A ledger without a file: it gives keys and remembers no answer. */
export function createBareLedger(marks: RequestMarks, space: ScratchSpace, table = new KeyTable(space)): RowLedger {
  return {
    space,
    close: () => space.close(),
    restart: () => table.beginPass(),
    enter(row) {
      const base = digestOfContent(row);
      const first = table.add(base);
      const digest = digestOfOccurrence(base, table.countOccurrence(first));
      return { entry: digest === base ? first : table.add(digest), key: formatKey(marks, digest) };
    },
    stateOf: (entry) => table.stateOf(entry),
  };
}

/** Contents that an earlier run has left in the file. */
interface LedgerContent {
  readonly rows: number;
  /** Lines that no run has written whole: a crash of the machine may leave some. */
  readonly damaged: number;
  /** The marks of rows of another request, if there are any. */
  readonly other: RequestMarks | undefined;
  /** Text that the end of the job put behind each line; empty where that differs from line to line. */
  readonly job: string;
  /** End of the last whole line. */
  readonly end: number;
}

/**
 * The output file as a ledger: each finished row is a line at its end. The system has it when `record` returns, and the
 * disk a second later. The order of the input comes once all is done.
 */
export class Ledger implements RowLedger {
  readonly path: string;
  readonly content: LedgerContent;
  readonly table: KeyTable;
  readonly space: ScratchSpace;
  /** The parts of its request, for the first line. */
  readonly parts: string | undefined;
  readonly #file: LedgerFile;
  readonly #tools: LedgerTools;
  readonly #bare: RowLedger;
  readonly #closing = new AbortController();
  #syncing: Promise<void> | undefined;
  #syncFault: unknown;
  #isCleared = false;

  private constructor(path: string, parts: LedgerParts) {
    this.path = path;
    this.parts = parts.marks.parts;
    this.#file = parts.file;
    this.#tools = parts.tools;
    this.table = parts.table;
    this.content = parts.content;
    this.space = parts.space;
    this.#bare = createBareLedger(parts.marks, parts.space, parts.table);
  }

  /** Opens the file, if there is one, and takes its lock. Nothing is changed yet. */
  static async open(
    path: string,
    marks: RequestMarks,
    tools: LedgerTools,
    say?: (words: string) => void,
  ): Promise<Ledger> {
    const file = await LedgerFile.open(path, tools.files, say);
    const space = new ScratchSpace(tools.files, path);
    try {
      const table = new KeyTable(space);
      const content = readContent(file, { path, marks, table });
      return new Ledger(path, { marks, file, tools, space, table, content });
    } catch (error) {
      file.close();
      space.close();
      throw toIoError(path, error);
    }
  }

  get file(): LedgerFile {
    return this.#file;
  }

  /** This run has added to the file. */
  get isChanged(): boolean {
    return this.#isCleared || this.#file.size !== this.content.end;
  }

  enter(row: PlannedRow): LedgerEntry {
    return this.#bare.enter(row);
  }

  /** The fields that pass through have changed in the input since the row was asked. */
  isStale(entry: number, { foreign }: PlannedRow): boolean {
    return this.table.extraOf(entry) !== crc32(foreign);
  }

  /** Writes the line of an answered row again, with the other fields that its row has now. */
  refresh(entry: number, { foreign }: PlannedRow): void {
    const line = new StoredLines(this.#file).at(this.table.lineOf(entry));
    this.#add(entry, reviseLine(line, { foreign }), this.stateOf(entry));
    this.table.setExtra(entry, crc32(foreign));
  }

  stateOf(entry: number): RowState {
    return this.#bare.stateOf(entry);
  }

  restart(): void {
    this.#bare.restart();
  }

  /** The rows of earlier runs were given up. */
  get isCleared(): boolean {
    return this.#isCleared;
  }

  /** Gives up all rows, also those of another request; the file changes when the run begins. */
  clear(): void {
    this.#isCleared = true;
    this.table.clear();
  }

  /** Makes the file ready to be written: without a torn line of a killed run, or without all rows of before. */
  async begin(): Promise<void> {
    const { end, rows } = this.content;
    await this.#file.begin({ end, isReplaced: this.#isCleared, rows });
  }

  record(row: PlannedRow, entry: number, { line, state }: { readonly line: string; readonly state: RowState }): void {
    if (this.#syncFault !== undefined) throw toIoError(this.path, this.#syncFault);
    try {
      this.#add(entry, line, state);
    } catch (error) {
      throw toIoError(this.path, error);
    }
    this.table.setExtra(entry, crc32(row.foreign));
    this.#syncing ??= this.#syncSoon();
  }

  /** Puts all on disk, and makes sure that it is found there under its name. */
  async sync(): Promise<void> {
    this.#closing.abort();
    await this.#syncing;
    if (this.#syncFault !== undefined) throw toIoError(this.path, this.#syncFault);
    try {
      await this.#file.sync();
      await this.#file.needPlace();
    } catch (error) {
      throw toIoError(this.path, error);
    }
  }

  close(): void {
    this.#closing.abort();
    this.#file.close();
    this.#bare.close();
  }

  #add(entry: number, line: string, state: RowState): void {
    const start = this.#file.size;
    const text = start > 0 ? line : reviseLine(line, { job: firstTail('', this.parts) });
    this.#file.write(`${text}\n`);
    this.table.setLine(entry, start, this.#file.size - start - 1);
    this.table.setState(entry, state);
  }

  async #syncSoon(): Promise<void> {
    try {
      await this.#tools.sleep(syncMs, this.#closing.signal).catch(() => undefined);
      await this.#file.sync();
    } catch (error) {
      this.#syncFault = error;
    } finally {
      this.#syncing = undefined;
    }
  }
}

interface LedgerParts {
  readonly marks: RequestMarks;
  readonly file: LedgerFile;
  readonly tools: LedgerTools;
  readonly space: ScratchSpace;
  readonly table: KeyTable;
  readonly content: LedgerContent;
}

/** Reads the lines of earlier runs into the table; a file that holds something else is refused. */
function readContent(
  file: GrownFile,
  { path, marks, table }: { readonly path: string; readonly marks: RequestMarks; readonly table: KeyTable },
): LedgerContent {
  let rows = 0;
  let damaged = 0;
  let other: RequestMarks | undefined;
  let job: string | undefined;
  let end = 0;
  for (const { text, start, length } of new StoredLines(file).all()) {
    // The end of a job that had no rows, which may have some by now.
    if (text === '' && file.size === 1) return { rows, damaged, other, job: '', end };
    end = start + length + 1;
    const stored = parseStoredRow(text);
    if (stored === undefined) {
      if (rows === 0) throw foreignFile(path);
      damaged += 1;
      continue;
    }
    rows += 1;
    job = job === undefined || job === stored.job ? stored.job : '';
    if (stored.marks.motif !== marks.motif || stored.marks.request !== marks.request) {
      other ??= stored.marks;
      continue;
    }
    table.load(stored.digest, { start, length, state: stored.state, extra: crc32(stored.foreign) });
  }
  table.endLoading();
  if (rows === 0 && file.size > 0 && !startsLikeRow(file)) throw foreignFile(path);
  return { rows, damaged, other, job: job ?? '', end };
}

function foreignFile(path: string): MotifError {
  return new MotifError('usage', `${path} is not the output of a batch`, {
    hint: 'name another file, or move that one away',
  });
}
