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
  /** A byte for each unit: itself, or what it folds to; all beyond ASCII is one sign that no literal of ASCII has. */
  readonly bytes: Buffer;
  /** Places of the characters beyond ASCII, if they are few. */
  readonly beyond: readonly number[] | undefined;
  /** Of a text beyond ASCII, what `oddUnitsOf` tells; of another it is found when somebody asks. */
  readonly oddUnits: string | undefined;
}

/** A text made ready to be scanned for literals. */
export function scannedText(text: string): ScannedText {
  for (const one of kept) if (one.text === text) return one;
  const scanned = write(text, Buffer.allocUnsafe(text.length));
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
  for (const byte of bytes) addOnce(units, byte);
  return withoutPlain(textOfSeen(units));
}

function withoutPlain(units: string): string {
  return units.replace(/[\t\n\r -~]+/g, '');
}

const odd = /[^\t\n\r -~]/g;

function write(text: string, bytes: Buffer): ScannedText {
  const utf8Length = Buffer.byteLength(text);
  const isAscii = utf8Length === text.length;
  if (!isAscii && !isSparse(text, utf8Length)) {
    const oddUnits = writeEach(text, bytes);
    return { text, isAscii, bytes, beyond: undefined, oddUnits };
  }
  bytes.write(text, 'latin1');
  const beyond: number[] = [];
  const oddUnits = isAscii ? undefined : writeOdd(text, bytes, beyond);
  return { text, isAscii, bytes, beyond, oddUnits };
}

/** By unit, 1 where it was seen in a text; all 0 between two texts. */
const isSeen = new Uint8Array(65_536);

/** Writes the few characters beyond ASCII, which the engine finds, notes their places, and returns the odd units. */
function writeOdd(text: string, bytes: Buffer, beyond: number[]): string {
  const units: number[] = [];
  odd.lastIndex = 0;
  while (odd.test(text)) {
    const at = odd.lastIndex - 1;
    const unit = text.charCodeAt(at);
    addOnce(units, unit);
    if (unit < 128) continue;
    beyond.push(at);
    bytes[at] = Math.min(noLetter, foldUnit(unit));
  }
  return textOfSeen(units);
}

/** Writes every character of a text, and returns its odd units. */
function writeEach(text: string, bytes: Buffer): string {
  const { length } = text;
  const units: number[] = [];
  for (let at = 0; at < length; at++) {
    const unit = text.charCodeAt(at);
    bytes[at] = unit < 128 ? unit : Math.min(noLetter, foldUnit(unit));
    addOnce(units, unit);
  }
  return withoutPlain(textOfSeen(units));
}

function addOnce(units: number[], unit: number): void {
  if (isSeen[unit] === 1) return;
  isSeen[unit] = 1;
  units.push(unit);
}

function textOfSeen(units: readonly number[]): string {
  for (const unit of units) isSeen[unit] = 0;
  return Buffer.from(Uint16Array.from(units).buffer).toString('utf16le');
}
