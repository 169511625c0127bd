import { isSparse } from '../utf8.ts';
import { foldUnit } from './literal-table.ts';

/**
 * The last texts as bytes, because several lists are looked for in each of the few readings of a text. No bytes are
 * ever written over: a scan may begin inside another.
 */
const kept: ScannedText[] = [];
const keptMax = 4;
/** Bytes of longer texts are not kept. */
const keptCharactersMax = 1_048_576;
const noLetter = 0xff;

/** Forgets all texts that were scanned, for they may be private. */
export function forgetScannedTexts(): void {
  kept.length = 0;
}

export interface ScannedText {
  readonly text: string;
  readonly isAscii: boolean;
  /**
   * A byte for each unit: itself, or what it folds to; all beyond ASCII is one sign that no literal of ASCII has. Where
   * such characters are many, those in a row are one byte.
   */
  readonly bytes: Buffer;
  /** Places of the characters beyond ASCII, if they are few. */
  readonly beyond: readonly number[] | undefined;
  /** Where they are many, the place of each byte. */
  readonly places: Int32Array | undefined;
  /** Where they are many, the folded units of the text. */
  readonly folded: Uint16Array | undefined;
  /** Of a text beyond ASCII, what `oddUnitsOf` tells; of another it is found when somebody asks. */
  readonly oddUnits: string | undefined;
  /** What a pass for foreign words found, which keeps it here. */
  foreign: unknown;
}

/** A text made ready to be scanned for literals. */
export function scannedText(text: string): ScannedText {
  for (const one of kept) if (one.text === text) return one;
  const scanned = write(text);
  if (text.length > keptCharactersMax) return scanned;
  if (kept.length === keptMax) kept.shift();
  kept.push(scanned);
  return scanned;
}

/**
 * The UTF-16 units of a text that are no printable ASCII, tab, LF or CR, each of them once. Most questions about such
 * characters are about their sorts, and a text of a thousand characters has a few dozen of them at most.
 */
export function oddUnitsOf(text: string): string {
  const { oddUnits, bytes } = scannedText(text);
  return oddUnits ?? oddUnitsOfAscii(bytes);
}

/** Not by a pattern that finds each of them: a text may be of nothing else. */
function oddUnitsOfAscii(bytes: Uint8Array): string {
  const units: number[] = [];
  for (const byte of bytes) addOdd(units, byte);
  return textOfSeen(units);
}

const odd = /[^\t\n\r -~]/g;

function write(text: string): ScannedText {
  const utf8Length = Buffer.byteLength(text);
  const isAscii = utf8Length === text.length;
  if (!isAscii && !isSparse(text, utf8Length)) return writeEach(text);
  const bytes = Buffer.allocUnsafe(text.length);
  bytes.write(text, 'latin1');
  const beyond: number[] = [];
  const oddUnits = isAscii ? undefined : writeOdd(text, bytes, beyond);
  return { text, isAscii, bytes, beyond, places: undefined, folded: undefined, oddUnits, foreign: undefined };
}

/** Arrays of short texts are parts of larger ones: the engine keeps account of the memory of each. */
const slabNumbers = 65_536;
const takenMax = slabNumbers >> 3;
let unitSlab = new Uint16Array();
let placeSlab = new Int32Array();

function takeUnits(length: number): Uint16Array {
  if (length > takenMax) return new Uint16Array(length);
  if (unitSlab.length < length) unitSlab = new Uint16Array(slabNumbers);
  const taken = unitSlab.subarray(0, length);
  unitSlab = unitSlab.subarray(length);
  return taken;
}

function takePlaces(length: number): Int32Array {
  if (length > takenMax) return new Int32Array(length);
  if (placeSlab.length < length) placeSlab = new Int32Array(slabNumbers);
  const taken = placeSlab.subarray(0, length);
  placeSlab = placeSlab.subarray(length);
  return taken;
}

/** By unit, 1 where it was seen in a text, and for those that are not odd. */
const isSeen = new Uint8Array(65_536).fill(1, 0x20, 0x7f);
for (const unit of [0x09, 0x0a, 0x0d]) isSeen[unit] = 1;

/** Writes the few characters beyond ASCII, which the engine finds, notes their places, and returns the odd units. */
function writeOdd(text: string, bytes: Buffer, beyond: number[]): string {
  const units: number[] = [];
  odd.lastIndex = 0;
  while (odd.test(text)) {
    const at = odd.lastIndex - 1;
    const unit = text.charCodeAt(at);
    addOdd(units, unit);
    if (unit < 128) continue;
    beyond.push(at);
    bytes[at] = Math.min(noLetter, foldUnit(unit));
  }
  return textOfSeen(units);
}

/** Reads every character of a text. */
function writeEach(text: string): ScannedText {
  const { length } = text;
  const folded = takeUnits(length);
  const bytes = Buffer.allocUnsafe(length);
  const places = takePlaces(length);
  const units: number[] = [];
  let size = 0;
  let isBeyond = false;
  for (let at = 0; at < length; at++) {
    const unit = text.charCodeAt(at);
    if (isSeen[unit] === 0) addOdd(units, unit);
    const one = foldUnit(unit);
    folded[at] = one;
    if (one > 127 && isBeyond) continue;
    isBeyond = one > 127;
    bytes[size] = isBeyond ? noLetter : unit < 128 ? unit : one;
    places[size++] = at;
  }
  const oddUnits = textOfSeen(units);
  return {
    text,
    isAscii: false,
    bytes: bytes.subarray(0, size),
    beyond: undefined,
    places,
    folded,
    oddUnits,
    foreign: undefined,
  };
}

function addOdd(units: number[], unit: number): void {
  if (isSeen[unit] === 1) return;
  isSeen[unit] = 1;
  units.push(unit);
}

/** More arguments than this may not fit on the stack. */
const argumentsMax = 1_024;

function textOfSeen(units: readonly number[]): string {
  for (const unit of units) isSeen[unit] = 0;
  if (units.length <= argumentsMax) return String.fromCharCode(...units);
  return Buffer.from(Uint16Array.from(units).buffer).toString('utf16le');
}
