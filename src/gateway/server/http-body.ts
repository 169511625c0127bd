import type { IncomingMessage } from 'node:http';
import { formatSize } from '../../text/sizes.ts';
import { Refusal } from '../refusal.ts';

export interface BodyLimits {
  readonly bytesMax: number;
  /** Hears of all bytes; a refusal ends the reading. */
  readonly received?: ((bytes: number) => Refusal | undefined) | undefined;
  /** Aborts when a body that has not come yet is no longer waited for. */
  readonly stop?: AbortSignal;
}

/** The body to its end, counted on the way: what a client says about its length is only believed if it is too long. */
export function readBody(
  request: IncomingMessage,
  contentLength: string | undefined,
  { bytesMax, received, stop }: BodyLimits,
): Promise<Uint8Array> {
  const tooLarge = (): Refusal => {
    return new Refusal('body_too_large', { message: `the body is larger than ${formatSize(bytesMax)}` });
  };
  if (Number(contentLength) > bytesMax) return Promise.reject(tooLarge());
  return new Promise((resolve, reject) => {
    let body: Buffer | undefined;
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      const refusal = length + chunk.length > bytesMax ? tooLarge() : received?.(chunk.length);
      if (refusal !== undefined) return end(refusal);
      body = body === undefined ? chunk : grown(body, length, chunk);
      length += chunk.length;
    });
    const end = (refusal: Refusal): void => {
      request.removeAllListeners('data').pause();
      reject(refusal);
    };
    const give = (): void => end(new Refusal('draining'));
    if (stop?.aborted === true && !request.complete) return give();
    stop?.addEventListener('abort', give, { once: true });
    request.once('close', () => stop?.removeEventListener('abort', give));
    request.on('end', () => resolve(body === undefined ? new Uint8Array() : body.subarray(0, length)));
    request.on('close', () => {
      if (!request.readableEnded) reject(new Refusal('client_gone'));
    });
    // A connection that breaks is told by the close that follows; without a listener it would end the process.
    request.on('error', () => undefined);
  });
}

/** One buffer that doubles, because a million chunks of a byte would cost a hundred bytes each. */
function grown(body: Buffer, length: number, chunk: Buffer): Buffer {
  const target = length + chunk.length <= body.length ? body : Buffer.allocUnsafe(2 * (length + chunk.length));
  if (target !== body) body.copy(target, 0, 0, length);
  chunk.copy(target, length);
  return target;
}
