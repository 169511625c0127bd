import { Rewrite, type Span, type View, viewInPlace } from './view.ts';

/** Texts inside a text: whatever a model could be asked to decode, decoded as far as that is cheap. */
export interface Packed {
  readonly text: string;
  readonly how: string;
  readonly carrier: Span;
}

const escapes =
  /(?:%[0-9a-f]{2})+|&#(?:\d{1,7}|x[0-9a-f]{1,6});?|&(?:amp|lt|gt|quot|apos|nbsp|commat|period|colon|sol|lowbar|num|hyphen);|\\u[0-9a-f]{4}|\\u\{[0-9a-f]{1,6}\}|\\x[0-9a-f]{2}|(?:=[0-9a-f]{2})+|=\r?\n/gi;
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  commat: '@',
  period: '.',
  colon: ':',
  sol: '/',
  lowbar: '_',
  num: '#',
  hyphen: '-',
};

/** Escapes of URLs, HTML, JSON and mail written out. Undefined where there are none. */
export function unescaped(parent: View): View | undefined {
  if (!/[%&\\=]/.test(parent.text)) return undefined;
  const result = new Rewrite(parent);
  for (const found of parent.text.matchAll(escapes)) {
    const meant = meaningOf(found[0]);
    if (meant !== undefined) result.replace(found.index, found.index + found[0].length, meant);
  }
  return result.finish('escapes written out');
}

function meaningOf(escape: string): string | undefined {
  if (escape.startsWith('%') || /^=[0-9a-f]/i.test(escape))
    return textOf(Buffer.from(escape.replace(/[%=]/g, ''), 'hex'));
  if (escape.startsWith('=')) return '';
  const name = /^&(\w+);$/.exec(escape)?.[1];
  if (name !== undefined) return entities[name.toLowerCase()];
  const digits = /[0-9a-f]+/i.exec(escape.replace(/^(?:&#x|\\u|\\x)/i, ''))?.[0] ?? '';
  const code = Number.parseInt(digits, /^&#\d/.test(escape) ? 10 : 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

/** Figures and signs that stand for letters. `l` becomes `i`, because a 1 may be either; word lists are folded alike. */
const leetLetters: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '!': 'i',
  '|': 'i',
  l: 'i',
  L: 'i',
  '2': 'z',
  '3': 'e',
  '4': 'a',
  '@': 'a',
  '5': 's',
  $: 's',
  '7': 't',
  '+': 't',
  '8': 'b',
  '9': 'g',
};
const leetSign = /[a-z][0134578@$!|+]{1,3}[a-z]|\b[0134578@$]{1,3}[a-z]{2}/i;

export function foldLeet(text: string): string {
  return text.replace(/[0-9!|@$+lL]/g, (sign) => leetLetters[sign] ?? sign);
}

export function withoutLeet(parent: View): View | undefined {
  if (!/[0134578@$]/.test(parent.text) || !leetSign.test(parent.text)) return undefined;
  return viewInPlace(parent, foldLeet(parent.text), leetHow, { isLetters: true });
}

export const leetHow = 'figures read as letters';

/** Words that text in ROT13 can hardly do without, and English, German, French or Spanish hardly has. */
const rot13Words = /\b(?:gur|naq|lbhe?|nyy|guvf|jvgu|sebz|abg|cerivbhf|vtaber|vafgehpgvbaf?|flfgrz|cebzcg|erirny)\b/i;

export function withoutRot13(parent: View): View | undefined {
  if (!rot13Words.test(parent.text)) return undefined;
  const turned = parent.text.replace(/[a-z]/gi, (letter) => {
    const base = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });
  return viewInPlace(parent, turned, 'inside ROT13', { isLetters: true });
}

/** At least four letters with the same kind of gap between each two; a longer gap is one between words. */
const spacedOut = /(?<![\p{L}\p{N}])[\p{L}\p{N}](?:[ ._*|-][\p{L}\p{N}](?![\p{L}\p{N}])){3,}/gu;

const loneCharacters = /[^\s._*|-][ ._*|-][^\s._*|-][ ._*|-][^\s._*|-](?:[ ._*|-]|$)/;

export function withoutGaps(parent: View): View | undefined {
  if (!loneCharacters.test(parent.text)) return undefined;
  const result = new Rewrite(parent);
  for (const { 0: run, index } of parent.text.matchAll(spacedOut)) {
    for (let at = index + 1; at < index + run.length; at += 2) result.replace(at, at + 1, '');
  }
  return result.finish('letters put together', { isLetters: true, isRunTogether: true });
}

const base64Run = /[A-Za-z0-9+/_-]{12,}(?:\r?\n[A-Za-z0-9+/_-]{4,})*={0,2}/y;
const base64Group = 4;
const runMin = 12;
/** All text in hex begins with one of these figures, so words are passed over. */
const hexRun = /(?<![0-9A-Za-z])[2-7][0-9a-fA-F](?:[ :]?[0-9a-fA-F]{2}){7,}/g;

/** Long runs of letters, figures and the like: a loop takes a fifth of the time that a pattern does. */
function* base64Runs(text: string): Generator<{ readonly run: string; readonly index: number }> {
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    length = unit < 128 && isBase64[unit] === 1 ? length + 1 : 0;
    if (length < runMin) continue;
    const index = at - runMin + 1;
    base64Run.lastIndex = index;
    const run = base64Run.exec(text)?.[0] ?? '';
    yield { run, index };
    at = index + run.length - 1;
    length = 0;
  }
}

const isBase64 = Uint8Array.from({ length: 128 }, (_, unit) =>
  /[A-Za-z0-9+/_-]/.test(String.fromCharCode(unit)) ? 1 : 0,
);

/** What stands in base64 or hex in a text, if it is text itself. */
export function packedTexts(text: string): Packed[] {
  const found: Packed[] = [];
  for (const { 0: run, index } of text.matchAll(hexRun)) {
    const inner = textOf(Buffer.from(run.replace(/[ :]/g, ''), 'hex'));
    if (inner !== undefined)
      found.push({ text: inner, how: 'inside hex', carrier: { start: index, end: index + run.length } });
  }
  for (const { run, index } of base64Runs(text)) {
    const inner = base64Text(run);
    if (inner !== undefined)
      found.push({ text: inner, how: 'inside base64', carrier: { start: index, end: index + run.length } });
  }
  return found;
}

/** Something may stand right before the first group of four, so each of the four beginnings is tried. */
function base64Text(run: string): string | undefined {
  const bare = run.replace(/[\r\n]/g, '');
  for (let skip = 0; skip < base64Group; skip++) {
    const bytes = Buffer.from(bare.slice(skip), 'base64');
    const text = textOf(bytes);
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
