import { matchesOf } from '../../../text/patterns/matches.ts';
import { nearby } from './nearby.ts';
import { normalised } from './normalise.ts';
import { Rewrite, type Span, type View } from './view.ts';

const escapes =
  /(?:%[0-9a-fA-F]{2})+|%u[0-9a-fA-F]{4}|&#(?:0{0,32}\d{1,7}|[xX]0{0,32}[0-9a-fA-F]{1,6});?|&[a-zA-Z]{2,20};|\\u[0-9a-fA-F]{4}|\\u\{0{0,32}[0-9a-fA-F]{1,6}\}|\\U[0-9a-fA-F]{8}|\\[xX][0-9a-fA-F]{2}|\\[0-3][0-7]{2}|\\e(?=\[[\d;]{0,16}m)|\^\\\^"|\\[nrt!-/:-@[-`{-~]|\\\r?\n/g;
/** Before a letter, in a look back: it is none of an escape such as `\n` in the source of a program or in JSON. */
export const noEscape = '(?<!\\\\(?=[abefnrtv0]))';

/** Of a text in JSON, behind the backslash of which a word seems to begin. */
const restOfEscape = /[bfnrt]|u[\da-fA-F]{4}/y;

/**
 * A place without the rest of an escape that it begins with, and without the backslash of one behind it: JSON that a
 * mark stands in is still JSON then. Where that leaves nothing, the whole place.
 */
export function apartFromEscapes(text: string, { start, end }: Span): Span {
  let [from, to] = [start, end];
  if (text[start - 1] === '\\') {
    restOfEscape.lastIndex = start;
    if (restOfEscape.test(text)) from = restOfEscape.lastIndex;
  }
  if (/\S/.test(text[end] ?? ' ')) while (to > from && text[to - 1] === '\\') to--;
  return from < to ? { start: from, end: to } : { start, end };
}

/**
 * `lock=166121161` assigns a number, `took=12` and `trace=4bf92f3577b34da6` what a name stands for: one escape of two
 * figures with a third behind them is none, nor one with six behind it, nor are two alone or an identifier behind a
 * name. Neither is the beginning of a word such as `=False` or `=database`, for that byte alone is no character, nor
 * the end of a row of equals signs, nor that of a key in base64 on a line that is shorter than those of mail: what
 * stands on the next line is none of the key.
 */
const mailEscapes =
  /(?:=[0-9A-Fa-f]{2}){2,}|=(?!\d{3}|[A-F]\d{6}|(?:[a-f][A-Fa-f]|[A-F][a-f])[A-Za-z]{0,24}(?![\w=-])|(?<=[A-Za-z_]=)(?:\d\d(?![\w=])|(?=[\d-]{0,12}[A-Fa-f])[0-9A-Fa-f-]{12}))[0-9A-Fa-f]{2}|=\r?\n(?<!(?:=|(?<![A-Za-z\d+/])(?:[A-Za-z\d+/]{4}){5,16}[A-Za-z\d+/]{3}(?<=^.{0,71}))=\r?\n)/gm;
/** Characters around an escape of mail in which its value, and the word that names it, stand. */
const mailCharacters = 400;
/** Of HTML's names, those of the signs that keys, addresses and orders are made with, and of what shows nothing. */
const entities: ReadonlyMap<string, string> = new Map(
  `amp& lt< gt> quot" apos' commat@ period. colon: semi; comma, sol/ bsol\\ lowbar_ num# hyphen- dash- plus+ equals= excl! quest?
  percnt% dollar$ ast* lpar( rpar) lsqb[ lbrack[ rsqb] rbrack] lcub{ lbrace{ rcub} rbrace} verbar| vert| grave\` hat^`
    .split(/\s+/)
    .map((entry) => [entry.slice(0, -1), entry.slice(-1)] as const)
    .concat(['nbsp', 'ensp', 'emsp', 'thinsp', 'numsp', 'hairsp'].map((name) => [name, ' '] as const))
    // Of these a browser takes an address as if they were not there.
    .concat(['tab', 'newline'].map((name) => [name, '\t'] as const))
    .concat(['shy', 'zwj', 'zwnj', 'lrm', 'rlm', 'zerowidthspace', 'nobreak'].map((name) => [name, ''] as const)),
);
/** Each round of what was escaped twice is at most a third as long, and nothing that is read as text is more often. */
const roundsMax = 4;

/**
 * Escapes of URLs, HTML, JSON and Markdown written out, also those of escapes, and where that has made any, of what
 * came out of them normalised. Invisible characters stay: a word behind one is whole. Undefined where there are none.
 */
export function unescaped(parent: View): View | undefined {
  let written: View | undefined;
  for (let round = 0; round < roundsMax; round++) {
    const before = written ?? parent;
    const after = writtenOut(before) ?? (round === 0 ? undefined : writtenOut(normalised(before)));
    if (after === undefined) break;
    written = after;
  }
  return written;
}

function writtenOut(view: View | undefined): View | undefined {
  return view !== undefined && /[%&\\]/.test(view.text) ? rewritten(view, escapes, 'escapes written out') : undefined;
}

/** The escapes of mail apart from the others: an equals sign before two figures is mostly just that. */
export function mailDecoded(parent: View): View | undefined {
  const places = [...matchesOf(parent.text, mailEscapes)];
  if (places.length === 0) return undefined;
  const near = nearby(parent, places, mailCharacters);
  return rewritten(near, mailEscapes, 'quoted-printable written out');
}

function rewritten(parent: View, pattern: RegExp, how: string): View | undefined {
  const result = new Rewrite(parent);
  for (const found of matchesOf(parent.text, pattern)) {
    const meant = meaningOf(found[0]);
    if (meant !== undefined) result.replace(found.index, found.index + found[0].length, meant);
  }
  return result.finish(how);
}

function meaningOf(escape: string): string | undefined {
  if (/^[%=][0-9a-f]/i.test(escape)) {
    const text = Buffer.from(escape.replace(/[%=]/g, ''), 'hex').toString('utf8');
    // Bytes that are no text are mostly blanks of older mail, or no mail: nothing around them belongs together.
    return escape.startsWith('=') ? text.replaceAll('\ufffd', ' ') : text;
  }
  // A line that goes on in the next.
  if (escape.startsWith('=') || escape.endsWith('\n')) return '';
  const name = /^&(\w+);$/.exec(escape)?.[1];
  if (name !== undefined) return entities.get(name.toLowerCase());
  if (/^\\[nrt]$/.test(escape)) return ' ';
  if (escape === '\\e') return '\x1b';
  if (escape.startsWith('^')) return '"';
  if (escape.length === 2) return escape.slice(1);
  const digits = /[0-9a-f]+/i.exec(escape.replace(/^(?:&#x|[\\%]u|\\x)/i, ''))?.[0] ?? '';
  const code = Number.parseInt(digits, baseOf(escape));
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

function baseOf(escape: string): number {
  if (/^&#\d/.test(escape)) return 10;
  return /^\\\d/.test(escape) ? 8 : 16;
}
