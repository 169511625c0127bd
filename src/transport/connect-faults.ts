import { type Layer, MotifError, TransportError } from '../errors.ts';
import { leaveOut } from './proxy-faults.ts';
import { authority, type Fault, type Endpoint, endpointWords } from './endpoint.ts';
import { isUntrusted, otherCaHint, tlsFaults } from './tls-faults.ts';

const unreachable: Fault = {
  says: (endpoint) => `there is no way from this machine to ${endpointWords(endpoint)}`,
  hint: 'is this machine on the right network or VPN? a proxy is named with --proxy or HTTPS_PROXY',
};

const forbidden: Fault = {
  says: (endpoint) => `this machine does not allow connections to ${endpointWords(endpoint)}`,
  hint: 'a firewall or a sandbox forbids it; ask whoever runs this machine',
};

const tooManyFiles: Fault = {
  says: (endpoint) => `too many files and connections are open to connect to ${endpointWords(endpoint)}`,
  hint: 'raise the limit of open files: ulimit -n 4096',
  transient: true,
};

const noSuchHost: Fault = {
  says: (endpoint) =>
    `there is no host named ${endpoint.host}${endpoint.proxy === undefined ? '' : ` (${endpointWords(endpoint)})`}`,
  hint: 'check the address for a typing mistake; motif whoami shows where it comes from',
};

const reset: Fault = {
  says: (endpoint) => `the connection to ${endpointWords(endpoint)} was closed before anything was sent`,
  hint: 'try again; if it stays, something on the way (a firewall, a load balancer) closes it',
  transient: true,
};

/** Failures to find and reach a host, by error code; those of TLS have their own table. */
export const connectFaults: Readonly<Record<string, Fault>> = {
  ENOTFOUND: noSuchHost,
  ENODATA: noSuchHost,
  EAI_AGAIN: {
    says: (endpoint) => `the name ${endpoint.host} could not be looked up just now`,
    hint: 'is this machine online? try again in a moment',
    transient: true,
  },
  ECONNREFUSED: {
    says: (endpoint) => `connection refused by ${endpointWords(endpoint)}`,
    hint: 'is the service running there, and is the port right?',
    transient: true,
  },
  EFORBIDDEN: {
    says: (endpoint) => `the name ${endpoint.host} leads to an address that is never connected to`,
    hint: 'it is link-local, or the metadata service of a cloud; is the name right?',
  },
  ETIMEDOUT: {
    says: (endpoint) => `${endpointWords(endpoint)} did not answer`,
    hint: 'is the address right, and this machine on the right network or VPN?',
    kind: 'timeout',
  },
  ECONNRESET: reset,
  ECONNABORTED: reset,
  EPIPE: reset,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  ENETDOWN: unreachable,
  EHOSTDOWN: unreachable,
  EADDRNOTAVAIL: unreachable,
  EAFNOSUPPORT: unreachable,
  EACCES: forbidden,
  EPERM: forbidden,
  EMFILE: tooManyFiles,
  ENFILE: tooManyFiles,
};

/** Words for a connection that could not be made; nothing of the request has been sent. */
export function toConnectFault(error: unknown, endpoint: Endpoint, layer: Layer, hasOwnCa = false): MotifError {
  if (error instanceof MotifError) return error;
  const cause = error as NodeJS.ErrnoException;
  const code = cause.code ?? 'unknown';
  const inTls = layer === 'tls';
  const fault = (inTls ? tlsFaults[code] : undefined) ?? connectFaults[code];
  const hint = hasOwnCa && inTls && isUntrusted(error) ? otherCaHint : fault?.hint;
  return new TransportError(
    fault?.kind ?? 'network',
    fault?.says(endpoint, cause) ?? unknownFault(endpoint, code, inTls),
    {
      layer: endpoint.proxy === undefined ? layer : 'proxy',
      sent: false,
      transient: fault?.transient ?? false,
      hint: [
        ...[hint ?? 'motif doctor looks at each step on the way'].flat(),
        ...(endpoint.proxy === undefined ? [] : [leaveOut(endpoint.proxy)]),
      ],
      cause: code,
    },
  );
}

function unknownFault(endpoint: Endpoint, code: string, inTls: boolean): string {
  return inTls
    ? `TLS with ${endpointWords(endpoint)} failed: ${code}`
    : `no connection to ${authority(endpoint)}: ${code}`;
}
