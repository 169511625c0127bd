import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { defuseLine } from '../../text/defuse.ts';
import { httpLimits } from './http/limits.ts';
import { faultyPartsIn, type MetricsSnapshot, renderMetrics } from '../records/metrics.ts';

/** Connections at once. One more takes the place of the oldest, so that idle ones cannot hold the port. */
const connectionsMax = 64;
const keepAliveMs = 15_000;

interface AdminParts {
  /** False from the moment at which a drain begins. */
  isReady(): boolean;
  /** One for each process that answers prompts. */
  snapshots(): Promise<readonly MetricsSnapshot[]>;
}

export interface AdminServer {
  readonly port: number;
  close(): Promise<void>;
}

/** The port of clusters and monitors, which no client of a Motif reaches. Rejects with the system's error. */
export async function startAdminServer(host: string, port: number, parts: AdminParts): Promise<AdminServer> {
  const server = createServer({
    maxHeaderSize: httpLimits.headerBytesMax,
    headersTimeout: httpLimits.headersTimeoutMs,
    requestTimeout: httpLimits.headersTimeoutMs,
    connectionsCheckingInterval: httpLimits.checkIntervalMs,
  });
  server.keepAliveTimeout = keepAliveMs;
  keepRoom(server);
  server.on('request', (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return say(response, 405, 'only GET is answered\n');
    const path = request.url?.split('?', 1)[0];
    if (path === '/livez') return say(response, 200, 'ok\n');
    if (path === '/readyz') return void sayReady(response, parts);
    if (path !== '/metrics') return say(response, 404, 'there are /livez, /readyz and /metrics\n');
    parts.snapshots().then(
      (snapshots) => say(response, 200, renderMetrics(snapshots), 'text/plain; version=0.0.4; charset=utf-8'),
      () => say(response, 503, 'the workers do not answer\n'),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
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

/** A set keeps the order in which connections came. */
function keepRoom(server: Server): void {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    const [oldest] = sockets;
    if (sockets.size > connectionsMax) oldest?.destroy();
  });
}

function say(response: ServerResponse, status: number, text: string, type = 'text/plain; charset=utf-8'): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text);
}

/** Ready, also where a part of the gateway file is faulty: other Motifs, and those that had it before, go on. */
async function sayReady(response: ServerResponse, parts: AdminParts): Promise<void> {
  if (!parts.isReady()) return say(response, 503, 'not ready\n');
  const faulty = faultyPartsIn(await parts.snapshots().catch(() => []));
  say(response, 200, ['ready', ...faulty.map((part) => `faulty: ${defuseLine(part)}`), ''].join('\n'));
}
