import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { TlsOptions } from 'node:tls';
import type { Kind, Layer } from '../../../src/errors.ts';
import { Secret } from '../../../src/text/secret.ts';
import type { Connection } from '../../../src/wire/http.ts';
import {
  type FaultServer,
  faultServer,
  readHead,
  readRequest,
  send,
  type Step,
} from '../../support/servers/fault-server.ts';
import { type Certificates, certificates, type Identity } from '../../support/servers/tls.ts';
import { type Toxic, toxicRelay, tunnel } from '../../support/servers/toxics.ts';

/** A peer that is up and misbehaves, and how to reach it. */
export interface Scene {
  /** An origin. */
  readonly url: string;
  readonly connection?: Partial<Connection>;
  readonly lookup?: LookupFunction;
  /** The peers of the scene that listen, for tests of what reached them. */
  readonly servers: readonly Pick<FaultServer, 'close'>[];
}

interface Failure {
  readonly kind: Kind;
  readonly layer: Layer;
  readonly sent: boolean;
  /** A part of the message. */
  readonly says: string;
  /** A part of the hints. */
  readonly hint?: string;
  /** True where a prompt may have run all the same, which the client then says. */
  readonly isReplyLost?: boolean;
}

interface Success {
  readonly status: number;
  readonly bodyBytes?: number;
}

/** One injection: what is met, within which limits, and what must come of it. */
export interface NetworkCase {
  /** Begins with the numbers of the catalogue entries that it covers: `…`. */
  readonly name: string;
  readonly start: () => Promise<Scene>;
  readonly fails?: Failure;
  readonly replies?: Success;
  readonly deadlineMs?: number;
  readonly connectTimeoutMs?: number;
  readonly bodyBytesMax?: number;
  /** The size of the request, where it matters. */
  readonly requestBytes?: number;
  readonly needsTls?: boolean;
}

export const answerText = '{"response":"hi","finish_reason":"stop","blocked":false}';

export function http(status: number | string, headers: readonly string[] = [], body = ''): string {
  return [`HTTP/1.1 ${status}`, ...headers, '', body].join('\r\n');
}

/** A faultless reply. */
export const answer = http(
  '200 OK',
  ['content-type: application/json', `content-length: ${answerText.length}`],
  answerText,
);

export function chunked(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;
}

/** A server on plain HTTP that reads the request, then does this. */
export const says = (...steps: readonly Step[]) => plain(readRequest, ...steps);

export const plain =
  (...steps: readonly Step[]) =>
  async (): Promise<Scene> => {
    const server = await faultServer(steps);
    return { url: `http://127.0.0.1:${server.port}`, servers: [server] };
  };

export const poisoned =
  (toxic: Toxic, ...steps: readonly Step[]) =>
  async (): Promise<Scene> => {
    const server = await faultServer(steps.length === 0 ? [readRequest, send(answer)] : steps);
    const relay = await toxicRelay(server.port, toxic);
    return { url: `http://127.0.0.1:${relay.port}`, servers: [relay, server] };
  };

interface SecureOptions {
  readonly identity?: (made: Certificates) => Identity;
  readonly tls?: (made: Certificates) => TlsOptions;
  readonly host?: string;
  readonly connection?: (made: Certificates) => Partial<Connection>;
}

const trusting = (made: Certificates): Partial<Connection> => ({ ca: [made.ca] });

/** A server on TLS; without steps it answers faultlessly. */
export const secure =
  (options: SecureOptions = {}, ...steps: readonly Step[]) =>
  async (): Promise<Scene> => {
    const made = certificates();
    const identity = options.identity?.(made) ?? made.good;
    const host = options.host ?? '127.0.0.1';
    const server = await faultServer(steps.length === 0 ? [readRequest, send(answer)] : steps, {
      tls: { cert: identity.cert, key: identity.key, ...options.tls?.(made) },
      host,
    });
    return {
      url: `https://${host.includes(':') ? `[${host}]` : host}:${server.port}`,
      connection: (options.connection ?? trusting)(made),
      servers: [server],
    };
  };

interface ProxyOptions {
  readonly origin?: () => Promise<Scene>;
  readonly credentials?: string;
  readonly tls?: boolean;
  readonly connection?: (made: Certificates) => Partial<Connection>;
}

/** The same peer, taken for one that speaks TLS. */
export const asHttps = (start: () => Promise<Scene>) => async (): Promise<Scene> => {
  const scene = await start();
  return { ...scene, url: scene.url.replace('http:', 'https:') };
};

/** A proxy in front of a server; the proxy has read the CONNECT when its steps begin. */
export const proxied =
  (options: ProxyOptions, ...steps: readonly Step[]) =>
  async (): Promise<Scene> => {
    const made = options.tls ? certificates() : undefined;
    const origin = await (options.origin ?? says(send(answer)))();
    const proxy = await faultServer([readHead, ...steps], made === undefined ? {} : { tls: made.good });
    return {
      url: origin.url,
      connection: {
        ...origin.connection,
        ...(made === undefined ? {} : (options.connection ?? trusting)(made)),
        proxy: {
          url: `${options.tls ? 'https' : 'http'}://127.0.0.1:${proxy.port}`,
          from: 'HTTPS_PROXY',
          ...(options.credentials === undefined ? {} : { credentials: new Secret(options.credentials) }),
        },
      },
      servers: [proxy, ...origin.servers],
    };
  };

export const opensTheWay: readonly Step[] = [send('HTTP/1.1 200 Connection established\r\n\r\n'), tunnel];

/** A name that a made-up resolver answers for. */
export const named =
  (answers: LookupAddress[] | NodeJS.ErrnoException | 'never', steps: readonly Step[] = []) =>
  async (): Promise<Scene> => {
    const server = await faultServer([readRequest, ...steps]);
    const lookup: LookupFunction = (_host, _options, callback) => {
      if (answers === 'never') return;
      setImmediate(() => (answers instanceof Error ? callback(answers, []) : callback(null, answers)));
    };
    return { url: `http://motif.test:${server.port}`, lookup, servers: [server] };
  };

export function failing(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`getaddrinfo ${code}`), { code, syscall: 'getaddrinfo' });
}
