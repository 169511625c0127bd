/**
 * Tells, of many groups of literals, which a text may hold one of, in a fraction of the time that looking for them
 * takes: only every other place of the text is looked at, and of a literal only its rarest three letters. It errs on
 * one side: what it says is not there is not there.
 */
export interface Prefilter {
  readonly groups: number;
  /** By the key of three characters: the bits of the groups of which a literal may be near. */
  readonly marks: Int32Array;
  /** Groups of which nothing can be told; they are always held to be there. */
  readonly unknown: readonly number[];
  /** Groups with a literal that has nothing of ASCII, so that any character beyond it may be it. */
  readonly foreign: readonly number[];
  /** By key, the literals that it leads to. */
  readonly places: readonly (readonly CellPlace[])[];
}

/** A literal, and how far into it the three characters stand that led to it. */
interface CellPlace {
  readonly group: number;
  readonly codes: Uint8Array;
  readonly offset: number;
}

const keyMask = 0xfff;
const digitCode = 27;
const lowLineCode = 28;
/** More of them than that are sooner looked for than sieved. */
const literalsMax = 64;
const literalCharactersMax = 16;

/** By byte of UTF-8, in five bits: letters without their case, all digits as one, 0 for all that no word is made of. */
export const codes = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte).toLowerCase();
  if (character >= 'a' && character <= 'z') return character.charCodeAt(0) - 0x60;
  if (character >= '0' && character <= '9') return digitCode;
  return character === '_' ? lowLineCode : 0;
});

/** Of a character and the two after it: of both numbers, only the codes in their lowest bits count. */
export function prefilterKey(first: number, pair: number): number {
  return ((first << 7) ^ pair) & keyMask;
}

export function pairOf(first: number, second: number): number {
  return (first << 5) | second;
}

/**
 * A blank at the start or end of a literal stands for the edge of a word; within one it may be any white space.
 * Literals are looked for whatever their case.
 */
export function createPrefilter(groups: readonly (readonly string[] | undefined)[]): Prefilter {
  const marks = new Int32Array(keyMask + 1);
  const places = Array.from(marks, (): CellPlace[] => []);
  const unknown: number[] = [];
  const foreign: number[] = [];
  groups.forEach((literals, group) => {
    const pieces = isSieved(literals) ? literals.map(rarestPiece) : [undefined];
    if (pieces.includes(undefined)) unknown.push(group);
    else if (pieces.includes('')) foreign.push(group);
    for (const wanted of unknown.at(-1) === group ? [] : pieces.filter(isFilled).map(toCodes)) {
      for (const { key, offset } of keysOf(wanted)) {
        marks[key]! |= bitOf(group);
        places[key]!.push({ group, codes: wanted, offset });
      }
    }
  });
  return { groups: groups.length, marks, unknown, foreign, places };
}

/** False for a group of which nothing can be told, however its literals are made. */
export function isSieved(literals: readonly string[] | undefined): literals is readonly string[] {
  return literals !== undefined && literals.length <= literalsMax;
}

/** Groups beyond the bits of a number share the last, which stays wanted. */
const sharedBit = 30;

function bitOf(group: number): number {
  return 1 << Math.min(group, sharedBit);
}

/** The bits of the groups that are still looked for: what is found once need not be found again. */
export function wantedBits(found: Uint8Array): number {
  let bits = 0;
  for (let group = 0; group < found.length; group++) if (group >= sharedBit || found[group] === 0) bits |= bitOf(group);
  return bits;
}

/** Notes the groups of which a literal stands at a place with this key; returns the bits that are wanted no more. */
export function matchLiterals(
  prefilter: Prefilter,
  bytes: Uint8Array,
  { at, key }: { readonly at: number; readonly key: number },
  found: Uint8Array,
): number {
  let bits = 0;
  for (const { group, codes: wanted, offset } of prefilter.places[key]!) {
    if (found[group] === 1) continue;
    let length = 0;
    while (length < wanted.length && codes[bytes[at - offset + length]!] === wanted[length]) length++;
    if (length < wanted.length) continue;
    found[group] = 1;
    if (group < sharedBit) bits |= bitOf(group);
  }
  return bits;
}

/** Undefined where nothing can be told of a literal, empty where it is one that no text of ASCII has. */
function rarestPiece(literal: string): string | undefined {
  const pieces = literal.toLowerCase().match(/(?:^ )?[!-~]+(?: $)?/g) ?? [];
  const [rarest] = pieces.filter((piece) => piece.length > 1).toSorted((one, other) => rarityOf(one) - rarityOf(other));
  if (rarest !== undefined) return rarest;
  return /[^\0-\x7f\u017f\u212a]/.test(literal) ? '' : undefined;
}

function rarityOf(piece: string): number {
  return toCodes(piece).reduce((product, code) => product * shareOf(code), 1);
}

function isFilled(piece: string | undefined): piece is string {
  return piece !== undefined && piece !== '';
}

function toCodes(piece: string): Uint8Array {
  return Uint8Array.from(piece.slice(0, literalCharactersMax), (character) => codes[character.charCodeAt(0)]!);
}

interface Key {
  readonly key: number;
  readonly offset: number;
}

/** Three characters at an even place of the literal and three at an odd one, for every other place is passed over. */
function keysOf(wanted: Uint8Array): Key[] {
  const shares = Array.from(wanted, (_, index) => shareOfThree(wanted, index - 1));
  const pairs = shares.slice(1).map((share, index) => share + shares[index]!);
  const best = pairs.indexOf(Math.min(...pairs)) - 1;
  return [best, best + 1].flatMap((offset) => threesAt(wanted, offset).map((key) => ({ key, offset })));
}

function shareOfThree(wanted: Uint8Array, offset: number): number {
  return [0, 1, 2].reduce((product, index) => product * shareOf(wanted[offset + index]), 1);
}

/** The characters right before and right behind a literal may be anything. */
function threesAt(wanted: Uint8Array, offset: number): number[] {
  const codesAt = (index: number) => (index in wanted ? [wanted[index]!] : [...shares.keys()]);
  const pairs = codesAt(offset + 2).map((code) => pairOf(wanted[offset + 1]!, code));
  return [...new Set(codesAt(offset).flatMap((code) => pairs.map((pair) => prefilterKey(code, pair))))];
}

/** Share of each code in a thousand characters of English: no word, a to z, digits, low line. */
const shares = [
  180, 65, 12, 22, 35, 100, 18, 16, 50, 58, 1, 6, 33, 20, 57, 62, 15, 1, 50, 53, 75, 23, 8, 19, 2, 16, 1, 10, 1,
];

function shareOf(code: number | undefined): number {
  return code === undefined ? 1 : shares[code]! / 1_000;
}
