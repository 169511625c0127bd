import { refined } from '../../../documents/refined.ts';
import { byDefault, list, object, oneOf, wordOr } from '../../../documents/shape.ts';
import type { Finding } from '../../vocabulary.ts';
import { entitiesNamed, entityNames, entityOrSetNames } from '../rules/pii/entities.ts';
import { createExamination } from '../rules/pii/examination.ts';
import { dataIn, policyKind } from '../policy.ts';

const entityList = list(oneOf(...entityOrSetNames), { least: 1, most: entityOrSetNames.length });

/** Personal data. `entities: all`, or a list of their names and of names of sets. */
export const pii = policyKind({
  isPure: true,
  messageSeparators: [''],
  rules: entityNames,
  rulesOf: ({ entities: names }) => entitiesNamed(names).map(({ name }) => name),
  options: refined(
    object({}, { entities: byDefault('all', 'numbers to look for', wordOr('all', entityList)) }),
    ({ entities: chosen = 'all' }) => ({ entities: chosen === 'all' ? entityNames : chosen }),
  ),
  create({ entities: names }) {
    const createExamine = createExamination(entitiesNamed(names));
    return {
      detect(text) {
        const examine = createExamine(text);
        return dataIn(text, (view) => {
          const found: FoundNumber[] = [];
          examine(view, (finding, fault, entity) => {
            if (fault === undefined) found.push({ isChecked: entity.checksum !== undefined, ...finding });
          });
          return found.length < 2 ? found : withoutParts(found);
        });
      },
    };
  },
});

interface FoundNumber extends Finding {
  readonly isChecked: boolean;
}

/** A part of a longer number that passed its own arithmetic is nothing by itself. */
function withoutParts(found: readonly FoundNumber[]): Finding[] {
  const ordered = found.toSorted((one, other) => one.start - other.start || other.length - one.length);
  let around: FoundNumber | undefined;
  return ordered.filter((one) => {
    const end = one.start + one.length;
    const isPart = around !== undefined && end <= around.start + around.length && one.length < around.length;
    if (!isPart && one.isChecked && (around === undefined || end > around.start + around.length)) around = one;
    return !isPart;
  });
}
