import { setMaxListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { LastToken } from '../../access/token.ts';
import { Refusal, type RefusalCode } from '../../refusal.ts';

/** A connection of a client, with its requests in the order in which they came. */
export interface Pipeline {
  readonly socket: Duplex;
  /** Aborts when the client has gone. One for all requests of the connection, because to make one takes a while. */
  readonly gone: AbortController;
  readonly lastToken: LastToken;
  /** The reply to the latest request, and to the one before it unless that is over. */
  latest: ServerResponse | undefined;
  before: ServerResponse | undefined;
  /** The reply with which the connection closes, perhaps later: what comes behind its request is not looked at. */
  last: ServerResponse | undefined;
  /** Of the latest request. */
  promptId: string;
  /** The reply to the request that the gateway was asked last. */
  asked: ServerResponse | undefined;
  /** Requests in work, what starts those that wait for it, and what starts the first of these. */
  inWork: number;
  readonly waiting: (() => void)[];
  readonly beginNext: () => void;
  /** Tells of replies that have yet to be taken that this is over. */
  readonly untaken: Set<() => void>;
  /** An objection of the parser to what came behind the requests; told once they have their replies. */
  fault: RefusalCode | undefined;
}

/** A connection on which the first request has come. */
export function openPipeline(socket: Socket, beginNext: () => void): Pipeline {
  const gone = new AbortController();
  const pipeline: Pipeline = {
    socket,
    gone,
    lastToken: new LastToken(),
    latest: undefined,
    before: undefined,
    last: undefined,
    promptId: '',
    asked: undefined,
    inWork: 0,
    waiting: [],
    beginNext,
    untaken: new Set(),
    fault: undefined,
  };
  // Pipelined requests wait for it side by side.
  setMaxListeners(0, gone.signal);
  socket.once('close', () => {
    pipeline.waiting.length = 0;
    // Node tells nothing of replies that waited for others.
    for (const taken of pipeline.untaken) taken();
    gone.abort(new Refusal('client_gone'));
  });
  return pipeline;
}

/** With its last reply Node closes a connection: what comes in then resets it, and replies not yet read are lost. */
export function closeGently(socket: Socket, lingerMs: number): void {
  socket.destroySoon = () => {
    socket.end();
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    socket.once('close', () => clearTimeout(timer));
  };
}
