import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Gateway } from '../../contract.ts';
import type { Log } from '../../records/log.ts';
import type { Metrics } from '../../records/metrics.ts';
import { failureBody, failureHeaders, Refusal, type RefusalCode } from '../../refusal.ts';
import { BodyWaits, readBody } from './body.ts';
import { continueOnce, faultOf, headersOf, isLastOf, parserCodes, rawReply } from './head.ts';
import type { HttpLimits } from './limits.ts';
import { type Pipeline, Pipelines, readOn } from './pipeline.ts';
import { ReadingRounds } from './reading-rounds.ts';
import { Replies } from './replies.ts';
import { destroyAfter } from './server-socket.ts';
import type { ReadingWay } from './slices.ts';
import { acceptWaiting } from './waiting-connections.ts';

export interface HandlerParts {
  readonly gateway: Gateway;
  newPromptId(): string;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly limits: HttpLimits;
}

/** A request whose head was found good. It may wait for others of its connection. */
interface PendingRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly headers: Record<string, string>;
  readonly askForBody: () => void;
  readonly promptId: string;
}

/** The requests of all connections on their way to the gateway function, and its replies on their way back. */
export class HttpHandler {
  readonly #server: Server;
  readonly #parts: HandlerParts;
  readonly #lines: Pipelines;
  /** The TLS socket above each socket that has one. */
  readonly #aboves = new WeakMap<Socket, Socket>();
  readonly #waits = new BodyWaits();
  readonly #rounds = new ReadingRounds();
  readonly #replies: Replies;
  readonly #notePiece = (socket: Socket): void => this.#rounds.noteWantedPiece(socket);

  constructor(server: Server, parts: HandlerParts) {
    this.#server = server;
    this.#parts = parts;
    this.#lines = new Pipelines((line) => this.#beginNext(line), parts);
    this.#replies = new Replies(this.#rounds, parts);
  }

  /**
   * True where a request of a connection is in work, or where a client that had an answer before waits for a further
   * reply or has yet to take it. A connection with TLS is named by the socket below it.
   */
  isBusy(socket: Socket): boolean {
    const line = this.#lines.find(this.#aboves.get(socket) ?? socket);
    return line !== undefined && (line.inWork > 0 || (line.isAnswered && line.latest?.closed === false));
  }

  /** Hears of each connection as soon as it is accepted. */
  noteConnection(): void {
    this.#rounds.noteConnection();
  }

  /** Takes a connection on which requests will come. */
  open(socket: Socket, way?: ReadingWay): void {
    if (socket.destroyed) return;
    if (way?.reader?.above !== undefined) this.#aboves.set(socket, way.reader.above);
    this.#rounds.add(socket, way);
  }

  serve(request: IncomingMessage, response: ServerResponse, expectsContinue: boolean): void {
    this.#rounds.noteRequest(request);
    const line = this.#noteLatest(request, response);
    if (line === undefined) return this.#passOver(request);
    const headers = headersOf(request);
    const fault = faultOf(request, headers, this.#parts.limits);
    if (fault !== undefined) return this.#sendRefusal(request, response, fault);
    // Node loses what came in one piece with an upgrade, and reads on in the middle of another request.
    if (isLastOf(response, headers)) line.last = response;
    const askForBody = continueOnce(response, expectsContinue);
    const pending = { request, response, headers, askForBody, promptId: line.promptId };
    const { inWorkMax } = this.#parts.limits;
    if (line.inWork < inWorkMax && line.waiting.length === 0 && this.#rounds.hasRoom())
      return void this.#work(pending, line);
    this.#lines.wait(line, () => void this.#work(pending, line));
    if (line.inWork < inWorkMax) this.#rounds.begin(line.beginNext);
    // No more is read meanwhile, so that no more wait than what has come already.
    if (line.inWork + line.waiting.length > inWorkMax) line.readOn ??= this.#rounds.hold(request.socket);
  }

  /** Ignores a request behind the last one, and reads no more until that has its reply: Node keeps each that comes. */
  #passOver(request: IncomingMessage): void {
    request.resume();
    const line = this.#lines.of(request.socket);
    if (line.last?.writableFinished === false) line.readOn ??= this.#rounds.hold(request.socket);
  }

  #beginNext(line: Pipeline): void {
    this.#lines.takeWaiting(line)?.();
    if (line.waiting.length > 0 && line.inWork < this.#parts.limits.inWorkMax) this.#rounds.begin(line.beginNext);
  }

  async #work({ request, response, headers, askForBody, promptId }: PendingRequest, line: Pipeline): Promise<void> {
    // Its body broke meanwhile: its refusal waits behind the replies that go before it.
    if (line.fault !== undefined && line.latest === response && !request.complete) return;
    this.#lines.begin(line);
    line.asked = response;
    this.#rounds.noteBegun();
    const reading = {
      waits: this.#waits,
      notePiece: this.#notePiece,
      fault: (): RefusalCode | undefined => line.fault,
    };
    const reply = await this.#parts.gateway({
      method: request.method ?? '',
      path: request.url ?? '',
      headers,
      signal: line.gone.signal,
      lastToken: line.lastToken,
      promptId,
      readBody(bytesMax, received) {
        if (!(Number(headers['content-length']) > bytesMax)) askForBody();
        return readBody(request, headers['content-length'], { bytesMax, received, ...reading });
      },
    });
    if (request.complete) askForBody();
    this.#replies.send(response, reply, line);
    this.#rounds.noteReply(request.socket, reply.status === 200);
    this.#lines.conclude(line, reply.status === 200);
    if (line.waiting.length > 0) this.#rounds.begin(line.beginNext);
    if (line.inWork + line.waiting.length <= this.#parts.limits.inWorkMax) readOn(line);
  }

  /** Notes a request as the latest of its connection, which is returned; undefined where it is not to be answered. */
  #noteLatest({ socket }: IncomingMessage, response: ServerResponse): Pipeline | undefined {
    const line = this.#lines.of(socket);
    if (line.last !== undefined || line.fault !== undefined) return undefined;
    line.before = line.latest?.closed === true ? undefined : line.latest;
    line.latest = response.on('close', line.forget);
    line.promptId = this.#parts.newPromptId();
    return line;
  }

  refuse(request: IncomingMessage, response: ServerResponse, code: RefusalCode): void {
    if (this.#noteLatest(request, response) !== undefined) this.#sendRefusal(request, response, code);
  }

  #sendRefusal(request: IncomingMessage, response: ServerResponse, code: RefusalCode): void {
    const refusal = this.#counted(code);
    const headers = { 'content-type': 'application/json', ...failureHeaders(refusal) };
    const line = this.#lines.of(request.socket);
    const body = failureBody(refusal, line.promptId);
    this.#replies.send(response, { status: refusal.status, headers, body }, line, true);
  }

  #counted(code: RefusalCode): Refusal {
    const refusal = new Refusal(code);
    this.#parts.metrics.count('requests', { status: String(refusal.status) });
    this.#parts.log.debug('refused', { status: refusal.status, code });
    return refusal;
  }

  /** Hears the objections of Node's parser, its timeouts, and of connections that broke. */
  parserFailed({ code = '' }: NodeJS.ErrnoException, socket: Duplex): void {
    const line = this.#lines.find(socket);
    // For Node the time of a head goes on while no more of it is read.
    if (code === 'ERR_HTTP_REQUEST_TIMEOUT' && line?.readOn !== undefined && line.latest?.req.complete !== false)
      return;
    const isBroken = !/^(?:HPE|ERR)_/.test(code);
    this.#refuseConnection(socket, isBroken ? 'client_gone' : (parserCodes[code] ?? 'malformed_request'));
  }

  /** Refuses a CONNECT: Node lets go of its connection, and an error of it that nobody hears would end the process. */
  refuseTunnel(socket: Socket): void {
    this.#rounds.release(socket.on('error', () => undefined));
    this.#refuseConnection(socket, 'method_not_allowed');
  }

  /** Refuses what came behind the requests of a connection, once they have their replies. */
  #refuseConnection(socket: Duplex, code: RefusalCode): void {
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
    destroyAfter(socket, this.#parts.limits.lingerMs);
    socket.on('error', () => undefined).resume();
  }

  async drain(deadlineMs: number): Promise<void> {
    const { idleGraceMs, slowRequestMs } = this.#parts.limits;
    // Open connections are closed later: their clients would open new ones while those that wait are accepted.
    await acceptWaiting(this.#server);
    const dropHeld = this.#replies.drain();
    // An http server's own close ends idle connections at once, and with them a request that has just arrived on one.
    const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(this.#server, () => resolve()));
    const sweep = setInterval(
      () => {
        // For Node a connection is idle, and is closed, although its client has not taken all of its reply.
        if (this.#replies.areTaken) this.#server.closeIdleConnections();
      },
      Math.max(idleGraceMs, 10),
    );
    const stopWaiting = setTimeout(() => {
      this.#waits.stop();
      dropHeld();
      // Heads that are not whole are ended by the next check.
      this.#server.headersTimeout = 1;
    }, slowRequestMs);
    const last = setTimeout(() => this.#server.closeAllConnections(), deadlineMs);
    await closed;
    await this.#lines.concluded();
    for (const timer of [sweep, stopWaiting, last]) clearTimeout(timer);
  }
}
