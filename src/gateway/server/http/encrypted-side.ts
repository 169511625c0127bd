import { EventEmitter } from 'node:events';
import type { Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Milliseconds of handshakes and ends in one round of the event loop; the last one may take longer. */
const turnMs = 5;
/** Of the bytes of a connection that is no known client yet: what is dear in them takes 2 ms, about. */
const sliceBytes = 4096;

/**
 * The encrypted side of a connection, read in JavaScript. Where Node's TLS has the socket itself it works on two
 * megabytes of it at once, and much of that nobody else hears of: handshakes, new keys, a record for each byte. It asks
 * for a stream, of which it uses no more than this; a whole one would cost each request a third of its time.
 */
class EncryptedSide extends EventEmitter {
  readonly readable = true;
  readonly writable = true;
  readonly allowHalfOpen: boolean;
  readonly #socket: Socket;

  constructor(socket: Socket) {
    super();
    this.#socket = socket;
    this.allowHalfOpen = socket.allowHalfOpen;
  }

  pause(): this {
    this.#socket.pause();
    return this;
  }

  resume(): this {
    this.#socket.resume();
    return this;
  }

  write(bytes: Uint8Array, written: (error?: Error | null) => void): boolean {
    return this.#socket.write(bytes, written);
  }

  cork(): void {
    this.#socket.cork();
  }

  uncork(): void {
    this.#socket.uncork();
  }

  end(ended: () => void): void {
    this.#socket.end(ended);
  }

  destroy(): void {
    this.#socket.destroy();
  }
}

/** Runs tasks one after the other, a few milliseconds of a round and half of the time at most. */
class Turns {
  readonly #tasks = new Set<() => void>();
  #isArmed = false;
  #restUntil = 0;

  add(task: () => void): void {
    this.#tasks.add(task);
    if (!this.#isArmed) this.#arm();
  }

  #arm(): void {
    this.#isArmed = true;
    const restMs = this.#restUntil - performance.now();
    if (restMs <= 0) setImmediate(() => this.#run());
    else setTimeout(() => this.#run(), restMs);
  }

  #run(): void {
    const startedAt = performance.now();
    let ms = 0;
    for (const task of this.#tasks) {
      this.#tasks.delete(task);
      task();
      ms = performance.now() - startedAt;
      if (ms >= turnMs) break;
    }
    if (ms >= 1) this.#restUntil = startedAt + 2 * ms;
    this.#isArmed = false;
    if (this.#tasks.size > 0) this.#arm();
  }
}

/**
 * Gives turns to the handshakes of a server: each costs a millisecond or several, and a client nothing, which can send
 * the same first bytes on thousands of connections at once, and end all of them at once. A connection that has done its
 * handshake is handed on, with a listener for its data.
 */
export function secureInTurns(server: TlsServer, handOn: (socket: Socket) => void): void {
  const [secure] = server.listeners('connection') as ((side: Duplex) => void)[];
  const turns = new Turns();
  /** Called where the connection of which bytes are read has done its handshake. */
  let handOnPresent: (() => void) | undefined;

  function take(socket: Socket): void {
    if (socket.destroyed) return;
    const side = new EncryptedSide(socket);
    const parse = (bytes: Buffer): void => void side.emit('data', bytes);
    let held: Buffer | undefined;
    let isSecure = false;
    const hold = (bytes: Buffer): void => {
      socket.pause();
      if (held === undefined) turns.add(readSlice);
      held = held === undefined ? bytes : Buffer.concat([held, bytes]);
    };
    const handOnThis = (): void => {
      isSecure = true;
      socket.removeListener('data', hold).on('data', parse);
      handOn(socket);
    };
    function readSlice(): void {
      if (socket.destroyed || held === undefined) return;
      handOnPresent = handOnThis;
      parse(held.subarray(0, sliceBytes));
      handOnPresent = undefined;
      const rest = held.subarray(sliceBytes);
      held = rest.length > 0 && !isSecure ? rest : undefined;
      if (held !== undefined) return turns.add(readSlice);
      if (rest.length > 0) socket.unshift(rest);
      socket.resume();
    }
    socket.on('data', hold);
    // The error of a broken connection is of no use to anybody: its end follows.
    socket.on('error', () => undefined);
    for (const event of ['end', 'close']) socket.once(event, () => turns.add(() => side.emit(event)));
    secure!.call(server, side as unknown as Duplex);
  }

  server.removeListener('connection', secure!).on('connection', take);
  // A handshake ends while its last bytes are read.
  server.on('secureConnection', () => handOnPresent?.());
}
