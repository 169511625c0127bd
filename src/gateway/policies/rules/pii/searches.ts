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

  /** Tells which runs of digits stand in a text; each of them is looked for once. */
  function createRunsTest(digits: string): (index: number) => boolean {
    const rows = new Lazy(() => digitRuns(digits));
    const hasAny = new Lazy(() => anyRuns.test(rows.value));
    const known: boolean[] = [];
    return (index) => hasAny.value && (known[index] ??= runs[index]!.test(rows.value));
  }

  return { all, withoutDigits: all.filter(({ place }) => place !== 'digits'), createRunsTest };
}

export function topicsOf({ topic }: Entity, { topics }: Form): readonly string[] {
  return topics ?? (topic === undefined ? [] : [topic]);
}

/** A value that is made when it is first asked for. */
export class Lazy<T> {
  readonly #make: () => T;
  #made: { readonly value: T } | undefined;

  constructor(make: () => T) {
    this.#make = make;
  }

  get isMade(): boolean {
    return this.#made !== undefined;
  }

  get value(): T {
    return (this.#made ??= { value: this.#make() }).value;
  }
}
