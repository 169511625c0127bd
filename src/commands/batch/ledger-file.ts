import { createBareLedger, Ledger, type RowLedger } from '../../batch/ledger/ledger.ts';
import { changedParts } from '../../batch/request-parts.ts';
import { ScratchSpace } from '../../batch/ledger/scratch.ts';
import { MotifError } from '../../errors.ts';
import { temporaryFolder } from '../../settings/paths.ts';
import { pathWord } from '../../text/defuse.ts';
import { canAsk, confirm } from '../../terminal/ask.ts';
import { counted, grouped } from '../../text/sizes.ts';
import type { World } from '../../world/world.ts';
import { isInput, mayBeLaid } from '../shared/output-file.ts';
import type { Run } from '../shared/run.ts';
import type { BatchFlags } from './flags.ts';
import type { OpenInput } from './input.ts';

/** The file as a ledger. Rows of another request in it are asked about on a terminal, and refused elsewhere. */
export async function openLedger(
  run: Run<BatchFlags>,
  { marks, plan }: OpenInput,
  output: string | undefined,
): Promise<RowLedger | Ledger> {
  const { world, flags, notice } = run;
  if (output === undefined) return openBareLedger(world, marks);
  const ledger = await Ledger.open(output, marks, world, notice);
  try {
    const { other, damaged, rows } = ledger.content;
    const mayReplace =
      flags.fresh === true || other === undefined || (await mayAskAnew(run, output, { other, marks, rows }));
    if (!mayReplace) throw otherRequest(output, other, { marks, motif: plan.motif });
    if (flags.fresh || other !== undefined) ledger.clear();
    else if (damaged > 0) notice(`${output}: ${leftOut(damaged)} asked again`);
    return ledger;
  } catch (error) {
    ledger.close();
    throw error;
  }
}

function leftOut(damaged: number): string {
  return damaged === 1
    ? 'a damaged line is left out, and its row'
    : `${grouped(damaged)} damaged lines are left out, and their rows`;
}

/** A ledger without a file, whose disk room is in the temporary folder. */
export function openBareLedger(world: World, marks: OpenInput['marks']): RowLedger {
  return createBareLedger(marks, new ScratchSpace(world.files, `${temporaryFolder(world)}/motif`));
}

const unknownChange = 'the system message, template, --var, files or --column were others';

interface RequestChange {
  readonly other: OpenInput['marks'];
  readonly marks: OpenInput['marks'];
  readonly rows: number;
}

async function mayAskAnew({ world }: Run, output: string, { other, marks, rows }: RequestChange): Promise<boolean> {
  if (other.motif !== marks.motif || !canAsk(world)) return false;
  const changes = changedParts(other, marks);
  const what = changes.length > 0 ? changes.join('; ') : unknownChange;
  const question = `${output} holds ${counted(rows, 'row')} of another request (${what}). Ask every row again and replace them?`;
  return confirm(world, question, false);
}

function otherRequest(
  output: string,
  other: OpenInput['marks'] | undefined,
  { marks, motif }: { readonly marks: OpenInput['marks']; readonly motif: string },
): MotifError {
  const isOtherMotif = other?.motif !== marks.motif;
  const changes = other === undefined ? [] : changedParts(other, marks);
  const what = isOtherMotif
    ? `of another Motif (mark ${other?.motif}; ${motif} has ${marks.motif})`
    : changes.length > 0
      ? 'of another request'
      : `of another request (mark ${other?.request}, now ${marks.request}): ${unknownChange}`;
  return new MotifError('usage', `${output} holds rows ${what}`, {
    notes: isOtherMotif ? [] : changes,
    hint: [
      isOtherMotif
        ? 'go on with that Motif, or name another file with -o'
        : 'give the same ones as then, or another -o',
      '--fresh asks every row again and replaces them; motif help batch',
    ],
  });
}

/** Refuses to begin a file of JSON lines under the name of a table; one that was begun is gone on with. */
export async function refuseTable({ world }: Run, output: string): Promise<void> {
  const [ending] = /\.(?:csv|tsv)$/i.exec(output) ?? [];
  if (ending === undefined || ((await world.files.info(output))?.size ?? 0) > 0) return;
  const lines = `${output.slice(0, -ending.length)}.jsonl`;
  const message = `-o: ${output} is the name of a table, and a batch writes JSON lines, a row as soon as it is done`;
  throw new MotifError('usage', message, {
    hint: `-o ${pathWord(lines)}, then: motif batch merge ${pathWord(lines)} -o ${pathWord(output.replace(/tsv$/i, 'csv'))}`,
  });
}

/** Refuses an output that could destroy something else; only a regular file can be gone on with. */
export async function checkOutput(
  { world }: Run,
  output: string,
  inputs: readonly (string | undefined)[],
): Promise<void> {
  const { files } = world;
  if (output === '') throw new MotifError('usage', '-o needs the name of a file, but got an empty one');
  const info = await files.info(output, { follow: false });
  const refuse = (reason: string, hint: string) => new MotifError('usage', `-o: ${output} ${reason}`, { hint });
  if (info !== undefined && info.type !== 'file') throw refuse('is no regular file', 'without -o all goes to stdout');
  if (info !== undefined && info.links > 1)
    throw refuse('has another name as well (a hard link), under which another run may write it', 'make a copy: cp');
  if (info !== undefined && (await mayBeLaid(output, info, world)))
    throw refuse(`is a file of another user (${info.uid}) in a folder of all`, 'choose another name');
  if (await isInput(output, world, inputs)) throw refuse('is also an input', 'choose another name');
  const folder = output.includes('/') ? output.slice(0, output.lastIndexOf('/')) || '/' : '.';
  if ((await files.info(folder))?.type === 'folder') return;
  throw refuse('is in a folder that does not exist', `make it first: mkdir -p ${pathWord(folder)}`);
}
