import type { Socket } from 'node:net';
import { ByHolder } from '../by-holder.ts';
import { networkOf } from './networks.ts';
import type { ServerSocket } from './server-socket.ts';
import { type Slicing, sliceBytesMax } from './slices.ts';

/** Work of a brief connection in a turn: a request, and little of the next. */
const briefWork = 2;
/** Bytes read in brief turns that make up for the work of a request. */
const bytesPerDebt = 256;

/**
 * Connections in slices that found no room in a round, thousands perhaps. Brief ones go first: those within the body
 * of a request that was let in, which takes little, those that had an answer and ask a little at a time, and new ones.
 * To wait for a turn of each of the others takes a third of a second where two thousand clients without a token ask
 * one request after the other, and ten times as long with TLS, whose records hold hundreds.
 *
 * Tokens take turns among the brief ones, for one may have as many connections, each of which asks what is answered;
 * and so do the networks from which new ones come.
 */
export class UnreadConnections {
  readonly #brief = new ByHolder<Socket>();
  /** The token or network as which each of these waits. */
  readonly #briefHolders = new Map<Socket, string>();
  readonly #others = new Set<Socket>();
  /** The token that the latest reply of a connection answers, or where it is no answer undefined; above its TLS. */
  readonly #latest = new WeakMap<Socket, string | undefined>();

  get size(): number {
    return this.#brief.size + this.#others.size;
  }

  /** Notes a reply: the token that it answers, or undefined where it is no answer. */
  noteReply(above: Socket, token: string | undefined): void {
    this.#latest.set(above, token);
  }

  hadAnswer(above: Socket): boolean {
    return this.#latest.get(above) !== undefined;
  }

  /** Notes the work of a turn, as it was told: the clock also counts what other programs do. */
  noteTurn(slicing: Slicing, work: number, bytes: number): void {
    slicing.debt = Math.max(0, slicing.debt + (work > briefWork ? work : -work - bytes / bytesPerDebt));
  }

  add(socket: Socket, bytes: Buffer, { debt, isUpload, reader }: Slicing): void {
    const above = reader?.above ?? socket;
    const holder = this.#latest.has(above) ? this.#latest.get(above) : networkOf(socket.remoteAddress);
    const asksLittle = holder !== undefined && (reader === undefined || bytes.length <= sliceBytesMax);
    if (debt > 0 || !(isUpload || asksLittle)) return void this.#others.add(socket);
    if (this.#briefHolders.has(socket)) return;
    this.#briefHolders.set(socket, holder ?? '');
    this.#brief.add(holder ?? '', socket);
  }

  addHeld(socket: Socket): void {
    this.#others.add(socket);
  }

  delete(socket: Socket): void {
    this.#others.delete(socket);
    this.#brief.delete(this.#briefHolders.get(socket) ?? '', socket);
    this.#briefHolders.delete(socket);
  }

  /**
   * Reads so many of them again: a few that are brief, which need not rest, and others that do not rest. Where many are
   * brief, those that ask a dozen at a time get as many turns.
   */
  resume(max: number, resting: Set<ServerSocket>): void {
    let left = max;
    const resumeBrief = (leftMin: number): void => {
      while (left > leftMin) {
        const socket = this.#brief.takeNext();
        if (socket === undefined) break;
        left -= 1;
        this.#briefHolders.delete(socket);
        resting.delete(socket);
        socket.resume();
      }
    };
    resumeBrief((max * 3) / 4);
    for (const socket of this.#others) {
      if (left <= 0) break;
      if (resting.has(socket)) continue;
      left -= 1;
      this.#others.delete(socket);
      socket.resume();
    }
    resumeBrief(0);
  }
}
