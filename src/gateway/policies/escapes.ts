import { Rewrite, type View } from './view.ts';

const escapes =
  /(?:%[0-9a-f]{2})+|&#(?:\d{1,7}|x[0-9a-f]{1,6});?|&(?:amp|lt|gt|quot|apos|nbsp|commat|period|colon|sol|lowbar|num|hyphen);|\\u[0-9a-f]{4}|\\u\{[0-9a-f]{1,6}\}|\\x[0-9a-f]{2}/gi;
const mailEscapes = /(?:=[0-9A-F]{2})+|=\r?\n/gi;
/** Of HTML's names, those of the signs that keys and addresses are made with. */
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

/** Escapes of URLs, HTML and JSON written out. Undefined where there are none. */
export function unescaped(parent: View): View | undefined {
  return /[%&\\]/.test(parent.text) ? rewritten(parent, escapes, 'escapes written out') : undefined;
}

/** The escapes of mail apart from the others: an equals sign before two figures is mostly just that. */
export function mailDecoded(parent: View): View | undefined {
  return parent.text.includes('=') ? rewritten(parent, mailEscapes, 'quoted-printable written out') : undefined;
}

function rewritten(parent: View, pattern: RegExp, how: string): View | undefined {
  const result = new Rewrite(parent);
  for (const found of parent.text.matchAll(pattern)) {
    const meant = meaningOf(found[0]);
    if (meant !== undefined) result.replace(found.index, found.index + found[0].length, meant);
  }
  return result.finish(how);
}

function meaningOf(escape: string): string | undefined {
  if (/^[%=][0-9a-f]/i.test(escape)) return Buffer.from(escape.replace(/[%=]/g, ''), 'hex').toString('utf8');
  if (escape.startsWith('=')) return '';
  const name = /^&(\w+);$/.exec(escape)?.[1];
  if (name !== undefined) return entities[name.toLowerCase()];
  const digits = /[0-9a-f]+/i.exec(escape.replace(/^(?:&#x|\\u|\\x)/i, ''))?.[0] ?? '';
  const code = Number.parseInt(digits, /^&#\d/.test(escape) ? 10 : 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
