import type { Piecework } from '../../text/turns.ts';
import { decodeEntities } from './entities.ts';
import { Pauses } from './lines.ts';
import type { Outline } from './outline.ts';

/** Elements whose content is not text, or not of the page. */
const raw = setOf('script style title template textarea select iframe svg noscript');
const paragraphs = setOf(
  `p div section article main header footer nav aside ul ol dl table pre blockquote form figure figcaption h1 h2 h3 h4
  h5 h6 hr body address details summary`,
);
const lineBreaks = setOf('br tr dt dd li option');
/** Characters of a heading that are kept: where nothing closes it, the page goes on in it. */
const titleCharactersMax = 1000;
/** Characters of a text that are one token; a longer one is several. */
const textCharactersMax = 16 * 1024;
/** The longest character reference, which no token ends inside. */
const referenceCharactersMax = 40;
/** Any other `<` is text. */
const markup = /<[A-Za-z/!?]/g;
const tag = /<(\/?)([A-Za-z][A-Za-z0-9:-]*)/y;

function setOf(names: string): ReadonlySet<string> {
  return new Set(names.split(/\s+/));
}

/**
 * Reads the text of a page in one pass: tags, comments and scripts go, headings make sections. Nothing of it is ever
 * shown as HTML, so a broken tag may cost text and can do no harm.
 */
export function* readHtml(html: string, outline: Outline): Piecework<void> {
  const pauses = new Pauses();
  const flow = new Flow();
  let title: { readonly level: number; text: string } | undefined;
  const say = (text: string): void => {
    if (title === undefined) flow.add(text);
    else if (title.text.length < titleCharactersMax) title.text += text;
  };
  for (const { text, name, isEnd, end } of htmlTokens(html)) {
    if (name === undefined) say(wordsOf(text));
    else {
      const level = /^h[1-6]$/.test(name) ? Number(name[1]) : 0;
      if (title !== undefined && paragraphs.has(name)) {
        for (const line of flow.end()) yield* outline.add(line);
        outline.open(title.level, title.text);
        title = undefined;
      }
      if (level > 0 && !isEnd) title = { level, text: '' };
      else if (paragraphs.has(name)) say('\n\n');
      else if (name === 'li' && !isEnd) say('\n- ');
      else if (lineBreaks.has(name) && !isEnd) say('\n');
      else if ((name === 'td' || name === 'th') && isEnd) say(' ');
    }
    for (const line of flow.taken()) yield* outline.add(line);
    if (pauses.isDue(end)) yield;
  }
  for (const line of flow.end()) yield* outline.add(line);
}

function wordsOf(text: string): string {
  const words = text.replace(/\s+/g, ' ');
  return words.includes('&') ? decodeEntities(words).replace(/[ \u00a0]+/g, ' ') : words;
}

/** Lines in which every run of blanks is one, across tags too. */
class Flow {
  #whole: string[] = [];
  #line = '';
  #endsBlank = true;

  add(text: string): void {
    let from = 0;
    for (let newline = text.indexOf('\n'); newline !== -1; newline = text.indexOf('\n', from)) {
      this.#append(text.slice(from, newline));
      this.#endLine();
      from = newline + 1;
    }
    this.#append(text.slice(from));
  }

  /** The lines that are whole, each once. */
  taken(): readonly string[] {
    if (this.#whole.length === 0) return none;
    const taken = this.#whole;
    this.#whole = [];
    return taken;
  }

  /** The same with the last line, whether it is whole or not. */
  end(): readonly string[] {
    this.#endLine();
    return this.taken();
  }

  #append(text: string): void {
    const added = this.#endsBlank && text.startsWith(' ') ? text.slice(1) : text;
    if (added === '') return;
    this.#line += added;
    this.#endsBlank = added.endsWith(' ');
  }

  #endLine(): void {
    this.#whole.push(this.#line.trim());
    this.#line = '';
    this.#endsBlank = true;
  }
}

const none: readonly string[] = [];

interface HtmlToken {
  /** Of a text; empty for a tag. */
  readonly text: string;
  /** Of a tag, in lower case; undefined for a text. */
  readonly name: string | undefined;
  readonly isEnd: boolean;
  /** The offset behind a text, or at which a tag begins. */
  readonly end: number;
}

function* htmlTokens(html: string): Generator<HtmlToken> {
  for (let at = 0; at < html.length;) {
    markup.lastIndex = at;
    const open = markup.exec(html)?.index ?? html.length;
    while (at < open) {
      const end = endOfText(html, at, open);
      yield { text: html.slice(at, end), name: undefined, isEnd: false, end };
      at = end;
    }
    if (open === html.length) return;
    tag.lastIndex = open;
    const found = tag.exec(html);
    if (found === null) {
      at = html.startsWith('<!--', open) ? after(html, '-->', open + 4) : after(html, '>', open + 1);
      continue;
    }
    const name = found[2]!.toLowerCase();
    const isEnd = found[1] === '/';
    yield { text: '', name, isEnd, end: open };
    at = endOfTag(html, open + found[0].length);
    if (!isEnd && raw.has(name) && html[at - 2] !== '/') at = endOfRaw(html, at, name);
  }
}

function endOfText(html: string, from: number, textEnd: number): number {
  const end = from + textCharactersMax;
  if (end >= textEnd) return textEnd;
  const reference = html.slice(end - referenceCharactersMax, end).lastIndexOf('&');
  return reference === -1 ? end : end - referenceCharactersMax + reference;
}

/** Behind the `>` that ends a tag; one inside a quoted attribute does not. */
function endOfTag(html: string, from: number): number {
  let quote = 0;
  for (let at = from; at < html.length; at++) {
    const unit = html.charCodeAt(at);
    if (quote !== 0) {
      if (unit === quote) quote = 0;
    } else if (unit === 0x3e) return at + 1;
    else if ((unit === 0x22 || unit === 0x27) && html[at - 1] === '=') quote = unit;
  }
  return html.length;
}

const rawEnds = new Map([...raw].map((name) => [name, new RegExp(`</${name}`, 'gi')]));

function endOfRaw(html: string, from: number, name: string): number {
  const end = rawEnds.get(name)!;
  end.lastIndex = from;
  return end.exec(html)?.index ?? html.length;
}

function after(html: string, mark: string, from: number): number {
  const at = html.indexOf(mark, from);
  return at === -1 ? html.length : at + mark.length;
}
