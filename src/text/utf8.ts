import { isAscii } from 'node:buffer';

/** Bytes that are no text, in words that follow a file's name: "is not UTF-8: byte 17 is 0xff". Bytes count from 1. */
export class Utf8Fault extends Error {
  override readonly name = 'Utf8Fault';
  /** The encoding that it is in, by the name that iconv has for it; undefined where that is not known. */
  readonly encoding: string | undefined;

  constructor(message: string, encoding?: string) {
    super(message);
    this.encoding = encoding;
  }
}

/** Reads UTF-8 strictly: nothing is ever replaced silently. One byte order mark at the start is dropped. */
export function decodeUtf8(bytes: Uint8Array): string {
  // The one case that needs no decoder, and the most common.
  if (isAscii(bytes) && !bytes.includes(0)) return asBuffer(bytes).toString('latin1');
  const encoding = utf16Of(bytes);
  if (encoding !== undefined) throw new Utf8Fault('is UTF-16, save it as UTF-8', encoding);
  const nulAt = bytes.indexOf(0);
  if (nulAt !== -1) throw new Utf8Fault(`is binary: a NUL byte at ${nulAt + 1}`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Utf8Fault(`is not UTF-8: ${faultOf(bytes)}`);
  }
}

/** The same bytes with the methods of a Buffer; nothing is copied. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** UTF-16 by its byte order mark or, without one, by the zero that every second byte of Latin text is. */
function utf16Of([first, second, third, fourth]: Uint8Array): string | undefined {
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return 'utf-16';
  const isMixed = (first === 0) !== (second === 0) && (first === 0) === (third === 0);
  if (!isMixed || (second === 0) !== (fourth === 0)) return undefined;
  return first === 0 ? 'utf-16be' : 'utf-16le';
}

/** The decoder does not say where it stopped, so only a text that it refused is walked again. */
function faultOf(bytes: Uint8Array): string {
  let at = 0;
  while (at < bytes.length) {
    const { length, second } = shapeOf(bytes[at]!);
    const wrongAt = continuationFault(bytes, at, length, second);
    if (wrongAt === bytes.length) return 'it ends in the middle of a character';
    if (wrongAt !== undefined) break;
    at += length;
  }
  return `byte ${at + 1} is 0x${bytes[at]?.toString(16).padStart(2, '0')}`;
}

interface SequenceShape {
  /** 0 for a byte that begins no character. */
  readonly length: number;
  /** The range of the second byte, which alone rules out overlong forms, surrogates and what is above U+10FFFF. */
  readonly second: readonly [number, number];
}

function shapeOf(lead: number): SequenceShape {
  if (lead < 0x80) return { length: 1, second: [0, 0] };
  if (lead < 0xc2 || lead > 0xf4) return { length: 0, second: [0, 0] };
  if (lead < 0xe0) return { length: 2, second: [0x80, 0xbf] };
  if (lead < 0xf0) return { length: 3, second: [lead === 0xe0 ? 0xa0 : 0x80, lead === 0xed ? 0x9f : 0xbf] };
  return { length: 4, second: [lead === 0xf0 ? 0x90 : 0x80, lead === 0xf4 ? 0x8f : 0xbf] };
}

/** Index at which a character that begins at `at` goes wrong: undefined if nowhere, the end of the bytes if cut off. */
function continuationFault(
  bytes: Uint8Array,
  at: number,
  length: number,
  second: SequenceShape['second'],
): number | undefined {
  if (length === 0) return at;
  for (let index = at + 1; index < at + length; index++) {
    const byte = bytes[index];
    if (byte === undefined) return bytes.length;
    const [low, high] = index === at + 1 ? second : [0x80, 0xbf];
    if (byte < low || byte > high) return index;
  }
  return undefined;
}

/** True where all is ASCII: its bytes are counted much faster than a pattern looks for another character. */
export function isAsciiText(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

const sparseShare = 16;

/** True where so few characters are beyond ASCII that they are sooner searched for than all are looked at. */
export function isSparse(text: string, utf8Length: number = Buffer.byteLength(text)): boolean {
  return (utf8Length - text.length) * sparseShare <= text.length;
}
