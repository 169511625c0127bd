import { digitRuns } from '../../readings/number-areas.ts';
import { type Entity, type Form, anyRunsOf } from './entity.ts';

/** Entities made ready to be looked for in many texts. */

/** A form, and what tells soonest that a view has none: all of one shape, for most texts are asked for each. */
export interface FormSearch {
  readonly form: Form;
  readonly isSure: boolean;
  /** Index of its runs of digits among all that differ; undefined where it has none. */
  readonly runs: number | undefined;
  readonly topics: readonly string[];
}

export interface EntitySearch {
  readonly entity: Entity;
  readonly place: Entity['place'];
  readonly forms: readonly FormSearch[];
  readonly hints: readonly string[];
}

export function createSearches(chosen: readonly Entity[]) {
  const anyRuns = anyRunsOf(chosen);
  const runs: RegExp[] = [];
  const indexOf = (pattern: RegExp) => {
    const known = runs.findIndex(({ source }) => source === pattern.source);
    return known === -1 ? runs.push(pattern) - 1 : known;
  };
  const all = chosen.map((entity): EntitySearch => {
    const forms = entity.forms.map((form) => ({
      form,
      isSure: form.isSure === true,
      runs: form.runs === undefined ? undefined : indexOf(form.runs),
      topics: topicsOf(entity, form),
    }));
    return { entity, place: entity.place, forms, hints: entity.hints ?? [] };
  });

  return {
    all,
    withoutDigits: all.filter(({ place }) => place !== 'digits'),
    createRunsTest: (digits: string) => new RunsTest(digits, anyRuns, runs),
  };
}

const isMissing = 1;
const isThere = 2;

export type Searches = ReturnType<typeof createSearches>;

/** Tells which runs of digits stand in a text; each of them is looked for once. */
export class RunsTest {
  readonly #digits: string;
  readonly #anyRuns: RegExp;
  readonly #runs: readonly RegExp[];
  /** The rows of runs of the text; empty where none of them is one that is looked for. */
  #rows: string | undefined;
  #known: Uint8Array | undefined;

  constructor(digits: string, anyRuns: RegExp, runs: readonly RegExp[]) {
    this.#digits = digits;
    this.#anyRuns = anyRuns;
    this.#runs = runs;
  }

  has(index: number): boolean {
    const rows = (this.#rows ??= this.#findRows());
    if (rows === '') return false;
    const known = (this.#known ??= new Uint8Array(this.#runs.length));
    return (known[index] ||= this.#runs[index]!.test(rows) ? isThere : isMissing) === isThere;
  }

  #findRows(): string {
    const rows = digitRuns(this.#digits);
    return this.#anyRuns.test(rows) ? rows : '';
  }
}

export function topicsOf({ topic }: Entity, { topics }: Form): readonly string[] {
  return topics ?? (topic === undefined ? [] : [topic]);
}
