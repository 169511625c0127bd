import { connect } from 'node:net';
import type { TlsOptions } from 'node:tls';
import { blackhole } from '../support/servers/blackhole.ts';
import { end, faultServer, readHead, readRequest, send, type Step } from '../support/servers/fault-server.ts';
import { certificates, type Certificates, type Identity } from '../support/servers/tls.ts';
import { http } from './network/scenes.ts';

/** A peer that is up and not well, and the flags that lead there. */
export interface Met {
  readonly url: string;
  readonly flags?: readonly string[];
  /** PEM texts that become files, by the flag that names them. */
  readonly pems?: Readonly<Record<string, string>>;
  readonly servers: readonly { close(): Promise<void> }[];
  readonly received?: () => string;
}

export const emptyRefused = json(400, '{"error":"messages must not be empty"}');

export const trusted = (made: Certificates) => ({ cacert: made.ca });

export function json(status: number, body: string): string {
  return http(status, ['content-type: application/json', `content-length: ${body.length}`], body);
}

export function plain(...steps: readonly Step[]): () => Promise<Met> {
  return unread(readRequest, ...steps);
}

export function unread(...steps: readonly Step[]): () => Promise<Met> {
  return async () => {
    const server = await faultServer(steps);
    return { url: `http://127.0.0.1:${server.port}`, servers: [server], received: () => server.received() };
  };
}

export function asHttps(met: Met): Met {
  return { ...met, url: met.url.replace('http:', 'https:') };
}

/** A port that was free a moment ago. */
export async function nobody(): Promise<Met> {
  const server = await faultServer([]);
  await server.close();
  return { url: `http://127.0.0.1:${server.port}`, servers: [] };
}

export async function deaf(): Promise<Met> {
  const hole = await blackhole();
  return { url: `http://127.0.0.1:${hole.port}`, flags: ['--connect-timeout', '500ms'], servers: [hole] };
}

/** A proxy that has read the CONNECT when its steps begin; the service behind it has a name that only it would know. */
export function proxied(...steps: readonly Step[]): () => Promise<Met> {
  return async () => {
    const proxy = await faultServer([readHead, ...steps]);
    const flags = ['--proxy', `http://127.0.0.1:${proxy.port}`];
    return { url: 'https://gw.motif.test', flags, servers: [proxy], received: () => proxy.received() };
  };
}

interface SecureOptions {
  readonly identity?: (made: Certificates) => Identity;
  readonly tls?: (made: Certificates) => TlsOptions;
  readonly pems?: (made: Certificates) => Readonly<Record<string, string>>;
}

export function secure({ identity, tls: options, pems }: SecureOptions = {}): () => Promise<Met> {
  return async () => {
    const made = certificates();
    const { cert, key } = identity?.(made) ?? made.good;
    const server = await faultServer([readRequest, send(emptyRefused), end], {
      tls: { cert, key, ...options?.(made) },
    });
    return {
      url: `https://127.0.0.1:${server.port}`,
      servers: [server],
      received: () => server.received(),
      ...(pems && { pems: pems(made) }),
    };
  };
}

export async function tunnelled(): Promise<Met> {
  const service = await secure({ pems: trusted })();
  const { port } = new URL(service.url);
  const join: Step = ({ socket }) => {
    const upstream = connect({ port: Number(port), host: '127.0.0.1' });
    upstream.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.on('close', () => upstream.destroy()).pipe(upstream);
    upstream.pipe(socket);
  };
  const proxy = await faultServer([readHead, send('HTTP/1.1 200 Connection established\r\n\r\n'), join]);
  const flags = ['--proxy', `http://me:HUSHHUSH@127.0.0.1:${proxy.port}`];
  return { ...service, url: 'https://gw.motif.test', flags, servers: [proxy, ...service.servers] };
}
