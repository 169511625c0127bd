import type { Piecework } from '../../text/turns.ts';

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
/** Characters of one title that are looked at: a broken page may be a title as a whole. */
const titleCharactersRead = 1000;

/**
 * Puts passages together while a document is read: a line goes under the heading seen last. A passage has as many whole
 * paragraphs as fit together; a paragraph too long alone is split between sentences, words, characters.
 */
export class Outline {
  readonly #name: string;
  readonly #passages: Passage[] = [];
  readonly #titles: string[] = [];
  #path = '';
  #source: string;
  #piece = '';
  /** The paragraph that is read, without what is a part of a passage already. */
  #paragraph = '';
  #isSplit = false;

  /** `name` is that of the document in its sources. */
  constructor(name: string) {
    this.#name = name;
    this.#source = oneLine(name);
  }

  /** A line of text; one of blanks ends a paragraph. */
  *add(line: string): Piecework<void> {
    const text = line.trimEnd();
    if (text === '') return this.#endParagraph();
    if (this.#paragraph !== '') this.#paragraph += `\n${text}`;
    else this.#paragraph = this.#isSplit ? text.trimStart() : text;
    while (this.#paragraph.length > passageCharactersMax) {
      const end = endOfPart(this.#paragraph.slice(0, passageCharactersMax));
      this.#put(this.#paragraph.slice(0, end).trim());
      this.#paragraph = this.#paragraph.slice(end).trimStart();
      this.#isSplit = true;
      yield;
    }
  }

  /** A heading of a level from 1 ends all that stood under headings of its level or deeper. */
  open(level: number, title: string): void {
    this.#endSection();
    this.#titles.length = Math.min(this.#titles.length, level - 1);
    while (this.#titles.length < level - 1) this.#titles.push('');
    // Longer than a path by one, so that a path with it is still seen to be too long.
    this.#titles.push(oneLine(title.slice(0, titleCharactersRead)).slice(0, titlesCharactersMax + 1));
    this.#path = pathOf(this.#titles);
    this.#source = oneLine(this.#path === '' ? this.#name : `${this.#name}: ${this.#path}`);
  }

  end(): Passage[] {
    this.#endSection();
    return this.#passages;
  }

  #endSection(): void {
    this.#endParagraph();
    this.#endPiece();
  }

  #endParagraph(): void {
    this.#put(this.#paragraph);
    this.#paragraph = '';
    this.#isSplit = false;
  }

  #put(part: string): void {
    if (part === '') return;
    if (this.#piece.length + part.length + 2 > passageCharactersMax) this.#endPiece();
    this.#piece += this.#piece === '' ? part : `\n\n${part}`;
  }

  #endPiece(): void {
    if (this.#piece !== '') this.#passages.push({ source: this.#source, titles: this.#path, text: this.#piece });
    this.#piece = '';
  }
}

function pathOf(titles: readonly string[]): string {
  let path = titles.filter((title) => title !== '');
  while (path.length > 1 && path.join(' > ').length > titlesCharactersMax) path = path.slice(1);
  return path.join(' > ').slice(0, titlesCharactersMax);
}

/** A source stands in brackets on a line of its own, which nothing inside it may end. */
function oneLine(text: string): string {
  return text.replace(/[\s[\]]+/g, ' ').trim();
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
