import type { World } from '../../world/world.ts';
import type { GlobalFlags } from './flag-options.ts';
import { createNotice, type Notice } from './notices.ts';

/** A run of one command: made where the command begins, and the first argument of everything below. */
export interface Run<F extends object = object> {
  readonly world: World;
  readonly flags: F & GlobalFlags;
  /** Says something on stderr that is neither an answer nor an error; -q silences it. */
  readonly notice: Notice;
}

export function createRun<F extends object>(world: World, typed: F & GlobalFlags): Run<F> {
  return { world, flags: typed, notice: createNotice(world, typed) };
}
