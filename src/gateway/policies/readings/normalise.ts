import { extraordinary } from './character-scan.ts';
import { lookOf } from './homoglyphs.ts';
import { remembered } from './remembered.ts';
import { oddUnitsOf, scannedText } from '../../../text/patterns/scanned-text.ts';
import { latinMax, textOfUnits } from './translate.ts';
import { UnitSort } from './unit-sort.ts';
import { Rewrite, type View, viewInPlace, viewMadeLater, viewWithPairs } from './view.ts';

/**
 * Characters that nobody sees on their way to a model: format characters, all that has no look of its own, and controls
 * other than tab, LF and CR. Also what stands in a text as a blank braille cell or a Hangul filler, and what is no
 * character at all or one of nobody's: halves of pairs, numbers that are not given out, and the signs that stand for
 * such.
 */
export const hiddenCharacter =
  /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{DI}\u2028\u2029\u2800\uFFFC\uFFFD\u{1BCA0}-\u{1BCA3}]/u;
const hiddenAll = new RegExp(hiddenCharacter, 'gu');

/** The text without invisible characters, in Unicode's compatibility form. Undefined where that is the text itself. */
export function normalised(parent: View): View | undefined {
  if (!extraordinary.test(parent.text) || glanceAt(parent).isPlain) return undefined;
  return rewritten(parent, plainForms, compatible).finish('normalised, without invisible characters');
}

const compatible = remembered((piece) => piece.replace(hiddenAll, '').normalize('NFKC'));

/**
 * The text as the eye reads it: look-alikes as Latin letters, no accents, and ss for a sharp s, as in upper case.
 * Undefined where that is the text itself.
 */
export function skeleton(parent: View): View | undefined {
  if (!extraordinary.test(parent.text)) return undefined;
  const latin = inLatin(parent);
  return withoutSharpS(latin ?? parent) ?? latin;
}

function inLatin(parent: View): View | undefined {
  const { text } = parent;
  const { looksOdd, isEven, all } = glanceAt(parent);
  if (!looksOdd) return undefined;
  if (isEven) return viewInPlace(parent, lookAt(text, all), skeletonHow);
  const rewrite = () => rewritten(parent, looks, looksOfPiece).finish(skeletonHow);
  const look = scannedText(text).beyond === undefined ? longLookOf(text) : undefined;
  if (look === undefined) return rewrite();
  return look === text ? undefined : viewMadeLater(parent, look, skeletonHow, rewrite);
}

/** Most looks of one character are no longer. */
const longLookUnits = 3;
/** A syllable of Hangul has the look of its two or three letters, which Unicode counts out. */
const hangul = { first: 0xac00, last: 0xd7a3, lead: 0x1100, vowel: 0x1161, tail: 0x11a7, tails: 28, ofLead: 588 };
const escape = 0x1b;

/**
 * The looks of all characters, where these are many: all at once and not in pieces, which takes a tenth of the time.
 * Undefined where they do not fit, and for what has colours of a terminal, which are taken out.
 */
function longLookOf(text: string): string | undefined {
  const { length } = text;
  const units = new Uint16Array(longLookUnits * length);
  let size = 0;
  let all = 0;
  let isSame = true;
  for (let at = 0; at < length; at++) {
    const unit = text.charCodeAt(at);
    const fact = (known[unit] ||= factOf(unit));
    if ((fact & hasNoLook) === 0) {
      if (unit === escape) return undefined;
      isSame &&= (fact & unitMask) === unit;
      all |= fact;
      units[size++] = fact;
    } else if (unit >= hangul.first && unit <= hangul.last) {
      const syllable = unit - hangul.first;
      const tail = syllable % hangul.tails;
      units[size++] = hangul.lead + Math.trunc(syllable / hangul.ofLead);
      units[size++] = hangul.vowel + Math.trunc((syllable % hangul.ofLead) / hangul.tails);
      if (tail > 0) units[size++] = hangul.tail + tail;
      all |= hangul.lead;
      isSame = false;
    } else {
      const character = String.fromCodePoint(text.codePointAt(at)!);
      const look = lookOf(character);
      at += character.length - 1;
      if (size + look.length + longLookUnits * (length - at - 1) > units.length) return undefined;
      for (let index = 0; index < look.length; index++) all |= units[size++] = look.charCodeAt(index);
      isSame &&= look === character;
    }
  }
  return isSame ? text : textOfUnits(units.subarray(0, size), all & unitMask);
}

function looksOfPiece(piece: string): string {
  return piece.length === 1 ? lookOf(piece) : Array.from(piece, lookOf).join('');
}

function withoutSharpS(parent: View): View | undefined {
  const small = parent.text.includes('\u1e9e')
    ? viewInPlace(parent, parent.text.replaceAll('\u1e9e', '\u00df'), skeletonHow)
    : parent;
  return small.text.includes('\u00df') ? viewWithPairs(small, '\u00df', 'ss', skeletonHow) : undefined;
}

const skeletonHow = 'look-alike letters read as Latin';

/** Facts of a text that both readings need, found in one pass. */
interface Glance {
  /** True where normalising changes nothing. */
  readonly isPlain: boolean;
  /** True where a unit has another look. */
  readonly looksOdd: boolean;
  /** True where the look of each unit is one unit. */
  readonly isEven: boolean;
  /** The bits of all looks of units. */
  readonly all: number;
}

const glances = new WeakMap<View, Glance>();

function glanceAt(view: View): Glance {
  let glance = glances.get(view);
  if (glance === undefined) glances.set(view, (glance = createGlance(view.text)));
  return glance;
}

const unitsMax = 65_536;
const unitMask = unitsMax - 1;
/** By unit, its look in the lowest bits, and these; 0 where it is not known yet. */
const known = new Int32Array(unitsMax);
const isKnown = 1 << 16;
const isNotPlain = 1 << 17;
const hasNoLook = 1 << 18;

function createGlance(text: string): Glance {
  const odd = oddUnitsOf(text);
  let all = 0;
  let looksOdd = false;
  for (let at = 0; at < odd.length; at++) {
    const fact = factAt(odd, at);
    all |= fact;
    if ((fact & unitMask) !== odd.charCodeAt(at)) looksOdd = true;
  }
  return { isPlain: (all & isNotPlain) === 0, looksOdd, isEven: (all & hasNoLook) === 0, all: all & unitMask };
}

/** The text with the look of each unit; the looks of those that are odd have no bits but those of `all`. */
function lookAt(text: string, all: number): string {
  const { bytes, beyond } = scannedText(text);
  if (beyond === undefined || all > latinMax) return looksOf(text);
  const units = Buffer.from(bytes);
  for (const at of beyond) units[at] = factAt(text, at);
  return units.toString('latin1');
}

function looksOf(text: string): string {
  const { length } = text;
  const units = new Uint16Array(length);
  let all = 0;
  for (let at = 0; at < length; at++) {
    units[at] = factAt(text, at);
    all |= units[at]!;
  }
  return textOfUnits(units, all);
}

function factAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return (known[unit] ||= factOf(unit));
}

/** Most letters with accents, dashes and quotation marks look like one other character, and are looked up once. */
function factOf(unit: number): number {
  const plain = (unit >= 0x20 && unit < 0x7f) || plainForms.has(unit) ? isKnown : isKnown | isNotPlain;
  if (unit < 0x80) return plain | unit;
  const character = String.fromCharCode(unit);
  const look = /\p{Cs}/u.test(character) || isAttached(unit) ? '' : lookOf(character);
  return look.length === 1 ? plain | look.charCodeAt(0) : plain | hasNoLook;
}

/** Vowels and last letters of Hangul, and the marks of half-width kana: no marks, but one with the letter before. */
const joining = /[\u1160-\u11ff\uff9e\uff9f\uffc2-\uffdc]/;

const plainForms = staying(
  (character) => !/\p{M}/u.test(character) && !joining.test(character) && character.normalize('NFKC') === character,
);
const looks = staying((character) => lookOf(character) === character);

/** Characters that stay as they are wherever they stand. */
function staying(isPlain: (character: string) => boolean): UnitSort {
  return new UnitSort(
    (character) => !/\p{Cs}/u.test(character) && !hiddenCharacter.test(character) && isPlain(character),
  );
}

/**
 * Unicode's own normalisation is quadratic in a run of combining marks (a million of them take minutes), so it only
 * ever gets a few characters at once; nobody's language stacks more marks than that.
 */
const pieceUnitsMax = 32;

function rewritten(parent: View, plain: UnitSort, rewrite: (piece: string) => string): Rewrite {
  const { text } = parent;
  const { length } = text;
  const result = new Rewrite(parent);
  let done = 0;
  for (let at = nextOdd(text, 0, plain); at < length; at = nextOdd(text, at, plain)) {
    const colour = text.charCodeAt(at) === escape ? lengthOfColour(text, at) : 0;
    if (colour > 0) {
      result.replace(at, at + colour, '');
      at += colour;
      done = at;
      continue;
    }
    const start = startOfPiece(text, at, done);
    const end = endOfPiece(text, at);
    const piece = text.slice(start, end);
    const better = rewrite(piece);
    if (better !== piece) result.replace(start, end, better);
    at = end;
    done = end;
  }
  return result;
}

/** So many characters are passed over by a loop faster than by the engine, and more of them slower. */
const loopMax = 48;

/** The next place of a unit that is neither printable ASCII nor plain; the length of the text where there is none. */
function nextOdd(text: string, from: number, plain: UnitSort): number {
  const { length } = text;
  for (let at = from; at < length;) {
    const near = Math.min(length, at + loopMax);
    for (; at < near; at++) {
      const unit = text.charCodeAt(at);
      if ((unit < 0x20 || unit >= 0x7f) && !plain.has(unit)) return at;
    }
    extraordinaryAll.lastIndex = at;
    if (!extraordinaryAll.test(text)) return length;
    at = extraordinaryAll.lastIndex - 1;
  }
  return length;
}

const extraordinaryAll = new RegExp(extraordinary, 'g');

const colourOfTerminal = /\u001b\[[\d;]{0,16}m/y;

/** Characters of what colours the text behind it on a terminal, and shows nothing itself. */
function lengthOfColour(text: string, at: number): number {
  colourOfTerminal.lastIndex = at;
  return colourOfTerminal.test(text) ? colourOfTerminal.lastIndex - at : 0;
}

/** A mark, or what hides before one, belongs to the character before it, unless that is dealt with already. */
function startOfPiece(text: string, at: number, done: number): number {
  if (at === done || !isAttached(text.codePointAt(at)!)) return at;
  const isPair = at - 2 >= done && text.codePointAt(at - 2)! > 0xffff;
  return isPair ? at - 2 : at - 1;
}

function endOfPiece(text: string, at: number): number {
  let end = at + (text.codePointAt(at)! > 0xffff ? 2 : 1);
  while (end < text.length && end - at < pieceUnitsMax) {
    const next = text.codePointAt(end)!;
    if (!isAttached(next)) break;
    end += next > 0xffff ? 2 : 1;
  }
  return end;
}

const isAttachedAlone = remembered(
  (character) => /\p{M}/u.test(character) || joining.test(character) || hiddenCharacter.test(character),
);
const attached = new UnitSort(isAttachedAlone);

function isAttached(codePoint: number): boolean {
  return codePoint > 0xffff ? isAttachedAlone(String.fromCodePoint(codePoint)) : attached.has(codePoint);
}
