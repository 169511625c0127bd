import { MotifError } from '../../errors.ts';
import { firstSuite } from '../../suites/demo.ts';
import { printLines } from '../../terminal/output.ts';
import { FileFault } from '../../world/world.ts';
import type { Run } from '../shared/run.ts';

const firstName = 'smoke.motif.yaml';

/** Writes a first suite; a file that is there already is never touched. */
export async function runInit({ world, notice }: Run, named: string | undefined): Promise<void> {
  const name = named ?? firstName;
  const { files } = world;
  if ((await files.info(name, { follow: false })) !== undefined) {
    throw new MotifError('usage', `${name} is there already, and is never overwritten`, {
      hint: `name another file: motif check init other.motif.yaml`,
    });
  }
  try {
    await files.writeAtomic(name, firstSuite, { mode: 'usual' });
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    throw new MotifError('io', `${name}: ${error.message}`, { cause: error });
  }
  await printLines(name, world);
  notice(`written: two controls and two blocks; next: motif check ${name}`);
}
