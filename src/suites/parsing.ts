import type { DocumentFault, FilePlace } from '../documents/fault.ts';
import type { Spot } from '../documents/spot.ts';
import { MotifError } from '../errors.ts';
import { outcomes } from './expectations/decision.ts';
import type { Case, Suite } from './case.ts';
import type { CaseFiles } from './cases.ts';

/** One row of a CSV, TSV or JSONL file. */
export interface CaseRow {
  readonly line: number;
  readonly values: Readonly<Record<string, unknown>>;
  /** The place of a value, as far as that is known. */
  readonly placeOf?: ((column: string) => FilePlace) | undefined;
}

export interface SuiteFiles extends CaseFiles {
  /** The rows of a file that a suite names, from the suite's folder. */
  readRows(path: string): AsyncIterable<CaseRow>;
  /** The name that such a file has in reports. */
  shownName(path: string): string;
}

export interface ParsedSuite {
  /** Undefined where there are faults. */
  readonly suite: Suite | undefined;
  readonly faults: readonly DocumentFault[];
}

export const suiteBytesMax = 16 * 1024 * 1024;
export const casesMax = 100_000;

/** Tells where an id stands already; the same id in two files names two cases. */
export function noteId({ id, line }: Case, ids: Map<string, number>, spot: Spot): void {
  const before = ids.get(id);
  if (before === undefined) ids.set(id, line);
  else spot.at('id').fault(`stands in line ${before} already; an id is unique in its file`);
}

/** An outcome as the cell of a table has it: a spreadsheet begins one with a capital, whatever was typed. */
export function toOutcome(cell: unknown): unknown {
  if (typeof cell !== 'string') return cell;
  return outcomes.find((word) => word === cell.trim().toLowerCase()) ?? cell;
}

export function tooMany(file: string): MotifError {
  return new MotifError('usage', `${file} has more than ${casesMax} cases`, { hint: 'split it into several files' });
}
