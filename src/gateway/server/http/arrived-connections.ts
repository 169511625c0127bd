import type { Server } from 'node:net';
import { ByHolder } from '../by-holder.ts';
import { networkOf } from './networks.ts';

/** The system's side of a connection. */
export interface ConnectionHandle {
  close(): void;
  getpeername(into: { address?: string }): number;
}

/** Node's side of a port, which it does not document. */
interface PortHandle {
  onconnection(status: number, connection?: ConnectionHandle): void;
}

/** Those that are opened at the beginning of a round, at most. */
const openedMax = 6;
/** The work of opening one, and of closing one that was reset, in requests that are begun. */
const openWork = 2;
const resetWork = 1 / 8;
/** Work for each that may be opened which is not exceeded, where others were reset. */
const workMaxPerOpened = 4;

interface ArrivedParts {
  /** The connections that there may be beside those that are open, a descriptor each. */
  readonly waitingMax: () => number;
  /** Hears of each that its client has reset before it was opened. */
  readonly reset: () => void;
}

interface Arrival {
  readonly connection: ConnectionHandle;
  readonly open: () => void;
}

/**
 * Connections of which Node has yet to make a socket, which takes ten times as long as to accept one. The system hands
 * them over in the order in which they came, however many are of one client; here those of different networks take
 * turns, and those that are reset meanwhile cost next to nothing.
 */
export class ArrivedConnections {
  readonly #parts: ArrivedParts;
  readonly #waiting = new ByHolder<Arrival>();

  constructor(parts: ArrivedParts) {
    this.#parts = parts;
  }

  /**
   * Opens one at once where it may be and no other waits; returns the work of what was done. Where no more may wait
   * some are opened, and take the places of others that are open, or are closed.
   */
  add(connection: ConnectionHandle, open: () => void, mayOpen = false): number {
    const peer: { address?: string } = {};
    if (connection.getpeername(peer) !== 0) return this.#closeReset(connection);
    if (mayOpen && this.#waiting.size === 0) {
      open();
      return openWork;
    }
    this.#waiting.add(networkOf(peer.address), { connection, open });
    // Several, or as many would go on to wait while the number of those that are open grows.
    if (this.#waiting.size > this.#parts.waitingMax()) return this.open();
    return mayOpen ? this.open(1) : 0;
  }

  /** Opens so many at most, and returns the work of that: none where none waits. */
  open(max = openedMax): number {
    let [opened, work] = [0, 0];
    while (opened < max && work < max * workMaxPerOpened) {
      const next = this.#waiting.takeNext();
      if (next === undefined) break;
      if (next.connection.getpeername({}) === 0) {
        next.open();
        opened += 1;
        work += openWork;
      } else work += this.#closeReset(next.connection);
    }
    return work;
  }

  #closeReset(connection: ConnectionHandle): number {
    this.#parts.reset();
    connection.close();
    return resetWork;
  }
}

/** Has `hear` decide when Node makes a socket of each connection that is accepted, by what it is given with it. */
export function hearArrivals(server: Server, hear: (connection: ConnectionHandle, open: () => void) => void): void {
  server.on('listening', () => {
    const { _handle: handle } = server as unknown as { readonly _handle: Partial<PortHandle> | null };
    // A version of Node that has none makes each socket at once, as all others did before.
    if (typeof handle?.onconnection !== 'function') return;
    const take = handle.onconnection.bind(handle);
    handle.onconnection = (status, connection) => {
      const open = (): void => take(status, connection);
      if (connection === undefined) open();
      else hear(connection, open);
    };
  });
}
