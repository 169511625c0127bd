import { readRowGroups, type Row } from '../rows/rows.ts';
import type { BatchInput } from './contract.ts';
import type { PlannedRow } from './row.ts';

/** So many rows, with so many characters, are few: as planned they take at most 15 MB. */
const keptRowsMax = 16_384;
const keptCharactersMax = 2 * 1024 * 1024;

/**
 * The rows of an input as they are sent, for one pass after the other. Those of a small input are read and planned
 * once: what was checked before anything was sent is what is sent. A larger one is read again for each pass.
 */
export class PlannedRows {
  readonly #input: BatchInput;
  #kept: PlannedRow[] | undefined;
  #isKeeping: boolean;
  #characters = 0;

  constructor(input: BatchInput) {
    this.#input = input;
    this.#isKeeping = input.isRereadable;
  }

  /** The rows, those of a chunk at once: each group is to be read to its end before the next is asked for. */
  async *groups(): AsyncGenerator<Iterable<PlannedRow>> {
    const { source, format, limit } = this.#input;
    if (this.#kept !== undefined) return yield this.#kept;
    const read: PlannedRow[] = [];
    const options = { ...(format !== undefined && { format }), ...(limit !== undefined && { limit }) };
    for await (const rows of readRowGroups(source, options)) yield this.#planned(rows, read);
    if (this.#isKeeping) this.#kept = read;
  }

  *#planned(rows: Iterable<Row>, read: PlannedRow[]): Generator<PlannedRow> {
    for (const row of rows) {
      const planned = this.#input.plan(row);
      if (this.#isKeeping) this.#keep(planned, read);
      yield planned;
    }
  }

  #keep(row: PlannedRow, read: PlannedRow[]): void {
    this.#characters += row.messagesJson.length + row.foreign.length;
    this.#isKeeping = read.push(row) <= keptRowsMax && this.#characters <= keptCharactersMax;
    if (!this.#isKeeping) read.length = 0;
  }
}
