import type { Socket } from 'node:net';
import { CappedBytes } from '../../../text/capped-bytes.ts';
import { ByHolder } from '../by-holder.ts';
import { networkOf } from './networks.ts';
import { oncePerRound, RoundWork } from './round-work.ts';
import { isRead, type ServerSocket } from './server-socket.ts';

/** Of a record of TLS: its kind and version, then the length of what follows. */
export const headerBytes = 5;
const handshake = 22;
/** Of a message of a handshake: its kind, then the length of what follows. */
const messageHeaderBytes = 4;

/** Reads the first message of a handshake, each byte once: it may come byte by byte, in any number of records. */
export class MessageReader {
  /** Of the header of a record: its bytes that came, and the length that they tell. */
  #headerBytes = 0;
  #recordLeft = 0;
  /** The bytes of the message that came, and the length that its own header tells. */
  #received = 0;
  #length = 0;

  /** True once the message is whole; undefined where this is none. */
  read(bytes: Uint8Array): boolean | undefined {
    for (let at = 0; at < bytes.length;) {
      if (this.#headerBytes < headerBytes) {
        const byte = bytes[at]!;
        if (this.#headerBytes === 0 && byte !== handshake) return undefined;
        // The length is the last of it.
        this.#recordLeft = ((this.#recordLeft << 8) | byte) & 0xffff;
        this.#headerBytes += 1;
        at += 1;
      } else at = this.#readPart(bytes, at);
      if (this.#headerBytes === headerBytes && this.#recordLeft === 0) this.#headerBytes = 0;
      if (this.#received >= messageHeaderBytes + this.#length) return true;
    }
    return false;
  }

  /** Reads what there is of a record from there on; returns the place behind it. */
  #readPart(bytes: Uint8Array, start: number): number {
    const end = Math.min(bytes.length, start + this.#recordLeft);
    for (let at = start; at < end && this.#received + at - start < messageHeaderBytes; at++)
      this.#length = ((this.#length << 8) | bytes[at]!) & 0xffffff;
    this.#received += end - start;
    this.#recordLeft -= end - start;
    return end;
  }
}

/** Reads of a round of the event loop, beyond which the rest waits for the next: each takes 20 to 60 us. */
const readsMax = 64;

/**
 * Has sockets read a few at a time, those of different networks in turn, once many of them were read in a round:
 * thousands that send something at once, whoever they are, would hold up all others, and new ones most of all.
 */
export class FirstReads {
  readonly #read = new Set<ServerSocket>();
  readonly #waiting = new ByHolder<ServerSocket>();
  /** As they were at first: a socket that has closed does not tell. */
  readonly #networks = new WeakMap<ServerSocket, string>();
  readonly #round = new RoundWork();
  readonly #arm = oncePerRound(() => this.#beginRound());

  add(socket: ServerSocket): void {
    this.#networks.set(socket, networkOf(socket.remoteAddress));
    this.#read.add(socket);
    this.#round.noteConnection();
    this.#arm();
  }

  /** Notes that one of them was read. */
  note(): void {
    this.#round.add(1);
    this.#arm();
    if (this.#round.spent < readsMax && this.#round.hasRoom()) return;
    for (const socket of this.#read) {
      if (isRead(socket)) socket._handle.readStop();
      this.#waiting.add(this.#networks.get(socket)!, socket);
    }
    this.#read.clear();
  }

  /** Lets a socket be read by somebody else, without a limit. */
  delete(socket: ServerSocket): void {
    this.#read.delete(socket);
    const didWait = this.#waiting.delete(this.#networks.get(socket)!, socket);
    if (didWait && isRead(socket)) socket._handle.readStart();
  }

  #beginRound(): void {
    if (this.#round.isForNewcomers()) return this.#arm();
    if (this.#round.restart()) this.#arm();
    for (let left = readsMax; left > 0; left--) {
      const socket = this.#waiting.takeNext();
      if (socket === undefined) break;
      if (isRead(socket)) socket._handle.readStart();
      this.#read.add(socket);
    }
    if (this.#waiting.size > 0) this.#arm();
  }
}

/**
 * Keeps what comes on a connection until it is read by somebody else, and tells once that is a whole first message. The
 * socket is read meanwhile, so that one whose client goes away is closed, and costs nobody the work on its message.
 */
export class FirstMessage {
  readonly #socket: Socket;
  readonly #reads: FirstReads;
  readonly #reader = new MessageReader();
  readonly #kept: CappedBytes;
  #isTold = false;
  readonly #keep: (bytes: Buffer) => void;
  readonly #leave = (): void => void this.#socket.destroy();

  constructor(socket: Socket, reads: FirstReads, bytesMax: number, tell: () => void) {
    this.#socket = socket;
    this.#reads = reads;
    this.#kept = new CappedBytes(bytesMax);
    this.#keep = (bytes) => {
      reads.note();
      const isDone = this.#kept.add(bytes) ? this.#isTold || this.#reader.read(bytes) : undefined;
      if (isDone === undefined) return void socket.destroy();
      if (isDone && !this.#isTold) {
        this.#isTold = true;
        tell();
      }
    };
    socket.on('data', this.#keep).on('end', this.#leave);
    reads.add(socket);
  }

  /** Leaves all that came in the socket, which is paused. */
  giveBack(): void {
    this.#socket.removeListener('data', this.#keep).removeListener('end', this.#leave);
    this.#reads.delete(this.#socket);
    this.#socket.pause().unshift(this.#kept.bytes);
  }
}
