import { EventEmitter } from 'node:events';
import type { Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { nextTick } from 'node:process';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { ByHolder } from '../by-holder.ts';
import { FirstMessage, FirstReads, headerBytes } from './first-message.ts';
import { networkOf } from './networks.ts';
import type { OpenConnections } from './open-connections.ts';
import { tellEnd } from './server-socket.ts';
import type { SliceReader } from './slices.ts';
import type { SocketTasks } from './socket-tasks.ts';

/** Bytes that are read at once of a handshake; the costliest of them take about 2 ms. */
const sliceBytes = 4096;
/** The most bytes of a client in its handshake. An honest one needs 3 kB; thousands of keys in 64 kB cost 30 ms. */
const handshakeBytesMax = 16 * 1024;
/** Handshakes that are begun and not done, each of which takes 60 kB; one that is done takes 30 kB. */
const handshakesMax = 1000;
/** The wait before Node hears that a client has ended its side: replies that are made at once still reach it. */
const endDelayMs = 20;

/**
 * The encrypted side of a connection, read in JavaScript. Given the socket itself, Node's TLS works on two megabytes of
 * it at once, and tells nobody of much of that: handshakes, new keys, a record for each byte. It asks for a stream, and
 * this class has the parts of one that it uses: a whole stream would make each request a third slower.
 *
 * Node ends the process where its TLS has something to send during an end or a write of nothing, for it sends these
 * past the queue of all else. New keys that a client asks for are such a thing, so that nothing is told meanwhile.
 */
class EncryptedSide extends EventEmitter implements SliceReader {
  readonly readable = true;
  readonly writable = true;
  readonly allowHalfOpen: boolean;
  readonly #socket: Socket;
  /** True while Node's TLS asks for more. */
  isWanted = false;
  above: Socket | undefined;
  /** Of the record that is being read: the bytes of its header that came, and all that are to come. */
  readonly #header: number[] = [];
  #recordLeft = 0;
  #isEnded = false;
  /** All that came during a write of nothing. */
  #untold: [SideEvent, Buffer | undefined][] | undefined;
  /** True where more was asked for during a write of nothing, or came. */
  #resumesLater = false;

  constructor(socket: Socket) {
    super();
    this.#socket = socket;
    this.allowHalfOpen = socket.allowHalfOpen;
  }

  get isKeeping(): boolean {
    return this.#header.length > 0;
  }

  tell(event: SideEvent, bytes?: Buffer): void {
    if (this.#untold !== undefined) {
      this.#untold.push([event, bytes]);
      this.#resumesLater = true;
      this.#socket.pause();
    } else if (event !== 'data' || !this.#isEnded) this.emit(event, bytes);
  }

  /**
   * To the end of a record at most: of several in one read Node's TLS hands all on, though its reader may have asked
   * for no more behind the first, and loses the rest.
   */
  sliceLength(bytes: Buffer, at: number, bytesMax: number): number {
    const header = this.#header;
    let end = at;
    while (header.length < headerBytes && end < bytes.length) {
      header.push(bytes[end]!);
      end += 1;
      if (header.length === headerBytes) this.#recordLeft = header[3]! * 256 + header[4]!;
    }
    const length = Math.min(this.#recordLeft, bytesMax, bytes.length - end);
    this.#recordLeft -= length;
    if (header.length === headerBytes && this.#recordLeft === 0) header.length = 0;
    return end + length - at;
  }

  pause(): this {
    this.isWanted = false;
    this.#socket.pause();
    return this;
  }

  resume(): this {
    this.isWanted = true;
    if (this.#untold === undefined) this.#socket.resume();
    else this.#resumesLater = true;
    return this;
  }

  write(bytes: Uint8Array, written: (error?: Error | null) => void): boolean {
    if (this.#isEnded) written();
    else if (bytes.length > 0) return this.#socket.write(bytes, written);
    else this.#writeNothing(written);
    return true;
  }

  #writeNothing(written: () => void): void {
    const untold: [SideEvent, Buffer | undefined][] = (this.#untold = []);
    written();
    // Node goes on in the next round as well, but before this.
    setImmediate(() => {
      this.#untold = undefined;
      for (const [event, bytes] of untold) this.tell(event, bytes);
      if (this.#untold !== undefined) return;
      if (this.#resumesLater && this.isWanted) this.#socket.resume();
      this.#resumesLater = false;
    });
  }

  cork(): void {
    this.#socket.cork();
  }

  uncork(): void {
    this.#socket.uncork();
  }

  end(ended: () => void): void {
    this.#isEnded = true;
    this.#socket.end(ended);
  }

  destroy(): void {
    this.#socket.destroy();
  }
}

type SideEvent = 'data' | 'end' | 'close';

interface HandshakeParts {
  /** Runs the handshakes, and all else that the sockets of the server need. */
  readonly tasks: SocketTasks;
  /** From the first byte to the end of a handshake. */
  readonly timeoutMs: number;
  /** Those that have begun a handshake, or done it. */
  readonly connections: OpenConnections;
  /** Closes a connection that is one too many. */
  drop(socket: Socket): void;
  handOn(socket: Socket, reader: SliceReader): void;
}

/**
 * Gives turns to the handshakes of a server: each costs a millisecond or several, and a client nothing, which can send
 * the same first bytes on thousands of connections at once, and end all of them at once. One begins once its first
 * message is whole, those of different networks in turn; of too many that their clients leave there one is closed. A
 * connection that has done its handshake is handed on, with a listener for its data.
 */
export function secureInTurns(server: TlsServer, parts: HandshakeParts): void {
  const [secure] = server.listeners('connection') as ((side: Duplex) => void)[];
  const handshakes = new Handshakes((side) => secure!.call(server, side as unknown as Duplex), parts);
  server.removeListener('connection', secure!).on('connection', (socket: Socket) => handshakes.take(socket));
  // A handshake ends while its last bytes are read.
  server.on('secureConnection', (socket: TLSSocket) => {
    // Mostly it comes with the request before it, which has no reply by then.
    tellEnd(socket, (tell) => setTimeout(tell, endDelayMs));
    handshakes.handOnPresent?.(socket);
  });
}

class Handshakes {
  readonly #secure: (side: EncryptedSide) => void;
  readonly #parts: HandshakeParts;
  readonly #firstReads = new FirstReads();
  readonly #begun = new ByHolder<Socket>();
  /** Called where the connection of which bytes are read has done its handshake. */
  handOnPresent: ((above: Socket) => void) | undefined;

  constructor(secure: (side: EncryptedSide) => void, parts: HandshakeParts) {
    this.#secure = secure;
    this.#parts = parts;
  }

  take(socket: Socket): void {
    if (socket.destroyed) return;
    const network = networkOf(socket.remoteAddress);
    const tell = (): void => this.#parts.tasks.addLast(network, begin);
    const first = new FirstMessage(socket, this.#firstReads, handshakeBytesMax, tell);
    const begin = (): void => {
      if (socket.destroyed || !this.#parts.connections.take(socket)) return;
      this.#begin(network, socket);
      first.giveBack();
      this.#work(socket, () => {
        clearTimeout(timer);
        this.#begun.delete(network, socket);
      });
    };
    const timer = setTimeout(() => socket.destroy(), this.#parts.timeoutMs);
    // The error of a broken connection is of no use to anybody: its end follows.
    socket.on('error', () => undefined);
    socket.once('close', () => {
      clearTimeout(timer);
      this.#begun.delete(network, socket);
      this.#firstReads.delete(socket);
      this.#parts.tasks.deleteLast(network, begin);
    });
  }

  #begin(network: string, socket: Socket): void {
    this.#begun.add(network, socket);
    if (this.#begun.size <= handshakesMax) return;
    const [holder, [oldest]] = this.#begun.largest()!;
    // Its close event comes later.
    this.#begun.delete(holder, oldest!);
    this.#parts.drop(oldest!);
  }

  #work(socket: Socket, secured: () => void): void {
    const side = new EncryptedSide(socket);
    // TLS ends it, once what was written before is through.
    socket.allowHalfOpen = true;
    const parse = (bytes: Buffer): void => side.tell('data', bytes);
    let [isTurn, isSecure, handshakeBytes] = [false, false, 0];
    const handOn = (above: Socket): void => {
      side.above = above;
      isSecure = true;
      secured();
      socket.removeListener('data', hold).on('data', parse);
      this.#parts.handOn(socket, side);
    };
    const hold = (bytes: Buffer): void => {
      let slice = 0;
      this.handOnPresent = handOn;
      while (isTurn && slice < Math.min(sliceBytes, bytes.length) && !isSecure && !socket.destroyed) {
        const end = slice + side.sliceLength(bytes, slice, sliceBytes - slice);
        handshakeBytes += end - slice;
        if (handshakeBytes > handshakeBytesMax) socket.destroy();
        else parse(bytes.subarray(slice, end));
        slice = end;
      }
      this.handOnPresent = undefined;
      if (slice >= bytes.length || socket.destroyed) return;
      // The rest stays in the socket, whose end could come before it otherwise.
      socket.pause().unshift(bytes.subarray(slice));
      if (!isSecure) this.#parts.tasks.add(readSlice);
    };
    const readSlice = (): void => {
      if (socket.destroyed || isSecure) return;
      isTurn = true;
      socket.read();
      isTurn = false;
      if (socket.readableLength === 0 || isSecure) socket.resume();
    };
    socket.on('data', hold);
    for (const event of ['end', 'close'] as const)
      socket.once(event, () => this.#parts.tasks.add(() => side.tell(event)));
    this.#secure(side);
    // Node begins to read in a tick as well, but before this.
    nextTick(readSlice);
  }
}
