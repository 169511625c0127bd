import { digestOfKey } from '../../../../batch/output-line.ts';
import { createPlanner, digestOfContent, digestOfOccurrence } from '../../../../batch/plan.ts';
import type { PlannedRow } from '../../../../batch/row.ts';
import { MotifError } from '../../../../errors.ts';
import { formatOfName, readRows, type Row } from '../../../../rows/rows.ts';
import {
  countUnanswered,
  isAuditHead,
  type KeptText,
  mapped,
  type PeekedSource,
  type RowParts,
  rowsWithText,
  type TextGroups,
  textOfRow,
} from './corpus.ts';

/** Answers wait in memory for their prompts: so many characters of them. */
const waitingCharactersMax = 256 * 1024 * 1024;

export function isBatchOutput({ head }: PeekedSource): boolean {
  return /^\{"index":(?:\d+|null),"id":/.test(head) && /"key":"[0-9a-f]+-[0-9a-f]+-[0-9a-f]+"/.test(head);
}

export function mayBeBatchInput(source: PeekedSource): boolean {
  return !isAuditHead(source.head) && !isBatchOutput(source);
}

/** An output row that waits for its prompt. */
interface WaitingRow {
  readonly digest: string | undefined;
  readonly id: string;
  /** Undefined for a row that was blocked or failed, which has no text of its own. */
  readonly text: KeptText | undefined;
  readonly isBlocked: boolean;
}

/** Output rows of batches, found by their keys, or by their IDs where the prompt was built with flags like `-s`. */
export class BatchOutputs {
  readonly #waiting = new Set<WaitingRow>();
  readonly #byDigest = new Map<string, WaitingRow>();
  readonly #byId = new Map<string, WaitingRow[]>();
  readonly #occurrences = new Map<string, number>();
  readonly #parts: RowParts;
  #characters = 0;

  constructor(parts: RowParts) {
    this.#parts = parts;
  }

  async read({ whole }: PeekedSource): Promise<void> {
    for await (const row of readRows(whole)) {
      const id = row.members().find(({ name }) => name === 'id')?.json ?? 'null';
      const waiting = {
        digest: digestOfKey(row.values.key),
        id,
        text: textOfRow(row, whole.name),
        isBlocked: row.values.blocked === true,
      };
      this.#characters += waiting.text?.answer?.length ?? 0;
      if (this.#characters > waitingCharactersMax) {
        throw new MotifError('usage', `${whole.name}: too many answers to join with their prompts at once`, {
          hint: 'replay one output with its input at a time',
        });
      }
      this.#waiting.add(waiting);
      if (waiting.digest !== undefined) this.#byDigest.set(waiting.digest, waiting);
      if (id !== 'null') this.#byId.set(id, [...(this.#byId.get(id) ?? []), waiting]);
    }
  }

  /** The texts of an input, each with the answer that an output has to it. */
  async *join(source: PeekedSource): TextGroups {
    const plan = plannerFor(source.whole.name, this.#parts.column);
    for await (const rows of rowsWithText(source, this.#parts))
      yield mapped(rows, ({ row, text }) => {
        const planned = text.answer === undefined ? plan(row) : undefined;
        const found = planned === undefined ? undefined : this.#take(planned)?.text;
        return found === undefined
          ? text
          : { ...text, id: found.id, motif: text.motif ?? found.motif, answer: found.answer };
      });
  }

  /** The texts of the output rows whose prompts are in no input. */
  *rest(): Generator<KeptText> {
    for (const { text, isBlocked } of this.#waiting) {
      if (text === undefined) countUnanswered(isBlocked, this.#parts.notJudged);
      else yield text;
    }
  }

  #take(row: PlannedRow): WaitingRow | undefined {
    const digest = digestOfContent(row);
    const occurrence = this.#occurrences.get(digest) ?? 0;
    this.#occurrences.set(digest, occurrence + 1);
    const [only, second] = row.id === 'null' ? [] : (this.#byId.get(row.id) ?? []);
    const found =
      this.#byDigest.get(digestOfOccurrence(digest, occurrence)) ?? (second === undefined ? only : undefined);
    return found !== undefined && this.#waiting.delete(found) ? found : undefined;
  }
}

/** Plans rows as a batch without flags but `--column` would; undefined for a row that a batch would not send. */
function plannerFor(name: string, column: string | undefined): (row: Row) => PlannedRow | undefined {
  const format = formatOfName(name);
  const table = format === 'csv' || format === 'tsv' ? format : undefined;
  const plan = createPlanner({ inputName: name, motif: '', variables: new Map(), files: [], table, column });
  return (row) => {
    try {
      const planned = plan(row);
      return planned.fault === undefined ? planned : undefined;
    } catch (error) {
      if (error instanceof MotifError) return undefined;
      throw error;
    }
  };
}
