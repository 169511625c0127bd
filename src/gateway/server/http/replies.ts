import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { GatewayReply } from '../../contract.ts';
import type { Metrics } from '../../records/metrics.ts';
import { isCrumbled } from './body.ts';
import type { HttpLimits } from './limits.ts';
import { type Pipeline, readOn } from './pipeline.ts';
import type { ReadingRounds } from './reading-rounds.ts';
import { destroyAfter, endAfter } from './server-socket.ts';

interface RepliesParts {
  readonly limits: HttpLimits;
  readonly metrics: Metrics;
}

/** The replies of all connections on their way to clients, some of whom read late, or never. */
export class Replies {
  readonly #rounds: ReadingRounds;
  readonly #limits: HttpLimits;
  readonly #metrics: Metrics;
  #isDraining = false;
  /** Drops a reply that its client has not taken yet: one for each, with its connection. */
  readonly #untaken = new Map<() => void, Socket>();

  constructor(rounds: ReadingRounds, { limits, metrics }: RepliesParts) {
    this.#rounds = rounds;
    this.#limits = limits;
    this.#metrics = metrics;
  }

  /** True while no client is waited for to take what it was sent. */
  get areTaken(): boolean {
    return this.#untaken.size === 0;
  }

  /** Closes each connection with its next reply; returns what drops the replies of those that take none meanwhile. */
  drain(): () => void {
    this.#isDraining = true;
    // Behind the reply that is not taken others may wait on the same connection.
    const held = new Set(this.#untaken.values());
    return () => {
      for (const [drop, socket] of this.#untaken) if (held.has(socket)) drop();
    };
  }

  /** Sends a reply in its turn among those of its connection, which closes with it where it is the last. */
  send(response: ServerResponse, reply: GatewayReply, line: Pipeline, isLast = this.#isDraining): void {
    const { req: request } = response;
    const isUnread = !request.complete;
    // The parser has an objection to this very request, which is its reply.
    if ((isUnread && line.fault !== undefined) || response.destroyed || response.headersSent) return reply.taken?.();
    line.hasReply = true;
    const { status, headers, body, taken } = reply;
    // A reply that is made already, and only waits for this one, does not say that the connection closes.
    if ((isUnread || isLast) && line.latest?.headersSent === false) line.last ??= line.latest;
    const isClosing = line.last === response;
    const length = Buffer.byteLength(body);
    // Names and values in turn, which Node need not take apart.
    const fields: string[] = [];
    for (const name in headers) fields.push(name, headers[name]!);
    fields.push('content-length', String(length));
    if (isClosing) {
      fields.push('connection', 'close');
      closeGently(request.socket, this.#limits.lingerMs);
      response.once('close', () => readOn(line));
    }
    // Until all of it is read, Node holds a request, with its head, for as long as the connection has no other one.
    if (!isUnread && !request.readableEnded) request.resume();
    response.writeHead(status, fields);
    if (isUnread) this.#linger(response, body);
    else if (length > pieceMax) endInPieces(response, Buffer.from(body));
    // For ASCII both encodings are the same, and Node is faster with this one.
    else response.end(body, length === body.length ? 'latin1' : 'utf8');
    const isWaiting = response.socket === null;
    if (!isWaiting && request.socket.writableLength === 0) return taken?.();
    if (isWaiting || length > pieceMax) endAfter(response);
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
  #linger(response: ServerResponse, body: string): void {
    const { req: request } = response;
    response.write(body);
    const end = (): void => {
      clearTimeout(timer);
      response.end();
    };
    const timer = setTimeout(end, this.#limits.lingerMs);
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
    const { slowRequestMs, writeTimeoutMs } = this.#limits;
    const drop = (): void => {
      this.#metrics.count('dropped', { reason: 'unread' });
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
}

/** The bytes that Node is handed before a client takes some: of these it holds two copies, with TLS three. */
const pieceMax = 256 * 1024;

function endInPieces(response: ServerResponse, body: Buffer): void {
  let at = 0;
  const sendOn = (): void => {
    while (!response.destroyed) {
      const piece = body.subarray(at, (at += pieceMax));
      if (at >= body.length) return void response.end(piece);
      if (!response.write(piece)) return void response.once('drain', sendOn);
    }
  };
  sendOn();
}

/** With its last reply Node closes a connection: what comes in then resets it, and replies not yet read are lost. */
function closeGently(socket: Socket, lingerMs: number): void {
  socket.destroySoon = () => {
    socket.end();
    destroyAfter(socket, lingerMs);
  };
}
