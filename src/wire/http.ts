import { Secret } from '../text/secret.ts';

/** A request before it becomes bytes: one value feeds the real call, `--dry-run` and `--curl` alike. */
export interface HttpRequest<Body extends string | Buffer = string | Buffer> {
  /** GET has no body. */
  readonly method: 'POST' | 'GET';
  readonly url: string;
  /** Lower-case names in the order they are sent; a Secret is revealed by the transport alone. */
  readonly headers: Readonly<Record<string, string | Bearer | Secret>>;
  readonly body: Body;
}

/** An `authorization` value whose token cannot be printed. */
export interface Bearer {
  readonly scheme: 'Bearer';
  readonly token: Secret;
}

/**
 * The way to an origin: which proxy, whom to trust, who we are. Requests share open connections only if they are sent
 * with this very object and the same token, so that two profiles never do.
 */
export interface Connection {
  readonly proxy?: ProxyRoute;
  /** PEM texts added to Node's own roots. */
  readonly ca?: readonly string[];
  /** More PEM texts, read only if the certificate is not trusted without them. */
  readonly moreRoots?: () => Promise<readonly string[]>;
  readonly clientCertificate?: { readonly cert: string; readonly key: Secret };
  readonly connectTimeoutMs: number;
  /** True for an address that is not connected to, though a name leads there; a proxy looks up names by itself. */
  readonly isForbidden?: (address: string) => boolean;
  /** Hears that the server sent bytes before a request or behind an answer, so that none is kept for a while. */
  readonly onUnasked?: (() => void) | undefined;
}

export interface ProxyRoute {
  /** Without credentials, so that it can be shown. */
  readonly url: string;
  readonly credentials?: Secret;
  /** The setting or variable that named it. */
  readonly from: string;
}

/** The way through a proxy at this address, whose password nothing shows. */
export function toProxyRoute(url: URL, from: string): ProxyRoute {
  const route = { url: url.origin, from };
  if (url.username === '' && url.password === '') return route;
  const credentials = new Secret(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`);
  return { ...route, credentials };
}

export const proxyExpected = 'must be an http:// or https:// address without a path';

/** The same of a text; undefined where it is no address of a proxy. */
export function parseProxyRoute(text: string): ProxyRoute | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isProxy = url !== undefined && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === '';
  return isProxy ? toProxyRoute(url, 'proxy') : undefined;
}

export interface SendOptions {
  readonly connection: Connection;
  /** The moment, in milliseconds of the monotonic clock, at which waiting ends whatever the server does. */
  readonly deadlineAt: number;
  readonly bodyBytesMax: number;
  /** The whole time that ends then, for words: an attempt may have got less of it. */
  readonly timeoutMs?: number | undefined;
  /** Hears the timings of a request that ends without a reply. */
  readonly failed?: ((timings: Timings) => void) | undefined;
  /** Hears of the bytes of the answer, once its head names their number or else as they come; an error ends it. */
  readonly received?: ((bytes: number) => Error | undefined) | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * Called before a request is sent once more on a new connection, because the one that was kept from an earlier
   * request closed before a byte of an answer. The first one may run all the same, so without this nothing is sent
   * twice.
   */
  readonly onResend?: (() => void) | undefined;
}

export interface Timings {
  /** Milliseconds from the start of the request to the end of each phase; null where it was skipped or did not end. */
  readonly dnsMs: number | null;
  readonly connectMs: number | null;
  readonly tlsMs: number | null;
  readonly firstByteMs: number | null;
  readonly totalMs: number;
  readonly sentBytes: number;
  readonly receivedBytes: number;
}

export interface HttpReply {
  readonly status: number;
  /** Lower-case names; a repeated header is joined with ", ". */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly timings: Timings;
}

/** Rejects with a TransportError, or with the signal's reason when aborted. */
export type Send = (request: HttpRequest, options: SendOptions) => Promise<HttpReply>;

type ProbeOptions = Omit<SendOptions, 'bodyBytesMax'>;

/** Goes the way to a service and sends nothing. Rejects with the signal's reason when aborted. */
export type Probe = (url: string, options: ProbeOptions) => Promise<Reach>;

/** Facts of the way, as far as it went. The addresses are those of the proxy where there is one. */
export interface Reach {
  /** All that the name stands for; empty for a host that is an address itself. */
  readonly addresses: readonly string[];
  /** The one that took the connection. */
  readonly address: string | null;
  /** Duration of each step; null for one that was not needed or not finished. */
  readonly dnsMs: number | null;
  readonly connectMs: number | null;
  readonly tlsMs: number | null;
  /** Told of a certificate that is not trusted, too. */
  readonly tls: TlsFacts | null;
  /** Why the way ended early: a TransportError, or what is wrong with our own certificate. */
  readonly failure: Error | null;
}

export interface TlsFacts {
  readonly protocol: string | null;
  /** From the service's own certificate up to the root, as far as it is known. */
  readonly chain: readonly CertificateFacts[];
}

/** Names as the certificate has them; moments in milliseconds, NaN where they cannot be read. */
export interface CertificateFacts {
  readonly subject: string;
  readonly issuer: string;
  readonly validFrom: number;
  readonly validTo: number;
}

/** All of 127.0.0.0/8, as text or, inside an IPv6 address, as a URL spells it. */
const loopback = /^(?:::ffff:)?127(\.\d{1,3}){3}$|^::ffff:7f[\da-f]{2}:[\da-f]{1,4}$/;

/**
 * True where a host is this machine, where plain http and no proxy are right. A name below `localhost` is not: a
 * resolver may send it anywhere.
 */
export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  return host === 'localhost' || host === 'localhost.' || host === '::1' || loopback.test(host);
}
