import { isNoise } from './base64-noise.ts';
import { base64Runs } from './base64-runs.ts';
import { hexRuns } from './hex-runs.ts';
import type { Span } from './view.ts';

/** Texts inside a text: whatever a model could be asked to decode, decoded as far as that is cheap. */
export interface Packed {
  readonly text: string;
  readonly how: string;
  readonly carrier: Span;
}

const base64Group = 4;

/** What stands in base64 or hex in a text, if it is text itself. */
export function packedTexts(text: string): Packed[] {
  const found: Packed[] = [];
  for (const { digits, carrier } of hexRuns(text)) {
    const { whole, parts } = textOf(Buffer.from(digits, 'hex'));
    const inner = whole ?? parts;
    if (inner !== undefined) found.push({ text: inner, how: 'inside hex', carrier });
  }
  for (const { lines, carrier } of base64Runs(text)) {
    for (const inner of base64Texts(lines)) found.push({ text: inner, how: 'inside base64', carrier });
  }
  return found;
}

/** A line that follows may be more of it or something else, so it is read with and without. */
function base64Texts(lines: readonly string[]): Set<string> {
  const texts = new Set<string>();
  if (lines.length > 1) addBase64(lines.join(''), texts);
  addBase64(lines[0]!, texts);
  return texts;
}

/** Something may stand right before the first group of four, so each of the four beginnings is tried. */
function addBase64(run: string, texts: Set<string>): void {
  for (let skip = 0; skip < base64Group; skip++) {
    if (isNoise(run, skip, { rowMin: readableMin, mayBeText })) continue;
    const { whole, parts, isClean } = textOf(Buffer.from(run.slice(skip), 'base64'));
    if (whole !== undefined) texts.add(whole);
    if (isClean) return;
    // Where one beginning gives text with noise in it, the noise may be a text of another beginning.
    if (whole === undefined && parts !== undefined) texts.add(parts);
  }
}

const textBytesMin = 8;
/** So many characters in a row are hardly ever an accident of bytes that are no text. */
const readableMin = 12;
const readable = new RegExp(`[\\t\\n\\r -~]{${readableMin},}`, 'g');

interface Reading {
  /** Undefined for bytes that are no text: a twentieth of oddities is let pass, or one byte of noise would hide all. */
  readonly whole?: string;
  readonly isClean?: boolean;
  /** What can be read among bytes that are something else, each part on a line of its own. */
  readonly parts?: string;
}

function textOf(bytes: Buffer): Reading {
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

function oddities(text: string): number {
  let odd = 0;
  for (const character of text) {
    const isPlain =
      (character >= ' ' && character <= '~') || character === '\n' || character === '\t' || character === '\r';
    if (!isPlain && (character === '\ufffd' || /\p{Cc}/u.test(character))) odd++;
  }
  return odd;
}
