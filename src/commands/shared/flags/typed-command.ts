import { plainWord } from '../../../text/defuse.ts';
import type { FlagGroup } from './flags.ts';

/** Flags as words of a command line that gives them again, without the fields of `leftOut`. */
export function flagWords(
  groups: readonly FlagGroup[],
  typed: Readonly<Record<string, unknown>>,
  leftOut: ReadonlySet<string> = new Set(),
): readonly string[] {
  return groups.flatMap(({ fields }) =>
    Object.entries(fields).flatMap(([field, { spelling }]) =>
      leftOut.has(field) ? [] : wordsOf(spelling.split(/,? /)[0]!, typed[field]),
    ),
  );
}

/** A flag as it is typed: none for an absent one, one for each value of a list. */
function wordsOf(name: string, value: unknown): readonly string[] {
  if (value === undefined || value === false) return [];
  if (value === true) return [name];
  return [value].flat().flatMap((each) => [name, plainWord(spelledValue(each))]);
}

/** A moment is spelled as it was typed, a threshold by its amount. */
function spelledValue(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if ('typed' in value) return String(value.typed);
  const { amount, isPercent } = value as { readonly amount?: unknown; readonly isPercent?: unknown };
  return `${String(amount)}${isPercent === true ? '%' : ''}`;
}
