import { MotifError, type PlacedFault } from '../../errors.ts';
import { annotation, annotationsMax, remarkOnJob, workspaceFolder } from '../../reports/annotations.ts';
import type { World } from '../../world/world.ts';

/** Puts each fault beside its line of a pull request, where GitHub runs this; the parts of a file have titles. */
export async function annotate(
  kind: 'error' | 'warning',
  faults: readonly PlacedFault[],
  { stderr, env, files }: World,
): Promise<void> {
  if (env.GITHUB_ACTIONS !== 'true') return;
  const folder = workspaceFolder(env.GITHUB_WORKSPACE, files.absolute('.'));
  const remarks = faults
    .slice(0, annotationsMax)
    .map(({ title, ...fault }) => annotation({ kind, folder, title: title === '' ? 'motif' : title, ...fault }));
  await stderr.write(remarks.join(''));
}

/** Runs a command; a failure that is about lines of files is put beside them. */
export async function annotating(world: World, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof MotifError) await annotate('error', error.places, world);
    throw error;
  }
}

/** The same for a command that a job is there for: its failure is one of the job, wherever it is. */
export async function remarking(title: string, world: World, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isElsewhere = error instanceof MotifError && error.places.length === 0;
    if (isElsewhere && world.env.GITHUB_ACTIONS === 'true') {
      const message = [error.message, ...error.hints].join('\n');
      await world.stderr.write(world.redactor.redact(remarkOnJob(title, message)));
    }
    throw error;
  }
}
