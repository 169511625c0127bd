import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { CappedBytes } from '../../../text/capped-bytes.ts';
import { formatSize } from '../../../text/sizes.ts';
import { Refusal, type RefusalCode } from '../../refusal.ts';

interface BodyLimits {
  readonly bytesMax: number;
  /** Hears of all bytes; a refusal ends the reading. */
  readonly received?: ((bytes: number) => Refusal | undefined) | undefined;
  readonly waits?: BodyWaits;
  /** Hears of each piece, and the connection on which it came. */
  readonly cameIn?: (socket: Socket) => void;
  /** Tells of a body that ended before it was whole what its client was told, if anything. */
  readonly fault?: () => RefusalCode | undefined;
}

/** Pieces of a body that may be as small as they like: those of a list of 256 messages, each sign of it on its own. */
const smallPiecesMax = 4096;
/** The bytes that pieces have on average. To hear of a million with one byte would take a second or two. */
const pieceBytesMin = 8;

/** True of so many pieces with so few bytes in all as no client sends that means well. */
export function isCrumbled(pieces: number, bytes: number): boolean {
  return pieces > smallPiecesMax && bytes < pieces * pieceBytesMin;
}

/** A wait for a body that is not whole yet. */
interface BodyWait {
  giveUp(): void;
  /** Its index among all waits. */
  at: number;
}

/** The waits for bodies, so that all of them can be stopped. An array, for a set takes several times as long. */
export class BodyWaits {
  readonly #waits: BodyWait[] = [];
  #isOver = false;

  add(wait: BodyWait): void {
    if (this.#isOver) wait.giveUp();
    else wait.at = this.#waits.push(wait) - 1;
  }

  delete(wait: BodyWait): void {
    if (this.#waits[wait.at] !== wait) return;
    const last = this.#waits.pop()!;
    if (last === wait) return;
    this.#waits[wait.at] = last;
    last.at = wait.at;
  }

  /** Bodies that are not whole yet are no longer waited for, nor those that come later. */
  stop(): void {
    this.#isOver = true;
    for (const wait of this.#waits.splice(0)) wait.giveUp();
  }
}

/** The body to its end, counted on the way: what a client says about its length is only believed if it is too long. */
export function readBody(
  request: IncomingMessage,
  contentLength: string | undefined,
  { bytesMax, received, waits, cameIn, fault }: BodyLimits,
): Promise<Uint8Array> {
  if (Number(contentLength) > bytesMax) return Promise.reject(tooLarge(bytesMax));
  const body = new CappedBytes(bytesMax);
  const whole = new Promise<void>((resolve, reject) => {
    let pieces = 0;
    request.on('data', (chunk: Buffer) => {
      cameIn?.(request.socket);
      pieces += 1;
      if (isCrumbled(pieces, body.length + chunk.length))
        return end(new Refusal('malformed_request', { message: 'the body comes in too small pieces' }));
      const refusal = body.add(chunk) ? received?.(chunk.length) : tooLarge(bytesMax);
      if (refusal !== undefined) end(refusal);
    });
    const end = (refusal: Refusal): void => {
      // Node tells nothing more of a request whose reply went out before its body was whole.
      waits?.delete(wait);
      request.removeAllListeners('data').pause();
      body.take();
      reject(refusal);
    };
    const wait = { giveUp: (): void => end(new Refusal('draining')), at: -1 };
    waits?.add(wait);
    request.on('end', () => {
      waits?.delete(wait);
      resolve();
    });
    request.on('close', () => {
      waits?.delete(wait);
      if (!request.readableEnded) reject(new Refusal(fault?.() ?? 'client_gone'));
    });
    request.on('error', untilClosed);
  });
  // The listeners, and with them this promise, live as long as the connection has no other request.
  return whole.then(() => body.take());
}

/** A connection that breaks is told by the close that follows; without a listener it would end the process. */
function untilClosed(): void {}

function tooLarge(bytesMax: number): Refusal {
  return new Refusal('body_too_large', { message: `the body is larger than ${formatSize(bytesMax)}` });
}
