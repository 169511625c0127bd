import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Gateway, GatewayReply } from '../../contract.ts';
import type { Log } from '../../records/log.ts';
import type { Metrics } from '../../records/metrics.ts';
import { failureBody, failureHeaders, Refusal, type RefusalCode } from '../../refusal.ts';
import { BodyWaits, isCrumbled, readBody } from './body.ts';
import { continueOnce, faultOf, headersOf, isLastOf, parserCodes, rawReply } from './head.ts';
import type { HttpLimits } from './limits.ts';
import { closeGently, type Pipeline, Pipelines, readOn } from './pipeline.ts';
import { ReadingRounds } from './reading-rounds.ts';
import type { ReadingWay } from './slices.ts';
import { acceptWaiting } from './waiting-connections.ts';

export interface HandlerParts {
  readonly gateway: Gateway;
  newPromptId(): string;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly limits: HttpLimits;
}

interface Asked {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly headers: Record<string, string>;
  readonly ask: () => void;
  readonly promptId: string;
}

/** The requests of all connections on their way to the gateway function, and its replies on their way back. */
export class HttpHandler {
  readonly #server: Server;
  readonly #parts: HandlerParts;
  readonly #lines: Pipelines;
  #connections = 0;
  #isDraining = false;
  readonly #waits = new BodyWaits();
  readonly #rounds = new ReadingRounds();
  readonly #cameIn = (socket: Socket): void => this.#rounds.noteWantedPiece(socket);
  /** Drops a reply that its client has not taken yet: one for each, with its connection. */
  readonly #untaken = new Map<() => void, Socket>();

  constructor(server: Server, parts: HandlerParts) {
    this.#server = server;
    this.#parts = parts;
    this.#lines = new Pipelines((line) => this.#beginNext(line), parts);
  }

  /** Counts a connection, and closes one too many: by Node's own limit full workers hand it to each other for ever. */
  count(socket: Socket): void {
    const { metrics, limits } = this.#parts;
    metrics.set('connections', (this.#connections += 1));
    socket.once('close', () => metrics.set('connections', (this.#connections -= 1)));
    if (this.#connections <= limits.connectionsMax) return;
    metrics.count('dropped', { reason: 'limit' });
    socket.destroy();
  }

  /** Takes a connection on which requests will come. */
  open(socket: Socket, way?: ReadingWay): void {
    if (!socket.destroyed) this.#rounds.add(socket, way);
  }

  serve(request: IncomingMessage, response: ServerResponse, expectsContinue: boolean): void {
    this.#rounds.noteRequest(request);
    const line = this.#opened(request, response);
    if (line === undefined) return this.#passOver(request);
    const headers = headersOf(request);
    const fault = faultOf(request, headers, this.#parts.limits);
    if (fault !== undefined) return this.#refuse(request, response, fault);
    // Node loses what came in one piece with an upgrade, and reads on in the middle of another request.
    if (isLastOf(response, headers)) line.last = response;
    const asked = { request, response, headers, ask: continueOnce(response, expectsContinue), promptId: line.promptId };
    const { inWorkMax } = this.#parts.limits;
    if (line.inWork < inWorkMax && line.waiting.length === 0 && this.#rounds.hasRoom())
      return void this.#work(asked, line);
    this.#lines.wait(line, () => void this.#work(asked, line));
    if (line.inWork < inWorkMax) this.#rounds.begin(line.beginNext);
    // No more is read meanwhile, so that no more wait than what has come already.
    if (line.inWork + line.waiting.length > inWorkMax) line.readOn ??= this.#rounds.hold(request.socket);
  }

  /** Reads no more behind the last request until its reply is through: Node keeps each that comes till then. */
  #passOver(request: IncomingMessage): void {
    request.resume();
    const line = this.#lines.of(request.socket);
    if (line.last?.writableFinished === false) line.readOn ??= this.#rounds.hold(request.socket);
  }

  #beginNext(line: Pipeline): void {
    this.#lines.takeWaiting(line)?.();
    if (line.waiting.length > 0 && line.inWork < this.#parts.limits.inWorkMax) this.#rounds.begin(line.beginNext);
  }

  async #work({ request, response, headers, ask, promptId }: Asked, line: Pipeline): Promise<void> {
    // Its refusal stands behind the replies that go before it.
    if (line.fault !== undefined && line.latest === response && !request.complete) return;
    this.#lines.begin(line);
    line.asked = response;
    this.#rounds.noteBegun();
    const reading = { waits: this.#waits, cameIn: this.#cameIn, fault: (): RefusalCode | undefined => line.fault };
    const reply = await this.#parts.gateway({
      method: request.method ?? '',
      path: request.url ?? '',
      headers,
      signal: line.gone.signal,
      lastToken: line.lastToken,
      promptId,
      readBody(bytesMax, received) {
        if (!(Number(headers['content-length']) > bytesMax)) ask();
        return readBody(request, headers['content-length'], { bytesMax, received, ...reading });
      },
    });
    if (request.complete) ask();
    this.#send(request, response, reply);
    if (reply.status === 200) this.#rounds.noteAnswered(request.socket);
    this.#lines.conclude(line, reply.status === 200);
    if (line.waiting.length > 0) this.#rounds.begin(line.beginNext);
    if (line.inWork + line.waiting.length <= this.#parts.limits.inWorkMax) readOn(line);
  }

  /** The connection of a request that is to be answered. */
  #opened({ socket }: IncomingMessage, response: ServerResponse): Pipeline | undefined {
    const line = this.#lines.of(socket);
    if (line.last !== undefined || line.fault !== undefined) return undefined;
    // A reply that is over is not held, for its request would be held with it.
    line.before = line.latest?.closed === true ? undefined : line.latest;
    line.latest = response;
    line.promptId = this.#parts.newPromptId();
    return line;
  }

  refuse(request: IncomingMessage, response: ServerResponse, code: RefusalCode): void {
    if (this.#opened(request, response) !== undefined) this.#refuse(request, response, code);
  }

  #refuse(request: IncomingMessage, response: ServerResponse, code: RefusalCode): void {
    const refusal = this.#counted(code);
    const headers = { 'content-type': 'application/json', ...failureHeaders(refusal) };
    const body = failureBody(refusal, this.#lines.of(request.socket).promptId);
    this.#send(request, response, { status: refusal.status, headers, body }, true);
  }

  #counted(code: RefusalCode): Refusal {
    const refusal = new Refusal(code);
    this.#parts.metrics.count('requests', { status: String(refusal.status) });
    this.#parts.log.debug('refused', { status: refusal.status, code });
    return refusal;
  }

  #send(request: IncomingMessage, response: ServerResponse, reply: GatewayReply, isLast = this.#isDraining): void {
    const isUnread = !request.complete;
    const line = this.#lines.of(request.socket);
    // The parser has an objection to this very request, which is its reply.
    if ((isUnread && line.fault !== undefined) || response.destroyed || response.headersSent) return reply.taken?.();
    const { status, headers, body, taken } = reply;
    // A reply that is made already, and only waits for this one, does not say that the connection closes.
    if ((isUnread || isLast) && line.latest?.headersSent === false) line.last ??= line.latest;
    const isClosing = line.last === response;
    const length = Buffer.byteLength(body);
    // Names and values in turn, which Node need not take apart.
    const lines: string[] = [];
    for (const name in headers) lines.push(name, headers[name]!);
    lines.push('content-length', String(length));
    if (isClosing) {
      lines.push('connection', 'close');
      closeGently(request.socket, this.#parts.limits.lingerMs);
      response.once('close', () => readOn(line));
    }
    response.writeHead(status, lines);
    if (isUnread) this.#linger(request, response, body);
    // For ASCII both encodings are the same, and Node is faster with this one.
    else response.end(body, length === body.length ? 'latin1' : 'utf8');
    const isWaiting = response.socket === null;
    if (!isWaiting && request.socket.writableLength === 0) return taken?.();
    if (taken !== undefined) this.#tellTaken(taken, response, line);
    // The reply to a pipelined request waits for those before it, and cannot be taken sooner.
    if (isWaiting) response.once('socket', () => this.#limitWriting(response));
    else this.#limitWriting(response);
  }

  #tellTaken(taken: () => void, response: ServerResponse, { socket, untaken }: Pipeline): void {
    if (socket.destroyed) return taken();
    untaken.add(taken);
    response.once('close', () => {
      untaken.delete(taken);
      taken();
    });
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
    request.once('end', end).once('close', end).once('error', end);
    let [pieces, bytes] = [0, 0];
    request.on('data', (chunk: Buffer) => {
      this.#rounds.notePiece(request.socket);
      pieces += 1;
      bytes += chunk.length;
      if (isCrumbled(pieces, bytes)) end();
    });
    request.resume();
  }

  /** Node waits for ever for a client that does not read. */
  #limitWriting(response: ServerResponse): void {
    const { slowRequestMs, writeTimeoutMs } = this.#parts.limits;
    const drop = (): void => {
      this.#parts.metrics.count('dropped', { reason: 'unread' });
      response.destroy();
    };
    const timer = setTimeout(drop, this.#isDraining ? slowRequestMs : writeTimeoutMs);
    const end = (): void => {
      clearTimeout(timer);
      this.#untaken.delete(drop);
    };
    this.#untaken.set(drop, response.socket!);
    response.once('finish', end).once('close', end);
  }

  /** Hears the objections of Node's parser, its timeouts, and of connections that broke. */
  parserFailed({ code = '' }: NodeJS.ErrnoException, socket: Duplex): void {
    const line = this.#lines.find(socket);
    // For Node the time of a head goes on while no more of it is read.
    if (code === 'ERR_HTTP_REQUEST_TIMEOUT' && line?.readOn !== undefined && line.latest?.req.complete === true) return;
    const isBroken = !/^(?:HPE|ERR)_/.test(code);
    this.refuseConnection(socket, isBroken ? 'client_gone' : (parserCodes[code] ?? 'malformed_request'));
  }

  /** Refuses a CONNECT: Node lets go of its connection, and an error of it that nobody hears would end the process. */
  refuseTunnel(socket: Socket): void {
    this.#rounds.release(socket.on('error', () => undefined));
    this.refuseConnection(socket, 'method_not_allowed');
  }

  /** Refuses what came behind the requests of a connection, once they have their replies. */
  refuseConnection(socket: Duplex, code: RefusalCode): void {
    const line = this.#lines.find(socket);
    if (line === undefined) return this.#refuseRaw(socket, code);
    if (line.last?.req.complete === true || line.fault !== undefined) return;
    if (line.last?.headersSent === true) return void line.last.end();
    line.fault = code;
    // Replies go out in the order of the requests, and what is wrong may be the latest request itself.
    const isLatest = line.latest?.req.complete === false;
    const good = isLatest ? line.before : line.latest;
    const audited = isLatest && line.asked === line.latest ? line.promptId : undefined;
    const refuse = (): void => this.#refuseRaw(socket, code, audited);
    if (good === undefined || good.closed || !socket.writable) refuse();
    else good.once('close', refuse);
  }

  /** The gateway counts and audits a request that it was asked; its client is told the ID of that line. */
  #refuseRaw(socket: Duplex, code: RefusalCode, audited?: string): void {
    // Node objects to all that comes behind a refusal as well, which its client has yet to read.
    if (socket.writableEnded) return;
    if (!socket.writable) return void socket.destroy();
    const refusal = audited === undefined ? this.#counted(code) : new Refusal(code);
    socket.end(rawReply(refusal, audited ?? this.#parts.newPromptId()));
    setTimeout(() => socket.destroy(), this.#parts.limits.lingerMs);
    socket.on('error', () => undefined).resume();
  }

  async drain(deadlineMs: number): Promise<void> {
    const { idleGraceMs, slowRequestMs } = this.#parts.limits;
    // Open connections are closed later: their clients would open new ones while those that wait are accepted.
    await acceptWaiting(this.#server);
    this.#isDraining = true;
    // An http server's own close ends idle connections at once, and with them a request that has just arrived on one.
    const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(this.#server, () => resolve()));
    const sweep = setInterval(
      () => {
        // For Node a connection is idle, and is closed, although its client has not taken all of its reply.
        if (this.#untaken.size === 0) this.#server.closeIdleConnections();
      },
      Math.max(idleGraceMs, 10),
    );
    // Behind the reply that is not taken others may wait on the same connection.
    const held = new Set(this.#untaken.values());
    const stopWaiting = setTimeout(() => {
      this.#waits.stop();
      for (const [drop, socket] of this.#untaken) if (held.has(socket)) drop();
      // Heads that are not whole are ended by the next check.
      this.#server.headersTimeout = 1;
    }, slowRequestMs);
    const last = setTimeout(() => this.#server.closeAllConnections(), deadlineMs);
    await closed;
    await this.#lines.concluded();
    for (const timer of [sweep, stopWaiting, last]) clearTimeout(timer);
  }
}
