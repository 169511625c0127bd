import { clusterEnd, clustersOf, lazyPattern } from './clusters.ts';

/** East Asian wide and full-width characters, in wide ranges, and what is drawn as an emoji without being asked to. */
const wide = lazyPattern(
  () =>
    /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{1b2fb}\u{1d300}-\u{1d376}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u,
);
/** Marks sit on the character before, later parts of a Hangul syllable on its first, and the rest has no look. */
const zero = lazyPattern(() => /[\p{M}\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}\u1160-\u11ff\ud7b0-\ud7ff]/u);
/** Latin text without anything combined; most text is that, and then its length is its width. */
const narrow = /^[\x20-\x7e\xa0-\xac\xae-\u02ff]*$/;
/** Several characters that are one picture. */
const picture = lazyPattern(() => /^(?:\p{RI}{2}|[0-9#*]\ufe0f\u20e3|\p{ExtPict}[^]*(?:\ufe0f|\p{EMod}|\u200d))/u);
const tabColumns = 8;

/**
 * Columns that a text takes on a terminal. A tab counts as the most it can take, so that a line measured here never
 * turns out longer; other controls count nothing, for a text is defused before it is laid out.
 */
export function columnsOf(text: string): number {
  if (narrow.test(text)) return text.length;
  let columns = 0;
  for (let at = 0; at < text.length;) {
    const plain = plainColumnsAt(text, at);
    const end = plain > 0 ? at + 1 : clusterEnd(text, at);
    columns += plain || clusterColumns(text.slice(at, end));
    at = end;
  }
  return columns;
}

/** The columns of the widest text. There may be more texts than one call takes arguments. */
export function columnsOfAll(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, columnsOf(text)), 0);
}

/**
 * The width of what stands at a place, if that is one unit that is shown as it is and nothing sits on it; 0 if a closer
 * look is needed. Most text needs none, and then its width costs hardly anything.
 */
export function plainColumnsAt(text: string, at: number): number {
  const columns = plainColumns(text.charCodeAt(at));
  return columns > 0 && (at + 1 === text.length || plainColumns(text.charCodeAt(at + 1)) > 0) ? columns : 0;
}

function plainColumns(unit: number): number {
  if (unit < 0x300) return unit >= 0x20 && unit !== 0x7f && (unit < 0x80 || unit > 0x9f) && unit !== 0xad ? 1 : 0;
  if (unit < 0x3001 || unit > 0xff60) return 0;
  const isWide =
    unit <= 0x3029 || between(unit, 0x3041, 0x3096) || between(unit, 0x30a1, 0x30fe) || between(unit, 0x4e00, 0x9fff);
  return isWide || between(unit, 0xac00, 0xd7a3) || unit >= 0xff01 ? 2 : 0;
}

function between(unit: number, first: number, last: number): boolean {
  return unit >= first && unit <= last;
}

/** Breaks lines between words to at most `columns`; a longer word is broken between characters, never inside one. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const line of text.split('\n')) wrapLine(line, Math.max(1, columns), lines);
  return lines;
}

/**
 * One line broken between words and commands alone, further rows behind an indent. A word that is too long is left
 * whole for the terminal to break, for it may be an address or a path that is there to be copied.
 */
export function fold(line: string, columns: number, indent: string): string {
  let used = 0;
  let rows = '';
  for (const word of foldedWords(line)) {
    const isBreak = used > 0 && used + columnsOf(word) > columns;
    const piece = isBreak ? indent + word.trimStart() : word;
    rows += isBreak ? `\n${piece}` : piece;
    used = columnsOf(piece) + (isBreak ? 0 : used);
  }
  return rows;
}

/**
 * The words of a line with the blanks before them. A command of this program, or an `export`, is one word, for with a
 * break inside a shell would take it for two. One that begins a clause lasts until that ends, or a bracket, a wide gap
 * or a verb of ours follows; one in the middle of a sentence until a word follows that is none of a command.
 */
export function foldedWords(line: string): readonly string[] {
  const words: string[] = [];
  let before = ':';
  let command: 'none' | 'clause' | 'inner' = 'none';
  let quote = '';
  for (const { 0: word, 1: blanks = '', 2: bare = '', index } of line.matchAll(/(^ *| +)([^ ]*)/g)) {
    const isWord = command === 'inner' ? isCommandWord(bare, before) : !ending.test(bare);
    if (command !== 'none' && (quote !== '' || (blanks.length === 1 && isWord))) words[words.length - 1] += word;
    else {
      words.push(word);
      const isBegun = /^(?:[("]?motif(?: |$)|export [A-Z_]+=)/.test(line.slice(index + blanks.length));
      command = !isBegun ? 'none' : /[:;,]$|^(?:or|then)$/.test(before) ? 'clause' : 'inner';
    }
    if (command !== 'none') quote = openQuote(bare.replace(/^\(/, ''), quote);
    if (quote === '' && (command === 'inner' ? /[:;,.?!)]$/ : /[:;,]$/).test(bare)) command = 'none';
    before = bare;
  }
  return words;
}

/** Ends of a command that begins a clause: a bracket, or a word by which our sentences go on. */
const ending =
  /^(?:\(.*|(?:shows|makes|writes|lists|serves|adds|ends|replaces|deletes|removes|prints|has|saves|says|names|gives|tells|sends|reads|and|or|once)[,;:.]?)$/;

/** Words of a command behind which another one belongs to it: its name, groups of verbs, flags with a short value. */
const isFollowed = /^(?:[("]?motif|admin|audit|help|profile|history|completion|-[a-z])$/;

/** A word of a command rather than of the sentence around it: a verb, a flag, a placeholder, a quoted text, a file. */
function isCommandWord(word: string, before: string): boolean {
  if (isFollowed.test(before)) return true;
  return /^(?:-|["'<]|[A-Z][A-Z-]+\b|[\w/-]+[./=@_\d][\w/]|(?:init|add|merge|schema)\b)/.test(word);
}

/** The quote that a shell still waits for behind a word; empty for none. */
function openQuote(word: string, before: string): string {
  let open = before;
  for (const [each] of word.matchAll(/\\.|['"]/g)) {
    if (open === '' && each.length === 1) open = each;
    else if (each.at(-1) === open && (each.length === 1 || open === "'")) open = '';
  }
  return open;
}

/** One line cut to at most `columns`, with an ellipsis where something was cut. */
export function clip(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  if (columns < 1) return '';
  let head = '';
  let used = 0;
  for (const cluster of clustersOf(text)) {
    used += clusterColumns(cluster);
    if (used > columns - 1) break;
    head += cluster;
  }
  return `${head}…`;
}

/** Chinese and Japanese may break after every character, though not before what closes or belongs to the one before. */
const words = lazyPattern(
  () =>
    /[ \t]+|[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}][\p{M}\p{Pe}\p{Pf}\p{Po}\p{Lm}]*|[^ \t\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]+/gu,
);

function wrapLine(line: string, columns: number, lines: string[]): void {
  let current = '';
  let used = 0;
  let gap = '';
  for (const [word] of line.matchAll(words())) {
    if (word.startsWith(' ') || word.startsWith('\t')) {
      gap = word;
      continue;
    }
    const needed = columnsOf(gap) + columnsOf(word);
    if (used + needed <= columns) {
      current += gap + word;
      used += needed;
    } else {
      // The blanks at a break are dropped, and so is an indent that leaves no room for the first word.
      if (current !== '') lines.push(current);
      current = breakWord(word, columns, lines);
      used = columnsOf(current);
    }
    gap = '';
  }
  lines.push(current);
}

/** Puts down all full lines of a word and returns what is left for the last one. */
function breakWord(word: string, columns: number, lines: string[]): string {
  if (columnsOf(word) <= columns) return word;
  let piece = '';
  let used = 0;
  for (const cluster of clustersOf(word)) {
    const needed = clusterColumns(cluster);
    if (used + needed > columns && piece !== '') {
      lines.push(piece);
      piece = '';
      used = 0;
    }
    piece += cluster;
    used += needed;
  }
  return piece;
}

function clusterColumns(cluster: string): number {
  if (cluster.length > 1 && picture().test(cluster)) return 2;
  let columns = 0;
  for (const character of cluster) {
    if (character === '\t') columns += tabColumns;
    else if (!zero().test(character)) columns += wide().test(character) ? 2 : 1;
  }
  return columns;
}
