import type { Worker } from 'node:cluster';
import { afterAwake, type AwakeTimer } from '../../../text/awake-timer.ts';
import { ByHolder } from '../by-holder.ts';
import { networkOf } from './networks.ts';
import { untilNoneComes } from './waiting-connections.ts';

/** A message by which Node hands a connection to a worker, and the worker's to say that it has taken it. */
interface HandingOver {
  readonly cmd?: string;
  readonly act?: string;
  /** Of the port, in each message that is about one. */
  readonly key?: string;
  readonly seq?: number;
  readonly ack?: number;
  readonly accepted?: boolean;
}

/** The system's side of a connection, in the process above the workers. */
interface Connection {
  close(): void;
  getpeername(into: { address?: string }): number;
}

interface Untaken {
  readonly message: HandingOver;
  readonly connection: Connection;
  readonly network: string;
  /** Ends it here; a worker that has it keeps it. */
  close(): void;
}

interface Receiver {
  send(message: HandingOver, connection: Connection): boolean;
  underWay: Untaken | undefined;
  /** Has Node take it that the worker listens no more, though it takes all that it is sent. */
  leavePort(): void;
}

export interface UntakenParts {
  /** More are closed. */
  readonly max: number;
  /** Hears of each that is closed because there are too many. */
  readonly dropped: () => void;
  /** Hears of each that its client has reset before a worker had it. */
  readonly reset: () => void;
  /** Milliseconds that this process has used of processors. */
  readonly processorMs: () => number;
}

/** Before the workers are told to end, those that wait are handed on, unless none is taken for so long. */
export const stalledMs = 5000;

/**
 * The connections that no worker has yet. A worker takes one at a time, and Node would have the others wait in the
 * order in which they came, however many: one client that opens and leaves thousands would keep all others out for
 * seconds. Here those of different networks take turns.
 */
export class UntakenConnections {
  readonly #parts: UntakenParts;
  readonly #waiting = new ByHolder<Untaken>();
  /** The workers that listen, as far as Node has named them. */
  readonly #receivers = new Set<Receiver>();
  /** Those of them that nothing is under way to. */
  readonly #free = new Set<Receiver>();
  readonly #atPort = new Map<Worker, Receiver>();
  #accepted = 0;
  #emptied = (): void => undefined;
  /** Of the wait for those that are handed on before the end. */
  #stall: AwakeTimer | undefined;

  constructor(parts: UntakenParts) {
    this.#parts = parts;
  }

  /** Has a worker take its connections from here. */
  serve(worker: Worker): void {
    const { process: child } = worker;
    const send = child.send.bind(child) as (message: HandingOver, ...more: unknown[]) => boolean;
    let key: string | undefined;
    const leavePort = (): void => void child.emit('internalMessage', { cmd: 'NODE_CLUSTER', act: 'close', key });
    const receiver: Receiver = { send, underWay: undefined, leavePort };
    child.send = (message: HandingOver, ...more: unknown[]): boolean => {
      if (message.key !== undefined) this.#atPort.set(worker, receiver);
      key = message.key ?? key;
      if (message.act !== 'newconn') return send(message, ...more);
      this.#receivers.add(receiver);
      if (receiver.underWay === undefined) this.#free.add(receiver);
      this.#add(message, more[0] as Connection);
      // As if the worker had taken it: Node hands over the next one.
      child.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack: message.seq, accepted: true });
      this.#handOn();
      return true;
    };
    child.on('internalMessage', ({ cmd, ack, accepted }: HandingOver) => {
      const { underWay } = receiver;
      if (underWay === undefined) return;
      // The system did not give it to the worker, which has no file descriptor left, and so never says that it has it.
      const isLost = cmd === 'NODE_HANDLE_NACK';
      if (!isLost && (ack === undefined || ack !== underWay.message.seq)) return;
      receiver.underWay = undefined;
      this.#stall?.again();
      if (isLost || accepted === true) {
        underWay.close();
        this.#free.add(receiver);
      } else {
        // It listens no more.
        this.#waiting.add(underWay.network, underWay);
        this.#forget(receiver);
      }
      this.#handOn();
    });
    const end = (): void => {
      this.#atPort.delete(worker);
      receiver.underWay?.close();
      receiver.underWay = undefined;
      this.#forget(receiver);
    };
    const disconnect = child.disconnect.bind(child);
    // Node's own, once the worker has closed its line: all that it ever said was read before.
    child.disconnect = () => {
      const { underWay } = receiver;
      disconnect();
      if (underWay === undefined) return;
      receiver.underWay = undefined;
      this.#waiting.add(underWay.network, underWay);
      // Node would tell it once the worker says that it has the connection. It would drop those that come until then.
      child.emit('disconnect');
      this.#handOn();
    };
    child.once('disconnect', end).once('exit', end);
  }

  /** True for a worker that connections may be under way to, though it has not said yet that it listens. */
  isAtPort(worker: Worker): boolean {
    return this.#atPort.has(worker);
  }

  /**
   * Closes the port, and resolves once no connection waits any more; with false where the workers take none. The port
   * comes first: where the last worker closes it, those that have come meanwhile are reset.
   */
  async closePort(): Promise<boolean> {
    await untilNoneComes(() => this.#accepted, this.#parts.processorMs);
    for (const receiver of this.#atPort.values()) receiver.leavePort();
    return await this.#handedOn();
  }

  async #handedOn(): Promise<boolean> {
    if (this.#waiting.size === 0) return true;
    return await new Promise((resolve) => {
      // A slow machine takes its time: a worker that gets a turn takes one in it.
      const stall = afterAwake(stalledMs, () => resolve(false));
      this.#stall = stall;
      this.#emptied = () => {
        stall.end();
        resolve(true);
      };
    });
  }

  #add(message: HandingOver, connection: Connection): void {
    this.#accepted += 1;
    const close = connection.close.bind(connection);
    // Node closes its end of one that it takes for taken.
    connection.close = () => undefined;
    const peer: { address?: string } = {};
    if (connection.getpeername(peer) !== 0) return this.#closeReset({ close });
    const network = networkOf(peer.address);
    this.#waiting.add(network, { message, connection, network, close });
    if (this.#waiting.size <= this.#parts.max) return;
    const [holder, [oldest]] = this.#waiting.largest()!;
    this.#waiting.delete(holder, oldest!);
    oldest!.close();
    this.#parts.dropped();
  }

  #handOn(): void {
    for (const receiver of this.#free) {
      const next = this.#takeNext();
      if (next === undefined) return this.#emptied();
      this.#free.delete(receiver);
      receiver.underWay = next;
      receiver.send(next.message, next.connection);
    }
    if (this.#waiting.size === 0) this.#emptied();
  }

  /** Leaves out those that were reset while they waited: a worker takes one in each round of its event loop. */
  #takeNext(): Untaken | undefined {
    for (;;) {
      const next = this.#waiting.takeNext();
      if (next === undefined || next.connection.getpeername({}) === 0) return next;
      this.#closeReset(next);
    }
  }

  #closeReset(connection: { close(): void }): void {
    this.#parts.reset();
    connection.close();
  }

  #forget(receiver: Receiver): void {
    this.#receivers.delete(receiver);
    this.#free.delete(receiver);
    if (this.#receivers.size > 0) return;
    for (let left = this.#waiting.takeNext(); left !== undefined; left = this.#waiting.takeNext()) left.close();
    this.#emptied();
  }
}
