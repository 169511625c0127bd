import { hash, randomBytes } from 'node:crypto';
import { tokenCharactersMax } from '../../text/limits.ts';

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

/** The hash of the token in a header; that of nothing where it holds none. */
interface HashedToken {
  readonly isToken: boolean;
  readonly digest: Buffer;
  /** As the gateway file has it. */
  readonly sha256: string;
}

/** The only form of the header: one blank, and a token of limited length. */
const bearer = new RegExp(`^Bearer ([\\x21-\\x7e]{1,${tokenCharactersMax}})$`, 'i');

export function hashedToken(authorization: string | undefined): HashedToken {
  const token = bearer.exec(authorization ?? '')?.[1];
  const digest = sha256Of(token ?? '');
  return { isToken: token !== undefined, digest, sha256: digest.toString('hex') };
}

/**
 * The header of the last request of a connection, hashed: the next one mostly has the same, and the hash takes longer
 * than all else that is asked of a token. Whether it is accepted is decided anew for each request.
 */
export class LastToken {
  #authorization: string | undefined;
  #hashed: HashedToken | undefined;

  of(authorization: string | undefined): HashedToken {
    if (this.#hashed === undefined || authorization !== this.#authorization) {
      this.#authorization = authorization;
      this.#hashed = hashedToken(authorization);
    }
    return this.#hashed;
  }
}

function sha256Of(text: string): Buffer {
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
