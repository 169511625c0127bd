import { matchesOf } from '../../../text/patterns/matches.ts';
import { base64Group, isBase64Noise } from './base64-noise.ts';
import { base64Runs } from './base64-runs.ts';
import { signs } from './character-scan.ts';
import { hexRuns } from './hex-runs.ts';
import { UnitSort, hasRun } from './unit-sort.ts';
import type { Span } from './view.ts';

/** Texts inside a text: whatever a model could be asked to decode, decoded as far as that is cheap. */
export interface Packed {
  readonly text: string;
  readonly how: string;
  readonly carrier: Span;
}

/** Text in base64, hex and the like in a text, if it is text itself; a scan that saw no sign of some can say so. */
export function packedTexts(text: string, seen: number = signs.base64 | signs.hex): Packed[] {
  const found: Packed[] = [];
  const mayBeHex = (seen & signs.hex) !== 0;
  const mayBeBase64 = (seen & signs.base64) !== 0;
  const runs = mayBeBase64 ? base64Runs(text, noiseLimits) : [];
  for (const { digits, carrier } of mayBeHex ? hexRuns(text, noiseLimits) : []) {
    const { whole, parts } = textOf(Buffer.from(digits, 'hex'));
    const inner = whole ?? parts;
    if (inner !== undefined) found.push({ text: inner, how: 'inside hex', carrier });
  }
  for (const { lines, carrier } of runs) {
    for (const inner of base64Texts(lines)) found.push({ text: inner, how: 'inside base64', carrier });
  }
  // A run of base32 is one of base64 as well.
  for (const { 0: run, index } of mayBeBase64 && hasRun(text, base32Min, ofBase32) ? matchesOf(text, base32) : []) {
    const inner = base32Text(run);
    if (inner !== undefined)
      found.push({ text: inner, how: 'inside base32', carrier: { start: index, end: index + run.length } });
  }
  const mayHaveCodes = (mayBeHex && hasRun(text, codesMin, ofCodes)) || hasCodeMarks(text);
  for (const { 0: run, index } of mayHaveCodes ? matchesOf(text, characterCodes) : []) {
    const inner = codesText(run);
    if (inner !== undefined)
      found.push({
        text: inner,
        how: 'character codes written out',
        carrier: { start: index, end: index + run.length },
      });
  }
  return found;
}

const base32Min = 16;
const ofBase32 = new UnitSort((character) => /[A-Z2-7]/.test(character));
const base32 = /(?<![A-Za-z0-9+/=])[A-Z2-7]{16,}={0,6}(?![A-Za-z0-9+/=])/g;
const base32Letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function base32Text(run: string): string | undefined {
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (const letter of run.replace(/=+$/, '')) {
    bits = ((bits << 5) | base32Letters.indexOf(letter)) & 0xfff;
    held += 5;
    if (held < 8) continue;
    held -= 8;
    bytes.push((bits >> held) & 0xff);
  }
  return textOf(Buffer.from(bytes)).whole;
}

/** Numbers of characters in a row, bare, as eight bits each, as `U+0041`, or as programs write them. */
const characterCodes =
  /(?<![\d.])(?:\d{2,3}[ ,;]{1,2}){7,}\d{2,3}(?![\d.])|(?<![\d.])(?:[01]{8}[ ,;\n]{0,2}){8,}(?![\d.])|(?:U\+[0-9A-Fa-f]{4,6}[ ,;]{0,2}){6,}|(?:(?:[Cc]hrW?|[Cc]har|CHR|CHAR|String\.fromCharCode)\(\d{2,3}\)[ ]?[.+&|,]{0,2}[ ]?){4,}/g;

/** Eight numbers of two digits with a sign after each. */
const codesMin = 20;
const ofCodes = new UnitSort((character) => /[\d ,;]/.test(character));

/** Prefix that programs and tables of characters write before the number of one. */
export function hasCodeMarks(text: string): boolean {
  return (
    text.includes('chr(') ||
    text.includes('Chr(') ||
    text.includes('CHR(') ||
    text.includes('U+') ||
    text.includes('CharCode(')
  );
}

function codesText(run: string): string | undefined {
  const codes = Array.from(matchesOf(run, /[01]{8}|U\+([0-9A-Fa-f]+)|\d+/g), ([code, hex]) =>
    hex === undefined ? Number.parseInt(code, code.length === 8 ? 2 : 10) : Number.parseInt(hex, 16),
  );
  const isText = codes.every(
    (code) => code === 9 || code === 10 || code === 13 || (code >= 0x20 && code !== 0x7f && code <= 0x10ffff),
  );
  return isText ? codes.map((code) => String.fromCodePoint(code)).join('') : undefined;
}

/** A line that follows may be more of it or something else, so it is read with and without. */
function base64Texts(lines: readonly string[]): readonly string[] {
  const texts: string[] = [];
  if (lines.length > 1) addBase64(lines.join(''), texts);
  addBase64(lines[0]!, texts);
  return texts;
}

function addBase64(run: string, texts: string[]): void {
  for (let skip = 0; skip < base64Group; skip++) {
    if (isBase64Noise(run, skip, run.length, noiseLimits)) continue;
    const { whole, parts, isClean } = textOf(Buffer.from(run.slice(skip), 'base64'));
    if (whole !== undefined) addOnce(texts, whole);
    if (isClean) return;
    // If one beginning gives text with noise in it, the noise may be a text of another beginning.
    if (whole === undefined && parts !== undefined) addOnce(texts, parts);
  }
}

function addOnce(texts: string[], text: string): void {
  if (!texts.includes(text)) texts.push(text);
}

const textBytesMin = 8;
/** Readable characters in a row that bytes which are no text hardly ever hold. */
const readableMin = 12;
const readable = new RegExp(`[\\t\\n\\r -~]{${readableMin},}`, 'g');

const noiseLimits = { rowMin: readableMin, mayBeText };

interface DecodedText {
  /** Undefined for bytes that are no text: a twentieth of oddities is let pass, or one byte of noise would hide all. */
  readonly whole?: string;
  readonly isClean?: boolean;
  /** Readable parts among bytes that are something else, each part on a line of its own. */
  readonly parts?: string;
}

function textOf(bytes: Buffer): DecodedText {
  if (bytes.length === 0) return {};
  const text = wideText(bytes) ?? bytes.toString('utf8');
  const odd = oddities(text);
  if (mayBeText(odd, text.length)) return { whole: text, isClean: odd === 0 };
  const parts = bytes.toString('latin1').match(readable);
  return parts === null ? {} : { parts: parts.join('\n') };
}

function mayBeText(odd: number, length: number): boolean {
  return odd === 0 || odd * 20 <= length - textBytesMin;
}

function wideText(bytes: Buffer): string | undefined {
  if (bytes.length <= textBytesMin) return undefined;
  if (bytes[1] === 0 && bytes[3] === 0) return bytes.toString('utf16le');
  if (bytes[0] !== 0 || bytes[2] !== 0) return undefined;
  return Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2)))
    .swap16()
    .toString('utf16le');
}

/** Control characters but tab, LF and CR, and what stands in the place of bytes that are none. */
const ofOddities = new UnitSort((character) => /[^\P{Cc}\t\n\r]|\ufffd/u.test(character));

function oddities(text: string): number {
  let odd = 0;
  for (let at = 0; at < text.length; at++) if (ofOddities.has(text.charCodeAt(at))) odd++;
  return odd;
}
