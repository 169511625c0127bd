import { Secret } from '../../../../src/text/secret.ts';
import { end, hang, readRequest, reset, send, wait } from '../../../support/servers/fault-server.ts';
import type { Identity } from '../../../support/servers/tls.ts';
import { asHttps, http, type NetworkCase, plain, secure } from '../scenes.ts';

const untrusted = { kind: 'network', layer: 'tls', sent: false } as const;
const handshakeCut = { ...untrusted, says: 'closed the connection during the TLS handshake' } as const;
const trustsNobody = () => ({});
const shown = ({ cert, key }: Identity) => ({ cert, key: new Secret(key) });

const tls: readonly NetworkCase[] = [
  { name: 'a private CA that was named', start: secure(), replies: { status: 200 } },
  {
    name: 'a CA that nobody named',
    start: secure({ connection: trustsNobody }),
    fails: {
      ...untrusted,
      says: 'signed by a CA that is not trusted here',
      hint: '--cacert FILE, MOTIF_CACERT or NODE_EXTRA_CA_CERTS',
    },
  },
  {
    name: 'roots that are read when needed',
    start: secure({ connection: (made) => ({ moreRoots: () => Promise.resolve([made.ca]) }) }),
    replies: { status: 200 },
  },
  {
    name: 'roots that do not help',
    start: secure({ connection: (made) => ({ moreRoots: () => Promise.resolve([made.selfSigned.cert]) }) }),
    fails: { ...untrusted, says: 'not trusted here' },
  },
  {
    name: 'no more roots',
    start: secure({ connection: () => ({ moreRoots: () => Promise.resolve([]) }) }),
    fails: { ...untrusted, says: 'not trusted here' },
  },
  {
    name: 'another name',
    start: secure({ identity: (made) => made.wrongName }),
    fails: {
      ...untrusted,
      says: 'is for another name: other.example, *.wild.example',
      hint: 'the host in the address',
    },
  },
  {
    name: 'expired',
    start: secure({ identity: (made) => made.expired }),
    fails: { ...untrusted, says: 'has expired', hint: 'clock' },
  },
  {
    name: 'not yet valid',
    start: secure({ identity: (made) => made.notYetValid }),
    fails: { ...untrusted, says: 'is not valid yet', hint: 'clock' },
  },
  {
    name: 'self-signed',
    start: secure({ identity: (made) => made.selfSigned }),
    fails: { ...untrusted, says: 'is self-signed and not trusted here', hint: '--cacert' },
  },
  {
    name: 'self-signed and named',
    start: secure({ identity: (made) => made.selfSigned, connection: (made) => ({ ca: [made.selfSigned.cert] }) }),
    replies: { status: 200 },
  },
  { name: 'by the name of the host', start: secure({ host: 'localhost' }), replies: { status: 200 } },
  { name: 'by an IPv6 address', start: secure({ host: '::1' }), replies: { status: 200 } },
  {
    name: 'by an IPv6 address that the certificate does not name',
    start: secure({ host: '::1', identity: (made) => made.wrongName }),
    fails: { ...untrusted, says: 'the certificate of [::1]:', hint: 'the host in the address' },
  },
  {
    name: 'TLS 1.1 at most',
    start: secure({ tls: () => ({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' }) }),
    fails: { ...untrusted, says: 'only speaks a TLS version that is too old' },
  },
  {
    name: 'TLS 1.2 at most',
    start: secure({ tls: () => ({ maxVersion: 'TLSv1.2' }) }),
    replies: { status: 200 },
  },
  {
    name: 'no cipher in common',
    start: secure({ tls: () => ({ maxVersion: 'TLSv1.2', ciphers: 'NULL-SHA256:@SECLEVEL=0' }) }),
    fails: { ...untrusted, says: '' },
  },
  {
    name: 'HTTP/2 alone',
    start: secure({ tls: () => ({ ALPNProtocols: ['h2'] }) }),
    fails: { ...untrusted, says: 'does not speak HTTP/1.1' },
  },
  {
    name: 'a client certificate is wanted, TLS 1.3',
    start: secure({ tls: (made) => ({ requestCert: true, ca: made.ca }) }),
    fails: { kind: 'network', layer: 'tls', sent: true, says: '', hint: '--cert FILE' },
  },
  {
    name: 'a client certificate is wanted, TLS 1.2',
    start: secure({ tls: (made) => ({ requestCert: true, ca: made.ca, maxVersion: 'TLSv1.2' }) }),
    fails: { ...untrusted, says: 'refused the TLS handshake', hint: '--cert FILE' },
  },
  {
    name: 'a client certificate is given',
    start: secure({
      tls: (made) => ({ requestCert: true, ca: made.ca }),
      connection: (made) => ({ ca: [made.ca], clientCertificate: shown(made.client) }),
    }),
    replies: { status: 200 },
  },
  {
    name: 'plain http on an https address, closed',
    start: asHttps(plain(end)),
    fails: { ...untrusted, says: 'closed the connection during the TLS handshake', hint: 'https port' },
  },
  {
    name: 'plain http on an https address, a 400',
    start: asHttps(plain(wait(50), send(http('400 Bad Request', ['content-length: 0'])), end)),
    fails: { ...untrusted, says: 'does not speak TLS: wrong scheme or port?', hint: 'http://' },
  },
  {
    name: 'an SSH banner on an https address',
    start: asHttps(plain(send('SSH-2.0-OpenSSH_9.2\r\n'), hang)),
    fails: { ...untrusted, says: 'does not speak TLS' },
  },
  { name: 'a reset in the handshake', start: asHttps(plain(wait(50), reset)), fails: handshakeCut },
  {
    name: 'a TLS alert in the handshake',
    start: asHttps(plain(wait(50), send(Buffer.from([0x15, 3, 1, 0, 2, 2, 0x28])), end)),
    fails: { ...untrusted, says: 'refused the TLS handshake', hint: 'client certificate' },
  },
  {
    name: 'silence in the handshake',
    start: asHttps(plain(hang)),
    connectTimeoutMs: 300,
    fails: { kind: 'timeout', layer: 'tls', sent: false, says: 'the TLS handshake with 127.0.0.1' },
  },
  {
    name: 'a body cut under TLS',
    start: secure({}, readRequest, send(http(200, ['content-length: 100'], 'abc')), end),
    fails: { kind: 'network', layer: 'http', sent: true, says: 'cut off after 3 bytes' },
  },
  {
    name: 'reset under TLS',
    start: secure({}, readRequest, reset),
    fails: { kind: 'network', layer: 'http', sent: true, says: '' },
  },
  {
    name: '100 kB and FIN under TLS',
    start: secure({}, readRequest, send(http(200, ['connection: close'], 'x'.repeat(100_000))), end),
    replies: { status: 200, bodyBytes: 100_000 },
  },
];

/** TLS, tunnel and all. */
export const tlsCases: readonly NetworkCase[] = tls.map((entry) => ({ ...entry, needsTls: true }));
