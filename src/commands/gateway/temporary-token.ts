import { MotifError } from '../../errors.ts';
import { type GatewayConfig, type MotifConfig, unlimited } from '../../gateway/config.ts';
import { type NewToken, newToken } from '../../gateway/access/token.ts';
import { defuseLine } from '../../text/defuse.ts';

/** Whom `motif serve` lets in by itself, for as long as it runs: it stands in no file, and passes the tenant rule. */
export interface Guest {
  readonly token: NewToken;
  /** Undefined: the only Motif. */
  readonly motifId: string | undefined;
  /** Whose token it is; absent: nobody's, who is let past the tenant rule. */
  readonly user?: string | undefined;
}

const guestName = 'motif-serve';

export function createGuest(motifId: string | undefined): Guest {
  return { token: newToken(), motifId };
}

/** The configuration with this token beside those of the file. */
export function withGuest(config: GatewayConfig, guest: Guest): GatewayConfig {
  const motif = motifOf(config, guest.motifId);
  const { sha256 } = guest.token;
  const unknown = { team: undefined, createdAt: undefined, expiresAt: undefined, limits: unlimited };
  const token = { id: guestName, sha256, user: guest.user ?? guestName, ...unknown };
  const users = guest.user === undefined ? new Set([...motif.users, guestName]) : motif.users;
  const open = { ...motif, users, tokens: [...motif.tokens, token] };
  return { ...config, motifs: new Map([...config.motifs, [motif.id, open]]) };
}

/** The Motif that was named; the only one needs no name. */
export function motifOf({ motifs }: GatewayConfig, motifId: string | undefined): MotifConfig {
  const [first, second] = motifs.values();
  const found = motifId === undefined ? first : motifs.get(motifId);
  if (found !== undefined && (motifId !== undefined || second === undefined)) return found;
  const names = [...motifs.keys()].slice(0, 8).join(', ');
  const message = motifId === undefined ? 'there are several Motifs' : `there is no Motif ${defuseLine(motifId, 60)}`;
  throw new MotifError('usage', message, { hint: `--motif takes one of ${names}` });
}
