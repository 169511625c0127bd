/** A file that lines are added to, opened by whoever may touch files. */
export interface AppendFile {
  /**
   * Throws or rejects if not all of it could be written; `written` of the error says how many bytes were. Where it is
   * lossy nobody waits for these lines, so that no more of them may wait than come in some seconds.
   */
  write(lines: string, isLossy?: boolean): Promise<void> | void;
  /** False once the path names another file, a link or nothing. */
  isCurrent(): boolean;
  /** The end has come: a reader that stopped is not waited for as long as before. */
  hurry?(): void;
  close(): Promise<void>;
}

/** The bytes that were written before this error. */
export function writtenOf(error: unknown): number {
  return error instanceof Error && 'written' in error && typeof error.written === 'number' ? error.written : 0;
}

export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
