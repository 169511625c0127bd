import type { Socket } from 'node:net';
import type { DetailedPeerCertificate, TLSSocket } from 'node:tls';
import { defuseLine } from '../text/defuse.ts';
import type { CertificateFacts, Probe, Reach, TlsFacts } from '../wire/http.ts';
import { createOpen, type TransportTools } from './open-socket.ts';
import type { Endpoint } from './endpoint.ts';

type ReachSoFar = { -readonly [K in keyof Reach]: Reach[K] };

/** The most certificates that are read of a chain: no honest one is longer. */
const chainMax = 10;

/** Watches `open` at work, so that what is told is the way that a prompt takes and not one that resembles it. */
export function createProbe(tools: TransportTools): Probe {
  const open = createOpen(tools);
  return async function probe(url, { connection, deadlineAt, signal }) {
    let reached = nothingReached();
    const onSocket = (socket: Socket, endpoint: Endpoint) => {
      if (isTls(socket)) return endpoint.proxy === undefined ? watchTls(socket, reached, tools) : undefined;
      // A second attempt, with more roots, starts from the beginning.
      reached = nothingReached();
      watchTcp(socket, reached, tools);
    };
    try {
      const { socket } = await open(new URL(url), connection, { deadlineAt, onSocket, ...(signal && { signal }) });
      socket.destroy();
      return reached;
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof Error)) throw error;
      return { ...reached, failure: error };
    }
  };
}

function nothingReached(): ReachSoFar {
  return { addresses: [], address: null, dnsMs: null, connectMs: null, tlsMs: null, tls: null, failure: null };
}

function watchTcp(socket: Socket, reached: ReachSoFar, tools: TransportTools): void {
  const startedAt = tools.now();
  let lookedUpAt = startedAt;
  socket.on('lookup', (error: Error | null, address: string) => {
    if (error !== null) return;
    lookedUpAt = tools.now();
    reached.addresses = [...reached.addresses, address];
    reached.dnsMs = lookedUpAt - startedAt;
  });
  socket.once('connect', () => {
    reached.address = socket.remoteAddress ?? null;
    reached.connectMs = tools.now() - lookedUpAt;
  });
}

/** `secure` comes before Node judges the certificate and drops it with the socket, for those who listen first. */
function watchTls(socket: TLSSocket, reached: ReachSoFar, tools: TransportTools): void {
  const startedAt = tools.now();
  socket.prependOnceListener('secure', () => {
    reached.tls = toTlsFacts(socket);
    reached.tlsMs = tools.now() - startedAt;
  });
}

function isTls(socket: Socket): socket is TLSSocket {
  return 'encrypted' in socket;
}

function toTlsFacts(socket: TLSSocket): TlsFacts {
  const chain: CertificateFacts[] = [];
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
