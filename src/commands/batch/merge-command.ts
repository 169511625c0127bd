import type { Tally } from '../../batch/tally.ts';
import type { Shard } from '../../runs/shards.ts';
import { pathWord } from '../../text/defuse.ts';

interface FinishedOutput {
  readonly output: string;
  readonly inputName: string;
  readonly isTable: boolean;
  readonly shard: Shard | undefined;
  /** The limit of the run, where it may have left rows behind it. */
  readonly limit: number | undefined;
}

/** The command that makes of a finished output what is wanted next: a table of it, or one file of all parts. */
export function mergeLines(
  { output, inputName, isTable, shard, limit }: FinishedOutput,
  { ended }: Tally,
): readonly string[] {
  const first = limit === undefined ? '' : ` --limit ${limit}`;
  if (shard !== undefined && shard.of > 1) {
    const parts = partNames(output, shard);
    const folder = output.slice(0, output.lastIndexOf('/') + 1);
    const whole = freeName(`${folder}all`, isTable ? 'csv' : 'jsonl', [inputName, ...(parts ?? [output])]);
    const ready = `once ${shard.of === 2 ? 'both' : `all ${shard.of}`} parts are there`;
    return parts === undefined
      ? [`${ready}: motif batch merge with all their names makes one file of them`]
      : [`${ready}: motif batch merge ${parts.map(pathWord).join(' ')} -o ${pathWord(whole)}${first}`];
  }
  if (!isTable || ended === 0) return [];
  const table = freeName(output.replace(/\.[a-z]+$/i, ''), 'csv', [inputName, output]);
  return [`as CSV: motif batch merge ${pathWord(output)} -o ${pathWord(table)}${first}`];
}

const partsNamedMax = 16;

/** The outputs of all parts, where the last number in the name of this one is its part; undefined where it is not. */
function partNames(output: string, { index, of }: Shard): readonly string[] | undefined {
  const [, before = '', digits = '', after = ''] = /^(.*?)(\d+)([^\d/]*)$/s.exec(output) ?? [];
  if (of > partsNamedMax || Number(digits) !== index || digits === '') return undefined;
  return Array.from({ length: of }, (_, at) => `${before}${String(at + 1).padStart(digits.length, '0')}${after}`);
}

/** A name for what a command makes; never that of a file which the command would replace. */
function freeName(stem: string, ending: string, taken: readonly string[]): string {
  const bare = (path: string): string => path.replace(/^(?:\.\/)+/, '');
  const name = `${stem}.${ending}`;
  return taken.map(bare).includes(bare(name)) ? `${stem}-answers.${ending}` : name;
}
