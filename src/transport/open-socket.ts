import { once } from 'node:events';
import { connect, isIP, isIPv6, type LookupFunction, type Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { type Layer, TransportError } from '../errors.ts';
import { formatDuration } from '../text/durations.ts';
import type { Connection } from '../wire/http.ts';
import { setAlarm } from './alarm.ts';
import { toConnectFault } from './connect-faults.ts';
import { type Endpoint, endpointWords, toEndpoint } from './endpoint.ts';
import { createNameLookups } from './name-lookups.ts';
import { OpeningTurns } from './opening-turns.ts';
import { leaveOut } from './proxy-faults.ts';
import { isUntrusted } from './tls-faults.ts';
import { addressCheck, Trust } from './trust.ts';
import { openTunnel } from './tunnel.ts';

export interface TransportTools {
  /** The monotonic clock, in which deadlines are given. */
  now(): number;
  /** Goes on while the machine sleeps. */
  timeOfDay?(): number;
  /** Asks for addresses instead of the system's resolver. */
  readonly lookup?: LookupFunction;
}

/** A way to a server, ready for a request, with the moments its steps ended; null for a step that was not needed. */
export interface OpenSocket {
  readonly socket: Socket;
  readonly dnsAt: number | null;
  readonly connectAt: number;
  readonly tlsAt: number | null;
}

interface OpenLimits {
  readonly deadlineAt: number;
  readonly signal?: AbortSignal | undefined;
  /** Called with each new socket before anything happens on it: TCP, and then TLS over it. */
  readonly onSocket?: (socket: Socket, endpoint: Endpoint) => void;
}

type OpenFunction = (origin: URL, connection: Connection, limits: OpenLimits) => Promise<OpenSocket>;

/** Silence of an address after which the next is tried. Node's own 250 ms is too short for far networks. */
const nextAddressMs = 500;

/** Phase of an attempt, so that time running out can say what it ran out in. */
interface AttemptState {
  layer: Layer;
  endpoint: Endpoint;
  socket?: Socket;
  dnsAt: number | null;
}

/** Opens sockets through DNS, TCP, a proxy and TLS; a failure is a TransportError whose layer says how far it came. */
export function createOpen(tools: TransportTools): OpenFunction {
  const trust = new Trust();
  const turns = new OpeningTurns();
  const lookup = createNameLookups(() => tools.now(), tools.lookup);
  return async function open(origin, connection, { deadlineAt, signal, onSocket }) {
    signal?.throwIfAborted();
    const stop = new AbortController();
    const startedAt = tools.now();
    const { connectTimeoutMs } = connection;
    const limits = { connectMs: connectTimeoutMs, leftMs: deadlineAt - startedAt };
    const progress: AttemptState = { layer: 'dns', endpoint: toEndpoint(origin), dnsAt: null };
    const attempt: Attempt = { tools, lookup, trust, progress, signal: stop.signal, ...(onSocket && { onSocket }) };
    const limitAt = Math.min(deadlineAt, startedAt + connectTimeoutMs);
    const cancel = setAlarm(limitAt, tools, () => stop.abort(tooSlow(progress, limits)));
    const onAbort = () => stop.abort(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    stop.signal.addEventListener('abort', () => progress.socket?.destroy(new Error('stopped')), { once: true });
    let endTurn: (() => void) | undefined;
    try {
      endTurn = await turns.take(origin.host, stop.signal);
      return await walk();
    } catch (error) {
      progress.socket?.destroy();
      stop.signal.throwIfAborted();
      throw toConnectFault(error, progress.endpoint, progress.layer, connection.ca !== undefined);
    } finally {
      endTurn?.();
      cancel();
      signal?.removeEventListener('abort', onAbort);
    }

    async function walk(): Promise<OpenSocket> {
      const isWide = trust.isWide(connection);
      try {
        return await openOnce(origin, connection, attempt);
      } catch (error) {
        if (isWide || !isUntrusted(error) || !(await trust.widen(connection))) throw error;
        progress.socket?.destroy();
        return openOnce(origin, connection, attempt);
      }
    }
  };
}

interface Attempt {
  readonly tools: TransportTools;
  readonly lookup: LookupFunction;
  readonly trust: Trust;
  readonly progress: AttemptState;
  readonly signal: AbortSignal;
  readonly onSocket?: NonNullable<OpenLimits['onSocket']>;
}

async function openOnce(origin: URL, connection: Connection, attempt: Attempt): Promise<OpenSocket> {
  const { tools, progress } = attempt;
  const { proxy } = connection;
  const target = toEndpoint(origin);
  progress.endpoint = proxy === undefined ? target : toEndpoint(new URL(proxy.url), proxy);
  let socket = await openTcp(attempt, proxy === undefined ? connection.isForbidden : undefined);
  if (proxy !== undefined) {
    if (progress.endpoint.secure)
      socket = await openTls(socket, await attempt.trust.context(connection, 'proxy'), attempt);
    progress.layer = 'proxy';
    await openTunnel(socket, target, proxy);
    progress.endpoint = target;
  }
  const connectAt = tools.now();
  if (target.secure) socket = await openTls(socket, await attempt.trust.context(connection, 'origin'), attempt);
  attempt.signal.throwIfAborted();
  return { socket, dnsAt: progress.dnsAt, connectAt, tlsAt: target.secure ? tools.now() : null };
}

async function openTcp(attempt: Attempt, isForbidden: Connection['isForbidden']): Promise<Socket> {
  const { tools, progress } = attempt;
  const { host, port } = progress.endpoint;
  progress.layer = isIP(host) === 0 ? 'dns' : 'connect';
  const lookup = isForbidden === undefined ? attempt.lookup : guarded(isForbidden, attempt.lookup);
  const socket = connect({
    host,
    port,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: 60_000,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: nextAddressMs,
    lookup,
  });
  hold(socket, attempt);
  socket.on('lookup', (error: Error | null) => {
    if (error !== null || progress.layer !== 'dns') return;
    progress.dnsAt = tools.now();
    progress.layer = 'connect';
  });
  await once(socket, 'connect');
  return socket;
}

/** Looks names up, and leaves out addresses that are forbidden; where none is left, that is a fault. */
function guarded(isForbidden: (address: string) => boolean, ask: LookupFunction): LookupFunction {
  return (name, options, callback) => {
    ask(name, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, []);
      const all = typeof found === 'string' ? [{ address: found, family: isIPv6(found) ? 6 : 4 }] : found;
      const allowed = all.filter(({ address }) => !isForbidden(address));
      if (allowed.length === 0) return callback(Object.assign(new Error('forbidden'), { code: 'EFORBIDDEN' }), []);
      if (options.all === true) return callback(null, allowed);
      callback(null, allowed[0]!.address, allowed[0]!.family);
    });
  };
}

async function openTls(below: Socket, secureContext: SecureContext, attempt: Attempt): Promise<Socket> {
  const { progress } = attempt;
  const { host } = progress.endpoint;
  const tls = await import('node:tls');
  progress.layer = 'tls';
  const socket = tls.connect({
    socket: below,
    host,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(isIPv6(host) ? { checkServerIdentity: await addressCheck() } : {}),
    secureContext,
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: true,
  });
  hold(socket, attempt);
  await once(socket, 'secureConnect');
  return socket;
}

/** Takes hold of a new socket, so that stopping destroys it, even if that was asked for before it was there. */
function hold(socket: Socket, { progress, signal, onSocket }: Attempt): void {
  progress.socket = socket;
  onSocket?.(socket, progress.endpoint);
  // An error between two steps has nobody else who listens, and must not end the process. Node leaves a connection open
  // whose records cannot be read any more, so that an answer on it was waited for until the deadline.
  socket.on('error', () => void socket.destroy());
  if (signal.aborted) socket.destroy(new Error('stopped'));
}

/** The error of a connection that took too long, by the limit that ended it: its own, or that of the whole prompt. */
function tooSlow(
  { layer, endpoint }: AttemptState,
  { connectMs, leftMs }: { readonly connectMs: number; readonly leftMs: number },
): TransportError {
  const isTotal = leftMs < connectMs;
  const name = endpointWords(endpoint);
  const limit = formatDuration(connectMs);
  const steps: Readonly<Record<Layer, { readonly slow: string; readonly end: string }>> = {
    dns: { slow: `looking up ${endpoint.host} took longer than ${limit}`, end: `${endpoint.host} was looked up` },
    connect: { slow: `${name} did not accept a connection within ${limit}`, end: `${name} accepted a connection` },
    proxy: { slow: `${name} did not open the tunnel within ${limit}`, end: `${name} opened the tunnel` },
    tls: {
      slow: `the TLS handshake with ${name} did not end within ${limit}`,
      end: `the TLS handshake with ${name} ended`,
    },
    http: { slow: `${name} was not ready within ${limit}`, end: `${name} was ready` },
  };
  const { slow, end } = steps[layer];
  return new TransportError('timeout', isTotal ? `the time was over before ${end}` : slow, {
    layer: endpoint.proxy === undefined ? layer : 'proxy',
    sent: false,
    isDeadline: isTotal,
    hint: [
      ...(isTotal ? [] : ['is the address right, and this machine online? --connect-timeout allows more time']),
      ...(endpoint.proxy === undefined ? [] : [leaveOut(endpoint.proxy)]),
    ],
  });
}
