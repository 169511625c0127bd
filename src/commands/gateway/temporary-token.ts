import { type GatewayConfig, unlimited } from '../../gateway/config.ts';
import { type NewToken, newToken } from '../../gateway/access/token.ts';
import { needMotif } from './needed-motif.ts';

/** A token that motif makes for one run of a gateway: it stands in no file, and passes the tenant rule. */
export interface TemporaryToken {
  readonly token: NewToken;
  /** Undefined: the only Motif. */
  readonly motifId: string | undefined;
  /** The user whose token it is; absent: one who passes the tenant rule. */
  readonly user?: string | undefined;
}

const temporaryTokenId = 'motif-serve';

export function createTemporaryToken(motifId: string | undefined): TemporaryToken {
  return { token: newToken(), motifId };
}

/** The configuration with this token beside those of the file. */
export function withTemporaryToken(config: GatewayConfig, temporary: TemporaryToken): GatewayConfig {
  const motif = needMotif(config, temporary.motifId, '--motif');
  const { sha256 } = temporary.token;
  const unknown = {
    team: undefined,
    createdAt: undefined,
    expiresAt: undefined,
    replacedBy: undefined,
    // It is the caller that the gateway runs for.
    limits: { ...unlimited, inFlight: config.limits.inFlight },
  };
  const token = { id: temporaryTokenId, sha256, user: temporary.user ?? temporaryTokenId, ...unknown };
  const users = temporary.user === undefined ? new Set([...motif.users, temporaryTokenId]) : motif.users;
  const open = { ...motif, users, tokens: [...motif.tokens, token] };
  return { ...config, motifs: new Map([...config.motifs, [motif.id, open]]) };
}
