import type { Span } from './view.ts';

/** Texts inside a text: whatever a model could be asked to decode, decoded as far as that is cheap. */
export interface Packed {
  readonly text: string;
  readonly how: string;
  readonly carrier: Span;
}

const base64Run = /[A-Za-z0-9+/_-]{12,}(?:(?<=[A-Za-z0-9+/_-]{40})\r?\n[A-Za-z0-9+/_-]{4,})*={0,2}/y;
const base64Group = 4;
const runMin = 12;
/** Text in hex begins with one of these, so words are passed over. */
const hexRun =
  /(?<![0-9A-Za-z])[2-7c-eC-E][0-9a-fA-F](?:(?:[0-9a-fA-F]{2}){7,}|(?:[ :][0-9a-fA-F]{2}){7,})(?![0-9A-Za-z])/g;

/** A run as long as that covers a character of each dozen, so most characters need not be looked at. */
function* base64Runs(text: string): Generator<{ readonly run: string; readonly index: number }> {
  let done = 0;
  for (let probe = runMin - 1; probe < text.length; probe += runMin) {
    if (!isBase64At(text, probe)) continue;
    let index = probe;
    while (index > done && isBase64At(text, index - 1)) index--;
    base64Run.lastIndex = index;
    const run = base64Run.exec(text)?.[0];
    if (run !== undefined) yield { run, index };
    done = index + (run?.length ?? 0);
    while (isBase64At(text, done)) done++;
    probe = Math.max(probe, done - 1);
  }
}

function isBase64At(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit < 128 && isBase64[unit] === 1;
}

const isBase64 = Uint8Array.from({ length: 128 }, (_, unit) =>
  /[A-Za-z0-9+/_-]/.test(String.fromCharCode(unit)) ? 1 : 0,
);

/** What stands in base64 or hex in a text, if it is text itself. */
export function packedTexts(text: string): Packed[] {
  const found: Packed[] = [];
  for (const { 0: run, index } of /\d/.test(text) ? text.matchAll(hexRun) : []) {
    const inner = textOf(Buffer.from(run.replace(/[ :]/g, ''), 'hex'));
    const carrier = { start: index, end: index + run.length };
    if (inner !== undefined) found.push({ text: inner, how: 'inside hex', carrier });
  }
  for (const { run, index } of base64Runs(text)) {
    const carrier = { start: index, end: index + run.length };
    for (const inner of base64Texts(run)) found.push({ text: inner, how: 'inside base64', carrier });
  }
  return found;
}

/** A line that follows may be more of it or something else, so it is read with and without. */
function base64Texts(run: string): Set<string> {
  const firstLine = /^[^\r\n]*/.exec(run)?.[0] ?? '';
  const readings = [run.replace(/[\r\n]/g, ''), firstLine].map(base64Text);
  return new Set(readings.filter((text) => text !== undefined));
}

/** Something may stand right before the first group of four, so each of the four beginnings is tried. */
function base64Text(run: string): string | undefined {
  for (let skip = 0; skip < base64Group; skip++) {
    const text = textOf(Buffer.from(run.slice(skip), 'base64'));
    if (text !== undefined) return text;
  }
  return undefined;
}

const textBytesMin = 8;

/** Undefined for bytes that are no text: a twentieth of oddities is let pass, or one byte of noise would hide all. */
function textOf(bytes: Buffer): string | undefined {
  if (bytes.length === 0) return undefined;
  const isWide = bytes.length > textBytesMin && bytes[1] === 0 && bytes[3] === 0;
  const text = bytes.toString(isWide ? 'utf16le' : 'utf8');
  const odd = oddities(text);
  return odd === 0 || odd * 20 <= text.length - textBytesMin ? text : undefined;
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
