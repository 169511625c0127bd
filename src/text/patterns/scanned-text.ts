import { isSparse } from '../utf8.ts';
import { foldUnit } from './literal-table.ts';

/**
 * The last texts as bytes, because several lists are looked for in each of the few readings of a text. No bytes are
 * written over until all are forgotten: a scan may begin inside another.
 */
const kept: ScannedText[] = [];
const keptMax = 6;
/** Bytes of longer texts are not kept. */
const keptCharactersMax = 1_048_576;
const noLetter = 0xff;

/** Forgets all texts that were scanned, for they may be private; no scan is under way then. */
export function forgetScannedTexts(): void {
  kept.length = 0;
  slab?.bytes.fill(0, 0, taken);
  slab?.units.fill(0, 0, taken);
  taken = 0;
}

/**
 * Memory of short texts, used again once they are forgotten: what is asked of the engine for each of them has to be
 * collected, and several times a prompt.
 */
let slab: { readonly bytes: Buffer; readonly units: Uint16Array; readonly places: Int32Array } | undefined;
const slabCharacters = 32_768;
let taken = 0;

/** The start of so much of the memory, where there is as much left. */
function take(length: number): number | undefined {
  const start = taken;
  if (start + length > slabCharacters) return undefined;
  slab ??= {
    bytes: Buffer.alloc(slabCharacters),
    units: new Uint16Array(slabCharacters),
    places: new Int32Array(slabCharacters),
  };
  taken += length;
  return start;
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
  /** The place of each byte, where they are many. */
  readonly places: Int32Array | undefined;
  /** The folded units of the text, where they are many. */
  readonly folded: Uint16Array | undefined;
  /** Of a text beyond ASCII, what `oddUnitsOf` tells; of another it is found when somebody asks. */
  readonly oddUnits: string | undefined;
  /** The words that a pass for foreign ones found, which keeps them here. */
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
  for (let at = 0; at < bytes.length; at++) if (isSeen[bytes[at]!] === 0) addOdd(units, bytes[at]!);
  return textOfSeen(units);
}

const odd = /[^\t\n\r -~]/g;

function write(text: string): ScannedText {
  const utf8Length = Buffer.byteLength(text);
  const isAscii = utf8Length === text.length;
  if (!isAscii && !isSparse(text, utf8Length)) return writeEach(text);
  const start = take(text.length);
  const bytes = start === undefined ? Buffer.allocUnsafe(text.length) : slab!.bytes.subarray(start, taken);
  bytes.write(text, 'latin1');
  const beyond: number[] = [];
  const oddUnits = isAscii ? undefined : writeOdd(text, bytes, beyond);
  return { text, isAscii, bytes, beyond, places: undefined, folded: undefined, oddUnits, foreign: undefined };
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
  const start = take(length);
  const bytes = start === undefined ? Buffer.allocUnsafe(length) : slab!.bytes.subarray(start, taken);
  const folded = start === undefined ? new Uint16Array(length) : slab!.units.subarray(start, taken);
  const places = start === undefined ? new Int32Array(length) : slab!.places.subarray(start, taken);
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
