import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { EncryptedSide, sliceBytes, type Turns } from '../text/encrypted-side.ts';

/** Milliseconds of a slice that is dear: an honest one takes a tenth of it. */
const dearMs = 1;

/**
 * The encrypted side of a connection to a server. A handshake, a piece beyond a slice and, of a server of which one
 * slice was dear, all that comes is read a slice at a time, in turn with what other servers send: of new keys, tickets
 * or a record for each byte nothing is told, and Node would work on two megabytes of them at once.
 */
export class EncryptedAnswers extends EncryptedSide {
  readonly #below: Socket;
  readonly #turns: Turns;
  #waitsForTurns = true;
  #isTurn = false;

  constructor(below: Socket, turns: Turns) {
    super(below);
    this.#below = below;
    this.#turns = turns;
    below.on('data', (bytes: Buffer) => this.#take(bytes));
    below.on('error', (error) => this.emit('error', error));
    for (const event of ['end', 'close'] as const) below.once(event, () => this.tell(event));
  }

  /** Calls with the side in place of the socket below, on which the TLS of `connect` still has its say. */
  secure(connect: (side: Duplex) => TLSSocket): TLSSocket {
    const socket = connect(this as unknown as Duplex);
    socket.once('secureConnect', () => (this.#waitsForTurns = false));
    // Node finds no handle below to which it could tell this.
    for (const call of ['ref', 'unref'] as const) {
      socket[call] = () => {
        this.#below[call]();
        return socket;
      };
    }
    return socket;
  }

  #take(bytes: Buffer): void {
    const isFree = !this.#waitsForTurns && bytes.length <= sliceBytes;
    const slice = isFree || this.#isTurn ? sliceBytes : 0;
    if (slice > 0) this.#tellTimed(bytes.subarray(0, slice));
    if (slice >= bytes.length || this.#below.destroyed) return;
    // The rest stays in the socket, whose end could come before it otherwise.
    this.#below.pause().unshift(bytes.subarray(slice));
    this.#turns.add(this.#readOn);
  }

  readonly #readOn = (): void => {
    if (this.#below.destroyed || !this.isWanted) return;
    this.#isTurn = true;
    this.#below.read();
    this.#isTurn = false;
    if (this.#below.readableLength === 0 && this.isWanted) this.#below.resume();
  };

  #tellTimed(slice: Buffer): void {
    const startedAt = performance.now();
    this.tell('data', slice);
    if (performance.now() - startedAt >= dearMs) this.#waitsForTurns = true;
  }
}
