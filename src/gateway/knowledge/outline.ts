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
/** Characters that two passages share where neither a sentence nor a line ends between them: more than most keys. */
const sharedCharacters = 256;
/** Characters before these in which a word is looked for that they can begin with. */
const wordCharactersMax = 64;
/** Characters of one title that are looked at: a broken page may be a title as a whole. */
const titleCharactersRead = 1000;

/**
 * Puts passages together while a document is read: a line goes under the heading seen last. A passage has as many whole
 * paragraphs as fit together; a paragraph too long alone is split between sentences, lines, words, characters.
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
      const { end, next } = cutOf(this.#paragraph);
      this.#put(this.#paragraph.slice(0, end).trim());
      this.#paragraph = this.#paragraph.slice(next).trimStart();
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
    this.#titles.push(oneLine(atMost(title, titleCharactersRead)).slice(0, titlesCharactersMax + 1));
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
  return atMost(path.join(' > '), titlesCharactersMax);
}

/** A source stands in brackets on a line of its own, which nothing inside it may end. */
function oneLine(text: string): string {
  return text.replace(/[\s[\]]+/g, ' ').trim();
}

/**
 * The end of the first part of a paragraph, and the start of the next one: the last good place to cut, unless it would
 * leave less than half. In the middle of a sentence it may be that of a card or key, which no policy would find in its
 * halves; so the next part holds it whole.
 */
function cutOf(paragraph: string): { readonly end: number; readonly next: number } {
  const head = paragraph.slice(0, passageCharactersMax);
  const least = head.length / 2;
  const places = [
    Math.max(...['. ', '! ', '? ', '.\n', '。'].map((end) => head.lastIndexOf(end))),
    head.lastIndexOf('\n'),
  ];
  const place = places.find((at) => at >= least);
  if (place !== undefined) return { end: place + 1, next: place + 1 };
  const blank = head.lastIndexOf(' ');
  const end = blank >= least ? blank + 1 : wholeCharacters(paragraph, head.length);
  const word = head.lastIndexOf(' ', end - sharedCharacters) + 1;
  const isNear = word > end - sharedCharacters - wordCharactersMax;
  return { end, next: isNear ? word : wholeCharacters(paragraph, end - sharedCharacters) };
}

function atMost(text: string, characters: number): string {
  return text.slice(0, wholeCharacters(text, characters));
}

/** A character beyond 16 bits is two units, and half of one is no text. */
function wholeCharacters(text: string, at: number): number {
  return text.codePointAt(at - 1)! > 0xffff ? at - 1 : at;
}
