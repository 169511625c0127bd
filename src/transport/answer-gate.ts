import type { Socket } from 'node:net';
import { answerHeaderBytesMax } from '../text/limits.ts';

/** More interim (1xx) answers than any server has a use for. */
export const interimMax = 32;

/** The head of a `100 Continue` as far as one has to see it; of another, the part that has come is put in its place. */
const continueStart = 'HTTP/1.1 100 ';
/** A 101 is none: after it the connection speaks another language. */
const interimStart = /^HTTP\/1\.[01] 1(?!01)\d\d[ \r]/;
export const headEnd = Buffer.from('\r\n\r\n');
const nothing = Buffer.alloc(0);
const nobody = (): void => {};

/** The answers of a socket: bytes that come before a request or behind its answer are part of none. */
export interface AnswerGate {
  /**
   * Called right before a request is written; calls back once its answer begins. False where bytes that came before the
   * request wait for their turn to be read.
   */
  open(onStart: () => void): boolean;
  /** Called at the end of the answer. */
  close(): void;
}

/**
 * Makes a socket give bytes only while an answer is awaited, for the parser would take a piece of one that nobody asked
 * for, or line ends before it, for the beginning of the next. Others end the connection; `onUnasked` gets those that
 * were read. Interim answers are left out: a `100 Continue` may come unasked, also behind others, and undici ends the
 * connection at one.
 */
export function guardAnswers(socket: Socket, onUnasked: (bytes?: Buffer) => void): AnswerGate {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  let isAwaited = false;
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
  // So the client says where more stands behind an answer in the same piece.
  socket.once('close', () => {
    if (!isAwaited && socket.errored?.message === 'bad response') onUnasked();
  });
  const refuse = (bytes: Buffer): null => {
    socket.destroy();
    onUnasked(bytes);
    return null;
  };
  socket.read = (size?: number): Buffer | null => {
    for (;;) {
      const chunk = read(size);
      if (chunk !== null && !isAwaited) return refuse(chunk);
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
  return {
    open(listener) {
      if (socket.readableLength > 0) {
        onUnasked();
        return false;
      }
      onStart = listener;
      isAwaited = true;
      isStarting = true;
      skipped = 0;
      return true;
    },
    close: () => void (isAwaited = false),
  };
}

/** The place of the first digit of a status, and of interim ones that digit. */
const statusAt = 9;
const interimDigit = 0x31;

/** True where bytes begin as such an answer does, as far as they go. */
export function isInterim(bytes: Buffer): boolean {
  // Most answers are told by this one digit.
  if (bytes.length > statusAt && bytes[statusAt] !== interimDigit) return false;
  const start = bytes.toString('latin1', 0, continueStart.length);
  return interimStart.test(start + continueStart.slice(start.length));
}
