import { isUtf8 } from 'node:buffer';
import { asBuffer } from '../text/utf8.ts';
import type { FileHead } from './conversation.ts';
import { ConversationFault, messageStart, parseHead, parseLine } from './record.ts';
import { ConversationState } from './state.ts';

/** The largest file of a conversation, far beyond what any model reads. */
export const conversationBytesMax = 64 * 1024 * 1024;

export interface ReadConversation {
  readonly head: FileHead;
  readonly state: ConversationState;
  /** The number of lines that are no records and were left out, not counting a torn one at the end. */
  readonly brokenLines: number;
}

interface ReadingOptions {
  /** Leaves the texts out, which takes a fraction of the time: turns, tokens, title and times are the same. */
  readonly isBrief?: boolean;
}

const newline = 0x0a;
const messageBytes = Buffer.from(messageStart);

/**
 * Reads the bytes of a conversation. Undefined for a file that was killed before its first line was whole: nothing was
 * said in it yet. Throws a ConversationFault where there is no head that can be used.
 */
export function readConversation(
  bytes: Uint8Array,
  id: string,
  options: ReadingOptions = {},
): ReadConversation | undefined {
  const buffer = asBuffer(bytes);
  if (!buffer.includes(newline)) return undefined;
  return readRecords(options.isBrief === true ? briefLines(buffer) : allLines(buffer), id);
}

/** Reads a conversation whose bytes are text already; what was no UTF-8 in it stays as it was replaced. */
export function readConversationText(text: string, id: string): ReadConversation | undefined {
  return text.includes('\n') ? readRecords(textLines(text), id) : undefined;
}

function readRecords(lines: Iterable<StoredText>, id: string): ReadConversation | undefined {
  const state = new ConversationState();
  let head: FileHead | ConversationFault | undefined;
  let brokenLines = 0;
  for (const { text, isWhole } of lines) {
    if (head === undefined) {
      head = parseHead(text, id);
      if (!(head instanceof ConversationFault)) continue;
    }
    const line = text === '' ? undefined : parseLine(text);
    if (line !== undefined) state.take(line);
    else if (text !== '' && isWhole) brokenLines += 1;
  }
  if (!(head instanceof ConversationFault)) return head && { head, state, brokenLines };
  // A head that is lost costs itself alone; but a file without one turn may be anything.
  if (state.updated === '') throw head;
  const lost = { title: null, motifId: null, profile: null, service: undefined };
  return { head: { id, created: state.updated, ...lost }, state, brokenLines: Math.max(1, brokenLines) };
}

/** Every text of a person in a file, whatever became of its turn, and also where the file has no head. */
export function saidIn(bytes: Uint8Array): readonly string[] {
  const buffer = asBuffer(bytes);
  return [...allLines(buffer)].flatMap(({ text }) => {
    const line = parseLine(text);
    return line?.kind === 'message' && line.role === 'user' ? [line.content] : [];
  });
}

interface StoredText {
  readonly text: string;
  /** False for what stands after the last newline. */
  readonly isWhole: boolean;
}

function* allLines(buffer: Buffer): Generator<StoredText> {
  if (!isUtf8(buffer)) return yield* soundLines(buffer);
  yield* textLines(buffer.toString());
}

function* textLines(text: string): Generator<StoredText> {
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start);
    yield { text: text.slice(start, end === -1 ? undefined : end), isWhole: end !== -1 };
    start = end === -1 ? text.length : end + 1;
  }
}

/** The lines but for messages, which are not even taken out of the buffer. */
function* briefLines(buffer: Buffer): Generator<StoredText> {
  for (let start = 0; start < buffer.length;) {
    const found = buffer.indexOf(newline, start);
    const end = found === -1 ? buffer.length : found;
    if (!isMessage(buffer, start)) yield { text: buffer.toString('utf8', start, end), isWhole: found !== -1 };
    start = end + 1;
  }
}

/** The lines of bytes that are not all UTF-8: one that is no text counts as broken, and costs no other. */
function* soundLines(buffer: Buffer): Generator<StoredText> {
  for (let start = 0; start < buffer.length;) {
    const found = buffer.indexOf(newline, start);
    const line = buffer.subarray(start, found === -1 ? buffer.length : found);
    yield { text: isUtf8(line) ? line.toString() : '?', isWhole: found !== -1 };
    start += line.length + 1;
  }
}

function isMessage(buffer: Buffer, start: number): boolean {
  const end = start + messageBytes.length;
  return end <= buffer.length && buffer.compare(messageBytes, 0, messageBytes.length, start, end) === 0;
}
