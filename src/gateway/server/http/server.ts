import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { type Duplex, setDefaultHighWaterMark } from 'node:stream';
import { createSecureContext } from 'node:tls';
import { ArrivedConnections, hearArrivals } from './arrived-connections.ts';
import { secureInTurns } from './encrypted-side.ts';
import { type HandlerParts, HttpHandler } from './handler.ts';
import { OpenConnections } from './open-connections.ts';
import { encrypted } from './reading-rounds.ts';
import { closeWithoutStacks, tellEnd } from './server-socket.ts';
import { SocketTasks } from './socket-tasks.ts';

/** PEM texts. */
export interface TlsIdentity {
  readonly cert: string;
  readonly key: string;
}

export interface HttpParts extends HandlerParts {
  readonly tls: TlsIdentity | undefined;
}

export interface HttpServer {
  /** Resolves with the port, which matters for port 0; rejects with the system's error. */
  listen(host: string, port: number): Promise<number>;
  /** For new connections. */
  setTls(tls: TlsIdentity): void;
  /** Stops to listen, answers what is there, and resolves when the last connection is gone. */
  drain(deadlineMs: number): Promise<void>;
}

/** Node's server around the gateway function, with a defence against clients that mean no prompt. */
export function createHttpServer(parts: HttpParts): HttpServer {
  const { limits, tls } = parts;
  const options = {
    maxHeaderSize: limits.headerBytesMax,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    connectionsCheckingInterval: limits.checkIntervalMs,
    keepAliveTimeout: limits.keepAliveMs,
    // Node's own answer to a missing Host has no body; ours has one, like every other failure.
    requireHostHeader: false,
    insecureHTTPParser: false,
  };
  // Since version 22 Node itself would keep four times as much of each connection; a server's option is none over TLS.
  setDefaultHighWaterMark(false, 16 * 1024);
  const keys = tls && { ecdhCurve: keyExchange() };
  const handshakes = { handshakeTimeout: limits.headersTimeoutMs, ALPNProtocols: ['http/1.1', 'http/1.0'] };
  const server = tls ? createTlsServer({ ...options, ...tls, ...keys, ...handshakes }) : createServer(options);
  const sessions = tls && new Sessions(server as TlsServer, tls);
  const tasks = new SocketTasks();
  const drop = (socket: Socket): void => {
    parts.metrics.count('dropped', { reason: 'limit' });
    socket.destroy();
  };
  const noteReset = (): void => parts.metrics.count('dropped', { reason: 'reset' });
  const room = { isBusy: (socket: Socket): boolean => handler.isBusy(socket), drop, noteReset };
  const all = new OpenConnections({ ...room, connectionsMax: limits.connectionsMax });
  const waitingMax = (): number => limits.connectionsMax - all.size;
  const handler = new HttpHandler(server, new ArrivedConnections({ waitingMax, reset: noteReset }), parts);
  const tellSize = (): void => parts.metrics.set('connections', all.size);
  // Node would cut off the headers beyond without a word; they are counted instead.
  server.maxHeadersCount = 0;
  server
    .on('request', (request, response) => handler.serve(request, response, false))
    .on('checkContinue', (request, response) => handler.serve(request, response, true))
    .on('checkExpectation', (request, response) => handler.refuse(request, response, 'expectation_failed'))
    .on('connect', ({ socket }) => handler.refuseTunnel(socket))
    .on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
      const refuse = (): void => handler.parserFailed(error, socket);
      // Node looks for those whose time is over once a second, and tells of all of them at once.
      if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') tasks.add(refuse);
      else refuse();
    })
    // After it listens: the system has no descriptor left for a connection. It goes on with those that it has.
    .on('error', () => parts.metrics.count('dropped', { reason: 'descriptors' }))
    // By Node's own limit full workers hand a connection to each other for ever.
    .on('connection', (socket: Socket) => {
      if (!all.take(socket)) return;
      tellSize();
      socket.once('close', (isBroken) => {
        tellSize();
        if (isBroken && !handler.hasReply(socket)) noteReset();
      });
    })
    .on('secureConnection', closeWithoutStacks);
  hearArrivals(server, (connection, open) => handler.arrive(connection, open));
  if ('setSecureContext' in server)
    secureInTurns(server, {
      tasks,
      timeoutMs: limits.headersTimeoutMs,
      connections: new OpenConnections({ ...room, connectionsMax: limits.secureConnectionsMax }),
      drop,
      handOn: (socket, reader) => handler.open(socket, { ...encrypted, reader }),
    });
  else
    server.on('connection', (socket: Socket) => {
      tellEnd(socket, (tell) => tasks.add(tell));
      handler.open(socket);
    });
  return {
    listen: (host, port) => listen(server, host, port),
    setTls: (identity) => sessions?.renew({ ...identity, ...keys }),
    drain: (deadlineMs) => handler.drain(deadlineMs),
  };
}

/**
 * The sessions of clients, which go on with one on a new connection at half the cost. The keys of their tickets follow
 * from the certificate, so that all workers have the same: a reload would leave each with keys of its own.
 */
class Sessions {
  readonly #server: TlsServer;
  /** The keys that Node has made, for all workers. */
  #first: Buffer | undefined;

  constructor(server: TlsServer, identity: TlsIdentity) {
    this.#server = server;
    // Before it listens Node has yet to give them to a worker.
    server.once('listening', () => {
      this.#first = server.getTicketKeys();
      this.#setKeys(identity);
    });
  }

  renew(identity: TlsIdentity): void {
    this.#server.setSecureContext(identity);
    this.#setKeys(identity);
  }

  #setKeys({ cert, key }: TlsIdentity): void {
    if (this.#first === undefined) return;
    this.#server.setTicketKeys(createHash('sha384').update(this.#first).update(cert).update(key).digest());
  }
}

/** OpenSSL's own curves. */
const curves = 'X25519:P-256:X448:P-521:P-384';

/**
 * The ways to agree on keys. Those without curves are left out: OpenSSL up to 3.4 takes them from anyone, and the
 * largest one costs it an eighth of a second at once, and a client nothing.
 */
function keyExchange(): string {
  const withLattice = `X25519MLKEM768:${curves}`;
  try {
    createSecureContext({ ecdhCurve: withLattice });
    return withLattice;
  } catch {
    return curves;
  }
}

async function listen(server: Server, host: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, backlog: 1024 }, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}
