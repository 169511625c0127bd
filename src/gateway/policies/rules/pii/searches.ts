import type { Entity, Form } from './entity.ts';

/** Entities made ready to be looked for in many texts. */

/** A form, and what tells soonest that a view has none: all of one shape, for most texts are asked for each. */
export interface FormSearch {
  readonly form: Form;
  readonly isSure: boolean;
  /** Index of its runs of digits among all that differ; undefined where it has none. */
  readonly runs: number | undefined;
  readonly shape: number | undefined;
  readonly topics: readonly string[];
}

export interface EntitySearch {
  readonly entity: Entity;
  readonly place: Entity['place'];
  readonly forms: readonly FormSearch[];
  readonly hints: readonly string[];
}

export function createSearches(chosen: readonly Entity[]) {
  const known = new KnownRows();
  const all = chosen.map((entity): EntitySearch => {
    const forms = entity.forms.map((form) => ({
      form,
      isSure: form.isSure === true,
      runs: form.runs && known.indexOf(form.runs, false),
      shape: form.shape && known.indexOf(form.shape, true),
      topics: topicsOf(entity, form),
    }));
    return { entity, place: entity.place, forms, hints: entity.hints ?? [] };
  });

  return {
    all,
    withoutDigits: all.filter(({ place }) => place !== 'digits'),
    createRunsTest: () => new RunsTest(known),
  };
}

export type Searches = ReturnType<typeof createSearches>;

/** Rows that were seen are known for all texts, if they are short, and so many of them. */
const knownCharactersMax = 24;
const knownMax = 4_096;
/** So many rows of one text become known: of a text of nothing else, each would be tried with all patterns. */
const newMax = 64;

/** Patterns of rows, and which of them each row has. */
class KnownRows {
  readonly #patterns: { readonly pattern: RegExp; readonly hasLetters: boolean }[] = [];
  readonly #known = new Map<string, readonly number[]>();

  get size(): number {
    return this.#patterns.length;
  }

  indexOf(pattern: RegExp, hasLetters: boolean): number {
    const same = this.#patterns.findIndex(
      (one) => one.pattern.source === pattern.source && one.hasLetters === hasLetters,
    );
    return same === -1 ? this.#patterns.push({ pattern, hasLetters }) - 1 : same;
  }

  /** Indexes of the patterns that a row has; undefined where that is not known. */
  patternsOf(row: string): readonly number[] | undefined {
    return this.#known.get(row);
  }

  learn(row: string): readonly number[] {
    const digits = row.replace(/[A-Z]+/g, '');
    const found = this.#patterns.flatMap((_, index) => (this.has(index, row, digits) ? [index] : []));
    if (this.#known.size === knownMax) this.#known.clear();
    this.#known.set(row, found);
    return found;
  }

  has(index: number, rows: string, digits: string): boolean {
    const { pattern, hasLetters } = this.#patterns[index]!;
    return pattern.test(hasLetters ? rows : digits);
  }
}

/** Tells which runs of digits stand in a text. */
export class RunsTest {
  readonly #known: KnownRows;
  readonly #found: Uint8Array;
  #learnt = 0;
  /** Rows of which nothing is known, a blank between them; each pattern is looked for once. */
  #others = '';
  #otherDigits: string | undefined;

  constructor(known: KnownRows) {
    this.#known = known;
    this.#found = new Uint8Array(known.size);
  }

  add(row: string): void {
    const patterns = this.#known.patternsOf(row) ?? this.#learn(row);
    if (patterns === undefined) this.#others += ` ${row}`;
    else for (const index of patterns) this.#found[index] = isThere;
  }

  has(index: number): boolean {
    if (this.#others === '') return this.#found[index] === isThere;
    return (this.#found[index] ||= this.#isInOthers(index) ? isThere : isMissing) === isThere;
  }

  #learn(row: string): readonly number[] | undefined {
    return row.length > knownCharactersMax || this.#learnt++ >= newMax ? undefined : this.#known.learn(row);
  }

  #isInOthers(index: number): boolean {
    this.#otherDigits ??= this.#others.replace(/[A-Z]+/g, '');
    return this.#known.has(index, this.#others, this.#otherDigits);
  }
}

const isMissing = 1;
const isThere = 2;

export function topicsOf({ topic }: Entity, { topics }: Form): readonly string[] {
  return topics ?? (topic === undefined ? [] : [topic]);
}
