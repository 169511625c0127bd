import type { World } from '../../world/world.ts';
import { isAccessible, type Run } from '../shared/run.ts';

/** The command of the person's pager, through which a page goes on a terminal; undefined for none. */
export function pagerOf({ world, flags }: Run): string | undefined {
  const { env, stdout } = world;
  // A pager redraws, which a screen reader reads again and a simple terminal cannot show.
  if (!stdout.isTerminal || isAccessible({ world, flags }) || env.TERM === 'dumb') return undefined;
  return (env.MOTIF_PAGER ?? env.PAGER)?.trim() || undefined;
}

/**
 * True once the pager has shown the text, or as much of it as the person wanted; false where it cannot be run. What
 * less needs is what gh and git give it: it ends at once where a screen holds all, keeps colour, and leaves the text
 * there.
 */
export async function showInPager(text: string, pager: string, world: World): Promise<boolean> {
  // Ctrl-C is a key of the pager.
  const release = world.onInterrupt(() => {});
  try {
    const { code, failure } = await world.run({
      command: '/bin/sh',
      // Through a shell, for the variable may hold flags.
      args: ['-c', pager],
      env: { LESS: world.env.LESS ?? 'FRX', LV: world.env.LV ?? '-c' },
      stdin: text,
      takesTerminal: true,
    });
    return failure !== 'not-found' && failure !== 'not-started' && code !== 126 && code !== 127;
  } finally {
    release();
  }
}
