import type { Socket } from 'node:net';
import type { ServerSocket } from './server-socket.ts';
import { type Slicing, sliceBytesMax } from './slices.ts';

/** Work of a brief connection in a turn: a request, and little of the next. */
const briefWork = 2;
/** Bytes read in brief turns that make up for the work of a request. */
const bytesPerDebt = 256;

/**
 * Connections in slices that found no room in a round, thousands perhaps. Brief ones go first: those within the body
 * of a request that was let in, which takes little, and those that had an answer, have few bytes to be read, and ask a
 * little at a time. To wait for a turn of each of the others takes a quarter of a second where two thousand clients
 * without a token ask one request after the other, and ten times as long with TLS, whose records hold hundreds.
 */
export class UnreadConnections {
  readonly #brief = new Set<Socket>();
  readonly #others = new Set<Socket>();
  /** Those whose latest reply is an answer; of one with TLS the socket above. */
  readonly #answered = new WeakSet<Socket>();

  get size(): number {
    return this.#brief.size + this.#others.size;
  }

  noteReply(above: Socket, isAnswer: boolean): void {
    if (isAnswer) this.#answered.add(above);
    else this.#answered.delete(above);
  }

  hadAnswer(above: Socket): boolean {
    return this.#answered.has(above);
  }

  /** Notes the work of a turn, as it was told: the clock also counts what other programs do. */
  noteTurn(slicing: Slicing, work: number, bytes: number): void {
    slicing.debt = Math.max(0, slicing.debt + (work > briefWork ? work : -work - bytes / bytesPerDebt));
  }

  add(socket: Socket, bytes: Buffer, { debt, isUpload, reader }: Slicing): void {
    const asksLittle = bytes.length <= sliceBytesMax && this.hadAnswer(reader?.above ?? socket);
    (debt === 0 && (isUpload || asksLittle) ? this.#brief : this.#others).add(socket);
  }

  addHeld(socket: Socket): void {
    this.#others.add(socket);
  }

  delete(socket: Socket): void {
    this.#brief.delete(socket);
    this.#others.delete(socket);
  }

  /**
   * Reads so many of them again: a few that are brief, which need not rest, and others that do not rest. Where many are
   * brief, those that ask a dozen at a time get as many turns.
   */
  resume(max: number, resting: Set<ServerSocket>): void {
    let left = max;
    const resumeBrief = (leftMin: number): void => {
      for (const socket of this.#brief) {
        if (left <= leftMin) break;
        left -= 1;
        this.#brief.delete(socket);
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
