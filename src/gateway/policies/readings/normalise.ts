import { lookOf } from './homoglyphs.ts';
import { Translation, unsure } from './translate.ts';
import { UnitSort } from './unit-sort.ts';
import { Rewrite, type View, viewInPlace } from './view.ts';

/**
 * Characters that nobody sees on their way to a model: format characters, all that has no look of its own, and controls other than
 * tab, LF and CR. Also what stands in a text as a blank braille cell or a Hangul filler, and what is no character at all
 * or one of nobody's: halves of pairs, numbers that are not given out, and the signs that stand for such.
 */
export const hiddenCharacter =
  /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{DI}\u2028\u2029\u2800\uFFFC\uFFFD\u{1BCA0}-\u{1BCA3}]/u;
const hiddenAll = new RegExp(hiddenCharacter, 'gu');

/** Most texts have none of these, and are done with. */
const extraordinary = /[^\t\n\r -~]/;

/** The text without invisible characters, in Unicode's compatibility form. Undefined where that is the text itself. */
export function normalised(parent: View): View | undefined {
  if (!extraordinary.test(parent.text)) return undefined;
  return rewritten(parent, plainForms, (piece) => piece.replace(hiddenAll, '').normalize('NFKC')).finish(
    'normalised, without invisible characters',
  );
}

/** The text as the eye reads it: look-alikes as Latin letters, accents gone. Undefined where that is the text itself. */
export function skeleton(parent: View): View | undefined {
  if (!extraordinary.test(parent.text)) return undefined;
  const inPlace = looksInPlace.of(parent.text);
  if (inPlace === undefined)
    return rewritten(parent, looks, (piece) => Array.from(piece, lookOf).join('')).finish(skeletonHow);
  return inPlace === parent.text ? undefined : viewInPlace(parent, inPlace, skeletonHow);
}

const skeletonHow = 'look-alike letters read as Latin';

/** Most letters with accents, dashes and quotation marks look like one other character, and are looked up once. */
const looksInPlace = new Translation(lookInPlace);

function lookInPlace(unit: number): number {
  if (unit < 0x80) return unit;
  const character = String.fromCharCode(unit);
  const look = /\p{Cs}/u.test(character) || isAttached(unit) ? '' : lookOf(character);
  return look.length === 1 ? look.charCodeAt(0) : unsure;
}

const plainForms = staying((character) => !/\p{M}/u.test(character) && character.normalize('NFKC') === character);
const looks = staying((character) => lookOf(character) === character);

/** Characters that stay as they are wherever they stand. */
function staying(isPlain: (character: string) => boolean): UnitSort {
  return new UnitSort(
    (character) => !/\p{Cs}/u.test(character) && !hiddenCharacter.test(character) && isPlain(character),
  );
}

/**
 * Unicode's own normalisation is quadratic in a run of combining marks (a million of them take minutes), so it only ever
 * gets a few characters at once; nobody's language stacks more marks than that.
 */
const pieceUnitsMax = 32;

function rewritten(parent: View, plain: UnitSort, rewrite: (piece: string) => string): Rewrite {
  const { text } = parent;
  const result = new Rewrite(parent);
  let at = 0;
  let done = 0;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    if ((unit >= 0x20 && unit < 0x7f) || plain.has(unit)) {
      at++;
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

function isAttached(codePoint: number): boolean {
  if (codePoint >= 0x20 && codePoint < 0x7f) return false;
  const character = String.fromCodePoint(codePoint);
  return /\p{M}/u.test(character) || hiddenCharacter.test(character);
}
