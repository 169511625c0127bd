import { MotifError } from '../errors.ts';
import type { BatchInput } from './contract.ts';
import type { Ledger } from './ledger/ledger.ts';
import { counted } from '../text/sizes.ts';

/** Rows of a pass over the input: all, those of this run's part, and those of both that the file has. */
interface FoundRows {
  readonly all: number;
  readonly ours: number;
  readonly inFile: number;
  readonly oursInFile: number;
}

/** Refuses a file in which no row of the input is found, for it was made from another one, or from another part. */
export function refuseOtherJob(
  { content, path, isCleared }: Ledger,
  { shard, source, limit }: BatchInput,
  { all, ours, inFile, oursInFile }: FoundRows,
): void {
  if (content.rows === 0 || isCleared || oursInFile > 0) return;
  if (shard !== undefined && inFile > 0) {
    // The output of the whole input has all that an empty part needs.
    if (ours === 0 && inFile === all) return;
    const part = `${shard.index}/${shard.of}`;
    const message = `${path} holds another part of ${source.name} than ${part}`;
    throw new MotifError('usage', ours === 0 ? `${message}, which has no rows` : message, {
      hint: 'name the part that it is of, with --shard i/n, or another file with -o',
    });
  }
  if (ours === 0) return;
  const none = content.rows === 1 ? `the row of ${path} is not` : `none of the ${content.rows} rows of ${path} is`;
  // Behind a limit nothing was looked for.
  if (limit === all)
    throw new MotifError('usage', `${none} among the first ${counted(limit, 'row')} of ${source.name}`, {
      hint: 'take more rows (--limit) or all, or name another file with -o',
    });
  throw new MotifError('usage', `${none} in ${source.name}`, {
    hint: 'name another file with -o, or --fresh replaces what is in it',
  });
}
