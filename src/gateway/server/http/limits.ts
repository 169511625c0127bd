import { requestHeaderBytesMax } from '../../../text/limits.ts';

/** Limits for a client of whom nothing is known yet. The gateway file's `limits` are about prompts. */
export interface HttpLimits {
  readonly headersTimeoutMs: number;
  /** For the whole request, its body too. */
  readonly requestTimeoutMs: number;
  /** The interval at which the two above are checked; Node's own default is 30 s, however short they are. */
  readonly checkIntervalMs: number;
  /** Longer than a load balancer keeps an idle connection, so that it is never us who close one it is about to use. */
  readonly keepAliveMs: number;
  /** From the end of a reply to the moment the client must have taken it. */
  readonly writeTimeoutMs: number;
  readonly headerBytesMax: number;
  readonly headersMax: number;
  readonly connectionsMax: number;
  /** The same of those with TLS whose handshake has begun: each may take 160 kB before its token is known. */
  readonly secureConnectionsMax: number;
  /** Requests of one connection that are worked on at once; more wait. */
  readonly inWorkMax: number;
  /** Requests of all connections that wait to be worked on. Where more do, connections with many of them are closed. */
  readonly waitingMax: number;
  /** The time for which a refused body is read and thrown away, so that its sender gets to see the refusal. */
  readonly lingerMs: number;
  /** The time that an idle connection has for one more request, when draining. */
  readonly idleGraceMs: number;
  /**
   * The time that a head or body which is not whole yet has to come, and a reply to be taken, when draining. A refusal
   * takes `checkIntervalMs` and `lingerMs` more, and a drain 10 s at most, but for providers that are waited for.
   */
  readonly slowRequestMs: number;
}

export const httpLimits: HttpLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 60_000,
  checkIntervalMs: 1000,
  keepAliveMs: 65_000,
  writeTimeoutMs: 30_000,
  headerBytesMax: requestHeaderBytesMax,
  headersMax: 100,
  connectionsMax: 10_000,
  secureConnectionsMax: 2500,
  inWorkMax: 8,
  waitingMax: 16_384,
  lingerMs: 1000,
  idleGraceMs: 1000,
  slowRequestMs: 8000,
};
