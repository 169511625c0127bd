import type { Secret } from './secret.ts';

export interface Redactor {
  add(secret: Secret): void;
  redact(text: string): string;
}

/** No part of a token is printable dots, so a mark and what stands beside it never form a secret again. */
const mark = '••••';
/** Anything shorter is no secret, and hiding it would tear every message apart. */
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
      const standard = text.replaceAll('-', '+').replaceAll('_', '/');
      const spans = [...plain].flatMap((secret) => spansOf(secret, text));
      return hide(text, spans.concat([...encoded].flatMap((secret) => spansOf(secret, standard))));
    },
  };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The base64 characters that a value alone decides when `offset` other bytes of the same group stand before it. */
function base64Inside(value: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(value)]);
  return bytes.toString('base64').slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6));
}

/** All places of a secret, overlapping ones too: of `abab` nothing may be left over in `ababab`. */
function spansOf(secret: string, text: string): Span[] {
  const spans: Span[] = [];
  const first = secret.charCodeAt(0);
  for (let start = 0; start < text.length; start++) {
    const found = text.charCodeAt(start);
    if (found !== first && found !== percent && found !== backslash) continue;
    const end = endOf(secret, text, start);
    if (end !== undefined) spans.push({ start, end });
  }
  return spans;
}

/** Where a secret that begins here ends. `%25` may be read in two ways, so all that are possible are followed at once. */
function endOf(secret: string, text: string, start: number): number | undefined {
  let ends = [start];
  for (let index = 0; index < secret.length; index++) {
    const next = ends.flatMap((end) => endsOfUnit(secret.charCodeAt(index), text, end));
    if (next.length === 0) return undefined;
    ends = next.length === 1 ? next : [...new Set(next)];
  }
  return Math.max(...ends);
}

const percent = 0x25;
const backslash = 0x5c;
const controls: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** The ends of one character that stands here as it is or escaped. */
function endsOfUnit(unit: number, text: string, at: number): number[] {
  const found = text.charCodeAt(at);
  const ends = found === unit ? [at + 1] : [];
  if (found === percent && isHex(text, at + 1, 2, unit)) ends.push(at + 3);
  if (found !== backslash) return ends;
  const escape = text.charAt(at + 1);
  if (escape === 'u' && isHex(text, at + 2, 4, unit)) ends.push(at + 6);
  const meant = controls[escape] ?? ('"\\/'.includes(escape) ? escape : '');
  if (meant.charCodeAt(0) === unit) ends.push(at + 2);
  return ends;
}

function isHex(text: string, at: number, digits: number, unit: number): boolean {
  return text.slice(at, at + digits).toLowerCase() === unit.toString(16).padStart(digits, '0');
}

function hide(text: string, spans: readonly Span[]): string {
  let result = '';
  let shown = 0;
  for (const { start, end } of spans.toSorted((one, other) => one.start - other.start)) {
    if (start >= shown) result += text.slice(shown, start) + mark;
    shown = Math.max(shown, end);
  }
  return result + text.slice(shown);
}
