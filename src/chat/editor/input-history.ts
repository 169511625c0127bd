import { formatDuration } from '../../text/durations.ts';

/** Texts that were typed, in this run and in those before it. */
export interface InputHistory {
  /** Oldest first. */
  readonly entries: readonly string[];
  /** Keeps a text for Up in this run alone: what was cleared, failed or was blocked. */
  keep(text: string): void;
  /**
   * Keeps it for later runs, too, unless it starts with a space; tells whether later runs have it. Never rejects: a
   * fault is one notice.
   */
  remember(text: string): Promise<boolean>;
  /** Keeps a blocked text for this run, and takes it out of what an earlier run kept. Never rejects either. */
  forget(text: string): Promise<void>;
}

/** The part of the world's files that a history needs. */
interface HistoryFiles {
  info(path: string): Promise<{ readonly size: number } | undefined>;
  readPart(path: string, start: number, bytesMax: number): Promise<{ readonly bytes: Uint8Array }>;
  append(path: string, line: string): Promise<void>;
  writeAtomic(path: string, content: string): Promise<void>;
  lock(path: string, waitMs?: number): Promise<(() => void) | undefined>;
  makeFolder(path: string): Promise<void>;
}

interface HistoryOptions {
  /** Undefined: nothing is read or written. */
  readonly path: string | undefined;
  readonly files: HistoryFiles;
  notice(line: string): void;
}

/** The longest wait of a person who types for another chat or a deletion. */
export const typedLockWaitMs = 2000;
const entriesMax = 1000;
const fileBytesMax = 1024 * 1024;
/** One text must not push all others out of the file; a longer one is kept in this run. */
const entryBytesMax = fileBytesMax / 16;
/** The file may grow to this before it is written anew, and only so much of its end is read. */
const readBytesMax = 2 * fileBytesMax;
/** The most that is kept of this run's own texts, beside those of the file. */
const keptUnitsMax = 32 * fileBytesMax;

export async function openInputHistory(options: HistoryOptions): Promise<InputHistory> {
  const history = new OpenHistory(options);
  await history.load();
  return history;
}

class OpenHistory implements InputHistory {
  readonly #options: HistoryOptions;
  #entries: string[] = [];
  #units = 0;
  /** Texts that are not in the file yet. */
  readonly #unsaved: string[] = [];
  /** The newest text that later runs have. */
  #newestKept: string | undefined;
  /** True if another motif held the file the last time: then nobody waits for it again, until it is free. */
  #isBusy = false;
  /** True once the file could not be read or written: this run does without it. */
  #hasFailed: boolean;

  constructor(options: HistoryOptions) {
    this.#options = options;
    this.#hasFailed = options.path === undefined;
  }

  get entries(): readonly string[] {
    return this.#entries;
  }

  async load(): Promise<void> {
    await this.#withFile(async (path) => {
      const { entries, bytes } = await this.#readFile(path);
      for (const entry of entries) this.keep(entry);
      this.#newestKept = entries.at(-1);
      if (entries.length > 2 * entriesMax || bytes > fileBytesMax) await this.#rewrite(path, {});
    });
  }

  keep(text: string): void {
    if (text.trim() === '' || text === this.#entries.at(-1)) return;
    this.#entries.push(text);
    this.#units += text.length;
    while (this.#units > keptUnitsMax && this.#entries.length > 1) this.#units -= this.#entries.shift()!.length;
  }

  async remember(text: string): Promise<boolean> {
    this.keep(text);
    if (text === this.#newestKept) return true;
    if (text.startsWith(' ') || text.trim() === '' || bytesOf(text) > entryBytesMax) return false;
    this.#unsaved.push(JSON.stringify(text));
    await this.#withFile((path) => this.#save(path));
    const isKept = !this.#hasFailed && this.#unsaved.length === 0;
    if (isKept) this.#newestKept = text;
    return isKept;
  }

  async forget(text: string): Promise<void> {
    const mayBeKept = this.#entries.includes(text);
    this.keep(text);
    if (!mayBeKept) return;
    this.#unsaved.splice(0, Infinity, ...this.#unsaved.filter((line) => line !== JSON.stringify(text)));
    await this.#withFile(async (path) => {
      const isKept = async () => (await this.#readFile(path)).entries.includes(text);
      if ((await isKept()) && !(await this.#rewrite(path, { without: text, waitMs: typedLockWaitMs })))
        this.#options.notice(`the blocked text still stands in ${path}: another motif holds it`);
    });
    if (this.#newestKept === text) this.#newestKept = undefined;
  }

  async #withFile(work: (path: string) => Promise<void>): Promise<void> {
    const { path } = this.#options;
    if (this.#hasFailed || path === undefined) return;
    try {
      await work(path);
    } catch (error) {
      this.#hasFailed = true;
      const reason = error instanceof Error ? error.message : String(error);
      this.#notKept(path, reason);
    }
  }

  async #readFile(path: string): Promise<{ entries: string[]; bytes: number }> {
    const { files } = this.#options;
    const info = await files.info(path);
    if (info === undefined) return { entries: [], bytes: 0 };
    const start = Math.max(0, info.size - readBytesMax);
    const { bytes } = await files.readPart(path, start, info.size - start);
    return { entries: parseLines(new TextDecoder().decode(bytes)), bytes: info.size };
  }

  /**
   * Under the lock, and from what the file holds by then, so that what another chat has added stays. False where
   * another one has the lock.
   */
  async #rewrite(path: string, { without, waitMs }: { without?: string; waitMs?: number }): Promise<boolean> {
    const release = await this.#options.files.lock(path, waitMs);
    if (release === undefined) return false;
    try {
      const entries = (await this.#readFile(path)).entries.filter((entry) => entry !== without);
      await this.#options.files.writeAtomic(path, newestThatFit(entries).map(toTypedLine).join(''));
      return true;
    } finally {
      release();
    }
  }

  /** The folder is made first, private to the person: a lock lies in it as well. */
  async #save(path: string): Promise<void> {
    const { files } = this.#options;
    await files.makeFolder(path.slice(0, path.lastIndexOf('/')));
    const release = await files.lock(path, this.#isBusy ? 0 : typedLockWaitMs);
    if (release === undefined) {
      if (!this.#isBusy) this.#notKept(path, `another motif has held it for ${formatDuration(typedLockWaitMs)}`);
      this.#isBusy = true;
      return;
    }
    try {
      await files.append(path, this.#unsaved.join('\n'));
      this.#unsaved.length = 0;
      this.#isBusy = false;
    } finally {
      release();
    }
  }

  #notKept(path: string, reason: string): void {
    this.#options.notice(`what you type is not kept for later chats: ${path}: ${reason}`);
  }
}

function parseLines(text: string): string[] {
  return text.split('\n').flatMap((line) => parseTypedLine(line) ?? []);
}

/** At most as many as are kept, in half the bytes that the file may have: it is not written anew at each start. */
function newestThatFit(entries: readonly string[]): readonly string[] {
  let bytes = 0;
  const kept = entries.slice(-entriesMax);
  const first = kept.findLastIndex((entry) => (bytes += bytesOf(entry)) > fileBytesMax / 2);
  return kept.slice(first + 1);
}

function bytesOf(entry: string): number {
  return Buffer.byteLength(toTypedLine(entry));
}

/**
 * The file of what was typed: JSON strings, a line each, so that a text of several lines is one and a torn line is
 * known. Chats add to it, and what is deleted is taken out of it.
 */
function toTypedLine(text: string): string {
  return `${JSON.stringify(text)}\n`;
}

/** Undefined for a line that is torn, or that something else wrote. */
export function parseTypedLine(line: string): string | undefined {
  try {
    const text: unknown = JSON.parse(line);
    return typeof text === 'string' ? text : undefined;
  } catch {
    return undefined;
  }
}
