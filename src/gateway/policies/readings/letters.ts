import { matchesOf } from '../../../text/patterns/matches.ts';
import { oddUnitsOf, scannedText } from '../../../text/patterns/scanned-text.ts';
import { nearby } from './nearby.ts';
import { Translation } from './translate.ts';
import { UnitSort, findRun } from './unit-sort.ts';
import { Rewrite, type Span, type View, viewInPlace, viewOfPieces } from './view.ts';

/** Figures and signs that stand for letters. `l` becomes `i`, for a 1 may be either; word lists are folded alike. */
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
const leetSign = /[0134578@$!|+](?<=[a-z].)[0134578@$!|+]{0,2}[a-z]|[0134578@$](?<=\b.)[0134578@$]{0,2}[a-z]{2}/gi;
/** Characters around what was changed in which words of one order stand. */
const orderCharacters = 160;

const leetFolding = new Translation((unit) => leetLetters[String.fromCharCode(unit)]?.charCodeAt(0) ?? unit);

export function foldLeet(text: string): string {
  return leetFolding.of(text);
}

export function withoutLeet(parent: View): View | undefined {
  const { text } = parent;
  const places: { readonly index: number }[] = [];
  for (const place of matchesOf(text, leetSign))
    if (!isOfName(text, place.index) && !isOfId(text, place.index)) places.push(place);
  if (places.length === 0) return undefined;
  const near = nearby(parent, places, orderCharacters);
  return viewInPlace(near, foldLeet(near.text), leetHow, { isLetters: true });
}

/** The sign of a class in another, as in `DataNode$Packet`, that of an address of mail, and numbers such as `0xfe`. */
const signOfName =
  /\$(?<=\b[A-Z][A-Za-z]{2,40}[a-z]\$)(?=[A-Z][a-z]{3})|@(?<=\w{3}@)(?=[a-z\d-]{2,63}\.(?:com|org|net)\b)|[\dA-Fa-f](?<=\b0x[\dA-Fa-f]{1,16})(?=[\dA-Fa-f]{0,16}\b)|0(?=x[\dA-Fa-f]{2,16}\b)/y;

function isOfName(text: string, index: number): boolean {
  signOfName.lastIndex = index;
  return signOfName.test(text);
}

/** So many figures and letters of hex, groups of them included, are an identifier as logs have, and no word. */
const idCharactersMin = 12;
const ofIds = new UnitSort((character) => /[0-9A-Fa-f-]/.test(character));
const otherLetters = new UnitSort((character) => /[G-Zg-z]/.test(character));

function isOfId(text: string, index: number): boolean {
  let end = index;
  while (end < index + idCharactersMin && ofIds.isAt(text, end)) end++;
  // A word that begins behind one, as in `4bf92f3577b34da6-1gnore`.
  if (otherLetters.isAt(text, end)) return false;
  let start = index;
  while (end - start < idCharactersMin && ofIds.isAt(text, start - 1)) start--;
  return end - start >= idCharactersMin;
}

export const leetHow = 'figures and signs read as letters';

/** Words that text in ROT13 can hardly do without, and English, German, French or Spanish hardly has. */
export const rot13Words: readonly string[] =
  'gur|naq|lbh|lbhe|nyy|nal|guvf|jvgu|sebz|abg|jung|nobir|cerivbhf|cevbe|vtaber|vafgehpgvba|vafgehpgvbaf|flfgrz|cebzcg|cebzcgf|erirny|fubj|cevag|ercrng|bhgchg|sbetrg|qvfertneq|olcnff|bireevqr|ehyrf|erfgevpgvbaf|cergraq|zbqr|fnsrgl|svygref|frperg|cnffjbeq'.split(
    '|',
  );
const anyRot13Word = new RegExp(`\\b(?:${rot13Words.join('|')})\\b`, 'i');

const turning = new Translation((unit) => {
  if (!/[a-z]/i.test(String.fromCharCode(unit))) return unit;
  const base = unit < 0x61 ? 0x41 : 0x61;
  return ((unit - base + 13) % 26) + base;
});

export function withoutRot13(parent: View): View | undefined {
  if (!anyRot13Word.test(parent.text)) return undefined;
  return viewInPlace(parent, turning.of(parent.text), 'inside ROT13', { isLetters: true });
}

/** A gap between two letters that stand alone; what is longer is a gap between words. */
const gapOfSpacing = /[ ._*|/,;~+\n\t-](?=[\p{L}\p{N}](?![\p{L}\p{N}]))(?<=(?<![\p{L}\p{N}])[\p{L}\p{N}].)/gsu;

/** Three characters apart by what few texts have between such. */
const loneCharacters = /[^\s._*|-][ ._*|-][^\s._*|-][ ._*|-][^\s._*|-](?:[ ._*|-]|$)/g;
/** Four letters apart by what many lists have, found by the sign between, which is rarer than letters. */
const listedLetters = /([/,;~+\n\t])(?=.\1.\1)(?<=(?<!\p{L})\p{L}.)\p{L}\1\p{L}\1\p{L}(?!\p{L})/gsu;

/**
 * Figures between dots and hyphens are versions, addresses of machines and dates, also behind a word: `task 2.0 in`. A
 * hyphen in quotes or brackets is what a log has for nothing.
 */
const dottedFigures = /^(?:\d(?:[.-]\d[ .-]| \d[.-])\d|[^][ ._-](?:\d[._-]\d|["[]-["\]]))/;

/** Part of both, which most texts are told by sooner: each beginning has its own branch, and nothing to remember. */
const mayBeGaps =
  /[ ._*|-][^\s._*|-][ ._*|-][^\s._*|-](?:[ ._*|-]|$)|\/[^]\/[^]\/|,[^],[^],|;[^];[^];|~[^]~[^]~|\+[^]\+[^]\+|\n[^]\n[^]\n|\t[^]\t[^]\t/;
/** First halves of pairs that may be letters: those of emoji are left out. */
const halfLetter = /[\ud800-\ud83b\ud83f-\udbff]/;

/** False where neither of both stands. */
function mayHaveGaps(text: string): boolean {
  return mayBeGaps.test(text) || (!scannedText(text).isAscii && halfLetter.test(oddUnitsOf(text)));
}

export function withoutGaps(parent: View): View | undefined {
  if (!mayHaveGaps(parent.text)) return undefined;
  const lone = [...matchesOf(parent.text, loneCharacters)].filter((match) => !dottedFigures.test(match[0]));
  const places = [...lone, ...matchesOf(parent.text, listedLetters)];
  if (places.length === 0) return undefined;
  const near = nearby(
    parent,
    places.toSorted((one, other) => one.index - other.index),
    orderCharacters,
  );
  const result = new Rewrite(near);
  for (const { index } of matchesOf(near.text, gapOfSpacing)) result.replace(index, index + 1, '');
  return result.finish('letters put together', { isLetters: true, isRunTogether: true });
}

const longWordMin = 18;
/** Stems of which one stands in every order that is meant by such a word; names in programs have mostly none. */
export const orderStems: readonly string[] =
  'ignor disreg forget overrid bypass reveal instruct prompt previous unfilter restrict arenow are_now vergiss olvid oubli dimentic'.split(
    ' ',
  );
const orderStem = new RegExp(orderStems.join('|'), 'i');
const ofLongWords = new UnitSort((character) => /[A-Za-z_]/.test(character));

/**
 * Places of words so long that they may be several, as in `ignoreallprevious...` and `ignore_all_previous_...`; also of
 * others that one sign parts from such a word.
 */
function findLongWords(text: string): Span[] {
  const { length } = text;
  const found: Span[] = [];
  let group: Span[] = [];
  let hasStem = false;
  for (let start = findRun(text, longWordMin, ofLongWords, 0); start !== -1;) {
    let end = start + longWordMin;
    while (end < length && ofLongWords.has(text.charCodeAt(end))) end++;
    if (start - (group.at(-1)?.end ?? start) > 1) [group, hasStem] = [[], false];
    group.push({ start, end });
    if (hasStem) found.push({ start, end });
    else if (orderStem.test(text.slice(start, end))) {
      hasStem = true;
      for (const one of group) found.push(one);
    }
    start = findRun(text, longWordMin, ofLongWords, end);
  }
  return found;
}

/** Long words alone, without low lines in them; undefined where there are none. */
export function longWords(parent: View): View | undefined {
  const { text } = parent;
  const pieces = findLongWords(text).map((carrier) => ({
    text: text.slice(carrier.start, carrier.end).replaceAll('_', ''),
    carrier,
  }));
  if (pieces.length === 0) return undefined;
  return viewOfPieces(parent, pieces, 'words run together', {
    isLetters: true,
    isRunTogether: true,
  });
}

/** Single characters with one white space after each, or more where a blank is meant; seven of them or more. */
const apartByBlanks = /(?<!\S)\S([ \t\n])\1{0,5}(?:\S\1{1,6}){5,}\S(?!\S)/g;
/** The same with a sign between letters and digits. */
const apartBySigns = /(?<![\p{L}\d])[\p{L}\d]([._*|/,;~+-])(?:[\p{L}\d]\1){5,}[\p{L}\d](?![\p{L}\d])/gu;

/** Part of each of those: a gap is found sooner than a letter, and is mostly followed by something else. */
const mayBeApartByBlanks = /[ \t\n]\S[ \t\n]{1,6}\S[ \t\n]{1,6}\S[ \t\n]/;
const mayBeApartBySigns = /([._*|/,;~+-])(?:[\p{L}\d]\1){5}/u;

export const putTogether = 'characters put together';

/** Figures and keys whose characters stand apart, put together; undefined where there are none. */
export function withoutSpacing(parent: View): View | undefined {
  const result = new Rewrite(parent);
  const { text } = parent;
  const byBlanks = mayBeApartByBlanks.test(text) ? matchesOf(text, apartByBlanks) : [];
  const bySigns = mayBeApartBySigns.test(text) ? matchesOf(text, apartBySigns) : [];
  const found = [...byBlanks, ...bySigns];
  if (found.length === 0) return undefined;
  let done = 0;
  for (const { 0: run, 1: gap = ' ', index } of found.toSorted((one, other) => one.index - other.index)) {
    if (index < done) continue;
    done = index + run.length;
    for (let at = 0; at < run.length;) {
      let end = at;
      while (end < run.length && run[end] === gap) end++;
      if (end > at) result.replace(index + at, index + end, end - at > 2 ? ' ' : '');
      at = Math.max(end, at + 1);
    }
  }
  return result.finish(putTogether);
}

const inline = '(?:b|i|u|s|em|strong|span|font|wbr|code|mark|small|big|sub|sup|del|ins|tt|a|x)';
const tag = `</?${inline}(?:\\s[^<>]{0,200})?/?>`;
/**
 * Marks that show letters in another way and part none: tags with nothing in them, tags and comments, Markdown's marks,
 * what joins two strings, on one line or two, and a string of a shell with nothing in it. Each begins with a sign that
 * few texts have many of.
 */
const marks = new RegExp(
  [
    `((?:\\*{1,3}|~~|\`|</${inline}>)[ \\t]{1,2}(?:\\*{1,3}|~~|\`|<${inline}>)|["'] {1,2}["'])(?=\\d)`,
    `(<${inline}(?:\\s[^<>]{0,200})?></${inline}>)`,
    `((?:${tag}|<!--[^]{0,200}?-->|/\\*[^*/]{0,40}\\*/){1,6})`,
    '(\\*{2,3}|~~|`)(?![^\\S\\n])',
    '(["\'`](?:\\s{0,40}(?:[+&]|\\|\\|)\\s{0,40}|\\.| \\. )["\'`])',
    '(""|\'\')',
  ].join('|'),
  'gi',
);
/** Text that has to stand on both sides, by the sort of mark; at an end of the text nothing does. */
const sides: readonly (readonly [before: RegExp, after: RegExp])[] = [
  [/\d$/, /^\d/],
  [/[^]|^$/, /[^]|^$/],
  [/[\p{L}\d@._-]$|\d $/u, /^[\p{L}\d@._-]|^ \d/u],
  [/[\p{L}\d]$/u, /^[\p{L}\d]/u],
  [/[\p{L}\d@._ -]$/u, /^[\p{L}\d@._ -]/u],
  [/[\p{L}\d@._-]$/u, /^[\p{L}\d@._-]/u],
];
/** The same of one unit before, which is looked up sooner than the text there is cut out. */
const ends = sides.map(([before]) => new UnitSort((unit) => before.test(unit) || /[\p{Cs} ]/u.test(unit)));

/** The text without marks inside of words, numbers and keys; undefined where there are none. */
export function withoutMarkup(parent: View): View | undefined {
  const { text } = parent;
  const result = new Rewrite(parent);
  for (const match of matchesOf(text, marks)) {
    const end = match.index + match[0].length;
    const sort = match.findIndex((group, index) => index > 0 && group !== undefined) - 1;
    if (match.index > 0 && !ends[sort]!.isAt(text, match.index - 1)) continue;
    const [before, after] = sides[sort]!;
    if (before.test(text.slice(Math.max(0, match.index - 2), match.index)) && after.test(text.slice(end, end + 2)))
      result.replace(match.index, end, '');
  }
  return result.finish('marks inside of words taken out');
}

/** A quote that cells of CSV, YAML and SQL have twice, beside a value: beside an empty string stands none. */
const doubledQuote = /(?:""|'')(?:(?<=[^\s=([{:,"'`]..)|(?=[\w@$!#%^*?~-]))/g;

/** The text with such quotes once, as in `{""token"": ""3f2a""}`; undefined where there are none. */
export function withoutDoubledQuotes(parent: View): View | undefined {
  const result = new Rewrite(parent);
  for (const { index } of matchesOf(parent.text, doubledQuote)) result.replace(index, index + 1, '');
  return result.finish('doubled quotes read as one');
}
