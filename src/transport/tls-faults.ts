import type { PeerCertificate } from 'node:tls';
import { defuseLine } from '../text/defuse.ts';
import { type Fault, endpointWords } from './endpoint.ts';

const trustHint = [
  'is it signed by a private CA? name its PEM file: --cacert FILE, MOTIF_CACERT or NODE_EXTRA_CA_CERTS',
  'motif has no switch that trusts any certificate, and does not obey NODE_TLS_REJECT_UNAUTHORIZED; motif help tls',
];

const unknownIssuer: Fault = {
  says: (endpoint) => `the certificate of ${endpointWords(endpoint)} is signed by a CA that is not trusted here`,
  hint: trustHint,
};

const selfSigned: Fault = {
  says: (endpoint) => `the certificate of ${endpointWords(endpoint)} is self-signed and not trusted here`,
  hint: trustHint,
};

const invalid: Fault = {
  says: (endpoint, { code }) => `the certificate of ${endpointWords(endpoint)} is not valid: ${code}`,
  hint: 'tell the administrator of the service',
};

const plainText: Fault = {
  says: (endpoint) => `${endpointWords(endpoint)} does not speak TLS: wrong scheme or port?`,
  hint: 'if the service is on plain http, write http:// (only for loopback, or with --allow-http)',
};

const oldProtocol: Fault = {
  says: (endpoint) => `${endpointWords(endpoint)} only speaks a TLS version that is too old; TLS 1.2 or 1.3 is needed`,
  hint: 'tell the administrator of the service',
};

const handshakeRefused: Fault = {
  says: (endpoint) => `${endpointWords(endpoint)} refused the TLS handshake`,
  hint: 'if the service asks for a client certificate, give it with --cert FILE and --key FILE',
};

const certificateWanted: Fault = {
  says: (endpoint) => `${endpointWords(endpoint)} asks for a client certificate`,
  hint: 'give it with --cert FILE and --key FILE (MOTIF_CERT, MOTIF_KEY)',
};

const certificateRefused: Fault = {
  says: (endpoint) => `${endpointWords(endpoint)} did not accept the client certificate`,
  hint: 'check that --cert is the right one, has not expired and is signed by the CA that the service trusts',
};

/** Failures of TLS, by the code that Node or OpenSSL gives them. */
export const tlsFaults: Readonly<Record<string, Fault>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: {
    says: (endpoint, error) => `the certificate of ${endpointWords(endpoint)} is for another name: ${namesOf(error)}`,
    hint: 'check the host in the address; the certificate has to name it (motif help tls)',
  },
  CERT_HAS_EXPIRED: {
    says: (endpoint) => `the certificate of ${endpointWords(endpoint)} has expired`,
    hint: "check this machine's clock first; then tell the administrator of the service",
  },
  CERT_NOT_YET_VALID: {
    says: (endpoint) => `the certificate of ${endpointWords(endpoint)} is not valid yet`,
    hint: "check this machine's clock first; then tell the administrator of the service",
  },
  DEPTH_ZERO_SELF_SIGNED_CERT: selfSigned,
  SELF_SIGNED_CERT_IN_CHAIN: unknownIssuer,
  UNABLE_TO_GET_ISSUER_CERT: unknownIssuer,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownIssuer,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownIssuer,
  CERT_UNTRUSTED: unknownIssuer,
  CERT_REJECTED: invalid,
  CERT_REVOKED: invalid,
  CERT_SIGNATURE_FAILURE: invalid,
  CERT_CHAIN_TOO_LONG: invalid,
  INVALID_CA: invalid,
  INVALID_PURPOSE: invalid,
  HOSTNAME_MISMATCH: invalid,
  ERR_SSL_WRONG_VERSION_NUMBER: plainText,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: plainText,
  ERR_SSL_HTTP_REQUEST: plainText,
  ERR_SSL_UNSUPPORTED_PROTOCOL: oldProtocol,
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: oldProtocol,
  ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: {
    says: (endpoint) => `${endpointWords(endpoint)} does not speak HTTP/1.1`,
    hint: 'HTTP/2 alone is not enough; tell the administrator of the service',
  },
  // OpenSSL 3.5, in Node 24, has SSL/TLS where earlier ones have SSLV3.
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: handshakeRefused,
  'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE': handshakeRefused,
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: certificateWanted,
  ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: certificateRefused,
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN: certificateRefused,
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: certificateRefused,
  'ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE': certificateRefused,
  'ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_UNKNOWN': certificateRefused,
  'ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED': certificateRefused,
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: certificateRefused,
  ECONNRESET: {
    says: (endpoint) => `${endpointWords(endpoint)} closed the connection during the TLS handshake`,
    hint: [
      'is this an https port? a proxy or firewall on the way may also cut TLS',
      'if the service asks for a client certificate, give it with --cert FILE and --key FILE',
    ],
    transient: true,
  },
};

/** The hint about a certificate that the CA file of the user does not vouch for. */
export const otherCaHint = [
  'the CA file that was named (--cacert, MOTIF_CACERT or cacert of the profile) does not hold the CA that signed it',
  'ask whoever runs the service for the right one; motif help tls',
];

/** An issuer that more roots might make known. */
export function isUntrusted(error: unknown): boolean {
  const fault = tlsFaults[(error as NodeJS.ErrnoException).code ?? ''];
  return fault === unknownIssuer || fault === selfSigned;
}

function namesOf(error: Error & { cert?: PeerCertificate }): string {
  const names = error.cert?.subjectaltname?.split(', ').map((name) => name.replace(/^[^:]*:/, ''));
  return defuseLine(names?.join(', ') ?? String(error.cert?.subject?.CN ?? 'no name'), 200);
}
