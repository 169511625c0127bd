import { defuse } from '../text/defuse.ts';
import { colourIsOn } from '../terminal/style.ts';
import type { Output, World } from '../world/world.ts';
import type { GlobalFlags } from './flags.ts';

export type Notice = (text: string) => void;

/** Says something on stderr that is neither an answer nor an error; -q silences it. */
export function createNotice(world: Pick<World, 'stderr' | 'redactor'>, flags: GlobalFlags): Notice {
  if (flags.quiet) return () => undefined;
  return (text) => void world.stderr.write(`motif: ${world.redactor.redact(defuse(text))}\n`);
}

/** Whether a stream gets colour; each is judged on its own. */
export function isColoured(stream: Output, world: Pick<World, 'env'>, flags: GlobalFlags): boolean {
  return colourIsOn(flags.color, world.env, stream.isTerminal);
}

/** Whether nothing may be redrawn: for screen readers, logs and low-motion users. */
export function isAccessible(world: Pick<World, 'env'>, flags: GlobalFlags): boolean {
  const variable = world.env.ACCESSIBLE;
  return flags.accessible === true || (variable !== undefined && variable !== '' && variable !== '0');
}
