import type { MotifError } from '../errors.ts';
import type { Reply, Usage } from '../wire/reply.ts';

/** A row as it is sent and written. */
export interface PlannedRow {
  readonly index: number;
  readonly line: number;
  /** The JSON text of its id, or `null`. */
  readonly id: string;
  /** The messages as they are sent. */
  readonly messagesJson: string;
  /** The length of their texts, in UTF-8. */
  readonly bytes: number;
  /** Its other fields as they go to the output: `,"name":value` each. */
  readonly foreign: string;
  /** In a table the place of its column `id` among the others, from 0; undefined where it is the first. */
  readonly idColumn?: number | undefined;
  /** The error of a row whose prompt is empty, so that nothing can be sent for it. */
  readonly fault?: MotifError | undefined;
}

export interface RowOutcome {
  /** Absent: it ended in an error. */
  readonly reply?: Reply;
  readonly error?: MotifError;
  /** A network failure after it may have been sent: it may have run. */
  readonly isLost?: boolean;
  /** Tokens that were counted all the same, where the reply tells nothing of the row. */
  readonly usage?: Usage | null;
  readonly attempts: number;
  readonly elapsedMs: number;
}

/** The keys of an output line; a row's own fields have other names. */
export const ownKeys: ReadonlySet<string> = new Set(
  'index id key blocked response finish_reason prompt_id usage elapsed_ms attempts error job'.split(' '),
);

/** The marks of a request in every key: that of the Motif, and that of what is sent with each row. */
export interface RequestMarks {
  readonly motif: string;
  readonly request: string;
  /** The parts of the request as the first line of an output keeps them; undefined or empty where they are not kept. */
  readonly parts?: string | undefined;
}

export const markCharacters = 6;

/** The characters of a row's digest: 96 bits in hexadecimal. */
export const keyCharacters = 24;
