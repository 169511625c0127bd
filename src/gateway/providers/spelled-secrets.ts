import { redactionMark } from '../../text/redact.ts';
import type { Secret } from '../../text/secret.ts';
import { SecretPieces } from './secret-pieces.ts';

/** The fewest letters and digits of a secret, some of them digits, that no answer holds in a row by chance. */
const lettersMin = 12;
/** Letters from the commonest to the rarest, with digits rarer than any: a text mostly lacks one of the last. */
const byRarity = 'etaoinsrhldcumfpgwybvkxjqz';
const neededMax = 4;
/** Signs between two letters: quotes, blanks or commas; never a letter, so that a text is read in one way alone. */
const between = '[^a-z0-9]{0,16}';
/** Signs that stand for a letter, and the end of a line as JSON writes it. */
const otherSigns =
  /\\[nrt]|&#(?:\d{2,3}|x[\da-f]{2,3});|[\u017f\u212a\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]|[\u{1d400}-\u{1d7ff}]/giu;
const lettersBeyondAscii = /[\u017f\u212a\uff10-\uff5a\ud835]/;

/** The most signs of one answer that are looked at so, for each takes its time. */
const otherSignsMax = 20_000;
/** Fills up a view where a sign is longer than its letter. */
const restOfSign = '\0';

interface Spelling {
  /** Texts without which the secret does not stand in another, each in both its cases. */
  readonly needed: readonly (readonly [string, string])[];
  readonly pattern: RegExp;
}

/** Hides secrets whatever the case of their letters is, whatever signs stand between them, and in other spellings. */
export class SpelledSecrets {
  readonly #spellings: readonly Spelling[];
  readonly #pieces: readonly SecretPieces[];

  constructor(secrets: readonly Secret[]) {
    const spelled = secrets
      .map((secret) => secret.reveal())
      .filter((value) => lettersOf(value).length >= lettersMin && /\d/.test(value));
    this.#spellings = spelled.flatMap((value) => [spellingOf(lettersOf(value)), hexSpellingOf(value)]);
    this.#pieces = spelled.map((value) => new SecretPieces(value));
  }

  hide(text: string): string {
    if (this.#spellings.length === 0) return text;
    let hidden = text;
    let view = viewOf(text);
    for (const { needed, pattern } of this.#spellings) {
      const before = hidden;
      if (view !== hidden && holdsAll(view, needed)) hidden = withoutMatches(hidden, view, pattern);
      if (holdsAll(hidden, needed)) hidden = hidden.replace(pattern, redactionMark);
      if (hidden !== before) view = viewOf(hidden);
    }
    for (const pieces of this.#pieces) hidden = pieces.hide(hidden);
    return hidden;
  }
}

function lettersOf(value: string): string {
  return value.replace(/[^a-z0-9]/gi, '');
}

function holdsAll(text: string, needed: Spelling['needed']): boolean {
  return needed.every(([lower, upper]) => text.includes(lower) || (upper !== lower && text.includes(upper)));
}

/** A text of the same length, in which other signs are the letters that they stand for, and ends of lines blanks. */
function viewOf(text: string): string {
  const isAscii = Buffer.byteLength(text) === text.length;
  if (!text.includes('\\') && !text.includes('&#') && (isAscii || !lettersBeyondAscii.test(text))) return text;
  let view = '';
  let done = 0;
  let signs = 0;
  for (const { 0: sign, index } of text.matchAll(otherSigns)) {
    if ((signs += 1) > otherSignsMax) break;
    view += text.slice(done, index) + letterOf(sign).padEnd(sign.length, restOfSign);
    done = index + sign.length;
  }
  return view + text.slice(done);
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

function spellingOf(letters: string): Spelling {
  const rarity = (letter: string): number => (/\d/.test(letter) ? byRarity.length : byRarity.indexOf(letter));
  const distinct = [...new Set(letters.toLowerCase())].sort((one, other) => rarity(other) - rarity(one));
  return {
    needed: distinct.slice(0, neededMax).map((letter) => [letter, letter.toUpperCase()]),
    pattern: new RegExp(letters.split('').join(between), 'gi'),
  };
}

/** Bytes as two figures each, also with signs or `0x` and `\\x` between them. */
function hexSpellingOf(value: string): Spelling {
  const bytes = Buffer.from(value).toString('hex').match(/../g) ?? [];
  const distinct = [...new Set(bytes)].sort((one, other) => Number(/\d\d/.test(one)) - Number(/\d\d/.test(other)));
  return {
    needed: distinct.slice(0, neededMax).map((byte) => [byte, byte.toUpperCase()]),
    pattern: new RegExp(bytes.join('(?:[^a-z0-9]{0,4}(?:0?x)?)'), 'gi'),
  };
}
