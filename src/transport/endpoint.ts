import type { ProxyRoute } from '../wire/http.ts';

/** One end of a connection: the service's own host, or the proxy on the way to it. */
export interface Endpoint {
  /** Without the brackets of an IPv6 address. */
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  /** Set where the place is this proxy. */
  readonly proxy?: ProxyRoute;
}

export function toEndpoint(url: URL, proxy?: ProxyRoute): Endpoint {
  const secure = url.protocol === 'https:';
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    secure,
    ...(proxy === undefined ? {} : { proxy }),
  };
}

/** `host:port`, with the brackets that an IPv6 address needs. */
export function authority({ host, port }: Endpoint): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** The name of the place for people. */
export function endpointWords(endpoint: Endpoint): string {
  return endpoint.proxy === undefined ? authority(endpoint) : `the proxy ${endpoint.proxy.url}`;
}

/** Meaning of one error code of the operating system or of OpenSSL to a person. */
export interface Fault {
  readonly says: (endpoint: Endpoint, error: NodeJS.ErrnoException) => string;
  readonly hint: string | readonly string[];
  readonly kind?: 'network' | 'timeout' | 'service';
  readonly transient?: boolean;
}
