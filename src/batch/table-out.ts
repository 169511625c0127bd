import { MotifError } from '../errors.ts';
import { columnsMax } from '../rows/csv.ts';
import { rawMembers } from '../rows/members.ts';
import type { MergedRow } from './merge.ts';
import type { JobFacts } from './ordering.ts';
import { ownKeys } from './row.ts';

/** The columns that a table of the rows has: those of the input in their order, then what came of each row. */
export class TableColumns {
  readonly #names = new Set<string>();
  readonly #idColumn: number;
  #hasIds = false;

  constructor({ idColumn = 0 }: Pick<JobFacts, 'idColumn'>) {
    this.#idColumn = idColumn;
  }

  /** Takes note of the fields of one more row. */
  add({ text }: MergedRow): void {
    for (const { name, json } of rawMembers(text)) {
      if (name === 'id' && json !== 'null') this.#hasIds = true;
      if (!ownKeys.has(name)) this.#names.add(name);
    }
    if (this.#names.size > columnsMax) throw new MotifError('usage', `the rows have more than ${columnsMax} fields`);
  }

  /** The line with the names. */
  header(): string {
    const [outcome, answer] = this.#names.has('outcome') || this.#names.has('answer') ? prefixed : plain;
    return csvLine([...this.#columns(), outcome, answer]);
  }

  /** The line of a row: texts as they are, other values as they stood in the JSON. */
  line({ text, stored }: MergedRow): string {
    const values = new Map(rawMembers(text).map(({ name, json }) => [name, toText(json)]));
    const outcome = stored.state === 'failed' ? 'error' : stored.state;
    return csvLine([...this.#columns().map((name) => values.get(name) ?? ''), outcome, values.get('response') ?? '']);
  }

  #columns(): readonly string[] {
    const names = [...this.#names];
    return this.#hasIds ? names.toSpliced(this.#idColumn, 0, 'id') : names;
  }
}

const plain = ['outcome', 'answer'] as const;
const prefixed = ['motif_outcome', 'motif_answer'] as const;

function toText(json: string): string {
  if (json === 'null') return '';
  return json.startsWith('"') ? (JSON.parse(json) as string) : json;
}

function csvLine(values: readonly string[]): string {
  return `${values.map((value) => (/[",\r\n]|^\s|\s$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)).join(',')}\r\n`;
}
