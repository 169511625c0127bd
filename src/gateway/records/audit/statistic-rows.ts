import { Latencies } from './latencies.ts';
import { type Decision, decisions } from './line.ts';
import type { PromptFacts } from './prompt-facts.ts';

/** The prompts that have the same values of the keys that were asked for. */
export interface StatisticRow {
  /** In the order of the keys; null where a line has none. */
  readonly values: readonly (string | null)[];
  readonly prompts: number;
  readonly decisions: Readonly<Record<Decision, number>>;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Undefined where no prompt of it has a price. */
  readonly cost: number | undefined;
  readonly p50: number | undefined;
  readonly p95: number | undefined;
}

/** The rows by the value of one key after the other; to find one costs no text of them all. */
export class RowBranch {
  readonly next = new Map<string | null, RowBranch>();
  row: RowSums | undefined;

  put([value, ...others]: readonly (string | null)[], row: RowSums): void {
    if (value === undefined) this.row = row;
    else {
      const branch = this.next.get(value) ?? new RowBranch();
      this.next.set(value, branch);
      branch.put(others, row);
    }
  }
}

/** The sums of the prompts of one row. */
export class RowSums {
  readonly #values: readonly (string | null)[];
  readonly #decisions = Object.fromEntries(decisions.map((each) => [each, 0])) as Record<Decision, number>;
  readonly #latencies = new Latencies();
  #prompts = 0;
  #promptTokens = 0;
  #completionTokens = 0;
  #cost: number | undefined;

  constructor(values: readonly (string | null)[]) {
    this.#values = values;
  }

  add({ decision, count, promptTokens, completionTokens, totalMs }: PromptFacts, cost: number | undefined): void {
    this.#prompts += count;
    this.#decisions[decision] += count;
    this.#promptTokens += promptTokens;
    this.#completionTokens += completionTokens;
    if (cost !== undefined) this.#cost = (this.#cost ?? 0) + cost;
    // Refusals and blocked prompts wait for no model, and would make it look quick.
    if (decision !== 'refused' && decision !== 'block') this.#latencies.add(totalMs);
  }

  row(): StatisticRow {
    return {
      values: this.#values,
      prompts: this.#prompts,
      decisions: this.#decisions,
      promptTokens: this.#promptTokens,
      completionTokens: this.#completionTokens,
      cost: this.#cost,
      p50: this.#latencies.at(0.5),
      p95: this.#latencies.at(0.95),
    };
  }
}
