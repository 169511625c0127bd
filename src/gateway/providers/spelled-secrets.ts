import { redactionMark } from '../../text/redact.ts';
import { type LetterRuns, lettersOf } from './letter-runs.ts';
import { partsOf, SecretPieces } from './secret-pieces.ts';

/** The fewest letters and digits of a secret, some of them digits, that no answer holds in a row by chance. */
const lettersMin = 12;
/** Signs between two letters: quotes, blanks or commas; never a letter, so that a text is read in one way alone. */
const between = '[^a-z0-9]{0,16}';
/** Signs that stand for a letter, and the end of a line as JSON writes it. */
const signsInAscii = /\\[nrt]|&#(?:\d{2,3}|x[\da-f]{2,3});/gi;
/** The same for a text that holds letters beyond ASCII, which takes ten times as long. */
const otherSigns =
  /\\[nrt]|&#(?:\d{2,3}|x[\da-f]{2,3});|[\u017f\u212a\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]|[\u{1d400}-\u{1d7ff}]/giu;
const lettersBeyondAscii = /[\u017f\u212a\uff10-\uff5a\ud835]/;

/** The most signs of one answer that are looked at so, for each takes its time. */
const otherSignsMax = 20_000;
/** Fills up a view where a sign is longer than its letter. */
const restOfSign = '\0';

/** True for a value long enough that no answer holds it by chance, in whatever spelling. */
export function hasSpellings(value: string): boolean {
  return lettersOf(value).length >= lettersMin && /\d/.test(value);
}

/** Hides a secret whatever the case of its letters is, whatever signs stand between them, and in other spellings. */
export class SpelledSecret {
  readonly #patterns: readonly RegExp[];
  readonly #letters: string;
  readonly #hex: string;
  readonly #pieces: SecretPieces;

  constructor(value: string) {
    // Bytes may have signs and `0x` or `\\x` between them.
    const bytes = Buffer.from(value).toString('hex').match(/../g) ?? [];
    const patterns = [
      ...partsOf(lettersOf(value)).map((letters) => letters.split('').join(between)),
      ...partsOf(bytes).map((part) => part.join('(?:[^a-z0-9]{0,4}(?:0?x)?)')),
    ];
    this.#patterns = patterns.map((pattern) => new RegExp(pattern, 'gi'));
    this.#letters = lettersOf(value);
    this.#hex = bytes.join('');
    this.#pieces = new SecretPieces(value);
  }

  /** Adds what a reading of each text holds that has something to hide; returns texts of which one may hold instead. */
  addTo<Owner>(runs: LetterRuns<Owner>, owner: Owner): readonly string[] {
    const { wholes, windows, pieceLetters } = this.#pieces;
    for (const whole of wholes) runs.add(lettersOf(whole), owner);
    runs.addHex(this.#hex, owner);
    return windows.length === 0 || runs.addPieces(this.#letters, pieceLetters, owner) ? [] : windows;
  }

  hide(text: string): string {
    let hidden = text;
    let view = viewOf(text);
    for (const pattern of this.#patterns) {
      const before = hidden;
      if (view !== hidden) hidden = withoutMatches(hidden, view, pattern);
      hidden = hidden.replace(pattern, redactionMark);
      if (hidden !== before) view = viewOf(hidden);
    }
    return this.#pieces.hide(hidden);
  }
}

/** A text of the same length, in which other signs are the letters that they stand for, and ends of lines blanks. */
export function viewOf(text: string): string {
  const isAscii = Buffer.byteLength(text) === text.length || !lettersBeyondAscii.test(text);
  if (isAscii && !text.includes('\\') && !text.includes('&#')) return text;
  // Joined, for a text that was put together by + is read more slowly sign by sign.
  const parts: string[] = [];
  let done = 0;
  let signs = 0;
  for (const { 0: sign, index } of text.matchAll(isAscii ? signsInAscii : otherSigns)) {
    if ((signs += 1) > otherSignsMax) break;
    parts.push(text.slice(done, index), letterOf(sign).padEnd(sign.length, restOfSign));
    done = index + sign.length;
  }
  return parts.length === 0 ? text : [...parts, text.slice(done)].join('');
}

function letterOf(sign: string): string {
  if (sign.startsWith('\\')) return '  ';
  if (!sign.startsWith('&')) return sign.normalize('NFKC');
  const isHex = sign[2] === 'x' || sign[2] === 'X';
  return String.fromCharCode(Number.parseInt(sign.slice(isHex ? 3 : 2, -1), isHex ? 16 : 10));
}

/** The text without what the pattern finds in the view of it. */
function withoutMatches(text: string, view: string, pattern: RegExp): string {
  let hidden = '';
  let done = 0;
  for (const { 0: match, index } of view.matchAll(pattern)) {
    hidden += text.slice(done, index) + redactionMark;
    done = index + match.length;
    while (view[done] === restOfSign) done += 1;
  }
  return hidden + text.slice(done);
}

/** The fewest changes between letters and digits inside of words that no name of a program has. */
const changesMin = 3;

/** True for a value that was drawn by chance, such as a key, and no name with a year or a version. */
export function isRandom(value: string): boolean {
  const changes = value.match(/[a-z](?=\d)|\d(?=[a-z])/gi) ?? [];
  return changes.length >= changesMin;
}
