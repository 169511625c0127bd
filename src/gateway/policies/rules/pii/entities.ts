import { americanEntities } from './americas.ts';
import { asiaPacificEntities } from './asia-pacific.ts';
import { contactEntities } from './contact.ts';
import { type Entity, entitySets } from './entity.ts';
import { europeanEntities } from './europe.ts';
import { nationalEntities } from './national.ts';
import { farEntities } from './national-far.ts';
import { passports } from './passports.ts';
import { financialEntities } from './financial.ts';

/** Every kind of personal data that can be looked for. */
export const entities: readonly Entity[] = [
  ...contactEntities,
  ...financialEntities,
  ...americanEntities,
  ...europeanEntities,
  ...passports,
  ...asiaPacificEntities,
  ...nationalEntities,
  ...farEntities,
];

export const entityNames: readonly string[] = [...new Set(entities.map(({ name }) => name))];

/** Single names and the names of sets, as a gateway file may list them, in the order of the table. */
export function entitiesNamed(names: readonly string[]): readonly Entity[] {
  return entities.filter(({ name, sets }) => names.includes(name) || sets.some((set) => names.includes(set)));
}

export const entityOrSetNames: readonly string[] = [...entitySets, ...entityNames];
