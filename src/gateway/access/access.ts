import { timingSafeEqual } from 'node:crypto';
import type { GatewayConfig, MotifConfig } from '../config.ts';
import { Quota } from './quota.ts';
import { Refusal } from '../refusal.ts';
import { sha256Of } from './token.ts';

/** The authenticated caller and its Motif. */
export interface Caller {
  readonly motifId: string;
  readonly tokenId: string;
  readonly user: string | undefined;
  /** As it was sent, and right. */
  readonly tenant: string | undefined;
  /** For statistics: the token's own, or that of the Motif. */
  readonly team: string | undefined;
}

export interface Credentials {
  readonly motifId: string;
  readonly authorization: string | undefined;
  readonly tenant: string | undefined;
}

export interface Access {
  /** 401 before 403 before 429; only who is let in counts against the Motif's limits. */
  admit(credentials: Credentials): Caller | Refusal;
  /** Counts what the prompt of a caller came to. */
  settle(caller: Caller, tokens: number): void;
  /** What has been counted, for the access that a reload makes. */
  readonly quotas: ReadonlyMap<string, Quota>;
}

export interface AccessParts {
  readonly now: () => number;
  /** The access of the file's earlier version, whose counts go on. */
  readonly before?: Access | undefined;
}

interface Grant {
  readonly digest: Buffer;
  readonly motif: MotifConfig;
  readonly tokenId: string;
  readonly user: string | undefined;
  readonly expiresAt: number;
  readonly needsTenant: boolean;
  readonly team: string | undefined;
}

/** Longer ones are refused unread, and the shortest way to write one is the only one. */
const bearer = /^Bearer ([\x21-\x7e]{1,4096})$/i;

/**
 * Decides by the hash of the token alone. Whatever is wrong - no such Motif, no such token, one that has expired - takes
 * the same steps and gets the same answer, so that neither IDs nor tokens can be probed.
 */
export function createAccess(config: GatewayConfig, { now, before }: AccessParts): Access {
  const grants = grantsOf(config);
  const quotas = new Map([...config.motifs.keys()].map((id) => [id, before?.quotas.get(id) ?? new Quota()]));
  const decoy = Buffer.alloc(32);

  function identify({ motifId, authorization }: Credentials): Grant | undefined {
    const token = bearer.exec(authorization ?? '')?.[1];
    const digest = sha256Of(token ?? '');
    const grant = grants.get(grantKey(motifId, digest.toString('hex')));
    const isKnown = timingSafeEqual(grant?.digest ?? decoy, digest);
    return isKnown && token !== undefined && grant !== undefined && now() < grant.expiresAt ? grant : undefined;
  }

  return {
    quotas,
    admit(credentials) {
      const grant = identify(credentials);
      if (grant === undefined) return new Refusal('unauthorized');
      const { motif, tokenId, user, team } = grant;
      const { tenant } = credentials;
      const isTenantRight = tenant === undefined ? !grant.needsTenant : tenant === config.tenant;
      if (!isTenantRight) return new Refusal('forbidden');
      const retryAfterMs = quotas.get(motif.id)!.take(motif.limits, now());
      return retryAfterMs === undefined
        ? { motifId: motif.id, tokenId, user, tenant, team }
        : new Refusal('limited', { retryAfterMs });
    },
    settle({ motifId }, tokens) {
      quotas.get(motifId)?.addTokens(tokens, now());
    },
  };
}

/** One look-up for all Motifs: what a request costs does not depend on how many there are. */
function grantsOf(config: GatewayConfig): ReadonlyMap<string, Grant> {
  const grants = new Map<string, Grant>();
  for (const motif of config.motifs.values()) {
    for (const { id: tokenId, sha256, user, expiresAt = Infinity, team = motif.team } of motif.tokens) {
      const needsTenant = config.tenant !== undefined && (user === undefined || !isAdded(user, motif, config));
      const digest = Buffer.from(sha256, 'hex');
      grants.set(grantKey(motif.id, sha256), { digest, motif, tokenId, user, expiresAt, needsTenant, team });
    }
  }
  return grants;
}

function grantKey(motifId: string, sha256: string): string {
  return `${sha256} ${motifId}`;
}

/** Whether a user is added to a Motif, directly or through a group. */
export function isAdded(user: string, motif: MotifConfig, { groups }: Pick<GatewayConfig, 'groups'>): boolean {
  return motif.users.has(user) || [...motif.groups].some((group) => groups.get(group)?.has(user));
}
