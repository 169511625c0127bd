import type { Socket } from 'node:net';
import { answerHeaderBytesMax } from '../text/limits.ts';

/** More interim (1xx) answers than any server has a use for. */
export const interimMax = 32;

/** The head of a `100 Continue` as far as one has to see it; of another, the part that has come is put in its place. */
const continueStart = 'HTTP/1.1 100 ';
/** A 101 is none: after it the connection speaks another language. */
const interimStart = /^HTTP\/1\.[01] 1(?!01)\d\d[ \r]/;
const headEnd = Buffer.from('\r\n\r\n');
const nothing = Buffer.alloc(0);
const nobody = (): void => {};

/**
 * Makes a socket leave out every interim answer before the one that counts: a `100 Continue` may be sent unasked, also
 * behind others, and undici ends the connection at one. The result is called right before each request, and calls back
 * once an answer begins.
 */
export function skipInterim(socket: Socket): (onStart: () => void) => void {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  let isStarting = false;
  let skipped = 0;
  let held: Buffer = nothing;
  let onStart = nobody;
  const release = (bytes: Buffer): Buffer => {
    isStarting = false;
    held = nothing;
    // It would hold all that belongs to this answer until the next one.
    onStart = nobody;
    return bytes;
  };
  socket.read = (size?: number): Buffer | null => {
    for (;;) {
      const chunk = read(size);
      if (!isStarting || chunk === null) return chunk;
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      while (isInterim(held) && held.includes(headEnd) && skipped < interimMax) {
        held = held.subarray(held.indexOf(headEnd) + headEnd.length);
        skipped += 1;
      }
      if (held.length > 0) onStart();
      const mayBeOne = held.length === 0 || isInterim(held);
      if (!mayBeOne || skipped === interimMax || held.length > answerHeaderBytesMax) return release(held);
    }
  };
  return (listener) => {
    onStart = listener;
    isStarting = true;
    skipped = 0;
  };
}

/** The place of the first digit of a status, and of interim ones that digit. */
const statusAt = 9;
const interimDigit = 0x31;

/** True where bytes begin as such an answer does, as far as they go. */
function isInterim(bytes: Buffer): boolean {
  // Most answers are told by this one digit.
  if (bytes.length > statusAt && bytes[statusAt] !== interimDigit) return false;
  const start = bytes.toString('latin1', 0, continueStart.length);
  return interimStart.test(start + continueStart.slice(start.length));
}
