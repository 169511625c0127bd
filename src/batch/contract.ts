import type { SignalName } from '../errors.ts';
import type { Row, RowFormat } from '../rows/rows.ts';
import type { RowSource } from '../rows/source.ts';
import type { Hold } from '../runs/outage.ts';
import type { Shard } from '../runs/shards.ts';
import type { RunClock, Throttle } from '../runs/throttle.ts';
import type { Redactor } from '../text/redact.ts';
import type { Files } from '../world/world.ts';
import type { Asker } from './ask.ts';
import type { Halt, HaltRules } from './halt.ts';
import type { PlannedRow } from './row.ts';

/** The rows of one run: where they come from, and which of them are meant. */
export interface BatchInput {
  readonly source: RowSource;
  readonly format?: RowFormat | undefined;
  readonly plan: (row: Row) => PlannedRow;
  /** The number of rows from the start that are taken; all where absent. */
  readonly limit?: number | undefined;
  readonly shard?: Shard | undefined;
  /** A file can be read twice, so that it is checked before anything is sent. */
  readonly isRereadable: boolean;
}

export interface BatchWork {
  readonly ask: Asker;
  readonly throttle: Throttle;
  readonly clock: RunClock;
  readonly halt: HaltRules;
  readonly outageMsMax: number;
  readonly timeoutMs: number;
  readonly stop: AbortController;
  readonly signal: AbortSignal;
  readonly files: Files;
  readonly redactor: Redactor;
  /** Takes each finished row where there is no ledger; a promise where it has to be waited for. */
  readonly write: (line: string) => Promise<void> | undefined;
  /** Called before each try while the service is away, and without a hold once it is back. */
  readonly onHold?: (hold: Hold | undefined) => void;
  /** Called after each row. */
  readonly onRow?: () => void;
}

/** Findings of a pass over the input before anything is sent. */
export interface Survey {
  /** Rows of this part of the input. */
  readonly rows: number;
  /** Those that are still to be asked for. */
  readonly left: number;
  /** The lines of those whose prompt is empty, at most `linesNamedMax`, and how many they are. */
  readonly empty: { readonly count: number; readonly lines: readonly number[] };
  /** The length of what is sent for them. */
  readonly bytes: number;
  /** The length of their other fields, which go to the output. */
  readonly foreignCharacters: number;
  readonly first: PlannedRow | undefined;
}

/** Rows at the end of a file that a run has not read in its input. */
export interface LeftOver {
  /** Those that the input no longer has: they have no index. */
  readonly gone: number;
  /** Those that stand in the input behind the last row that was to be taken, each with its index. */
  readonly beyondLimit: number;
  /** The input was read to its end, so that those which are gone surely are. */
  readonly isSure: boolean;
}

export const nothingLeftOver: LeftOver = { gone: 0, beyondLimit: 0, isSure: true };

/** End of a run. */
export interface BatchEnd {
  /** All rows of its part of the input are finished, if not all without an error. */
  readonly isComplete: boolean;
  /** Why it ended before the last row, or what all rows together are over; absent where `stop` ended it. */
  readonly halted?: Halt | undefined;
  /** When the service may be asked again, where it named a moment too far away to wait for. */
  readonly comeBackAt?: number | undefined;
  /** The signal that ended it at once, with rows under way. */
  readonly interruptedBy?: SignalName | undefined;
  /** When an earlier run had finished all of it, so that nothing was asked. */
  readonly finishedAt?: string | undefined;
  /** Rows at the end of the file that are none of this run's. */
  readonly leftOver: LeftOver;
}
