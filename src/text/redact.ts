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
      const spans: Span[] = [];
      for (const view of viewsOf(text)) {
        for (const secret of plain) findSpans(secret, view, spans);
        const standard = { ...view, text: view.text.replaceAll('-', '+').replaceAll('_', '/') };
        for (const secret of encoded) findSpans(secret, standard, spans);
      }
      return hide(text, spans);
    },
  };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** A reading of a text; `starts` says where each of its characters begins in the text itself, if it differs. */
interface View {
  readonly text: string;
  readonly starts?: Uint32Array;
}

/** The base64 characters that a value alone decides when `offset` other bytes of the same group stand before it. */
function base64Inside(value: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(value)]);
  return bytes.toString('base64').slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6));
}

const escapes = /%[0-9a-f]{2}|\\u[0-9a-f]{4}|\\["\\/bfnrt]/gi;
const controls: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** A text as it is and, if it holds escapes, with each replaced by the character it stands for. */
function viewsOf(text: string): View[] {
  if (text.search(escapes) === -1) return [{ text }];
  const starts = new Uint32Array(text.length + 1);
  let length = 0;
  let copied = 0;
  const copyTo = (end: number) => {
    while (copied < end) starts[length++] = copied++;
  };
  const decoded = text.replace(escapes, (match, at: number) => {
    copyTo(at);
    starts[length++] = at;
    copied = at + match.length;
    if (match.length === 2) return controls[match[1]!] ?? match[1]!;
    return String.fromCharCode(parseInt(match.slice(match.startsWith('%') ? 1 : 2), 16));
  });
  copyTo(text.length);
  starts[length] = text.length;
  return [{ text }, { text: decoded, starts }];
}

/** All places of a secret, overlapping ones too: of `abab` nothing may be left over in `ababab`. */
function findSpans(secret: string, { text, starts }: View, spans: Span[]): void {
  for (let at = text.indexOf(secret); at !== -1; at = text.indexOf(secret, at + 1)) {
    const end = at + secret.length;
    spans.push({ start: starts?.[at] ?? at, end: starts?.[end] ?? end });
  }
}

function hide(text: string, spans: Span[]): string {
  spans.sort((one, other) => one.start - other.start);
  let result = '';
  let shown = 0;
  for (const { start, end } of spans) {
    if (start >= shown) result += text.slice(shown, start) + mark;
    shown = Math.max(shown, end);
  }
  return result + text.slice(shown);
}
