import { htmlSections } from './html.ts';
import { markdownSections } from './markdown.ts';
import type { Section } from './section.ts';

/** A piece of a document, small enough that several fit into a prompt. */
export interface Passage {
  /** The file without its ending and the titles above the piece: `handbook: Returns > Kettles`. */
  readonly source: string;
  /** The titles alone; a search counts their words twice. */
  readonly titles: string;
  readonly text: string;
}

const passageCharactersMax = 1200;
/** Of all titles together; a longer path is cut at its front, where it is most general. */
const titlesCharactersMax = 160;

/** Splits a document into passages, at its headings first. `fileName` decides how it is read and names the source. */
export function readPassages(text: string, fileName: string): Passage[] {
  const [, stem = fileName, ending = ''] = /^(.+)\.([A-Za-z0-9]+)$/.exec(fileName) ?? [];
  const sections = sectionsOf(text.replace(/\r\n?/g, '\n'), ending.toLowerCase());
  return sections.flatMap((section) => {
    const titles = toTitles(section.titles);
    const source = oneLine(titles === '' ? stem : `${stem}: ${titles}`);
    return piecesOf(section.text).map((piece) => ({ source, titles, text: piece }));
  });
}

function sectionsOf(text: string, ending: string): Section[] {
  if (ending === 'md' || ending === 'markdown') return markdownSections(text);
  if (ending === 'html' || ending === 'htm' || ending === 'xhtml') return htmlSections(text);
  return [{ titles: [], text }];
}

function toTitles(titles: readonly string[]): string {
  let path = titles.filter((title) => title !== '');
  while (path.length > 1 && path.join(' > ').length > titlesCharactersMax) path = path.slice(1);
  return oneLine(path.join(' > ')).slice(0, titlesCharactersMax);
}

/** A source stands in brackets on a line of its own, which nothing inside it may end. */
function oneLine(text: string): string {
  return text.replace(/[\s[\]]+/g, ' ').trim();
}

/** As many whole paragraphs as fit together; one too long alone is split between sentences, words, characters. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const part of paragraphsOf(text).flatMap(splitLong)) {
    if (piece !== '' && piece.length + part.length + 2 > passageCharactersMax) {
      pieces.push(piece);
      piece = '';
    }
    piece = piece === '' ? part : `${piece}\n\n${part}`;
  }
  return piece === '' ? pieces : [...pieces, piece];
}

function paragraphsOf(text: string): string[] {
  const paragraphs: string[] = [];
  let lines: string[] = [];
  for (const line of [...text.split('\n'), '']) {
    if (line.trim() !== '') lines.push(line.trimEnd());
    else if (lines.length > 0) {
      paragraphs.push(lines.join('\n'));
      lines = [];
    }
  }
  return paragraphs;
}

function splitLong(paragraph: string): string[] {
  const parts: string[] = [];
  let rest = paragraph;
  while (rest.length > passageCharactersMax) {
    const end = endOfPart(rest.slice(0, passageCharactersMax));
    parts.push(rest.slice(0, end).trim());
    rest = rest.slice(end).trimStart();
  }
  return [...parts, rest].filter((part) => part !== '');
}

/** The last good place to cut, unless it would leave less than half. */
function endOfPart(head: string): number {
  const least = head.length / 2;
  const places = [
    Math.max(...['. ', '! ', '? ', '.\n', '。'].map((end) => head.lastIndexOf(end))),
    head.lastIndexOf('\n'),
    head.lastIndexOf(' '),
  ];
  const place = places.find((at) => at >= least);
  if (place !== undefined) return place + 1;
  const last = head.charCodeAt(head.length - 1);
  // A character beyond 16 bits is two units, and half of one is no text.
  return last >= 0xd800 && last <= 0xdbff ? head.length - 1 : head.length;
}
