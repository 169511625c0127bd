import { oddUnitsOf } from '../../../text/patterns/scanned-text.ts';
import { type Prefilter, codes, prefilterKey, pairOf, matchLiterals, wantedBits } from './prefilter.ts';

/** Anything but printable ASCII, tab, LF and CR. Most texts have none of it. */
export const extraordinary = /[^\t\n\r -~]/;

/**
 * Facts that one pass over a text tells, so that most of what could be done with it need not be. Each sign errs on one
 * side: what is not set is not there.
 */
export const signs = {
  extraordinary: 1 << 12,
  /** Characters that escapes begin with. */
  escape: 1 << 13,
  equals: 1 << 14,
  /** Characters that leetspeak has for letters. */
  leet: 1 << 15,
  /** A run of characters of base64, no shorter than what base64-runs takes for one. */
  base64: 1 << 16,
  /** A run without letters other than those of hex and its prefix, no shorter than what hex-runs takes for one. */
  hex: 1 << 17,
  /** Single characters with gaps between them. */
  spaced: 1 << 18,
  /** Characters that marks of HTML, Markdown and strings begin with. */
  markup: 1 << 19,
  digit: 1 << 24,
  /** Characters of which an address of mail has one. */
  mail: 1 << 25,
  /** Characters of which an address of the web, or a place for one, has one, unless it begins with `www`. */
  link: 1 << 26,
  /** Two letters of `www` side by side. */
  www: 1 << 27,
} as const;

/** Those that tell of a reading; the others tell rules what they need not look for. */
export const signsOfReadings = ~(signs.digit | signs.mail | signs.link | signs.www);

const ofOne: number =
  signs.extraordinary | signs.escape | signs.equals | signs.leet | signs.markup | signs.digit | signs.mail | signs.link;
const runs: number = signs.base64 | signs.hex;

/**
 * Of a pair: a gap behind a character, which is spaced out if three such pairs follow each other; and a gap before one,
 * if two do and a third begins with a gap. Of each, the bit that is looked for in the pairs before, and the one above
 * it for the last.
 */
const behind = 1 << 20;
const behindLast = behind << 1;
const ahead = 1 << 22;
const aheadLast = ahead << 1;
const gap = 1 << 20;

/** The text in UTF-8, with blanks before and behind it; it grows with the texts that come. */
let bytes = Buffer.alloc(0);
let pairsOfBytes = new Uint16Array();
/** Memory that a longer text needed beyond this is given back when a short one comes. */
const keptBytesMax = 8 * 1024 * 1024;
const bytesPerUnitMax = 3;
const margin = 8;

/** The signs of a text; notes the groups of the prefilter that it may hold a literal of. */
export function scanCharacters(text: string, prefilter: Prefilter, found: Uint8Array): number {
  const spacious = 2 * (text.length * bytesPerUnitMax + 2 * margin);
  const isLong = spacious > keptBytesMax;
  const needed = isLong ? Buffer.byteLength(text) + 2 * margin : spacious / 2;
  if (needed > bytes.length || (bytes.length > keptBytesMax && !isLong)) {
    // For a text of 15 MB room to spare would be six times as much, in each thread.
    bytes = Buffer.alloc(isLong ? needed + (needed & 1) : spacious, ' ');
    pairsOfBytes = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length >> 1);
  }
  const end = margin + bytes.write(text, margin);
  for (let at = end; at < end + margin; at++) bytes[at] = 0x20;
  const seen = pass(end, prefilter, found);
  if ((seen & signs.extraordinary) !== 0) noteForeign(text, prefilter, found);
  return seen;
}

/** Four bytes a step, as two pairs: this loop is where most of the time for harmless text goes. */
function pass(end: number, prefilter: Prefilter, found: Uint8Array): number {
  const ofPair = (table ??= createTable());
  const text = pairsOfBytes;
  const { marks, places } = prefilter;
  let wanted = wantedBits(found);
  let patience = end;
  let any = 0;
  let held = 0;
  let before = 0;
  let beforeThat = 0;
  let spaced = 0;
  let last = 0;
  for (let at = margin >> 1; at <= end >> 1; at += 2) {
    const one = ofPair[text[at]!]!;
    const other = ofPair[text[at + 1]!]!;
    any |= one | other;
    const both = one & other;
    held |= both & before & (beforeThat | signs.base64);
    spaced |= ((before << 1) & one) | (((last & one) << 1) & other);
    beforeThat = before;
    before = both;
    const first = prefilterKey(last, one);
    const second = prefilterKey(one, other);
    last = other;
    if (((marks[first]! | marks[second]!) & wanted) === 0) continue;
    if ((marks[first]! & wanted) !== 0) {
      patience -= places[first]!.length;
      wanted &= ~matchLiterals(prefilter, bytes, { at: 2 * at - 1, key: first }, found);
    }
    if ((marks[second]! & wanted) !== 0) {
      patience -= places[second]!.length;
      wanted &= ~matchLiterals(prefilter, bytes, { at: 2 * at + 1, key: second }, found);
    }
    // A text that looks like literals all over is not sieved any more: any of them may be there.
    if (patience < 0) {
      found.fill(1);
      wanted = 0;
      patience = end;
    }
  }
  return (any & (ofOne | signs.www)) | (held & runs) | ((spaced & (behindLast | aheadLast)) === 0 ? 0 : signs.spaced);
}

/** Two characters beyond ASCII are letters of it in another case, and no prefilter knows them. */
function noteForeign(text: string, { foreign }: Prefilter, found: Uint8Array): void {
  for (const group of foreign) found[group] = 1;
  if (/[\u017f\u212a]/.test(oddUnitsOf(text))) found.fill(1);
}

/** By two bytes as this machine reads them: their codes, their signs, and which of them is a gap. */
let table: Int32Array | undefined;

/** Made when the first text comes, which waits for it: hence the plain loops. */
function createTable(): Int32Array {
  const ofByte = Int32Array.from({ length: 256 }, (_, byte) => signsOf(String.fromCharCode(byte)));
  const ofPair = new Int32Array(1 << 16);
  const two = new Uint8Array(2);
  const read = new Uint16Array(two.buffer);
  for (let first = 0; first < 256; first++) {
    for (let second = 0; second < 256; second++) {
      two[0] = first;
      two[1] = second;
      const one = ofByte[first]!;
      const other = ofByte[second]!;
      ofPair[read[0]!] =
        pairOf(codes[first]!, codes[second]!) |
        ((one | other) & ofOne) |
        (one & other & (signs.www | runs)) |
        gapsOf((one & gap) !== 0, (other & gap) !== 0);
    }
  }
  return ofPair;
}

function gapsOf(isFirst: boolean, isSecond: boolean): number {
  if (isFirst) return isSecond ? aheadLast : ahead | aheadLast;
  return isSecond ? behind | behindLast : 0;
}

function signsOf(character: string): number {
  const has = (pattern: RegExp, sign: number) => (pattern.test(character) ? sign : 0);
  return (
    has(extraordinary, signs.extraordinary) |
    has(/[%&\\]/, signs.escape) |
    has(/=/, signs.equals) |
    has(/[0134578@$]/, signs.leet) |
    has(/[A-Za-z0-9+/_-]/, signs.base64) |
    has(/[^g-wyz]/i, signs.hex) |
    has(/[<*`~"']/, signs.markup) |
    has(/\d/, signs.digit) |
    has(/[@([{]/, signs.mail) |
    has(/[/\\:=\]]/, signs.link) |
    has(/[Ww]/, signs.www) |
    has(/[ \t\n._*|/,;~+-]/, gap)
  );
}
