import { isSwitchedOn } from '../../settings/table.ts';
import type { Progress } from '../../terminal/progress.ts';
import { colourIsOn, createStyle, type Style } from '../../terminal/style.ts';
import type { Output, World } from '../../world/world.ts';
import type { GlobalFlags } from './flags/options.ts';
import { createNotice, type Notice } from './notices.ts';

/** A run of one command: made where the command begins, and the first argument of everything below. */
export interface Run<F extends object = object> {
  readonly world: World;
  readonly flags: F & GlobalFlags;
  /** Says something on stderr that is neither an answer nor an error; -q silences it. */
  readonly notice: Notice;
  /** The number of operands that stood behind `--`, where a word is text whatever it looks like. */
  readonly literalWords: number;
}

export function createRun<F extends object>(world: World, flags: F & GlobalFlags, literalWords = 0): Run<F> {
  return { world, flags, notice: createNotice(world, flags), literalWords };
}

/** A spinner for a wait, or one plain line where stderr is a terminal on which nothing may move. */
export async function createSpinner({ world, flags }: Run): Promise<Progress | undefined> {
  const { stderr, env } = world;
  if (!stderr.isTerminal || flags.quiet) return undefined;
  const { createProgress } = await import('../../terminal/progress.ts');
  return createProgress(stderr, {
    env,
    accessible: isAccessible({ world, flags }),
    quiet: false,
    colour: colourIsOn(flags.color, env, stderr.isTerminal),
    monotonic: () => world.monotonic(),
    sleep: (ms, signal) => world.sleep(ms, signal),
  });
}

/** The style of stdout or stderr; each is judged on its own. */
export function styleOf({ world, flags }: Pick<Run, 'world' | 'flags'>, stream: Output): Promise<Style> {
  return createStyle(colourIsOn(flags.color, world.env, stream.isTerminal));
}

/** True where nothing may be redrawn: for screen readers, logs and low-motion users. */
export function isAccessible({ world, flags }: Pick<Run, 'world' | 'flags'>): boolean {
  return flags.accessible === true || isSwitchedOn(world.env.ACCESSIBLE);
}
