import type { Socket } from 'node:net';
import Client from 'undici/lib/dispatcher/client.js';
import { answerHeaderBytesMax } from '../text/limits.ts';
import type { Secret } from '../text/secret.ts';
import type { Connection } from '../wire/http.ts';
import { skipContinues } from './interim-answers.ts';
import type { OpenSocket } from './open-socket.ts';

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
  /** Called right before each request; calls back once an answer begins. */
  expectAnswer(onStart: () => void): void;
}

/** However long a server offers to wait, a line is closed after this time without a request. */
const idleMsMax = 60_000;

/**
 * A client that is given this one socket and cannot open another: a line that has closed is a failure that we see, and
 * not a reconnect behind our back. Its own timeouts are off, for they are half a second coarse and restart at each
 * byte.
 */
export function createLine(owner: LineOwner, { socket }: OpenSocket): HttpLine {
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
  return { owner, client, socket, expectAnswer: skipContinues(socket) };
}

/** Lines that wait for their next request. They do not keep the process alive, and go when either side closes them. */
export class IdleLines {
  readonly #lines: HttpLine[] = [];

  /** The one that was used last, so that those beyond the need grow old and close. */
  take(owner: LineOwner): HttpLine | undefined {
    const at = this.#lines.findLastIndex((line) => isSame(line.owner, owner));
    return at === -1 ? undefined : this.#lines.splice(at, 1)[0];
  }

  /** A line is watched from its first day; later it is only put back. */
  watch(line: HttpLine): HttpLine {
    line.socket.once('close', () => {
      const at = this.#lines.indexOf(line);
      if (at !== -1) this.#lines.splice(at, 1);
    });
    return line;
  }

  /** A server may answer before it took the whole request, and what is still to be written keeps the process alive. */
  putBack(line: HttpLine): void {
    if (line.socket.destroyed) return;
    if (line.socket.writableLength > 0) line.client.destroy(new Error('answered early'), () => {});
    else this.#lines.push(line);
  }
}

function isSame(one: LineOwner, other: LineOwner): boolean {
  return one.origin === other.origin && one.connection === other.connection && one.token === other.token;
}
