import { setMaxListeners } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import { Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Gateway, GatewayReply } from '../contract.ts';
import { readBody } from './http-body.ts';
import { faultOf, headersOf, parserCodes, reasonPhrases } from './http-head.ts';
import type { HttpLimits } from './http-limits.ts';
import type { Log } from '../records/log.ts';
import type { Metrics } from '../records/metrics.ts';
import { failureBody, failureHeaders, Refusal, type RefusalCode } from '../refusal.ts';

/** PEM texts. */
export interface TlsIdentity {
  readonly cert: string;
  readonly key: string;
}

export interface HttpParts {
  /** Asked once for each request, which thereby sees one version of the gateway file. */
  gateway(): Gateway;
  newPromptId(): string;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly limits: HttpLimits;
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

/** Node's server around the function that does the work, and the defence against clients that mean no prompt. */
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
  const server = tls
    ? createTlsServer({ ...options, ...tls, handshakeTimeout: limits.headersTimeoutMs })
    : createServer(options);
  const desk = new Desk(server, parts);
  server.maxConnections = limits.connectionsMax;
  // Node would cut off the headers beyond without a word; they are counted instead.
  server.maxHeadersCount = 0;
  server
    .on('request', (request, response) => void desk.serve(request, response, false))
    .on('checkContinue', (request, response) => void desk.serve(request, response, true))
    .on('checkExpectation', (request, response) => desk.refuse(request, response, 'expectation_failed'))
    .on('connect', (_request, socket: Duplex) => desk.refuseRaw(socket, 'method_not_allowed'))
    .on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => desk.parserFailed(error, socket))
    .on('drop', () => parts.metrics.count('dropped', { reason: 'limit' }))
    // After it listens: the system has no descriptor left for a connection. It goes on with those that it has.
    .on('error', () => parts.metrics.count('dropped', { reason: 'descriptors' }))
    .on('connection', (socket: Socket) => desk.count(socket));
  return {
    listen: (host, port) => listen(server, host, port),
    setTls(identity) {
      if ('setSecureContext' in server) (server as TlsServer).setSecureContext(identity);
    },
    drain: (deadlineMs) => desk.drain(deadlineMs),
  };
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

/** What is known of a connection. */
interface Line {
  /** Aborts when the client has gone. One for all requests of the connection, because to make one takes a while. */
  readonly gone: AbortController;
  latest: ServerResponse | undefined;
  /** Set with the last reply: what stands behind its request may have been part of it, and is not looked at. */
  isClosing: boolean;
}

/** Where requests come in and replies go out. */
class Desk {
  readonly #server: Server;
  readonly #parts: HttpParts;
  readonly #lines = new WeakMap<Duplex, Line>();
  #connections = 0;
  #isDraining = false;

  constructor(server: Server, parts: HttpParts) {
    this.#server = server;
    this.#parts = parts;
  }

  count(socket: Socket): void {
    const { metrics } = this.#parts;
    metrics.set('connections', (this.#connections += 1));
    socket.once('close', () => metrics.set('connections', (this.#connections -= 1)));
  }

  async serve(request: IncomingMessage, response: ServerResponse, expectsContinue: boolean): Promise<void> {
    const line = this.#lineOf(request.socket);
    if (line.isClosing) return;
    line.latest = response;
    const headers = headersOf(request);
    const fault = faultOf(request, headers, this.#parts.limits);
    if (fault !== undefined) return this.refuse(request, response, fault);
    const reply = await this.#parts.gateway()({
      method: request.method ?? '',
      path: request.url ?? '',
      headers,
      signal: line.gone.signal,
      readBody(bytesMax, received) {
        if (expectsContinue && !(Number(headers['content-length']) > bytesMax)) response.writeContinue();
        return readBody(request, headers['content-length'], bytesMax, received);
      },
    });
    this.#send(request, response, reply);
  }

  #lineOf(socket: Socket): Line {
    const known = this.#lines.get(socket);
    if (known !== undefined) return known;
    const line: Line = { gone: new AbortController(), latest: undefined, isClosing: false };
    // Pipelined requests wait for it side by side.
    setMaxListeners(0, line.gone.signal);
    socket.once('close', () => line.gone.abort(new Refusal('client_gone')));
    this.#lines.set(socket, line);
    return line;
  }

  refuse(request: IncomingMessage, response: ServerResponse, code: RefusalCode): void {
    this.#lineOf(request.socket).latest = response;
    const refusal = this.#counted(code);
    const headers = { 'content-type': 'application/json', ...failureHeaders(refusal) };
    const body = failureBody(refusal, this.#parts.newPromptId());
    this.#send(request, response, { status: refusal.status, headers, body }, true);
  }

  #counted(code: RefusalCode): Refusal {
    const refusal = new Refusal(code);
    this.#parts.metrics.count('requests', { status: String(refusal.status) });
    this.#parts.log.debug('refused', { status: refusal.status, code });
    return refusal;
  }

  #send(request: IncomingMessage, response: ServerResponse, reply: GatewayReply, isLast = this.#isDraining): void {
    if (response.destroyed || response.headersSent) return;
    const { status, headers, body } = reply;
    const isUnread = !request.complete;
    const line = this.#lineOf(request.socket);
    line.isClosing = isUnread || isLast;
    const length = Buffer.byteLength(body);
    // Names and values in turn, which Node need not take apart.
    const lines: string[] = [];
    for (const name in headers) lines.push(name, headers[name]!);
    lines.push('content-length', String(length));
    if (line.isClosing) lines.push('connection', 'close');
    response.writeHead(status, lines);
    if (isUnread) this.#linger(request, response, body);
    // Where all bytes are ASCII both encodings are the same, and Node is faster with this one.
    else response.end(body, length === body.length ? 'latin1' : 'utf8');
    // The reply to a pipelined request waits for those before it, and cannot be taken sooner.
    if (response.socket === null) response.once('socket', () => this.#limitWriting(response));
    else if (request.socket.writableLength > 0) this.#limitWriting(response);
  }

  /**
   * To close a connection on which bytes are still coming in resets it, and the client may never see the reply. So the
   * reply goes out whole, and its end waits for the rest of the body, but not for long.
   */
  #linger(request: IncomingMessage, response: ServerResponse, body: string): void {
    response.write(body);
    const end = (): void => {
      clearTimeout(timer);
      response.end();
    };
    const timer = setTimeout(end, this.#parts.limits.lingerMs);
    request.once('end', end).once('close', end).once('error', end).resume();
  }

  /** Node waits for ever for a client that does not read. */
  #limitWriting(response: ServerResponse): void {
    const timer = setTimeout(() => {
      this.#parts.metrics.count('dropped', { reason: 'unread' });
      response.destroy();
    }, this.#parts.limits.writeTimeoutMs);
    response.once('finish', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
  }

  /** What Node's parser or its timeouts object to. */
  parserFailed(error: NodeJS.ErrnoException, socket: Duplex): void {
    const line = this.#lines.get(socket);
    const response = line?.latest;
    if (line?.isClosing) return void response?.end();
    const isAnswering = response !== undefined && !response.writableFinished;
    // Another answer is on its way, and this one would be taken for it.
    if (isAnswering && (response.headersSent || response.req.complete)) return void socket.destroy();
    this.refuseRaw(socket, parserCodes[error.code ?? ''] ?? 'malformed_request');
  }

  refuseRaw(socket: Duplex, code: RefusalCode): void {
    if (!socket.writable) return void socket.destroy();
    const refusal = this.#counted(code);
    const body = failureBody(refusal, this.#parts.newPromptId());
    const headers = { 'content-type': 'application/json', ...failureHeaders(refusal), connection: 'close' };
    const lines = Object.entries({ ...headers, 'content-length': body.length }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    socket.end(
      `HTTP/1.1 ${refusal.status} ${reasonPhrases[refusal.status] ?? 'Error'}\r\n${lines.join('\r\n')}\r\n\r\n${body}`,
    );
    setTimeout(() => socket.destroy(), this.#parts.limits.lingerMs);
    socket.on('error', () => undefined).resume();
  }

  async drain(deadlineMs: number): Promise<void> {
    this.#isDraining = true;
    const { idleGraceMs } = this.#parts.limits;
    // An http server's own close ends idle connections at once, and with them a request that has just arrived on one.
    const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(this.#server, () => resolve()));
    const sweep = setInterval(() => this.#server.closeIdleConnections(), Math.max(idleGraceMs, 10));
    const last = setTimeout(() => this.#server.closeAllConnections(), deadlineMs);
    await closed;
    clearInterval(sweep);
    clearTimeout(last);
  }
}
