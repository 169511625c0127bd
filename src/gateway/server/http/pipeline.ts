import { setMaxListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { LastToken } from '../../access/token.ts';
import type { Metrics } from '../../records/metrics.ts';
import { Refusal, type RefusalCode } from '../../refusal.ts';
import type { HttpLimits } from './limits.ts';

/** The time that prompts have whose connections are closed, and how often they are looked at. */
const concludingMs = 5;
const concludingLooksMax = 200;

/** A connection of a client, with its requests in the order in which they came. */
export interface Pipeline {
  readonly socket: Duplex;
  /** Aborts when the client has gone. One for all requests of the connection, because to make one takes a while. */
  readonly gone: AbortController;
  readonly lastToken: LastToken;
  /** The reply to the latest request, and to the one before it, unless they are over. With each its head is held. */
  latest: ServerResponse | undefined;
  before: ServerResponse | undefined;
  /** The reply with which the connection closes, perhaps later: what comes behind its request is not looked at. */
  last: ServerResponse | undefined;
  /** Of the latest request. */
  promptId: string;
  /** The latest request when its reply was first seen to be over, and the moment of that look. */
  idle: { readonly promptId: string; readonly since: number } | undefined;
  /** The reply to the request that the gateway was asked last. */
  asked: ServerResponse | undefined;
  /** True once a prompt of it was answered. */
  isAnswered: boolean;
  /** True once a request of it had a reply, whatever that was. */
  hasReply: boolean;
  /** Requests in work, what starts those that wait for it, and what starts the first of these. */
  inWork: number;
  readonly waiting: (() => void)[];
  readonly beginNext: () => void;
  /** Lets go of a reply that is over: ten thousand that idled behind heads of 30 kB took 0.65 GB. */
  readonly forget: () => void;
  /** Has the connection read on, while no more of it is read. */
  readOn: (() => void) | undefined;
  /** Tells of replies that have yet to be taken that this is over. */
  readonly untaken: Set<() => void>;
  /** An objection of the parser to what came behind the requests; told once they have their replies. */
  fault: RefusalCode | undefined;
  /** Ends the reading of the body that comes in. */
  breakOff: (() => void) | undefined;
}

interface PipelineParts {
  readonly limits: HttpLimits;
  readonly metrics: Metrics;
}

/**
 * The connections on which a request has come. Node's idle time begins anew with each byte, and a line end before a
 * request is no part of its head: a client that sends nothing else would keep its connection for ever.
 */
export class Pipelines {
  readonly #beginNext: (pipeline: Pipeline) => void;
  readonly #limits: HttpLimits;
  readonly #metrics: Metrics;
  readonly #known = new WeakMap<Duplex, Pipeline>();
  readonly #open = new Set<Pipeline>();
  #looks: NodeJS.Timeout | undefined;
  /** Requests of all connections that wait to be begun, and those in work, also where the client has gone since. */
  #waiting = 0;
  #inWork = 0;

  constructor(beginNext: (pipeline: Pipeline) => void, { limits, metrics }: PipelineParts) {
    this.#beginNext = beginNext;
    this.#limits = limits;
    this.#metrics = metrics;
  }

  find(socket: Duplex): Pipeline | undefined {
    return this.#known.get(socket);
  }

  of(socket: Socket): Pipeline {
    const known = this.#known.get(socket);
    if (known !== undefined) return known;
    const pipeline = openPipeline(socket, () => this.#beginNext(pipeline));
    this.#known.set(socket, pipeline);
    this.#open.add(pipeline);
    this.#looks ??= this.#startLooks();
    socket.once('close', () => {
      this.#waiting -= pipeline.waiting.length;
      pipeline.waiting.length = 0;
      this.#open.delete(pipeline);
      if (this.#open.size > 0) return;
      clearInterval(this.#looks);
      this.#looks = undefined;
    });
    return pipeline;
  }

  /**
   * Has a request wait behind others. Each takes 3 kB here and costs its client nothing, not even to read a reply.
   * So where too many wait, the connection of one more is closed if it has many of them. The limits are lower for one
   * without an answer yet: its client may have no token, and 64 kB more of it may wait to be parsed.
   */
  wait(pipeline: Pipeline, begin: () => void): void {
    if (pipeline.socket.destroyed) return;
    pipeline.waiting.push(begin);
    this.#waiting += 1;
    const { waitingMax, inWorkMax } = this.#limits;
    const [allMax, ownMax] = pipeline.isAnswered ? [waitingMax, 4 * inWorkMax] : [waitingMax / 2, inWorkMax];
    if (this.#waiting <= allMax || pipeline.waiting.length <= ownMax) return;
    this.#metrics.count('dropped', { reason: 'waiting' });
    pipeline.socket.destroy();
  }

  takeWaiting(pipeline: Pipeline): (() => void) | undefined {
    const next = pipeline.waiting.shift();
    if (next !== undefined) this.#waiting -= 1;
    return next;
  }

  begin(pipeline: Pipeline): void {
    pipeline.inWork += 1;
    this.#inWork += 1;
  }

  conclude(pipeline: Pipeline, isAnswered: boolean): void {
    pipeline.isAnswered ||= isAnswered;
    pipeline.inWork -= 1;
    this.#inWork -= 1;
  }

  /** Resolves once nothing is in work: a prompt has its line in the audit later than its connection may be closed. */
  async concluded(): Promise<void> {
    for (let looks = 0; this.#inWork > 0 && looks < concludingLooksMax; looks++) await wait(concludingMs);
  }

  /** Made apart from any connection, which it would hold for as long as there are others. */
  #startLooks(): NodeJS.Timeout {
    return setInterval(() => this.#endIdle(), this.#limits.checkIntervalMs).unref();
  }

  /** Closes what was idle for longer than a client may take to begin a request and to send its head. */
  #endIdle(): void {
    const now = performance.now();
    const idleMsMax = this.#limits.keepAliveMs + this.#limits.headersTimeoutMs;
    for (const pipeline of this.#open) {
      const { latest, promptId, idle } = pipeline;
      if (latest !== undefined && !latest.closed) continue;
      if (idle?.promptId !== promptId) pipeline.idle = { promptId, since: now };
      else if (now - idle.since > idleMsMax) pipeline.socket.destroy();
    }
  }
}

/** A connection on which the first request has come. */
function openPipeline(socket: Socket, beginNext: () => void): Pipeline {
  const gone = new AbortController();
  const pipeline: Pipeline = {
    socket,
    gone,
    lastToken: new LastToken(),
    latest: undefined,
    before: undefined,
    last: undefined,
    promptId: '',
    idle: undefined,
    asked: undefined,
    isAnswered: false,
    hasReply: false,
    inWork: 0,
    waiting: [],
    beginNext,
    forget: () => {
      if (pipeline.latest?.closed === true) pipeline.latest = undefined;
      if (pipeline.before?.closed === true) pipeline.before = undefined;
      if (pipeline.asked?.closed === true) pipeline.asked = undefined;
    },
    readOn: undefined,
    untaken: new Set(),
    fault: undefined,
    breakOff: undefined,
  };
  // Pipelined requests wait for it side by side.
  setMaxListeners(0, gone.signal);
  socket.once('close', () => {
    // Node tells nothing of replies that waited for others.
    for (const taken of pipeline.untaken) taken();
    gone.abort(new Refusal('client_gone'));
  });
  return pipeline;
}

export function readOn(pipeline: Pipeline): void {
  pipeline.readOn?.();
  pipeline.readOn = undefined;
}
