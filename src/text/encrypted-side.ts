import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';

/** Milliseconds of tasks in one round of the event loop; the last one may take longer. */
const turnMs = 5;
/** Bytes of which what is dear takes 2 ms, about. */
export const sliceBytes = 4096;

/**
 * The encrypted side of a connection, at either end, read in JavaScript. Where Node's TLS has the socket itself it
 * works on two megabytes of it at once, and much of that nobody else hears of: handshakes, new keys, a record for each
 * byte. It asks for a stream, of which it uses no more than this; a whole one would cost each request a third of its
 * time.
 *
 * Node ends the process where its TLS has something to send during an end or a write of nothing, for it sends these
 * past the queue of all else. New keys that the other end asks for are such a thing, so nothing is told meanwhile.
 */
export class EncryptedSide extends EventEmitter {
  readonly readable = true;
  readonly writable = true;
  readonly allowHalfOpen: boolean;
  readonly #socket: Socket;
  #isWanted = false;
  #isEnded = false;
  /** All that came during a write of nothing. */
  #untold: [SideEvent, Buffer | undefined][] | undefined;

  constructor(socket: Socket) {
    super();
    this.#socket = socket;
    this.allowHalfOpen = socket.allowHalfOpen;
  }

  tell(event: SideEvent, bytes?: Buffer): void {
    if (this.#untold !== undefined) {
      this.#untold.push([event, bytes]);
      this.#socket.pause();
    } else if (event !== 'data' || !this.#isEnded) this.emit(event, bytes);
  }

  /** True while TLS wants to read. */
  get isWanted(): boolean {
    return this.#isWanted;
  }

  pause(): this {
    this.#isWanted = false;
    this.#socket.pause();
    return this;
  }

  resume(): this {
    this.#isWanted = true;
    if (this.#untold === undefined) this.#socket.resume();
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
      if (untold.length > 0 && this.#isWanted && this.#untold === undefined) this.#socket.resume();
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

/** Runs tasks one after the other, a few milliseconds of a round and half of the time at most. */
export class Turns {
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
