import type { Socket } from 'node:net';
import type { DetailedPeerCertificate, TLSSocket } from 'node:tls';
import { defuseLine } from '../text/defuse.ts';
import type { CertificateSight, Probe, Reach, TlsSight } from '../wire/http.ts';
import { createOpen, type TransportTools } from './open-socket.ts';
import type { Endpoint } from './endpoint.ts';

type Sight = { -readonly [K in keyof Reach]: Reach[K] };

/** No honest chain is longer; a server may send one that is. */
const chainMax = 10;

/** Watches `open` at work, so that what is told is the way that a prompt takes and not one that resembles it. */
export function createProbe(tools: TransportTools): Probe {
  const open = createOpen(tools);
  return async function probe(url, { connection, deadlineAt, signal }) {
    let sight = blankSight();
    const onSocket = (socket: Socket, endpoint: Endpoint) => {
      if (isTls(socket)) return endpoint.proxy === undefined ? watchTls(socket, sight, tools) : undefined;
      // A second attempt, with more roots, starts from the beginning.
      sight = blankSight();
      watchTcp(socket, sight, tools);
    };
    try {
      const { socket } = await open(new URL(url), connection, { deadlineAt, onSocket, ...(signal && { signal }) });
      socket.destroy();
      return sight;
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof Error)) throw error;
      return { ...sight, failure: error };
    }
  };
}

function blankSight(): Sight {
  return { addresses: [], address: null, dnsMs: null, connectMs: null, tlsMs: null, tls: null, failure: null };
}

function watchTcp(socket: Socket, sight: Sight, tools: TransportTools): void {
  const startedAt = tools.now();
  let lookedUpAt = startedAt;
  socket.on('lookup', (error: Error | null, address: string) => {
    if (error !== null) return;
    lookedUpAt = tools.now();
    sight.addresses = [...sight.addresses, address];
    sight.dnsMs = lookedUpAt - startedAt;
  });
  socket.once('connect', () => {
    sight.address = socket.remoteAddress ?? null;
    sight.connectMs = tools.now() - lookedUpAt;
  });
}

/** `secure` comes before Node judges the certificate and drops it with the socket, if only to those who listen first. */
function watchTls(socket: TLSSocket, sight: Sight, tools: TransportTools): void {
  const startedAt = tools.now();
  socket.prependOnceListener('secure', () => {
    sight.tls = toTlsSight(socket);
    sight.tlsMs = tools.now() - startedAt;
  });
}

function isTls(socket: Socket): socket is TLSSocket {
  return 'encrypted' in socket;
}

function toTlsSight(socket: TLSSocket): TlsSight {
  const chain: CertificateSight[] = [];
  const seen = new Set<string>();
  let certificate: Partial<DetailedPeerCertificate> | undefined = socket.getPeerCertificate(true);
  // The issuer of a root is the root itself.
  while (certificate?.subject && !seen.has(certificate.fingerprint256 ?? '') && chain.length < chainMax) {
    seen.add(certificate.fingerprint256 ?? '');
    chain.push({
      subject: nameOf(certificate.subject),
      issuer: nameOf(certificate.issuer),
      validFrom: Date.parse(certificate.valid_from ?? ''),
      validTo: Date.parse(certificate.valid_to ?? ''),
    });
    certificate = certificate.issuerCertificate;
  }
  return { protocol: socket.getProtocol(), chain };
}

/** The common name, or the organization where there is none; either may be given more than once. */
function nameOf(name: { readonly CN?: string | string[]; readonly O?: string | string[] } | undefined): string {
  return defuseLine([name?.CN ?? name?.O ?? 'no name'].flat().join(', '), 100);
}
