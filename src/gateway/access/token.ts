import { hash, randomBytes } from 'node:crypto';

export interface NewToken {
  /** The token itself: shown once, and kept nowhere. */
  readonly text: string;
  /** The part of it that the gateway file keeps. */
  readonly sha256: string;
}

const secretBytes = 32;
const secretLetters = 43;
const checksumLetters = 6;
const tokenShape = new RegExp(`^mtf_[0-9A-Za-z]{${secretLetters + checksumLetters}}$`);
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * 256 random bits between a prefix and a checksum, so that a scanner knows a leaked one for what it is. Letters and
 * digits alone: a double click takes all of it.
 */
export function newToken(secret: Uint8Array = randomBytes(secretBytes)): NewToken {
  const body = `mtf_${toLetters(secret, secretLetters)}`;
  const text = body + toLetters(sha256Of(body).subarray(0, 4), checksumLetters);
  return { text, sha256: hashToken(text) };
}

/** True for a text that has the form of our tokens. */
export function isTokenText(text: string): boolean {
  return tokenShape.test(text);
}

/** Lower-case hex, as the gateway file has it. */
export function hashToken(text: string): string {
  return sha256Of(text).toString('hex');
}

export function sha256Of(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

function toLetters(bytes: Uint8Array, length: number): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  const base = BigInt(alphabet.length);
  return Array.from({ length }, () => {
    const letter = alphabet[Number(rest % base)]!;
    rest /= base;
    return letter;
  })
    .reverse()
    .join('');
}
