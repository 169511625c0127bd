import type { Socket } from 'node:net';
import { ByHolder } from '../by-holder.ts';
import { MotifShares } from '../motif-shares.ts';
import { TimeShares } from '../time-shares.ts';
import { networkOf } from './networks.ts';
import type { ServerSocket } from './server-socket.ts';
import { type Slicing, sliceBytesMax } from './slices.ts';

/** Work of a brief connection in a turn: a request, and little of the next. */
const briefWork = 2;
/** The work that a turn counts before it is seen what it took, and beside it. */
const turnWork = 0.5;
/** Of so many rounds one has the others first, one a larger one: brief ones of many clients may fill all the rest. */
const roundsOfBrief = 4;
/** Bytes read in brief turns that make up for the work of a request. */
const bytesPerDebt = 256;

/**
 * Connections in slices that found no room in a round, thousands perhaps. Brief ones go first: those within the body
 * of a request that was let in, which takes little, those whose latest request had a token that is accepted and that
 * ask a little at a time, and new ones. A refusal of such a token's prompt changes nothing: where a provider is away,
 * all of its honest callers are refused.
 *
 * To wait for a turn of each of the others takes a third of a second where two thousand clients without a token ask
 * one request after the other, and ten times as long with TLS, whose records hold hundreds.
 *
 * Motifs, and the tokens of each, share the work among the brief ones, for one may have as many connections, each of
 * which asks what is answered; and so do the networks from which new ones come.
 */
export class UnreadConnections {
  readonly #brief = new MotifShares<Socket>();
  /** Brief ones whose turn came in a round that had no room left for them; they come first. */
  readonly #early = new ByHolder<Socket>();
  /** New ones with TLS that may ask more: a record of them is read before it is seen what they ask. By network. */
  readonly #larger = new TimeShares<Socket>();
  /** Of those that wait there or were read from there last: what else a network asks takes no turn of it. */
  readonly #networks = new Map<Socket, string>();
  /** By token, and all without one as a single holder: these may come from thousands of networks. */
  readonly #others = new ByHolder<Socket>();
  /** The token or network as which each of them waits, and each of the brief ones whose turn it is in this round. */
  readonly #holders = new Map<Socket, string>();
  readonly #taken = new Map<Socket, string>();
  readonly #lines = [this.#early, this.#brief, this.#larger, this.#others];
  #rounds = 0;
  /** The token of the request that the latest reply of a connection is to, undefined where none was accepted. */
  readonly #latest = new WeakMap<Socket, string | undefined>();

  get size(): number {
    return this.#lines.reduce((sum, { size }) => sum + size, 0);
  }

  /** Notes a reply, by the connection above TLS, and the token of its request, undefined where none was accepted. */
  noteReply(above: Socket, token: string | undefined): void {
    this.#latest.set(above, token);
  }

  isKnown(above: Socket): boolean {
    return this.#latest.get(above) !== undefined;
  }

  /** Notes the work of a turn, as it was told: the clock also counts what other programs do. */
  noteTurn(socket: Socket, slicing: Slicing, work: number, bytes: number): void {
    const holder = this.#taken.get(socket);
    this.#taken.delete(socket);
    if (holder !== undefined) this.#brief.noteUse(holder, work);
    const network = this.#networks.get(socket);
    if (network !== undefined) this.#larger.noteUse(network, work);
    slicing.debt = Math.max(0, slicing.debt + (work > briefWork ? work : -work - bytes / bytesPerDebt));
  }

  /** Has a connection wait of which this is to be read, from there on. */
  add(socket: Socket, bytes: Buffer, at: number, { debt, isUpload, reader }: Slicing): void {
    const taken = this.#taken.get(socket);
    // Otherwise it would come behind a token with many connections again, each of which may take a round.
    const isTurnLeft = at === 0 || reader?.isKeeping === true;
    if (taken !== undefined && isTurnLeft) {
      this.#brief.noteUse(taken, -turnWork);
      return this.#wait(this.#early, taken, socket);
    }
    const above = reader?.above ?? socket;
    const isKnown = this.isKnown(above);
    const holder = this.#latest.has(above) ? this.#latest.get(above) : networkOf(socket.remoteAddress);
    this.#networks.delete(socket);
    if (debt > 0 || !(isUpload || holder !== undefined)) return this.addOther(socket, above);
    // A record of a new one, which costs a handshake alone, may hold hundreds of requests.
    const asksLittle = isUpload || reader === undefined || isKnown || bytes.length <= sliceBytesMax;
    if (!asksLittle) this.#networks.set(socket, holder!);
    this.#wait(asksLittle ? this.#brief : this.#larger, holder ?? '', socket);
  }

  /** Has one wait that is not brief, as one does that was held. */
  addOther(socket: Socket, above: Socket): void {
    this.#wait(this.#others, this.#latest.get(above) ?? '', socket);
  }

  #wait(line: { add(holder: string, socket: Socket): void }, holder: string, socket: Socket): void {
    if (this.#holders.has(socket)) return;
    this.#holders.set(socket, holder);
    line.add(holder, socket);
  }

  delete(socket: Socket): void {
    const holder = this.#holders.get(socket) ?? '';
    for (const line of this.#lines) line.delete(holder, socket);
    this.#holders.delete(socket);
    this.#taken.delete(socket);
    this.#networks.delete(socket);
  }

  /**
   * Reads so many of them again: a few that are brief, which need not rest, and others that do not rest. Where many are
   * brief, those that ask a dozen at a time get as many turns.
   */
  resume(max: number, resting: Set<ServerSocket>): void {
    let left = max;
    this.#taken.clear();
    const resumeOne = (socket: Socket): void => {
      left -= 1;
      this.#holders.delete(socket);
      resting.delete(socket);
      socket.resume();
    };
    const resumeInTurn = (socket: Socket): void => {
      this.#brief.noteUse(this.#holders.get(socket)!, turnWork);
      this.#taken.set(socket, this.#holders.get(socket)!);
      resumeOne(socket);
    };
    const resumeEarly = (): void => {
      const early = Array.from({ length: this.#early.size }, () => this.#early.takeNext()!);
      const usedBy = (socket: Socket): number => this.#brief.usedBy(this.#holders.get(socket)!);
      for (const socket of early.sort((one, other) => usedBy(one) - usedBy(other))) resumeInTurn(socket);
    };
    const resumeOthers = (othersMax: number, isHeard: boolean): void => {
      const leftAfter = left - othersMax;
      if (left <= leftAfter) return;
      for (const socket of this.#others.takeWanted((each) => resting.has(each) === isHeard)) {
        resumeOne(socket);
        if (left <= leftAfter) return;
      }
    };
    this.#rounds += 1;
    const areOthersFirst = this.#rounds % roundsOfBrief === 0;
    if (this.#larger.size === 0) this.#larger.forget();
    // Each may fill a round, so that others would never come behind it.
    else if (this.#rounds % roundsOfBrief === 1) resumeInTurn(this.#larger.takeNext()[1]);
    if (areOthersFirst) resumeOthers(max / 4, false);
    // All that wait were heard, but while brief ones fill each round no round tells so.
    if (areOthersFirst && left === max) resumeOthers(max / 4, true);
    let briefLeft = Math.min(max, Math.max(max / 4, this.#early.size + 1)) - this.#early.size;
    // All of them at once: those that find no room wait again.
    resumeEarly();
    for (; briefLeft > 0 && this.#brief.size > 0; briefLeft -= 1) resumeInTurn(this.#brief.takeNext()[1]);
    if (!areOthersFirst) resumeOthers(Math.max(left, max / 4), false);
    while (left > 0 && this.#brief.size > 0) resumeInTurn(this.#brief.takeNext()[1]);
    if (this.#others.size > 0) return;
    while (left > 0 && this.#larger.size > 0) resumeOne(this.#larger.takeNext()[1]);
  }
}
