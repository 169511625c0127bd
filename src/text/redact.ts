import type { Secret } from './secret.ts';

export interface Redactor {
  add(secret: Secret): void;
  redact(text: string): string;
}

/** Stands in the place of a secret: no token has dots like these, so that mark and neighbours never form one again. */
export const redactionMark = '••••';
/** The shortest secret: to hide anything shorter would tear every message apart. */
const charactersMin = 4;

/**
 * Hides secrets in text about to leave the program, wherever they stand: as they are, with any of their characters
 * escaped for JSON or a URL, and inside base64 of either alphabet, also as a part of what was encoded.
 */
export function createRedactor(): Redactor {
  const plain = new Set<string>();
  const encoded = new Set<string>();
  return {
    add(secret) {
      const value = secret.reveal();
      if (value.length < charactersMin) return;
      plain.add(value);
      // A form sent by a browser has a plus for each blank, and a URL has the bytes of a character that is not ASCII.
      plain.add(value.replaceAll(' ', '+'));
      plain.add(Buffer.from(value).toString('latin1'));
      for (const offset of [0, 1, 2]) encoded.add(base64Inside(value, offset));
    },
    redact(text) {
      if (plain.size === 0) return text;
      const standard = text.replaceAll('-', '+').replaceAll('_', '/');
      // A text whose only escapes are line ends can hold a secret only as it is.
      const isLiteral = !escapeOfText.test(text) && ![...plain].some((secret) => secret.includes('\n'));
      const isClean =
        ![...plain].some((secret) => text.includes(secret)) && ![...encoded].some((part) => standard.includes(part));
      if (isLiteral && isClean) return text;
      return hide(text, [...spansOf(plain, text), ...spansOf(encoded, standard)]);
    },
  };
}

const escapeOfText = /%|\\(?!n)/;

interface SecretSpan {
  readonly start: number;
  end: number;
}

/** The base64 characters that a value alone decides when `offset` other bytes of the same group stand before it. */
export function base64Inside(value: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(value)]);
  return bytes.toString('base64').slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6));
}

/**
 * All places of all secrets, overlapping ones too: of `abab` nothing may be left over in `ababab`. A server can make
 * the text large and all escapes, so that one pass serves every secret, and a place where none begins costs next to
 * nothing.
 */
function spansOf(secrets: ReadonlySet<string>, text: string): SecretSpan[] {
  const byFirst = new Map<number, string[]>();
  for (const secret of secrets) {
    const first = secret.charCodeAt(0);
    byFirst.set(first, [...(byFirst.get(first) ?? []), secret]);
  }
  // Asked of every character: a look-up in a map takes ten times as long.
  const mayBegin = new Uint8Array(128);
  for (const unit of [...byFirst.keys(), percent, backslash]) if (unit < mayBegin.length) mayBegin[unit] = 1;
  const spans: SecretSpan[] = [];
  const note = (secret: string, start: number): void => {
    const end = endOf(secret, text, start);
    const last = spans.at(-1);
    if (end === undefined) return;
    if (last !== undefined && start < last.end) last.end = Math.max(last.end, end);
    else spans.push({ start, end });
  };
  for (let start = 0; start < text.length; start++) {
    const found = text.charCodeAt(start);
    if (found < mayBegin.length ? mayBegin[found] === 0 : !byFirst.has(found)) continue;
    const escaped = isEscape(found) ? unitEscapedAt(text, start) : found;
    for (const secret of byFirst.get(found) ?? none) note(secret, start);
    if (escaped !== found) for (const secret of byFirst.get(escaped) ?? none) note(secret, start);
  }
  return spans;
}

const none: readonly string[] = [];

/** End of a secret that begins here, without a list for it: a server may repeat the most of a token for megabytes. */
function endOf(secret: string, text: string, start: number): number | undefined {
  let at = start;
  for (let index = 0; index < secret.length; index++) {
    const unit = secret.charCodeAt(index);
    const isPlain = text.charCodeAt(at) === unit;
    const isEscaped = isEscapedAt(text, at, unit);
    if (isPlain && isEscaped) return endOfAny(secret.slice(index), text, at);
    if (!isPlain && !isEscaped) return undefined;
    at = isPlain ? at + 1 : endOfEscape(text, at);
  }
  return at;
}

/** `%25` may be read in two ways where a percent sign is wanted, so all that are possible are followed at once. */
function endOfAny(secret: string, text: string, start: number): number | undefined {
  let ends = [start];
  for (let index = 0; index < secret.length; index++) {
    const unit = secret.charCodeAt(index);
    const plain = ends.filter((end) => text.charCodeAt(end) === unit).map((end) => end + 1);
    const escaped = ends.filter((end) => isEscapedAt(text, end, unit)).map((end) => endOfEscape(text, end));
    ends = [...new Set([...plain, ...escaped])];
  }
  return ends.length === 0 ? undefined : Math.max(...ends);
}

const percent = 0x25;
const backslash = 0x5c;
const meanings = new Map(
  ['b\b', 'f\f', 'n\n', 'r\r', 't\t', '""', '\\\\', '//'].map((pair) => [pair.charCodeAt(0), pair.charCodeAt(1)]),
);

function isEscape(unit: number): boolean {
  return unit === percent || unit === backslash;
}

function isEscapedAt(text: string, at: number, unit: number): boolean {
  return isEscape(text.charCodeAt(at)) && unitEscapedAt(text, at) === unit;
}

function endOfEscape(text: string, at: number): number {
  if (text.charCodeAt(at) === percent) return at + 3;
  return at + (text.charAt(at + 1) === 'u' ? 6 : 2);
}

/** The unit that the escape beginning here stands for; -1 where there is no escape. */
function unitEscapedAt(text: string, at: number): number {
  if (text.charCodeAt(at) === percent) return hexadecimalAt(text, at + 1, 2);
  if (text.charAt(at + 1) === 'u') return hexadecimalAt(text, at + 2, 4);
  return meanings.get(text.charCodeAt(at + 1)) ?? -1;
}

/** By ASCII code; -1 for what is no figure of hex. */
const digitValues = new Int8Array(128).fill(-1);
for (const digit of '0123456789abcdefABCDEF') digitValues[digit.charCodeAt(0)] = Number.parseInt(digit, 16);

/** The number of so many figures of hex that stand here; -1 where they do not. */
export function hexadecimalAt(text: string, at: number, digits: number): number {
  let value = 0;
  for (let index = at; index < at + digits; index++) {
    const unit = text.charCodeAt(index);
    const digit = unit < digitValues.length ? digitValues[unit]! : -1;
    if (digit === -1) return -1;
    value = value * 16 + digit;
  }
  return value;
}

function hide(text: string, spans: readonly SecretSpan[]): string {
  let result = '';
  let shown = 0;
  for (const { start, end } of spans.toSorted((one, other) => one.start - other.start)) {
    if (start >= shown) result += text.slice(shown, start) + redactionMark;
    shown = Math.max(shown, end);
  }
  return result + text.slice(shown);
}
