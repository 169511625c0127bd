import { timingSafeEqual } from 'node:crypto';
import { counted } from '../../text/sizes.ts';
import type { Piecework } from '../../text/turns.ts';
import { type GatewayConfig, isReplaced, type MotifConfig, unlimited, type UsageLimits } from '../config.ts';
import type { Admission, Counters, Exhausted, LimitHolder } from './counters.ts';
import { Refusal } from '../refusal.ts';
import { holderOf } from './holder.ts';
import { hashedToken, type LastToken } from './token.ts';

/** The authenticated caller and its Motif. */
export interface Caller {
  readonly motifId: string;
  readonly tokenId: string;
  readonly user: string | undefined;
  /** The tenant ID as it was sent, if it is the right one. */
  readonly tenant: string | undefined;
  /** The team of the token, or of the Motif; for statistics. */
  readonly team: string | undefined;
  /** The name of the token among all those of the file, for what each of them has a share of. */
  readonly holder: string;
  readonly limits: CallerLimits;
}

/** The holders of limits that the prompts of a caller count against, each only where it has such a limit. */
interface CallerLimits {
  readonly rate: readonly NamedHolder[];
  readonly day: readonly NamedHolder[];
  readonly places: readonly NamedHolder[];
}

interface NamedHolder extends LimitHolder {
  readonly of: 'gateway' | 'Motif' | 'token';
}

interface Credentials {
  readonly motifId: string;
  readonly authorization: string | undefined;
  readonly tenant: string | undefined;
  /** Of the connection on which they came. */
  readonly lastToken?: LastToken | undefined;
}

/** A caller whose token is right. */
interface Identified {
  readonly caller: Caller;
  /** A 403. */
  readonly refusal: Refusal | undefined;
}

type Limited = Refusal | undefined;

export interface Access {
  /** The caller, in whom a 403 stands so that it is audited; a 401 is returned alone. Nothing is counted. */
  admit(credentials: Credentials): Identified | Refusal;
  /** Counts a prompt, or says which limit has no room for it. */
  takePrompt(caller: Caller): Limited | Promise<Limited>;
  /** Takes a place among the prompts in work, to be given back, or says which limit has none. */
  takePlace(caller: Caller): Limited | Promise<Limited>;
  givePlace(caller: Caller): Promise<void> | undefined;
  /** Counts the tokens that the prompt of a caller came to. */
  settle(caller: Caller, tokens: number): Promise<void> | undefined;
}

interface AccessParts {
  readonly now: () => number;
  /** They outlive this version of the gateway file. */
  readonly counters: Counters;
}

interface Grant {
  readonly digest: Buffer;
  readonly motif: MotifConfig;
  readonly tokenId: string;
  readonly user: string | undefined;
  readonly expiresAt: number;
  readonly needsTenant: boolean;
  readonly team: string | undefined;
  readonly holder: string;
  readonly limits: LimitsBeside;
}

/** The limits by those who are accepted beside it, and get places: other Motifs, other tokens of its own, nobody. */
interface LimitsBeside {
  readonly motifs: CallerLimits;
  readonly tokens: CallerLimits;
  readonly nobody: CallerLimits;
}

/** The fewest places of a gateway that its tokens share: half of less would be next to nothing. */
const sharedPlacesMin = 64;
/** Of the places that are free, as many times a token or a Motif may hold: a Motif more, for it has several tokens. */
const timesFree = { token: 1, motif: 2 };

/**
 * Decides by the hash of the token alone. Whatever is wrong - no such Motif, no such token, one that has expired -
 * takes the same steps and gets the same answer, so that neither IDs nor tokens can be probed.
 */
export function* createAccess(config: GatewayConfig, { now, counters }: AccessParts): Piecework<Access> {
  const grants = yield* grantsOf(config);
  const sharedUntil = sharedUntilOf(config);
  const decoy = Buffer.alloc(32);

  function identify({ motifId, authorization, lastToken }: Credentials, at: number): Grant | undefined {
    const { isToken, digest, sha256 } = lastToken?.of(authorization) ?? hashedToken(authorization);
    const grant = grants.get(grantKey(motifId, sha256));
    const isKnown = timingSafeEqual(grant?.digest ?? decoy, digest);
    return isKnown && isToken && grant !== undefined && at < grant.expiresAt ? grant : undefined;
  }

  return {
    admit(credentials) {
      const at = now();
      const grant = identify(credentials, at);
      if (grant === undefined) return new Refusal('unauthorized');
      const { motif, tokenId, user, team, holder } = grant;
      const limits = grant.limits[at < sharedUntil.motifs ? 'motifs' : at < sharedUntil.tokens ? 'tokens' : 'nobody'];
      const { tenant } = credentials;
      const isTenantRight = tenant === undefined ? !grant.needsTenant : tenant === config.tenant;
      return {
        caller: { motifId: motif.id, tokenId, user, tenant: isTenantRight ? tenant : undefined, team, holder, limits },
        refusal: isTenantRight
          ? undefined
          : new Refusal('forbidden', { reason: tenant === undefined ? 'tenant_missing' : 'tenant_wrong' }),
      };
    },
    takePrompt({ limits: { rate } }) {
      return rate.length === 0 ? undefined : refusing(counters.takePrompt(rate), rate);
    },
    takePlace: ({ limits: { places } }) => refusing(counters.takePlace(places), places),
    givePlace: ({ limits: { places } }) => counters.givePlace(places),
    settle({ limits: { day } }, tokens) {
      return day.length === 0 ? undefined : counters.addTokens(day, tokens);
    },
  };
}

function refusing(admission: Admission, holders: readonly NamedHolder[]): Limited | Promise<Limited> {
  if (admission === undefined) return undefined;
  const refuse = (exhausted: Exhausted | undefined): Limited => exhausted && refusalOf(exhausted, holders);
  return admission instanceof Promise ? admission.then(refuse) : refuse(admission);
}

const limitWords = {
  rpm: ({ rpm = 0 }: UsageLimits) => `rpm, ${counted(rpm, 'prompt')} a minute`,
  tokens_per_day: ({ tokensPerDay = 0 }: UsageLimits) => `tokens_per_day, ${tokensPerDay} tokens`,
  in_flight: ({ inFlight }: UsageLimits) =>
    `in_flight, ${inFlight === undefined ? 'the last places of the gateway are kept for other callers' : `${counted(inFlight, 'prompt')} at once`}`,
};

/** The refusal for a limit without room: `overloaded` where it is the gateway's own, else `limited` with its words. */
function refusalOf({ key, limit, waitMs: retryAfterMs }: Exhausted, holders: readonly NamedHolder[]): Refusal {
  const { of, limits } = holders.find((holder) => holder.key === key)!;
  if (of === 'gateway') return new Refusal('overloaded', { retryAfterMs, limit });
  return new Refusal('limited', {
    message: `the limit of this ${of} is reached (${limitWords[limit](limits)})`,
    retryAfterMs,
    limit,
  });
}

/** One look-up for all Motifs: what a request costs does not depend on how many there are. */
function* grantsOf(config: GatewayConfig): Piecework<ReadonlyMap<string, Grant>> {
  const grants = new Map<string, Grant>();
  const { inFlight } = config.limits;
  const gateway: NamedHolder = { of: 'gateway', key: 'gateway', limits: { ...unlimited, inFlight } };
  for (const motif of config.motifs.values()) {
    const holder: NamedHolder = { of: 'Motif', key: `motif ${motif.id}`, limits: motif.limits };
    for (const { id: tokenId, sha256, user, expiresAt = Infinity, team = motif.team, limits } of motif.tokens) {
      const own: NamedHolder = { of: 'token', key: `token ${motif.id} ${tokenId}`, limits };
      const needsTenant = config.tenant !== undefined && (user === undefined || !isAdded(user, motif, config));
      const digest = Buffer.from(sha256, 'hex');
      grants.set(grantKey(motif.id, sha256), {
        digest,
        motif,
        tokenId,
        user,
        expiresAt,
        needsTenant,
        team,
        holder: holderOf(motif.id, tokenId),
        limits: limitsBeside(gateway, holder, own),
      });
      yield;
    }
  }
  return grants;
}

function limitsBeside(gateway: NamedHolder, motif: NamedHolder, token: NamedHolder): LimitsBeside {
  const nobody = limitsOf([gateway, motif, token]);
  // The file says how many.
  if (motif.limits.inFlight !== undefined || token.limits.inFlight !== undefined) {
    return { motifs: nobody, tokens: nobody, nobody };
  }
  const sharing = { ...token, timesFree: timesFree.token };
  return {
    motifs: limitsOf([gateway, { ...motif, timesFree: timesFree.motif }, sharing]),
    tokens: limitsOf([gateway, motif, sharing]),
    nobody,
  };
}

/** The times until which several Motifs, and several tokens, share the places. */
function sharedUntilOf({ motifs, limits }: GatewayConfig): Record<'motifs' | 'tokens', number> {
  if (limits.inFlight < sharedPlacesMin) return { motifs: 0, tokens: 0 };
  // A token that another has replaced is the same caller.
  const ends = [...motifs.values()].map((motif) =>
    motif.tokens.filter((token) => !isReplaced(token, motif)).map(({ expiresAt = Infinity }) => expiresAt),
  );
  // More tokens than one call takes arguments.
  const lastOf = (own: readonly number[]): number => own.reduce((last, end) => Math.max(last, end), 0);
  return { motifs: secondLast(ends.map(lastOf)), tokens: secondLast(ends.flat()) };
}

function secondLast(times: readonly number[]): number {
  let last = 0;
  let second = 0;
  for (const time of times) {
    second = Math.max(second, Math.min(last, time));
    last = Math.max(last, time);
  }
  return second;
}

function limitsOf(holders: readonly NamedHolder[]): CallerLimits {
  return {
    rate: holders.filter(({ limits: { rpm, tokensPerDay } }) => rpm !== undefined || tokensPerDay !== undefined),
    day: holders.filter(({ limits: { tokensPerDay } }) => tokensPerDay !== undefined),
    places: holders.filter(
      ({ limits: { inFlight }, ...holder }) => inFlight !== undefined || holder.timesFree !== undefined,
    ),
  };
}

function grantKey(motifId: string, sha256: string): string {
  return `${sha256} ${motifId}`;
}

/** True where a user is added to a Motif, directly or through a group. */
export function isAdded(user: string, motif: MotifConfig, { groups }: Pick<GatewayConfig, 'groups'>): boolean {
  return motif.users.has(user) || [...motif.groups].some((group) => groups.get(group)?.has(user));
}
