import type { Socket } from 'node:net';
import { ByHolder } from '../by-holder.ts';
import { networkOf } from './networks.ts';

/** The connections that are looked at for one that may make room. */
const looksMax = 64;

interface ConnectionParts {
  readonly connectionsMax: number;
  /** True where somebody waits for what the connection asked. */
  isBusy(socket: Socket): boolean;
  /** Closes a connection that is one too many. */
  drop(socket: Socket): void;
  /** Hears of each that its client has reset before it came to its turn. */
  noteReset?(): void;
}

/**
 * The connections that are open, so many at most. Where there are as many, one that waits for nothing makes room for
 * a client of another network that has fewer: somebody who holds thousands keeps nobody else out.
 */
export class OpenConnections {
  readonly #parts: ConnectionParts;
  readonly #all = new ByHolder<Socket>();

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
  }

  get size(): number {
    return this.#all.size;
  }

  /** Counts a connection until it closes; false where it was one too many or is over, and is closed. */
  take(socket: Socket): boolean {
    const { remoteAddress } = socket;
    // Its client has reset it before it came to its turn, and yet all that was sent could be read and would be judged.
    if (remoteAddress === undefined) {
      this.#parts.noteReset?.();
      socket.destroy();
      return false;
    }
    const network = networkOf(remoteAddress);
    if (this.#all.size >= this.#parts.connectionsMax && !this.#makeRoom(network)) {
      this.#parts.drop(socket);
      return false;
    }
    this.#all.add(network, socket);
    socket.once('close', () => this.#all.delete(network, socket));
    return true;
  }

  #makeRoom(network: string): boolean {
    const [holder, sockets] = this.#all.largest() ?? ['', new Set<Socket>()];
    if (sockets.size <= this.#all.countOf(network) + 1) return false;
    let looks = 0;
    for (const socket of sockets) {
      if ((looks += 1) > looksMax) break;
      // Its close event comes later.
      this.#all.delete(holder, socket);
      if (!this.#parts.isBusy(socket)) {
        this.#parts.drop(socket);
        return true;
      }
      // The last now: the next time others are looked at.
      this.#all.add(holder, socket);
    }
    return false;
  }
}
