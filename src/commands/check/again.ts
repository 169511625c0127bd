import type { Shard } from '../../runs/shards.ts';
import { pathWord, plainWord } from '../../text/defuse.ts';
import { type CheckFlags, checkFlags } from './check-flags.ts';

/**
 * Flags that the second run goes without: the first group takes its place or sends nothing, the others say in which
 * form a result is told. `--prove` needs a run in which all cases pass.
 */
const leftOut: ReadonlySet<string> = new Set<keyof CheckFlags>([
  ...(['lastFailed', 'list', 'dryRun', 'watch', 'prove'] as const),
  ...(['reports', 'reportText', 'json'] as const),
]);

/** The command line that asks the failures again, of the same service, and judges them by the same rules. */
export function againOf(operands: readonly string[], flags: CheckFlags, shard: Shard | undefined): string {
  // `auto` would mean another part where the variables of this job are missing.
  const typed: Readonly<Record<string, unknown>> = { ...flags, ...(shard && { shard: `${shard.index}/${shard.of}` }) };
  const words = checkFlags.flatMap(({ fields }) =>
    Object.entries(fields).flatMap(([field, { spelling }]) =>
      leftOut.has(field) ? [] : wordsOf(spelling.split(/,? /)[0]!, typed[field]),
    ),
  );
  return ['motif', 'check', ...operands.map(pathWord), ...words, '--last-failed'].join(' ');
}

/** A flag as it is typed: none for an absent one, one for each value of a list. */
function wordsOf(name: string, value: unknown): readonly string[] {
  if (value === undefined || value === false) return [];
  if (value === true) return [name];
  return [value].flat().flatMap((each) => [name, plainWord(spelledValue(each))]);
}

function spelledValue(value: unknown): string {
  const isThreshold = typeof value === 'object' && value !== null && 'amount' in value && 'isPercent' in value;
  return isThreshold ? `${String(value.amount)}${value.isPercent === true ? '%' : ''}` : String(value);
}
