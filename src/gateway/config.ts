import type { Secret } from '../text/secret.ts';
import type { ProxyRoute } from '../wire/http.ts';
import type { Action, Side } from './vocabulary.ts';

/** The gateway file, parsed: every name resolved, every default in place, every unit in the name. */
export interface GatewayConfig {
  /** A short hash of the file's bytes; each audit line names it. */
  readonly hash: string;
  /** Variables that the file names as secrets. */
  readonly secretVariables: ReadonlySet<string>;
  /** Files that it names as secrets or certificates, also where they are not read. */
  readonly secretFiles: readonly string[];
  readonly tenant: string | undefined;
  readonly listen: {
    readonly host: string;
    readonly port: number;
    readonly workers: number | 'auto';
    readonly publicUrl: string | undefined;
    readonly allowHttp: boolean;
    readonly tls: { readonly cert: string; readonly key: string } | undefined;
  };
  readonly limits: {
    readonly bodyBytes: number;
    readonly messages: number;
    readonly providerTimeoutMs: number;
    readonly inFlight: number;
    /** Characters that judging one list of texts may read; undefined: the default of the policies. */
    readonly policyWork: number | undefined;
  };
  readonly audit: { readonly file: string; readonly text: boolean; readonly whenFull: 'refuse' | 'warn' } | undefined;
  readonly admin: { readonly host: string; readonly port: number } | undefined;
  readonly groups: ReadonlyMap<string, ReadonlySet<string>>;
  readonly providers: ReadonlyMap<string, ProviderConfig>;
  readonly policies: ReadonlyMap<string, PolicyConfig>;
  readonly knowledge: ReadonlyMap<string, KnowledgeConfig>;
  readonly motifs: ReadonlyMap<string, MotifConfig>;
}

/** The formats that upstreams speak, and the mock, which asks nobody. */
export type ProviderKind = 'openai' | 'azure' | 'anthropic' | 'gemini' | 'mock';

export interface ProviderConfig {
  readonly name: string;
  readonly kind: ProviderKind;
  readonly baseUrl: string | undefined;
  readonly key: Secret | undefined;
  readonly headers: Readonly<Record<string, string | Secret>>;
  readonly timeoutMs: number | undefined;
  readonly retries: number;
  /** True where a request is sent once more whose kept connection closed before a byte came back. */
  readonly retriesReused: boolean;
  readonly proxy: ProxyRoute | undefined;
  /** PEM text of a private CA. */
  readonly ca: string | undefined;
  readonly azure: { readonly deployment: string; readonly apiVersion: string } | undefined;
  readonly mock: MockConfig | undefined;
  /** Prices by model, for statistics alone. */
  readonly prices: ReadonlyMap<string, Price>;
}

/** The price of a million tokens, in any currency. */
interface Price {
  readonly prompt: number;
  readonly completion: number;
}

export interface MockConfig {
  /** `say` answers `You said: ...`; a gateway file cannot choose it. */
  readonly mode: 'echo' | 'quote' | 'say' | 'script';
  /** Answers in turn, for mode script. */
  readonly script: readonly string[];
  readonly latencyMs: number;
  /** The share of requests that fail, from 0 to 1. */
  readonly failRate: number;
  readonly seed: number;
}

/** A policy as configured; `options` are what the shape of its kind reads. */
export interface PolicyConfig {
  readonly name: string;
  readonly kind: string;
  readonly on: ReadonlySet<Side>;
  readonly action: Action;
  /** Findings that do not count. */
  readonly except: readonly ExceptionConfig[];
  /** Rules of its kind that are left out. */
  readonly without: readonly string[];
  readonly options: unknown;
}

/** A finding that does not count: exactly this text, or all of it matched by the pattern. */
export interface ExceptionConfig {
  readonly text: string | undefined;
  readonly pattern: string | undefined;
  readonly why: string | undefined;
  /** The moment from which it counts again. */
  readonly until: number | undefined;
}

export interface KnowledgeConfig {
  readonly name: string;
  /** Patterns, from the folder of the gateway file. */
  readonly files: readonly string[];
  readonly top: number;
}

export const fallbackCauses = ['not_sent', 'limited', 'failed', 'timeout', 'reset'] as const;

/** Causes of a provider's failure. After `timeout` and `reset` the prompt may still run there. */
export type FallbackCause = (typeof fallbackCauses)[number];

interface FallbackConfig {
  readonly provider: string;
  /** The model that the fallback is asked for; that of the Motif unless named. */
  readonly model: string | undefined;
  readonly on: ReadonlySet<FallbackCause>;
}

export interface MotifConfig {
  readonly id: string;
  readonly name: string;
  readonly provider: string;
  readonly fallback: FallbackConfig | undefined;
  readonly model: string | undefined;
  readonly params: Readonly<Record<string, unknown>>;
  readonly system: string | undefined;
  /** For statistics; a token may name another. */
  readonly team: string | undefined;
  readonly users: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
  readonly policies: readonly string[];
  readonly knowledge: readonly string[];
  readonly limits: UsageLimits;
  readonly tokens: readonly TokenConfig[];
}

/** The use that may be made of a Motif or by a token; undefined means no limit. */
export interface UsageLimits {
  readonly rpm: number | undefined;
  readonly tokensPerDay: number | undefined;
  readonly inFlight: number | undefined;
}

export const unlimited: UsageLimits = { rpm: undefined, tokensPerDay: undefined, inFlight: undefined };

/** The tokens of a Motif that are accepted at a moment: those that have not ended. */
export function tokensInForce({ tokens }: Pick<MotifConfig, 'tokens'>, now: number): readonly TokenConfig[] {
  return tokens.filter(({ expiresAt = Infinity }) => expiresAt > now);
}

/** True for a token that another one of its Motif has replaced, if that one or a later one is accepted for longer. */
export function isReplaced(token: TokenConfig, { tokens }: MotifConfig): boolean {
  const known = replacedOf.get(tokens) ?? findReplaced(tokens);
  replacedOf.set(tokens, known);
  return known.has(token);
}

/** Found once for all tokens of a Motif, for each of thousands may stand in place of the one before it. */
const replacedOf = new WeakMap<readonly TokenConfig[], ReadonlySet<TokenConfig>>();

function findReplaced(tokens: readonly TokenConfig[]): ReadonlySet<TokenConfig> {
  const byId = new Map(tokens.map((token) => [token.id, token]));
  const endOf = ({ expiresAt = Infinity }: TokenConfig): number => expiresAt;
  /** The last end of all that came in place of a token. */
  const lastEnds = new Map<TokenConfig, number>();
  for (const token of tokens) {
    const chain: TokenConfig[] = [];
    let next: TokenConfig | undefined = token;
    while (next !== undefined && !lastEnds.has(next)) {
      chain.push(next);
      lastEnds.set(next, -Infinity);
      next = byId.get(next.replacedBy ?? '');
    }
    // In a circle each comes behind all others.
    const circle = next === undefined || !chain.includes(next) ? [] : chain.slice(chain.indexOf(next));
    let end = next === undefined ? -Infinity : Math.max(endOf(next), lastEnds.get(next)!);
    for (const each of circle) end = Math.max(end, endOf(each));
    for (const each of chain.toReversed()) {
      lastEnds.set(each, end);
      end = Math.max(end, endOf(each));
    }
  }
  return new Set(tokens.filter((token) => lastEnds.get(token)! > endOf(token)));
}

export interface TokenConfig {
  readonly id: string;
  /** SHA-256 of the token text, lower-case hex. */
  readonly sha256: string;
  readonly user: string | undefined;
  readonly team: string | undefined;
  readonly createdAt: number | undefined;
  /** The moment from which it is no longer accepted. */
  readonly expiresAt: number | undefined;
  /** The ID of the token that `rotate` made in its place. */
  readonly replacedBy: string | undefined;
  readonly limits: UsageLimits;
}
