import { type Settings, targetOf } from '../../../settings/resolve.ts';
import { motifUrl } from '../../../wire/request.ts';
import type { World } from '../../../world/world.ts';

/** The variable by which `motif serve -- COMMAND` tells a motif below it how it was started. */
export const servingVariable = 'MOTIF_SERVE';

/** The gateway of a `Serving` without a gateway file. */
export const demoName = 'the demo';

/** A `motif serve` with a command, whose gateway ends with that command. */
export interface Serving {
  /** The address of the Motif that the command gets. */
  readonly url: string;
  /** The folder in which it was typed. */
  readonly folder: string;
  /** The gateway file with its whole path, or the demo. */
  readonly gateway: string;
  /** Words that were typed before the command. */
  readonly words: string;
}

/** The `motif serve` that serves the asked Motif to this command; undefined where the Motif is another one. */
export function servingOf(settings: Settings, { env }: Pick<World, 'env'>): Serving | undefined {
  const serving = parseServing(env[servingVariable] ?? '');
  const target = targetOf(settings);
  return target !== undefined && motifUrl(target) === serving?.url ? serving : undefined;
}

function parseServing(text: string): Serving | undefined {
  try {
    const { url, folder, gateway, words } = JSON.parse(text) as Partial<Record<keyof Serving, unknown>>;
    const isWhole = [url, folder, gateway, words].every((each) => typeof each === 'string');
    return isWhole ? ({ url, folder, gateway, words } as Serving) : undefined;
  } catch {
    return undefined;
  }
}
