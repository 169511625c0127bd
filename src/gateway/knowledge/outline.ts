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
/** The longest private key that stays whole: RSA of 8192 bits. No policy would find the middle of one by itself. */
const privateKeyCharactersMax = 8 * 1024;

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
  /** True where the paragraph ends in the middle of a private key, which may have blank lines. */
  #isInKey = false;

  /** `name` is that of the document in its sources. */
  constructor(name: string) {
    this.#name = name;
    this.#source = oneLine(name);
  }

  /** A line of text; one of blanks ends a paragraph. */
  *add(line: string): Piecework<void> {
    const text = line.trimEnd();
    if (text === '' && !this.#isInKey) return this.#endParagraph();
    if (this.#paragraph !== '') this.#paragraph += `\n${text}`;
    else this.#paragraph = this.#isSplit ? text.trimStart() : text;
    const isOpen = beginsKey(text) || (this.#isInKey && !text.includes(keyEnd));
    this.#isInKey = isOpen && this.#paragraph.length <= privateKeyCharactersMax;
    if (this.#isInKey) return;
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
    this.#isInKey = false;
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
  const whole = path.join(' > ');
  const end = whole.length > titlesCharactersMax ? whole.lastIndexOf(' ', titlesCharactersMax) : -1;
  // The first half of a key is not found either.
  return end > 0 ? whole.slice(0, end) : atMost(whole, titlesCharactersMax);
}

/** A source stands in brackets on a line of its own, which nothing inside it may end. */
function oneLine(text: string): string {
  return text.replace(/[\s[\]]+/g, ' ').trim();
}

const keyBegin = '-----BEGIN ';
const keyEnd = '-----END ';
const privateKeyBegin = /^-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/;
const privateKey = new RegExp(`${privateKeyBegin.source}.*?${keyEnd}[A-Z0-9 ]*-----`, 's');

/** True for a line in which a private key begins and does not end. */
function beginsKey(line: string): boolean {
  const start = line.lastIndexOf(keyBegin);
  return start !== -1 && !line.includes(keyEnd, start) && privateKeyBegin.test(line.slice(start, start + 80));
}

interface Cut {
  readonly end: number;
  readonly next: number;
}

/**
 * The end of the first part of a paragraph, and the start of the next one: the last good place to cut, unless it would
 * leave less than half. In the middle of a sentence it may be that of a card or key, which no policy would find in its
 * halves; so no number is cut where another place is near, and the next part holds a key whole.
 */
function cutOf(paragraph: string): Cut {
  const cut = cutBetweenWords(paragraph);
  const start = paragraph.lastIndexOf(keyBegin, cut.end);
  if (start === -1) return cut;
  const key = privateKey.exec(paragraph.slice(start, start + privateKeyCharactersMax))?.[0] ?? '';
  const end = start + key.length;
  if (end <= cut.end) return cut;
  return start === 0 ? { end, next: end } : { end: start, next: start };
}

function cutBetweenWords(paragraph: string): Cut {
  const head = paragraph.slice(0, passageCharactersMax);
  const least = head.length / 2;
  /** The last one of those places that has a number, which may be a part of a longer one, on fewer sides than so. */
  const lastOf = (sign: string, sides: number, from: number, to: number): number => {
    const last = head.lastIndexOf(sign, to);
    for (let at = last; at >= from; at = head.lastIndexOf(sign, at - 1))
      if (numbersBeside(paragraph, at) < sides) return at;
    return last;
  };
  const places = [
    Math.max(...['. ', '! ', '? ', '.\n', '。'].map((end) => head.lastIndexOf(end))),
    // A line of a list or table may well begin, or end, with a number.
    lastOf('\n', 2, least, head.length),
  ];
  const place = places.find((at) => at >= least);
  if (place !== undefined) return { end: place + 1, next: place + 1 };
  const blank = lastOf(' ', 1, least, head.length);
  const end = blank >= least ? blank + 1 : wholeCharacters(paragraph, head.length);
  const shared = end - sharedCharacters;
  const word = lastOf(' ', 1, shared - wordCharactersMax, shared) + 1;
  const isNear = word > shared - wordCharactersMax;
  return { end, next: isNear ? word : wholeCharacters(paragraph, shared) };
}

function numbersBeside(text: string, at: number): number {
  const before = text
    .slice(at - wordCharactersMax, at)
    .split(/\s/)
    .at(-1)!;
  const after = text.slice(at + 1, at + 1 + wordCharactersMax).split(/\s/, 1)[0]!;
  return [before, after].filter((word) => /\d/.test(word)).length;
}

function atMost(text: string, characters: number): string {
  return text.slice(0, wholeCharacters(text, characters));
}

/** A character beyond 16 bits is two units, and half of one is no text. */
function wholeCharacters(text: string, at: number): number {
  return text.codePointAt(at - 1)! > 0xffff ? at - 1 : at;
}
