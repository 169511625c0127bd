import type { Usage } from '../wire/reply.ts';
import type { RowState } from './ledger/key-table.ts';
import type { PlannedRow, RowOutcome } from './row.ts';

/** Lines that are named for each kind of error. */
export const linesNamedMax = 5;
/** Buckets of the latencies: each a fortieth of a decade wide, from 1 ms to beyond a day. */
const bucketsPerDecade = 40;
const bucketsMax = 9 * bucketsPerDecade;

/** The errors of one kind: how many, and the lines of the first ones. */
interface ErrorTally {
  count: number;
  readonly lines: number[];
}

/** The tokens of all answers of this run; a count that no answer had is null. */
interface TokenSums {
  prompt_tokens: number | null;
  completion_tokens: number | null;
  total_tokens: number | null;
}

/** Counts of the rows so far. */
export class Tally {
  /** Rows of this run's part of the input; undefined while that is not known. */
  total: number | undefined;
  /** Rows of the input behind the limit of this run; undefined where their number is not known. */
  beyondLimit: number | undefined = 0;
  answered = 0;
  blocked = 0;
  failed = 0;
  /** Rows that an earlier run has finished; counted among the answered and blocked ones too. */
  earlier = 0;
  readonly tokens: TokenSums = { prompt_tokens: null, completion_tokens: null, total_tokens: null };
  readonly byError = new Map<string, ErrorTally>();
  readonly #buckets = new Uint32Array(bucketsMax);
  #timed = 0;

  /** Rows that came to an end: answered, blocked or failed. */
  get ended(): number {
    return this.answered + this.blocked + this.failed;
  }

  /** Rows without a prompt, which no run can ask; counted among the failed ones too. */
  get empty(): number {
    return this.byError.get('usage')?.count ?? 0;
  }

  /** True where there are rows, and no run with this input could ask a further one. */
  get isWhole(): boolean {
    return this.ended > 0 && this.ended === this.total && this.failed === this.empty && this.beyondLimit === 0;
  }

  /** Forgets the rows that a first pass over the input has counted. */
  restart(): void {
    this.earlier = 0;
    this.answered = 0;
    this.blocked = 0;
  }

  /** Counts a row that an earlier run has finished. */
  addEarlier(state: RowState): void {
    this.earlier += 1;
    if (state === 'blocked') this.blocked += 1;
    else this.answered += 1;
  }

  add({ line }: PlannedRow, { reply, error, isLost, usage, elapsedMs }: RowOutcome): void {
    this.#addTokens(reply?.usage ?? usage);
    if (reply === undefined) {
      this.failed += 1;
      this.#addError(isLost === true ? 'unknown' : (error?.kind ?? 'bug'), line);
      return;
    }
    if (reply.blocked) this.blocked += 1;
    else this.answered += 1;
    this.#buckets[Math.min(bucketsMax - 1, Math.floor(Math.log10(Math.max(1, elapsedMs)) * bucketsPerDecade))]! += 1;
    this.#timed += 1;
  }

  #addTokens(usage: Usage | null | undefined): void {
    for (const name of ['prompt_tokens', 'completion_tokens', 'total_tokens'] as const) {
      const count = usage?.[name] ?? null;
      if (count !== null) this.tokens[name] = (this.tokens[name] ?? 0) + count;
    }
  }

  /** The latency that so many of a hundred answers kept below, in milliseconds, to about three digits in a hundred. */
  percentile(share: number): number | null {
    if (this.#timed === 0) return null;
    let left = Math.ceil((this.#timed * share) / 100);
    const bucket = this.#buckets.findIndex((count) => (left -= count) <= 0);
    return Math.round(10 ** ((bucket + 0.5) / bucketsPerDecade));
  }

  #addError(kind: string, line: number): void {
    const found = this.byError.get(kind) ?? { count: 0, lines: [] };
    found.count += 1;
    if (found.lines.length < linesNamedMax) found.lines.push(line);
    this.byError.set(kind, found);
  }
}
