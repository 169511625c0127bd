import { MotifError } from '../../errors.ts';
import { printLines } from '../../terminal/output.ts';
import { FileFault } from '../../world/world.ts';
import { type FlagsOf, flags, toggle } from '../shared/flags.ts';
import type { Run } from '../shared/run.ts';

export const initFlags = flags(
  { attacks: toggle('--attacks', 'attacks on your own policies, and look-alikes that must pass') },
  { heading: 'Which suite' },
);

const firstName = 'smoke.motif.yaml';
const attacksName = 'attacks.motif.yaml';

/** Writes a first suite; a file that is there already is never touched. */
export async function runInit(run: Run<FlagsOf<typeof initFlags>>, named: string | undefined): Promise<void> {
  const { world, notice, flags: typed } = run;
  const name = named ?? (typed.attacks ? attacksName : firstName);
  const { files } = world;
  if ((await files.info(name, { follow: false })) !== undefined) {
    throw new MotifError('usage', `${name} is there already, and is never overwritten`, {
      hint: `name another file: motif check init other.motif.yaml`,
    });
  }
  try {
    await files.writeAtomic(name, await textOf(typed.attacks === true), { mode: 'usual' });
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    throw new MotifError('io', `${name}: ${error.message}`, { cause: error });
  }
  await printLines(name, world);
  notice(
    typed.attacks
      ? `written: it tests your policies and proves nothing about ours; next: motif check ${name} --local gateway.yaml`
      : `written: two controls and two blocks; next: motif check ${name}`,
  );
}

async function textOf(isOfAttacks: boolean): Promise<string> {
  if (isOfAttacks) return (await import('../../suites/attacks.ts')).attackSuite();
  return (await import('../../suites/demo.ts')).firstSuite;
}
