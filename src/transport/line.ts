import type { Socket } from 'node:net';
import Client from 'undici/lib/dispatcher/client.js';
import { answerHeaderBytesMax } from '../text/limits.ts';
import type { Secret } from '../text/secret.ts';
import type { Connection, HttpReply } from '../wire/http.ts';
import type { AnswerTurns } from './answer-turns.ts';
import { type AnswerGate, guardAnswers } from './answer-gate.ts';
import type { OpenSocket } from './open-socket.ts';
import type { Moment, Wakefulness } from './wakefulness.ts';

/** The owner of a line. Another token, or the same settings resolved anew, never speaks over a line of before. */
export interface LineOwner {
  readonly origin: string;
  readonly connection: Connection;
  readonly token: Secret | undefined;
}

/** One open socket that carries one request at a time. */
export interface HttpLine {
  readonly owner: LineOwner;
  readonly client: Client;
  readonly socket: Socket;
  readonly answers: AnswerGate;
}

/** However long a server offers to wait, a line is closed after this time without a request. */
const idleMsMax = 60_000;
/** The same for a server that offers nothing: many close after 5 s. */
const unsaidMs = 4000;
const onTheWayMs = 1000;
/**
 * No line is kept for this time of a server that sent bytes which nobody asked for: the next may cross a request on its
 * way, and would be taken for the answer to that.
 */
const talkativeMs = 3_600_000;
/** Line ends, or the 408 by which a server ends a line on which it waited for a request; neither is an answer. */
const harmless = /^[\r\n]*(?:$|HTTP\/1\.[01] 408 )/;

interface LineParts {
  readonly turns: AnswerTurns;
  readonly idle: IdleLines;
}

/**
 * A client that is given this one socket and cannot open another: a line that has closed is a failure that we see, and
 * not a reconnect behind our back. Its own timeouts are off, for they are half a second coarse and restart at each
 * byte.
 */
export function createLine(owner: LineOwner, { socket }: OpenSocket, parts: LineParts): HttpLine {
  let used = false;
  const client = new Client(owner.origin, {
    allowH2: false,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: answerHeaderBytesMax,
    keepAliveMaxTimeout: idleMsMax,
    connect: (_options, callback) => {
      const closed = used ? new Error('the line has closed') : undefined;
      used = true;
      // The client ignores an answer that comes before it has returned from this call.
      queueMicrotask(() => (closed === undefined ? callback(null, socket) : callback(closed, null)));
    },
  });
  parts.turns.take(socket);
  const answers = guardAnswers(socket, (bytes) => parts.idle.noteUnasked(owner, bytes));
  return { owner, client, socket, answers };
}

interface IdleLine {
  readonly line: HttpLine;
  readonly since: Moment;
  /** The time for which its server surely keeps it. */
  readonly keptMs: number;
}

/**
 * Lines that wait for their next request. They do not keep the process alive, and go when either side closes them. The
 * timer by which the client closes them stands still while the machine sleeps, so their age is asked again.
 */
export class IdleLines {
  readonly #lines: IdleLine[] = [];
  /** The origins that sent bytes which nobody asked for, and when they last did. */
  readonly #talkative = new Map<string, Moment>();
  readonly #wakefulness: Wakefulness;

  constructor(wakefulness: Wakefulness) {
    this.#wakefulness = wakefulness;
  }

  /** The one that was used last, so that those beyond the need grow old and close. */
  take(owner: LineOwner): HttpLine | undefined {
    for (;;) {
      const last = this.#lines.length - 1;
      const isLast = last !== -1 && isSame(this.#lines[last]!.line.owner, owner);
      const at = isLast ? last : this.#lines.findLastIndex(({ line }) => isSame(line.owner, owner));
      if (at === -1) return undefined;
      const { line, since, keptMs } = isLast ? this.#lines.pop()! : this.#lines.splice(at, 1)[0]!;
      const isKept = this.#wakefulness.msSince(since) < keptMs;
      if (this.#isTalkative(owner)) closeLine(line, 'its server sent what nobody asked for');
      else if (isKept && !this.#wakefulness.hasSleptSince(since.monotonic)) return line;
      else closeLine(line, 'too old');
    }
  }

  /** Takes a new line out of the idle ones when it closes, for as long as it lives. */
  watch(line: HttpLine): HttpLine {
    line.socket.once('close', () => {
      const at = this.#lines.findIndex((idle) => idle.line === line);
      if (at !== -1) this.#lines.splice(at, 1);
    });
    return line;
  }

  /** Notes that a line brought bytes which nobody asked for, those that were read of them. */
  noteUnasked(owner: LineOwner, bytes?: Buffer): void {
    if (bytes !== undefined && harmless.test(bytes.toString('latin1', 0, 64))) return;
    if (!this.#isTalkative(owner)) owner.connection.onUnasked?.();
    this.#talkative.set(owner.origin, this.#wakefulness.marked);
  }

  #isTalkative({ origin }: LineOwner): boolean {
    const since = this.#talkative.get(origin);
    return since !== undefined && this.#wakefulness.msSince(since) < talkativeMs;
  }

  /**
   * Keeps a line after an answer with these headers, asked for at that moment. A server may answer before it took the
   * whole request, and what is still to be written keeps the process alive. Node tells of what is written over TLS in
   * the round after, which an answer may come before.
   */
  putBack(line: HttpLine, { headers, startedAt }: { headers: HttpReply['headers']; startedAt: number }): void {
    const idle = { line, since: this.#wakefulness.marked, keptMs: keptMsOf(headers['keep-alive']) };
    if (line.socket.writableLength === 0) this.#keep(idle, startedAt);
    else setImmediate(() => this.#keep(idle, startedAt));
  }

  /**
   * A line whose answer lay there while the machine slept may have closed since, and its end is read only after that
   * answer. The end of each answer is marked.
   */
  #keep(idle: IdleLine, startedAt: number): void {
    const { line } = idle;
    if (line.socket.destroyed) return;
    if (line.socket.writableLength > 0) return closeLine(line, 'answered early');
    if (this.#isTalkative(line.owner)) return closeLine(line, 'its server sent what nobody asked for');
    if (this.#wakefulness.hasSleptSince(startedAt)) return closeLine(line, 'slept');
    this.#lines.push(idle);
  }
}

/** Closes a line, whatever is on its way there; `why` is for those who look into the process. */
export function closeLine(line: HttpLine, why: string): void {
  line.client.destroy(new Error(why), () => {});
}

/** The time for which a server that says this keeps a line open, less some for the way to it. */
function keptMsOf(keepAlive: string | undefined): number {
  const seconds = /timeout=(\d{1,6})/i.exec(keepAlive ?? '')?.[1];
  return seconds === undefined ? unsaidMs : Math.min(idleMsMax, Math.max(0, Number(seconds) * 1000 - onTheWayMs));
}

function isSame(one: LineOwner, other: LineOwner): boolean {
  return one.origin === other.origin && one.connection === other.connection && one.token === other.token;
}
