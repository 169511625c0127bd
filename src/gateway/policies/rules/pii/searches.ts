import { signs } from '../../readings/character-scan.ts';
import { anySign } from '../../readings/view.ts';
import type { Entity, Form } from './entity.ts';
import { KnownRows, RunsTest } from './known-rows.ts';

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
  readonly signs: number;
  readonly forms: readonly FormSearch[];
  readonly hints: readonly string[];
}

/** One for all policies: it takes a megabyte and more, and the rows of texts are alike, whatever is looked for. */
const known = new KnownRows();

export function createSearches(chosen: readonly Entity[]) {
  const all = chosen.map((entity): EntitySearch => {
    const forms = entity.forms.map((form) => ({
      form,
      isSure: form.isSure === true,
      runs: form.runs && known.indexOf(form.runs, false),
      shape: form.shape && known.indexOf(form.shape, true),
      topics: topicsOf(entity, form),
    }));
    const { place, hints = [] } = entity;
    return { entity, place, signs: place === 'digits' ? signs.digit : (entity.signs ?? anySign), forms, hints };
  });

  return {
    all,
    withoutDigits: all.filter(({ place }) => place !== 'digits'),
    createRunsTest: () => new RunsTest(known),
  };
}

export type Searches = ReturnType<typeof createSearches>;

export function topicsOf({ topic }: Entity, { topics }: Form): readonly string[] {
  return topics ?? (topic === undefined ? [] : [topic]);
}
