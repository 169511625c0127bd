import { MotifError } from '../errors.ts';
import { defuseLine } from '../text/defuse.ts';
import type { PathStep } from '../text/json/json.ts';

export type Path = readonly PathStep[];

/** The most faults of one document that are reported. */
export const faultsMax = 100;

/** Line and column, both from 1; a column counts characters. */
export interface FilePlace {
  readonly line: number;
  readonly column: number;
}

/** One thing that is wrong in a document that a person wrote. It holds no value that may be a secret. */
export interface DocumentFault extends FilePlace {
  readonly file: string;
  /** Like `motifs.support-bot.tokens[0].sha256`; empty where it is about the document as a whole. */
  readonly path: string;
  /** In words that follow the path. */
  readonly expected: string;
}

/** Editors and terminals make a link of the first part. */
export function faultLine({ file, line, column, path, expected }: DocumentFault): string {
  const about = path === '' ? expected : `${path} ${expected}`;
  return `${defuseLine(file)}:${line}:${column}: ${about}`;
}

/** A line for each of the first faults, and one that counts the others. */
function faultLines(faults: readonly DocumentFault[], shownMax: number): readonly string[] {
  const more = faults.length > shownMax ? [`and ${faults.length - shownMax} more`] : [];
  return [...faults.slice(0, shownMax).map(faultLine), ...more];
}

/** The failure of a file with these faults: lines for people, a list for programs, places for what shows them there. */
export function faultyFile(
  message: string,
  faults: readonly DocumentFault[],
  { hint, shownMax }: { readonly hint?: string | readonly string[]; readonly shownMax: number },
): MotifError {
  const notes = faultLines(faults, shownMax);
  const detail = faults.map(faultDocument);
  const error = new MotifError('usage', message, { notes, detail, ...(hint === undefined ? {} : { hint }) });
  return error.withPlaces(
    faults.map(({ file, line, path, expected }) => ({ file, line, title: path, message: expected })),
  );
}

export function faultDocument({ file, line, column, path, expected }: DocumentFault): Record<string, unknown> {
  return { file, line, column, path, message: expected };
}
