import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { CappedBytes } from '../../../text/capped-bytes.ts';
import { formatSize } from '../../../text/sizes.ts';
import { Refusal, type RefusalCode } from '../../refusal.ts';

interface BodyLimits {
  readonly bytesMax: number;
  /** Hears of all bytes; a refusal ends the reading. */
  readonly received?: ((bytes: number) => Refusal | undefined) | undefined;
  readonly waits: BodyWaits;
  /** Hears of each piece, by the connection on which it came. */
  readonly notePiece: (socket: Socket) => void;
  /** Returns the refusal that the client of a body was told, if any, where that ended before it was whole. */
  readonly fault: () => RefusalCode | undefined;
  /** Is given what ends the reading of a body with that refusal, while it is not whole. */
  readonly canBreak: (breakOff: () => void) => void;
}

/** The pieces of a body that may be of any size: fewer come of 256 messages whose brackets and texts come alone. */
const smallPiecesMax = 4096;
/** The fewest bytes of a piece beyond them, on average. To hear of a million of one byte takes a second or two. */
const pieceBytesMin = 8;

/** True of a body in more and smaller pieces than an honest client sends. */
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

/** Reads a body to its end and counts its bytes: the length that its client names counts only where it is too large. */
export function readBody(
  request: IncomingMessage,
  contentLength: string | undefined,
  { bytesMax, received, waits, notePiece, fault, canBreak }: BodyLimits,
): Promise<Uint8Array> {
  if (Number(contentLength) > bytesMax) return Promise.reject(tooLarge(bytesMax));
  const known = request.complete ? undefined : fault();
  if (known !== undefined) return Promise.reject(new Refusal(known));
  const body = new CappedBytes(bytesMax);
  const whole = new Promise<void>((resolve, reject) => {
    let pieces = 0;
    request.on('data', (chunk: Buffer) => {
      notePiece(request.socket);
      pieces += 1;
      if (isCrumbled(pieces, body.length + chunk.length))
        return end(new Refusal('malformed_request', { message: 'the body comes in too small pieces' }));
      const refusal = body.add(chunk) ? received?.(chunk.length) : tooLarge(bytesMax);
      if (refusal !== undefined) end(refusal);
    });
    const end = (refusal: Refusal): void => {
      // Node tells nothing more of a request whose reply went out before its body was whole.
      waits.delete(wait);
      request.removeAllListeners('data').pause();
      body.take();
      reject(refusal);
    };
    const wait = { giveUp: (): void => end(new Refusal('draining')), at: -1 };
    waits.add(wait);
    if (!request.complete) canBreak(() => end(new Refusal(fault() ?? 'client_gone')));
    request.on('end', () => {
      waits.delete(wait);
      resolve();
    });
    request.on('close', () => {
      waits.delete(wait);
      if (!request.readableEnded) reject(new Refusal(fault() ?? 'client_gone'));
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
