import { createServer, type Server, type ServerResponse } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { defuseLine } from '../../text/defuse.ts';
import { inTurns } from '../../text/turns.ts';
import { isLoopback } from '../../wire/http.ts';
import { Refusal } from '../refusal.ts';
import { faultOf, headersOf } from './http/head.ts';
import { httpLimits } from './http/limits.ts';
import { ReadingRounds } from './http/reading-rounds.ts';
import { faultyPartsIn, type MetricsSnapshot, refusedFile, renderMetrics } from '../records/metrics.ts';

/** Connections at once. One more takes the place of the oldest, so that idle ones cannot hold the port. */
const connectionsMax = 64;
/** After this time without a byte a connection ends, also one whose client does not read. */
const idleMs = 10_000;
/** A connection ends after this time whatever it sends: any byte, also of an empty line, begins the one above anew. */
const lifeMs = 30_000;
/** Asking the workers, and making the page of `/metrics`, takes at most one in so many parts of the time. */
const makingShare = 10;
/** Bytes of a first slice: few, because requests that stand in it behind the first one are parsed for nothing. */
const firstSliceBytes = 32;
const ageMsMax = 1000;

interface AdminParts {
  /** False from the moment at which a drain begins. */
  isReady(): boolean;
  /** The numbers of the workers that say nothing when they are asked. */
  hanging?(): readonly number[];
  /** One for each process that answers prompts. */
  snapshots(): Promise<readonly MetricsSnapshot[]>;
}

export interface AdminServer {
  readonly port: number;
  close(): Promise<void>;
}

/** The port of clusters and monitors, which no client of a Motif reaches. Rejects with the system's error. */
export async function startAdminServer(
  host: string,
  port: number,
  parts: AdminParts,
  connectionMsMax = lifeMs,
): Promise<AdminServer> {
  const server = createServer({
    maxHeaderSize: httpLimits.headerBytesMax,
    headersTimeout: httpLimits.headersTimeoutMs,
    requestTimeout: httpLimits.headersTimeoutMs,
    connectionsCheckingInterval: httpLimits.checkIntervalMs,
  });
  server.timeout = idleMs;
  // Otherwise a client that ends its half behind its request, as `nc -N` does, may read an end and no reply.
  Object.assign(server, { httpAllowHalfOpen: true });
  // Replies to many requests of one connection, none of which is read, would fill the memory.
  server.maxRequestsPerSocket = 1;
  const rounds = new ReadingRounds();
  server.on('connection', (socket: Socket) => rounds.add(socket, { inSlices: true, sliceBytes: firstSliceBytes }));
  server.on('dropRequest', (request) => rounds.noteRequest(request));
  keepRoom(server, connectionMsMax);
  // Every failure is a rejection, so that none leaves a result behind for ever.
  const metricsPage = createShared(async () => await inTurns(renderMetrics(await parts.snapshots())));
  const faultyParts = createShared(async () => faultyPartsIn(await parts.snapshots()));
  server.on('request', (request, response) => {
    rounds.noteRequest(request);
    // Nothing behind it is looked at: refusals of fifty took three times as long as all else of a connection.
    rounds.release(request.socket);
    response.shouldKeepAlive = false;
    const fault = faultOf(request, headersOf(request), httpLimits);
    if (fault !== undefined) {
      const { status, message } = new Refusal(fault);
      return say(response, status, `${message}\n`);
    }
    if (isLoopback(host) && mayBeRebound(request.headers.host))
      return say(response, 403, 'ask by an address or as localhost\n');
    if (request.method !== 'GET' && request.method !== 'HEAD') return say(response, 405, 'only GET is answered\n');
    const path = request.url?.split('?', 1)[0];
    if (path === '/livez') return say(response, 200, 'ok\n');
    if (path === '/readyz') return void sayReady(response, parts, faultyParts);
    if (path !== '/metrics') return say(response, 404, 'there are /livez, /readyz and /metrics\n');
    metricsPage().then(
      (page) => say(response, 200, page, 'text/plain; version=0.0.4; charset=utf-8'),
      () => say(response, 503, 'the workers do not answer\n'),
    );
  });
  await new Promise<void>((resolve, reject) => {
    // Stays once it listens: that the system cannot take one connection must not end the process.
    server.on('error', reject);
    server.listen({ host, port, exclusive: true }, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Returns a function to a result that many who ask at once share. */
function createShared<T>(make: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  let reuseUntil = 0;
  return () => {
    if (result !== undefined && performance.now() < reuseUntil) return result;
    const startedAt = performance.now();
    reuseUntil = Infinity;
    result = make().finally(() => {
      const endedAt = performance.now();
      reuseUntil = endedAt + Math.min((endedAt - startedAt) * (makingShare - 1), ageMsMax);
    });
    return result;
  };
}

/** True for a name that somebody may have pointed to this machine, so that a browser here asks for them. */
function mayBeRebound(host: string | undefined): boolean {
  const name = host?.replace(/:\d*$/, '').toLowerCase() ?? '';
  return name !== '' && !/^(?:.+\.)?localhost\.?$/.test(name) && isIP(name.replace(/^\[(.*)\]$/, '$1')) === 0;
}

/** A set keeps the order in which connections came. */
function keepRoom(server: Server, connectionMsMax: number): void {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    const end = setTimeout(() => socket.destroy(), connectionMsMax).unref();
    socket.once('close', () => {
      sockets.delete(socket);
      clearTimeout(end);
    });
    const [oldest] = sockets;
    if (sockets.size > connectionsMax) oldest?.destroy();
  });
}

function say(response: ServerResponse, status: number, text: string, type = 'text/plain; charset=utf-8'): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text);
}

/** Ready, also where a part of the gateway file is faulty: other Motifs, and those that had it before, go on. */
async function sayReady(
  response: ServerResponse,
  parts: AdminParts,
  faultyParts: () => Promise<readonly string[]>,
): Promise<void> {
  const faulty: readonly string[] = parts.isReady() ? await faultyParts().catch(() => []) : [];
  const hanging = (parts.hanging?.() ?? []).map((id) => `hanging: worker ${id}`);
  if (!parts.isReady()) return say(response, 503, ['not ready', ...hanging, ''].join('\n'));
  const lines = faulty.map((part) => `faulty: ${defuseLine(part)}`);
  // A word list or key that is changed meanwhile is in nobody's way, and yet not in force.
  if (faulty.includes(refusedFile)) lines.push('waiting: all files that it names');
  say(response, 200, ['ready', ...lines, ...hanging, ''].join('\n'));
}
