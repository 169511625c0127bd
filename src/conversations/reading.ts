import { isUtf8 } from 'node:buffer';
import type { Head } from './conversation.ts';
import { messageStart, parseHead, parseLine } from './record.ts';
import { ConversationState } from './state.ts';

/** Of one file; a conversation of this size is far beyond what any model reads. */
export const conversationBytesMax = 64 * 1024 * 1024;

export interface Reading {
  readonly head: Head;
  readonly state: ConversationState;
  /** Lines that are no records and were left out; a torn one at the end is none of them. */
  readonly brokenLines: number;
}

export interface ReadingOptions {
  /** Leaves the texts out, which takes a fraction of the time: turns, tokens, title and times are the same. */
  readonly isBrief?: boolean;
}

const newline = 0x0a;
const messageBytes = Buffer.from(messageStart);

/**
 * Reads the bytes of a conversation. Undefined for a file that was killed before its first line was whole: nothing was
 * said in it yet. Throws a ConversationFault where there is no head that can be used.
 */
export function readConversation(bytes: Uint8Array, id: string, options: ReadingOptions = {}): Reading | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headEnd = buffer.indexOf(newline);
  if (headEnd === -1) return undefined;
  // Looked at once for all lines; one line that is no text costs no other one.
  const isText = options.isBrief === true || isUtf8(buffer);
  const textOf = (start: number, end: number) =>
    isText || isUtf8(buffer.subarray(start, end)) ? buffer.toString('utf8', start, end) : '';
  const head = parseHead(textOf(0, headEnd), id);
  const state = new ConversationState();
  let brokenLines = 0;
  for (let start = headEnd + 1; start < buffer.length;) {
    const found = buffer.indexOf(newline, start);
    const end = found === -1 ? buffer.length : found;
    const isSkipped = options.isBrief === true && isMessage(buffer, start);
    if (!isSkipped && end > start) {
      const line = parseLine(textOf(start, end));
      if (line !== undefined) state.take(line);
      else if (found !== -1) brokenLines += 1;
    }
    start = end + 1;
  }
  return { head, state, brokenLines };
}

function isMessage(buffer: Buffer, start: number): boolean {
  const end = start + messageBytes.length;
  return end <= buffer.length && buffer.compare(messageBytes, 0, messageBytes.length, start, end) === 0;
}
