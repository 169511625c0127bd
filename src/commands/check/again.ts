import type { Shard } from '../../runs/shards.ts';
import { pathWord } from '../../text/defuse.ts';
import type { ChosenSuite } from '../../suites/selection.ts';
import type { World } from '../../world/world.ts';
import { connectionFlags } from '../shared/flags/connection.ts';
import { embeddedCheckFlags } from '../shared/flags/embedded.ts';
import type { Serving } from '../shared/connection/serving.ts';
import { flagWords } from '../shared/flags/typed-command.ts';
import { type CheckFlags, checkFlags } from './check-flags.ts';

/** Flags that no second run has: those that send nothing, and the forms in which a result is told. */
const leftOut: ReadonlySet<string> = new Set<keyof CheckFlags>([
  ...(['lastFailed', 'list', 'dryRun', 'watch'] as const),
  ...(['reports', 'reportText', 'verbose', 'json'] as const),
]);

/**
 * The command line that asks the failures again, of the same service, and judges them by the same rules. A proof needs
 * all cases, so that it is the same run once more.
 */
export function againOf(operands: readonly string[], flags: CheckFlags, shard: Shard | undefined): string {
  // `auto` would mean another part where the variables of this job are missing.
  const typed = { ...flags, ...(shard && { shard: `${shard.index}/${shard.of}` }) };
  const words = flagWords(checkFlags, typed, leftOut);
  return ['motif check', ...operands.map(pathWord), ...words, ...(flags.prove ? [] : ['--last-failed'])].join(' ');
}

/** The command line that lists all cases of the same suites, also where single lines of them were named. */
export function listOf(operands: readonly string[], flags: CheckFlags, suites: readonly ChosenSuite[]): string {
  const words = flagWords([embeddedCheckFlags, ...connectionFlags], flags);
  const names = operands.map((each) => suites.find((suite) => lineWord(suite) === each)?.suite.file ?? each);
  return ['motif check', ...new Set(names.map(pathWord)), ...words, '--list'].join(' ');
}

/** `suite.motif.yaml:12` as it is typed for a case; undefined for a whole suite. */
export function lineWord({ suite, line }: ChosenSuite): string | undefined {
  return line === undefined ? undefined : `${suite.file}:${line}`;
}

/** The same behind the `motif serve` whose gateway is gone by then; undefined where it was typed in another folder. */
export function againBehind(
  serving: Serving | undefined,
  again: string,
  { files }: Pick<World, 'files'>,
): string | undefined {
  if (serving === undefined) return again;
  return serving.folder === files.absolute('.') ? `${serving.words} -- ${again}` : undefined;
}
