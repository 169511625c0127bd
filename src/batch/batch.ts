import { Interrupted, MotifError } from '../errors.ts';
import { shardOfKey } from '../runs/shards.ts';
import { troubleOf } from '../runs/trouble.ts';
import { type WorkEnd, WorkRun } from '../runs/work-run.ts';
import { countBeyondLimit, readBeyondLimit } from './beyond-limit.ts';
import { type BatchEnd, type BatchInput, type BatchWork, nothingLeftOver, type Survey } from './contract.ts';
import { type Halt, haltBefore, haltOf, outageHalt } from './halt.ts';
import { isFinal } from './ledger/key-table.ts';
import { Ledger, type LedgerEntry, type RowLedger } from './ledger/ledger.ts';
import { finishedAt, type JobFacts, orderFile, RowOrder } from './ordering.ts';
import { refuseOtherJob } from './other-job.ts';
import { formatRow, stateOf } from './output-line.ts';
import { PlannedRows } from './planned-rows.ts';
import type { PlannedRow, RowOutcome } from './row.ts';
import { needRoomToOrder } from './room.ts';
import { linesNamedMax, Tally } from './tally.ts';

interface WorkItem {
  readonly row: PlannedRow;
  readonly place: LedgerEntry;
}

/** One run over an input: asks for each row that has no answer yet, and writes what came of it. */
export class Batch {
  readonly tally = new Tally();
  readonly #input: BatchInput;
  readonly #rows: PlannedRows;
  readonly #ledger: RowLedger;
  readonly #file: Ledger | undefined;
  readonly #order: RowOrder;
  #stale = 0;
  /** Rows of the input, those of them that the file has, and of these those of this part. */
  #found = { rows: 0, inFile: 0, oursInFile: 0 };
  #run: WorkRun<WorkItem, RowOutcome | undefined> | undefined;
  #halted: Halt | undefined;
  #fault: Error | undefined;

  /** With a file its ledger is that file; without one results are written by `BatchWork.write`. */
  constructor(input: BatchInput, ledger: RowLedger | Ledger) {
    this.#input = input;
    this.#rows = new PlannedRows(input);
    this.#ledger = ledger;
    this.#order = new RowOrder(ledger.space);
    this.#file = ledger instanceof Ledger ? ledger : undefined;
  }

  get run(): Pick<WorkRun<unknown, unknown>, 'inFlight' | 'hold' | 'heldMs' | 'asleepMs'> | undefined {
    return this.#run;
  }

  /**
   * Reads the whole input, so that a faulty row is found before anything is sent. Where each prompt is empty that is a
   * fault of the input, most likely of the column that was named.
   */
  async survey(stop?: AbortSignal): Promise<Survey> {
    let left = 0;
    let bytes = 0;
    let foreignCharacters = 0;
    let first: PlannedRow | undefined;
    let fault: MotifError | undefined;
    const empty = { count: 0, lines: [] as number[] };
    for await (const group of this.#surveyed()) {
      if (stop?.aborted === true) break;
      for (const row of group) {
        left += 1;
        foreignCharacters += row.foreign.length;
        if (row.fault !== undefined) {
          fault ??= row.fault;
          empty.count += 1;
          if (empty.lines.length < linesNamedMax) empty.lines.push(row.line);
          continue;
        }
        first ??= row;
        bytes += row.bytes;
      }
    }
    const isWhole = this.#input.shard === undefined && stop?.aborted !== true;
    if (fault !== undefined && first === undefined && this.tally.earlier === 0 && isWhole) throw fault;
    return { rows: this.#needsKeys ? this.#order.count : left, left, empty, bytes, foreignCharacters, first };
  }

  /** Keys are dear: where nothing is stored and nothing is left to others, a survey does without them. */
  get #needsKeys(): boolean {
    return this.#input.shard !== undefined || (this.#file?.content.rows ?? 0) > 0;
  }

  async *#surveyed(): AsyncGenerator<Iterable<PlannedRow>> {
    if (this.#needsKeys) for await (const group of this.#pending({ isLast: false })) yield rowsOf(group);
    else yield* this.#rows.groups();
  }

  /** Does all that is left. Throws what would have failed for every row, once those under way are done. */
  async go(work: BatchWork): Promise<BatchEnd> {
    try {
      return await this.#go(work);
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
      await this.#file?.sync();
      const halted = haltOf(this.tally, work.halt, { isOver: false });
      return { isComplete: false, halted, interruptedBy: error.signal, leftOver: nothingLeftOver };
    } finally {
      await this.#file?.file.undoEmpty();
    }
  }

  async #go(work: BatchWork): Promise<BatchEnd> {
    this.tally.beyondLimit = await countBeyondLimit(this.#input, work.stop.signal);
    if (this.#input.isRereadable) {
      const { rows, left, foreignCharacters } = await this.survey(AbortSignal.any([work.stop.signal, work.signal]));
      work.signal.throwIfAborted();
      const finished = left === 0 ? this.#finishedAt() : undefined;
      this.tally.total = rows;
      if (this.#file !== undefined)
        refuseOtherJob(this.#file, this.#input, { ...this.#found, all: this.#order.rows, ours: rows });
      if (finished !== undefined) return await this.#finish(work, finished);
      const halted = left > 0 ? haltBefore(this.tally, work.halt) : undefined;
      if (halted !== undefined) return { isComplete: false, leftOver: nothingLeftOver, halted };
      await this.#ledger.space.needRoom(rows);
      await needRoomToOrder(this.#file, { rows: left, foreignCharacters }, work.files);
    } else await needRoomToOrder(this.#file, { rows: 0, foreignCharacters: 0 }, work.files);
    await this.#file?.begin();
    const end = await this.#askAll(work);
    await this.#file?.sync();
    if (this.#fault !== undefined) throw this.#fault;
    const { comeBackAt } = work.throttle;
    // Rows that were under way then count as well, so that the numbers are those of the summary.
    const halted = (end === 'outage' ? undefined : haltOf(this.tally, work.halt, { isOver: false })) ?? this.#halted;
    if (end !== 'done') return { isComplete: false, halted, comeBackAt, leftOver: nothingLeftOver };
    this.tally.total = this.#order.count;
    if (this.#found.rows < (this.#input.limit ?? Infinity)) this.tally.beyondLimit = 0;
    // The last row may have been left unasked by a limit.
    if (this.tally.ended < this.tally.total) return { isComplete: false, halted, leftOver: nothingLeftOver };
    return await this.#finish(work, this.#finishedAt());
  }

  /**
   * The rows that are still to be asked for. Each pass counts anew. In the last one a fault of the input ends the
   * reading, but not what is under way.
   */
  async *#pending({ isLast }: { readonly isLast: boolean }): AsyncGenerator<Iterable<WorkItem>> {
    this.#order.restart();
    this.#stale = 0;
    this.#found = { rows: 0, inFile: 0, oursInFile: 0 };
    this.tally.restart();
    this.#ledger.restart();
    try {
      for await (const group of this.#rows.groups()) {
        yield this.#pendingOf(group, isLast);
        if (this.#fault !== undefined) return;
      }
    } catch (error) {
      this.#endReading(error, isLast);
    }
  }

  *#pendingOf(rows: Iterable<PlannedRow>, isLast: boolean): Generator<WorkItem> {
    try {
      for (const row of rows) {
        const item = this.#enter(row, isLast);
        if (item !== undefined) yield item;
      }
    } catch (error) {
      this.#endReading(error, isLast);
    }
  }

  #endReading(error: unknown, isLast: boolean): void {
    if (!isLast || !(error instanceof Error)) throw error;
    this.#fault ??= error;
  }

  /** Takes note of a row; returns it if it is to be asked for. */
  #enter(row: PlannedRow, isLast: boolean): WorkItem | undefined {
    const { shard } = this.#input;
    this.#found.rows += 1;
    this.#order.idColumn = row.idColumn;
    const place = this.#ledger.enter(row);
    const isOurs = shard === undefined || shardOfKey(place.key, shard) === shard.index;
    if (this.#file === undefined) this.#order.count += isOurs ? 1 : 0;
    else this.#order.add(`${place.key}${row.foreign}`, isOurs ? place.entry : undefined);
    const state = this.#ledger.stateOf(place.entry);
    if (state !== 'unasked') this.#found.inFile += 1;
    if (!isOurs) return undefined;
    if (state !== 'unasked') this.#found.oursInFile += 1;
    if (!isFinal(state)) return { row, place };
    this.tally.addEarlier(state);
    if (this.#file?.isStale(place.entry, row) === true) {
      this.#stale += 1;
      if (isLast) this.#file.refresh(place.entry, row);
    }
    return undefined;
  }

  async #askAll(work: BatchWork): Promise<WorkEnd> {
    const { throttle, clock, outageMsMax, timeoutMs, stop, signal, onHold } = work;
    const run = new WorkRun(this.#pending({ isLast: true }), (item, abandoned) => this.#ask(item, work, abandoned), {
      throttle,
      clock,
      outageMsMax,
      itemMsMax: timeoutMs,
      order: this.#file === undefined ? 'input' : 'finished',
      stop: stop.signal,
      signal,
      wasAsked: (outcome) => outcome?.attempts !== 0,
      troubleOf: (outcome) => (outcome?.error === undefined ? undefined : troubleOf(outcome.error)),
      ...(onHold === undefined ? {} : { onHold }),
    });
    this.#run = run;
    await run.each(({ item, result }) => {
      if (result === undefined) return undefined;
      const isKept = this.#file !== undefined && result.reply !== undefined;
      const writing = isKept ? undefined : this.#keep(item, result, work);
      work.onRow?.();
      this.#haltIfOver(work);
      return writing;
    });
    if (run.end === 'outage') this.#halted = outageHalt(outageMsMax, run.hold?.status);
    return run.end;
  }

  /** Stops the run where the rows so far are over a limit; true if it is stopped. */
  #haltIfOver({ halt, stop }: BatchWork): boolean {
    this.#halted ??= haltOf(this.tally, halt, { isOver: false });
    if (this.#halted !== undefined) stop.abort();
    return this.#halted !== undefined;
  }

  /** Writes and counts a row that has ended. */
  #keep({ row, place }: WorkItem, outcome: RowOutcome, work: BatchWork): Promise<void> | undefined {
    const line = formatRow(row, place.key, outcome, work.redactor);
    this.#file?.record(row, place.entry, { line, state: stateOf(outcome.reply?.blocked) });
    this.tally.add(row, outcome);
    return this.#file === undefined ? work.write(line) : undefined;
  }

  /** An answer is in the file before its place among those under way is given to another row. */
  async #ask(item: WorkItem, work: BatchWork, signal: AbortSignal): Promise<RowOutcome | undefined> {
    const { row } = item;
    // Of a pipe the rows of an earlier run are known only as they are read.
    if (this.#haltIfOver(work)) return undefined;
    if (row.fault !== undefined) return { error: row.fault, attempts: 0, elapsedMs: 0 };
    const startedAt = work.clock.monotonic();
    try {
      const outcome = work.ask.outcomeOf(await work.ask.ask(row, signal));
      if (this.#file !== undefined && outcome.reply !== undefined) void this.#keep(item, outcome, work);
      return outcome;
    } catch (error) {
      if (!(error instanceof MotifError)) throw error;
      const outcome = work.ask.outcomeOfFailure(error, work.clock.monotonic() - startedAt);
      if (outcome !== undefined) return outcome;
      this.#fault ??= error;
      work.stop.abort();
      return undefined;
    }
  }

  #facts(): JobFacts {
    const limit = this.tally.beyondLimit === 0 ? undefined : this.#input.limit;
    return { ...this.#order.jobFacts(), shard: this.#input.shard, limit };
  }

  #finishedAt(): string | undefined {
    if (this.#file === undefined || this.#stale > 0 || this.#limitBeforeOthers !== undefined) return undefined;
    return finishedAt(this.#file, this.#order, this.#facts());
  }

  /** The limit, where it ended the reading and the file has more than the rows before it. */
  get #limitBeforeOthers(): number | undefined {
    const { limit } = this.#input;
    return limit === this.#order.rows && (this.#file?.table.count ?? 0) > limit ? limit : undefined;
  }

  /** Puts all rows in order, unless they are so since the moment `finishedAt`. */
  async #finish({ files, clock, stop, halt }: BatchWork, finishedAt: string | undefined): Promise<BatchEnd> {
    const end = { isComplete: true, halted: haltOf(this.tally, halt, { isOver: true }), finishedAt };
    if (this.#file === undefined || finishedAt !== undefined) return { ...end, leftOver: nothingLeftOver };
    const limit = this.#limitBeforeOthers;
    const beyond = await readBeyondLimit(this.#input, limit, { ledger: this.#file, stop: stop.signal });
    const leftOver = await orderFile(this.#file, this.#order, this.#facts(), { files, now: clock.now(), beyond });
    return { ...end, leftOver: { ...leftOver, isSure: limit === undefined || beyond?.isWhole === true } };
  }
}

function* rowsOf(items: Iterable<WorkItem>): Generator<PlannedRow> {
  for (const { row } of items) yield row;
}
