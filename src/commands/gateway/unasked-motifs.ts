import type { Path } from '../../documents/fault.ts';
import type { GatewayConfig } from '../../gateway/config.ts';
import { adminCommand } from './admin-command.ts';

/** A remark on a place of the gateway file. */
export interface Remark {
  readonly path: Path;
  readonly expected: string;
}

/** Motifs that refuse everybody, because none of their tokens is in force. */
export function unaskedMotifs(
  { motifs }: GatewayConfig,
  now: number,
  flags: { readonly config?: string | undefined },
): readonly Remark[] {
  return [...motifs.values()]
    .filter(({ tokens }) => tokens.every(({ expiresAt = Infinity }) => expiresAt <= now))
    .map(({ id, tokens }) => {
      const what = tokens.length === 0 ? 'has no token' : 'has no token that is still in force';
      return {
        path: ['motifs', id],
        expected: `${what}, so nobody can ask it: ${adminCommand(flags, 'rotate', id)} makes one`,
      };
    });
}
