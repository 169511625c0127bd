import { defuse } from '../../text/defuse.ts';
import { isSwitchedOn } from '../../settings/table.ts';
import { colourIsOn } from '../../terminal/style.ts';
import { fitLines } from '../../terminal/lines.ts';
import type { Progress } from '../../terminal/progress.ts';
import type { Output, World } from '../../world/world.ts';
import type { GlobalFlags } from './flag-options.ts';

export type Notice = (text: string) => void;

/** Says something on stderr that is neither an answer nor an error, above the spinner if one runs; -q silences it. */
export function createNotice(
  world: Pick<World, 'stderr' | 'redactor'>,
  flags: GlobalFlags,
  spinner?: Progress,
): Notice {
  if (flags.quiet) return () => undefined;
  return (text) => {
    const line = fitLines(`motif: ${world.redactor.redact(defuse(text))}`, world.stderr);
    void (spinner === undefined ? world.stderr.write(`${line}\n`) : spinner.note(line));
  };
}

/** A spinner for a wait, or one plain line where stderr is a terminal on which nothing may move. */
export async function createSpinner(world: World, flags: GlobalFlags): Promise<Progress | undefined> {
  if (!world.stderr.isTerminal || flags.quiet) return undefined;
  const { createProgress } = await import('../../terminal/progress.ts');
  return createProgress(world.stderr, {
    env: world.env,
    accessible: isAccessible(world, flags),
    quiet: false,
    colour: isColoured(world.stderr, world, flags),
    monotonic: () => world.monotonic(),
    sleep: (ms, signal) => world.sleep(ms, signal),
  });
}

/** Whether a stream gets colour; each is judged on its own. */
export function isColoured(stream: Output, world: Pick<World, 'env'>, flags: GlobalFlags): boolean {
  return colourIsOn(flags.color, world.env, stream.isTerminal);
}

/** Whether nothing may be redrawn: for screen readers, logs and low-motion users. */
export function isAccessible(world: Pick<World, 'env'>, flags: GlobalFlags): boolean {
  return flags.accessible === true || isSwitchedOn(world.env.ACCESSIBLE);
}
