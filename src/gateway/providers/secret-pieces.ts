import { base64Inside, redactionMark } from '../../text/redact.ts';
import { lettersOf } from './letter-runs.ts';

/** The fewest characters of a secret in a row, a digit among them, that are hidden without the rest. */
const pieceMin = 16;
/** Characters of which each piece holds some side by side. */
const windowCharacters = pieceMin / 2;
/**
 * The start that all private keys of a kind share in PEM without the ends of lines, up to their own numbers. Of RSA a
 * public key has a part of it, too.
 */
const keyHead =
  /^M.{2,8}(?:IBADANBgkqhkiG9w0BAQEFAASC.{18}|EAMB.GByqGSM49AgEG(?:CCqGSM49AwEHBG0wawIBAQQg|BSuBBAA.{15})|AwBQYDK2VwBCIEI)/;
/**
 * Starts that others know of a secret: the head and claims of a JWT, a user before a password, the words of a vendor.
 * A guess that goes on from there would be told by its being hidden: three letters behind `sk-ant-api03-` were enough,
 * and each one behind 16 that are known takes 64 guesses.
 */
const knownStarts = [
  keyHead,
  /^(?:[a-z]+ )?eyJ[\w-]+\.[\w-]*\./i,
  /^[^:]*:/,
  /^(?:[a-z]+ )?(?:[a-z]{1,12}\d{0,2}[-_])+/i,
];
const base32Letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The end of a line into which tools break what they encode, and blanks before the next one. */
const lineEnds = String.raw`(?:\s|\\[nr]){0,12}`;

/** The most places of one piece that are looked at in an answer. */
const looksMax = 10_000;

/** Encoded text that may stand in several lines, and pieces of which no end of a line parts more than one. */
interface Wrapped {
  readonly pieces: readonly [string, string];
  readonly pattern: RegExp;
}

/** The most characters that one pattern looks for: Node makes none of thousands, and its fault repeats them. */
const patternCharactersMax = 512;

/** A long text, or list, in parts of about the same length, each of which has a pattern of its own. */
export function partsOf<T extends string | readonly string[]>(whole: T): readonly T[] {
  const count = Math.ceil(whole.length / patternCharactersMax);
  const length = Math.ceil(whole.length / count);
  return Array.from({ length: count }, (_, at) => whole.slice(at * length, (at + 1) * length) as T);
}

function wrappedOf(text: string): Wrapped {
  const length = Math.min(pieceMin, text.length >> 1);
  const pieces = [text.slice(0, length), text.slice(length, 2 * length)] as const;
  return { pieces, pattern: new RegExp(Array.from(text, (sign) => (sign === '+' ? '[+]' : sign)).join(lineEnds), 'g') };
}

/** Hides long pieces of a secret as they are, the secret backwards and in base32, and in base64 of several lines. */
export class SecretPieces {
  readonly #value: string;
  readonly #headLength: number;
  /** The fewest characters of a piece that stand behind the head, so many that nobody guesses them. */
  readonly #ownMin: number;
  readonly #windows: readonly string[];
  readonly #backwards: string;
  readonly #inBase32: readonly string[];
  readonly #wrapped: readonly Wrapped[];

  constructor(value: string) {
    this.#value = value;
    this.#headLength = Math.max(userLength(value), ...knownStarts.map((start) => start.exec(value)?.[0].length ?? 0));
    const own = value.slice(this.#headLength);
    this.#ownMin = Math.min(/^[\da-f]*$/i.test(own) ? pieceMin : windowCharacters, own.length);
    this.#windows = Array.from({ length: Math.floor(value.length / windowCharacters) }, (_, at) =>
      value.slice(at * windowCharacters, (at + 1) * windowCharacters),
    );
    this.#backwards = Array.from(value).toReversed().join('');
    this.#inBase32 = [0, 1, 2, 3, 4].map((offset) => base32Inside(value, offset));
    const inBase64 = [0, 1, 2].map((offset) => base64Inside(value, offset));
    // Other text before a short one may be as long as a line.
    this.#wrapped = [...inBase64, ...this.#inBase32].flatMap(partsOf).map(wrappedOf);
  }

  /** Forms of which one stands in each text that has something to hide, where it is neither a piece nor in base64. */
  get wholes(): readonly string[] {
    return [this.#backwards, ...this.#inBase32];
  }

  /** A text that holds a piece holds one of these. */
  get windows(): readonly string[] {
    return this.#value.length < pieceMin ? [] : this.#windows;
  }

  /** The fewest letters and digits of a piece. */
  get pieceLetters(): number {
    const pieces = Array.from({ length: this.#value.length - pieceMin + 1 }, (_, at) =>
      lettersOf(this.#value.slice(at, at + pieceMin)),
    );
    return Math.min(...pieces.map(({ length }) => length));
  }

  hide(text: string): string {
    let hidden = text;
    for (const [at, window] of this.#windows.entries())
      if (hidden.includes(window)) hidden = this.#withoutPieces(hidden, window, at * windowCharacters);
    for (const whole of [this.#backwards, ...this.#inBase32]) hidden = hidden.replaceAll(whole, redactionMark);
    for (const { pieces, pattern } of this.#wrapped)
      if (pieces.some((piece) => hidden.includes(piece))) hidden = hidden.replace(pattern, redactionMark);
    return hidden;
  }

  #withoutPieces(text: string, window: string, at: number): string {
    let hidden = '';
    let done = 0;
    let looks = 0;
    for (let found = text.indexOf(window); found !== -1 && looks < looksMax; looks += 1) {
      const [start, end] = this.#spanAround(text, found, at);
      const own = at + end - found - Math.max(this.#headLength, at + start - found);
      const isPiece =
        own >= this.#ownMin && end - start >= pieceMin && start >= done && /\d/.test(text.slice(start, end));
      if (isPiece) {
        hidden += text.slice(done, start) + redactionMark;
        done = end;
      }
      found = text.indexOf(window, isPiece ? end : found + 1);
    }
    return hidden + text.slice(done);
  }

  /** The piece of the secret that goes through its character `at`, which stands at `found` in the text. */
  #spanAround(text: string, found: number, at: number): readonly [number, number] {
    let before = 0;
    while (before < at && text[found - before - 1] === this.#value[at - before - 1]) before += 1;
    let after = 0;
    while (at + after < this.#value.length && text[found + after] === this.#value[at + after]) after += 1;
    return [found - before, found + after];
  }
}

/** The characters of a user and a password in base64 that the user alone decides. */
function userLength(value: string): number {
  const { scheme = '', token = '' } = /^(?<scheme>[a-z]+ )?(?<token>[\w+/]+=*)$/i.exec(value)?.groups ?? {};
  const text = Buffer.from(token, 'base64').toString('latin1');
  const user = /^[ -~]*$/.test(text) ? text.indexOf(':') + 1 : 0;
  return user === 0 ? 0 : scheme.length + Math.floor((user * 4) / 3);
}

/** The characters of base32 that a value alone decides when `offset` other bytes of the same group stand before it. */
function base32Inside(value: string, offset: number): string {
  const bytes = [...Buffer.alloc(offset), ...Buffer.from(value)];
  const bits = bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const first = Math.ceil((offset * 8) / 5);
  const last = Math.floor(bits.length / 5);
  return Array.from({ length: last - first }, (_, index) => {
    const start = (first + index) * 5;
    return base32Letters[Number.parseInt(bits.slice(start, start + 5), 2)];
  }).join('');
}
