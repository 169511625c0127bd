import { decodeEntities } from './entities.ts';
import { Outline, type Section } from './section.ts';

/** Elements whose content is not text, or not of the page. */
const raw = /^(script|style|title|template|textarea|select|iframe|svg|noscript)$/;
const paragraph =
  /^(p|div|section|article|main|header|footer|nav|aside|ul|ol|dl|table|pre|blockquote|form|figure|figcaption|h[1-6]|hr|body|address|details|summary)$/;
const lineBreak = /^(br|tr|dt|dd|li|option)$/;
const heading = /^h([1-6])$/;
const tag = /<(\/?)([A-Za-z][A-Za-z0-9:-]*)/y;

/**
 * Reads the text of a page in one pass: tags, comments and scripts go, headings make sections. Nothing of it is ever
 * shown as HTML, so a broken tag may cost text and can do no harm.
 */
export function htmlSections(html: string): Section[] {
  const outline = new Outline();
  let title: { readonly level: number; text: string } | undefined;
  const say = (text: string) => {
    if (title === undefined) outline.add(text);
    else title.text += text;
  };
  for (const { text, name, isEnd } of htmlTokens(html)) {
    if (name === undefined) {
      say(decodeEntities(text.replace(/\s+/g, ' ')));
      continue;
    }
    const level = Number(heading.exec(name)?.[1] ?? 0);
    if (title !== undefined && (level > 0 || paragraph.test(name))) {
      outline.open(title.level, title.text.replace(/\s+/g, ' ').trim());
      title = undefined;
    }
    if (level > 0 && !isEnd) title = { level, text: '' };
    else if (paragraph.test(name)) say('\n\n');
    else if (name === 'li' && !isEnd) say('\n- ');
    else if (lineBreak.test(name) && !isEnd) say('\n');
    else if ((name === 'td' || name === 'th') && isEnd) say(' ');
  }
  if (title !== undefined) outline.open(title.level, title.text.trim());
  return outline.end().map(({ titles, text }) => ({ titles, text: tidied(text) }));
}

interface HtmlToken {
  /** Of a text; empty for a tag. */
  readonly text: string;
  /** Of a tag, in lower case; undefined for a text. */
  readonly name: string | undefined;
  readonly isEnd: boolean;
}

function* htmlTokens(html: string): Generator<HtmlToken> {
  for (let at = 0; at < html.length;) {
    const open = html.indexOf('<', at);
    const end = open === -1 ? html.length : open;
    if (end > at) yield { text: html.slice(at, end), name: undefined, isEnd: false };
    if (open === -1) return;
    tag.lastIndex = open;
    const found = tag.exec(html);
    if (found !== null) {
      const name = found[2]!.toLowerCase();
      const isEnd = found[1] === '/';
      yield { text: '', name, isEnd };
      at = endOfTag(html, tag.lastIndex);
      if (!isEnd && raw.test(name) && html[at - 2] !== '/') at = endOfRaw(html, at, name);
    } else if (html.startsWith('<!--', open)) {
      at = after(html, '-->', open + 4);
    } else if (/[!?/]/.test(html[open + 1] ?? '')) {
      at = after(html, '>', open + 1);
    } else {
      yield { text: '<', name: undefined, isEnd: false };
      at = open + 1;
    }
  }
}

/** Behind the `>` that ends a tag; one inside a quoted attribute does not. */
function endOfTag(html: string, from: number): number {
  let quote = '';
  for (let at = from; at < html.length; at++) {
    const character = html[at]!;
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '>') return at + 1;
    else if ((character === '"' || character === "'") && html[at - 1] === '=') quote = character;
  }
  return html.length;
}

function endOfRaw(html: string, from: number, name: string): number {
  const end = new RegExp(`</${name}`, 'gi');
  end.lastIndex = from;
  const found = end.exec(html);
  return found === null ? html.length : found.index;
}

function after(html: string, mark: string, from: number): number {
  const at = html.indexOf(mark, from);
  return at === -1 ? html.length : at + mark.length;
}

function tidied(text: string): string {
  const lines = text.split('\n').map((line) => line.replace(/[ \u00a0]+/g, ' ').trim());
  return lines
    .filter((line, index) => line !== '' || lines[index - 1] !== '')
    .join('\n')
    .trim();
}
