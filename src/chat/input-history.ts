/** What was typed, in this run and in those before it. */
export interface InputHistory {
  /** Oldest first. */
  readonly entries: readonly string[];
  /** For Up in this run alone: what was cleared, failed or was blocked. */
  keep(text: string): void;
  /** For later runs, too; a text that starts with a space is only kept. Never rejects: a fault is one notice. */
  remember(text: string): Promise<void>;
}

/** The part of the world's files that a history needs. */
export interface HistoryFiles {
  info(path: string): Promise<{ readonly size: number } | undefined>;
  readPart(path: string, start: number, bytesMax: number): Promise<{ readonly bytes: Uint8Array }>;
  append(path: string, line: string): Promise<void>;
  writeAtomic(path: string, content: string): Promise<void>;
  lock(path: string): Promise<(() => void) | undefined>;
  makeFolder(path: string): Promise<void>;
}

export interface HistoryOptions {
  /** Undefined: nothing is read or written. */
  readonly path: string | undefined;
  readonly files: HistoryFiles;
  sleep(ms: number): Promise<void>;
  notice(line: string): void;
}

export async function openInputHistory(_options: HistoryOptions): Promise<InputHistory> {
  throw new Error('not built yet');
}
