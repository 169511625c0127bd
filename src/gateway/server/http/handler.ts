import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { afterAwake } from '../../../text/awake-timer.ts';
import { Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Gateway, GatewayReply } from '../../contract.ts';
import type { Log } from '../../records/log.ts';
import type { Metrics } from '../../records/metrics.ts';
import { Refusal, type RefusalCode } from '../../refusal.ts';
import type { ArrivedConnections, ConnectionHandle } from './arrived-connections.ts';
import { BodyWaits, readBody } from './body.ts';
import { continueOnce, failureReply, faultOf, headersOf, isLastOf, parserCodes, rawReply } from './head.ts';
import type { HttpLimits } from './limits.ts';
import { type Pipeline, Pipelines, readOn } from './pipeline.ts';
import { ReadingRounds } from './reading-rounds.ts';
import { Replies } from './replies.ts';
import { destroyAfter } from './server-socket.ts';
import type { ReadingWay } from './slices.ts';
import { untilNoneComes } from './waiting-connections.ts';

export interface HandlerParts {
  /** Hears of each new connection. */
  noteConnection?(): void;
  readonly gateway: Gateway;
  newPromptId(): string;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly limits: HttpLimits;
  /** Milliseconds that this thread has used of processors. */
  readonly processorMs: () => number;
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
  readonly #pipelines: Pipelines;
  /** The TLS socket above each socket that has one. */
  readonly #aboves = new WeakMap<Socket, Socket>();
  readonly #waits = new BodyWaits();
  readonly #arrived: ArrivedConnections;
  readonly #rounds = new ReadingRounds();
  /** Connections that were accepted so far. */
  #accepted = 0;
  readonly #replies: Replies;
  readonly #notePiece = (socket: Socket): void => this.#rounds.noteWantedPiece(socket);

  constructor(server: Server, arrived: ArrivedConnections, parts: HandlerParts) {
    this.#server = server;
    this.#parts = parts;
    this.#pipelines = new Pipelines((pipeline) => this.#beginNext(pipeline), parts);
    this.#replies = new Replies(this.#rounds, parts);
    this.#arrived = arrived;
    this.#rounds.openArrived = () => this.#openArrived();
  }

  /**
   * True where a request of a connection is in work, or where a client that had an answer before waits for a further
   * reply or has yet to take it. A connection with TLS is named by the socket below it.
   */
  isBusy(socket: Socket): boolean {
    const pipeline = this.#pipelines.find(this.#aboves.get(socket) ?? socket);
    return (
      pipeline !== undefined && (pipeline.inWork > 0 || (pipeline.isAnswered && pipeline.latest?.closed === false))
    );
  }

  /** True where a request of a connection had a reply; with TLS it is named by the socket below that. */
  hasReply(socket: Socket): boolean {
    const above = this.#aboves.get(socket);
    return this.#pipelines.find(above ?? socket)?.hasReply === true;
  }

  /** Hears of each connection as soon as it is accepted, and opens it, or another one, where there is room. */
  arrive(connection: ConnectionHandle, open: () => void): void {
    this.#accepted += 1;
    this.#parts.noteConnection?.();
    this.#rounds.noteConnection();
    this.#rounds.noteBegun(this.#arrived.add(connection, open, this.#rounds.hasRoom()));
  }

  #openArrived(): number {
    const work = this.#arrived.open();
    this.#rounds.noteBegun(work);
    return work;
  }

  /** Takes a connection on which requests will come. */
  open(socket: Socket, way?: ReadingWay): void {
    if (socket.destroyed) return;
    if (way?.reader?.above !== undefined) this.#aboves.set(socket, way.reader.above);
    this.#rounds.add(socket, way);
  }

  serve(request: IncomingMessage, response: ServerResponse, expectsContinue: boolean): void {
    this.#rounds.noteRequest(request);
    const pipeline = this.#noteLatest(request, response);
    if (pipeline === undefined) return this.#passOver(request);
    const headers = headersOf(request);
    const fault = faultOf(request, headers, this.#parts.limits);
    if (fault !== undefined) return this.#sendRefusal(request, response, fault);
    // Node loses what came in one piece with an upgrade, and reads on in the middle of another request.
    if (isLastOf(response, headers)) pipeline.last = response;
    const askForBody = continueOnce(response, expectsContinue);
    const pending = { request, response, headers, askForBody, promptId: pipeline.promptId };
    const { inWorkMax } = this.#parts.limits;
    if (pipeline.inWork < inWorkMax && pipeline.waiting.length === 0 && this.#rounds.hasRoom())
      return void this.#work(pending, pipeline);
    this.#pipelines.wait(pipeline, () => void this.#work(pending, pipeline));
    if (pipeline.inWork < inWorkMax) this.#rounds.begin(pipeline.beginNext);
    // No more is read meanwhile, so that no more wait than what has come already.
    if (pipeline.inWork + pipeline.waiting.length > inWorkMax) pipeline.readOn ??= this.#rounds.hold(request.socket);
  }

  /** Ignores a request behind the last one, and reads no more until that has its reply: Node keeps each that comes. */
  #passOver(request: IncomingMessage): void {
    request.resume();
    const pipeline = this.#pipelines.of(request.socket);
    if (pipeline.last?.writableFinished === false) pipeline.readOn ??= this.#rounds.hold(request.socket);
  }

  #beginNext(pipeline: Pipeline): void {
    this.#pipelines.takeWaiting(pipeline)?.();
    if (pipeline.waiting.length > 0 && pipeline.inWork < this.#parts.limits.inWorkMax)
      this.#rounds.begin(pipeline.beginNext);
  }

  async #work({ request, response, headers, askForBody, promptId }: PendingRequest, pipeline: Pipeline): Promise<void> {
    // Its body broke meanwhile: its refusal waits behind the replies that go before it.
    if (pipeline.fault !== undefined && pipeline.latest === response && !request.complete) return;
    this.#pipelines.begin(pipeline);
    pipeline.asked = response;
    this.#rounds.noteBegun();
    const reading = {
      waits: this.#waits,
      notePiece: this.#notePiece,
      fault: (): RefusalCode | undefined => pipeline.fault,
      canBreak: (breakOff: () => void): void => void (pipeline.breakOff = breakOff),
    };
    const reply = await this.#parts.gateway({
      method: request.method ?? '',
      path: request.url ?? '',
      headers,
      signal: pipeline.gone.signal,
      lastToken: pipeline.lastToken,
      promptId,
      readBody(bytesMax, received) {
        if (!(Number(headers['content-length']) > bytesMax)) askForBody();
        return readBody(request, headers['content-length'], { bytesMax, received, ...reading });
      },
    });
    if (request.complete) askForBody();
    if (pipeline.asked === response) pipeline.breakOff = undefined;
    this.#replies.send(response, reply, pipeline);
    if (pipeline.fault !== undefined && pipeline.latest === response && !request.complete)
      this.#sendInTurn(request.socket, pipeline.before, () => reply);
    this.#rounds.noteReply(request.socket, reply.holder);
    this.#pipelines.conclude(pipeline, reply.status === 200);
    if (pipeline.waiting.length > 0) this.#rounds.begin(pipeline.beginNext);
    if (pipeline.inWork + pipeline.waiting.length <= this.#parts.limits.inWorkMax) readOn(pipeline);
  }

  /** Notes a request as the latest of its connection, which is returned; undefined where it is not to be answered. */
  #noteLatest({ socket }: IncomingMessage, response: ServerResponse): Pipeline | undefined {
    const pipeline = this.#pipelines.of(socket);
    if (pipeline.last !== undefined || pipeline.fault !== undefined) return undefined;
    pipeline.before = pipeline.latest?.closed === true ? undefined : pipeline.latest;
    pipeline.latest = response.on('close', pipeline.forget);
    pipeline.promptId = this.#parts.newPromptId();
    return pipeline;
  }

  refuse(request: IncomingMessage, response: ServerResponse, code: RefusalCode): void {
    if (this.#noteLatest(request, response) !== undefined) this.#sendRefusal(request, response, code);
  }

  #sendRefusal(request: IncomingMessage, response: ServerResponse, code: RefusalCode): void {
    const pipeline = this.#pipelines.of(request.socket);
    this.#replies.send(response, this.#failure(code, pipeline.promptId), pipeline, true);
    this.#rounds.noteReply(request.socket, undefined);
  }

  /** The reply to a request that the gateway was not asked; it is counted. */
  #failure(code: RefusalCode, promptId: string): GatewayReply {
    const refusal = new Refusal(code);
    this.#parts.metrics.count('requests', { status: String(refusal.status) });
    this.#parts.log.debug('refused', { status: refusal.status, code });
    return failureReply(refusal, promptId);
  }

  /** Hears the objections of Node's parser, its timeouts, and of connections that broke. */
  parserFailed({ code = '' }: NodeJS.ErrnoException, socket: Duplex): void {
    const pipeline = this.#pipelines.find(socket);
    // For Node the time of a head goes on while no more of it is read.
    if (
      code === 'ERR_HTTP_REQUEST_TIMEOUT' &&
      pipeline?.readOn !== undefined &&
      pipeline.latest?.req.complete !== false
    )
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
    const pipeline = this.#pipelines.find(socket);
    if (pipeline === undefined) return this.#sendRaw(socket, () => this.#failure(code, this.#parts.newPromptId()));
    if (pipeline.last?.req.complete === true || pipeline.fault !== undefined) return;
    if (pipeline.last?.headersSent === true) return void pipeline.last.end();
    pipeline.fault = code;
    // Replies go out in the order of the requests, and what is wrong may be the latest request itself.
    const isLatest = pipeline.latest?.req.complete === false;
    // The gateway audits a request that it was asked, and may have refused it already: its client is told the same.
    const isAsked = isLatest && pipeline.asked === pipeline.latest;
    if (isAsked && code !== 'client_gone') return pipeline.breakOff?.();
    const reply = (): GatewayReply =>
      isAsked ? failureReply(new Refusal(code), pipeline.promptId) : this.#failure(code, this.#parts.newPromptId());
    this.#sendInTurn(socket, isLatest ? pipeline.before : pipeline.latest, reply);
  }

  /** Sends the last reply of a connection behind the one before it. */
  #sendInTurn(socket: Duplex, before: ServerResponse | undefined, reply: () => GatewayReply): void {
    const send = (): void => this.#sendRaw(socket, reply);
    if (before === undefined || before.closed || !socket.writable) send();
    else before.once('close', send);
  }

  #sendRaw(socket: Duplex, reply: () => GatewayReply): void {
    // Node objects to all that comes behind a refusal as well, which its client has yet to read.
    if (socket.writableEnded) return;
    if (!socket.writable) return void socket.destroy();
    socket.end(rawReply(reply()));
    destroyAfter(socket, this.#parts.limits.lingerMs);
    socket.on('error', () => undefined).resume();
  }

  async drain(deadlineMs: number): Promise<void> {
    const { idleGraceMs, slowRequestMs } = this.#parts.limits;
    // Open connections are closed later: their clients would open new ones while those that wait are accepted.
    await untilNoneComes(() => this.#accepted, this.#parts.processorMs);
    this.#arrived.open(Infinity);
    const dropHeld = this.#replies.drain();
    // An http server's own close ends idle connections at once, and with them a request that has just arrived on one.
    const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(this.#server, () => resolve()));
    const endIdle = (): void => {
      // For Node a connection is idle, and is closed, although its client has not taken all of its reply.
      if (this.#replies.areTaken) this.#server.closeIdleConnections();
    };
    // Behind the reading of a round: requests that came while this process stood still are read first.
    const sweep = setInterval(() => setImmediate(endIdle), Math.max(idleGraceMs, 10));
    const stopWaiting = afterAwake(slowRequestMs, () => {
      this.#waits.stop();
      dropHeld();
      // Heads that are not whole are ended by the next check.
      this.#server.headersTimeout = 1;
    });
    const last = afterAwake(deadlineMs, () => this.#server.closeAllConnections());
    await closed;
    await this.#pipelines.concluded();
    clearInterval(sweep);
    for (const timer of [stopWaiting, last]) timer.end();
  }
}
