import { type Emphasis, pairEmphasis, readEmphasis } from './emphasis.ts';

/** A stretch of one line that looks the same throughout. */
export interface InlineSpan {
  readonly text: string;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly kind: 'plain' | 'code' | 'address';
}

interface InlinePiece {
  readonly text: string;
  readonly kind: InlineSpan['kind'];
  readonly run?: Emphasis;
}

/**
 * Emphasis, code and links of one line. `codeMark` stays around code, for where code has no colour. What is not quite
 * Markdown stays as it is written, and a link always shows its address: `text (address)`.
 */
export function parseInline(text: string, codeMark: string): InlineSpan[] {
  if (!/[\\`*_[]|https?:/.test(text)) return text === '' ? [] : [{ text, bold: false, italic: false, kind: 'plain' }];
  const pieces = new InlineReader(text, codeMark).read();
  pairEmphasis(pieces.flatMap(({ run }) => run ?? []));
  return toSpans(pieces);
}

const special = /[\\`*_[\]]|!\[|https?:\/\//g;
/** Up to what ends a sentence or closes what the address stands in. */
const bareAddress = /https?:\/\/[^\s<>()[\]`*|\\]*[^\s<>()[\]`*|\\.,;:!?'"_]/y;
/** With at most one pair of parentheses inside another, which is why a failed attempt never runs past the next link. */
const destination = /\(([^\s()]+(?:\([^\s()]*\)[^\s()]*)*(?: (?:"[^"]*"|'[^']*'))?)\)/y;

/** Goes through the text once. */
class InlineReader {
  readonly #text: string;
  readonly #codeMark: string;
  readonly #pieces: InlinePiece[] = [];
  /** Square brackets that are still open: their place in the pieces and in the text. */
  readonly #brackets: { piece: number; at: number }[] = [];
  /** For each length of a run of backticks where such runs are, the first one last. */
  readonly #backticks = new Map<number, number[]>();

  constructor(text: string, codeMark: string) {
    this.#text = text;
    this.#codeMark = codeMark;
    for (const { 0: run, index } of [...text.matchAll(/`+/g)].reverse()) {
      const places = this.#backticks.get(run.length);
      if (places === undefined) this.#backticks.set(run.length, [index]);
      else places.push(index);
    }
  }

  read(): InlinePiece[] {
    for (let at = 0; at < this.#text.length;) {
      special.lastIndex = at;
      const next = special.exec(this.#text)?.index ?? this.#text.length;
      if (next > at) this.#add(this.#text.slice(at, next));
      at = next < this.#text.length ? this.#readSpecial(next) : next;
    }
    return this.#pieces;
  }

  #add(text: string, kind: InlineSpan['kind'] = 'plain'): void {
    this.#pieces.push({ text, kind });
  }

  /** Returns where to go on, like the methods it calls. */
  #readSpecial(at: number): number {
    const character = this.#text[at]!;
    if (character === '\\') return this.#readEscape(at);
    if (character === '`') return this.#readCode(at);
    if (character === ']') return this.#readLink(at);
    if (character === 'h') return this.#readAddress(at);
    if (character === '[') return this.#openBracket(at, at);
    if (character === '!') return this.#openBracket(at, at + 1);
    const end = endOfRun(this.#text, at);
    this.#pieces.push({ text: '', kind: 'plain', run: readEmphasis(this.#text, at, end) });
    return end;
  }

  /** Of a link or, with an exclamation mark before it, of an image. */
  #openBracket(from: number, at: number): number {
    this.#brackets.push({ piece: this.#pieces.length, at });
    this.#add(this.#text.slice(from, at + 1));
    return at + 1;
  }

  #readAddress(at: number): number {
    bareAddress.lastIndex = at;
    const address = bareAddress.exec(this.#text)?.[0];
    this.#add(address ?? 'h', address === undefined ? 'plain' : 'address');
    return at + (address ?? 'h').length;
  }

  #readEscape(at: number): number {
    const escaped = /[!-/:-@[-`{-~]/.test(this.#text[at + 1] ?? '') ? this.#text[at + 1]! : '';
    this.#add(escaped || '\\');
    return at + 1 + escaped.length;
  }

  #readCode(at: number): number {
    const from = endOfRun(this.#text, at);
    const places = this.#backticks.get(from - at) ?? [];
    while (places.length > 0 && places.at(-1)! < from) places.pop();
    const to = places.at(-1);
    if (to === undefined) {
      this.#add(this.#text.slice(at, from));
      return from;
    }
    const code = this.#text.slice(from, to);
    const isPadded = code.startsWith(' ') && code.endsWith(' ') && code.trim() !== '';
    this.#add(this.#codeMark + (isPadded ? code.slice(1, -1) : code) + this.#codeMark, 'code');
    return to + from - at;
  }

  /** A link whose text is its address is shown once. */
  #readLink(at: number): number {
    const opening = this.#brackets.pop();
    destination.lastIndex = at + 1;
    const found = opening === undefined ? null : destination.exec(this.#text);
    if (opening === undefined || found === null) {
      this.#add(']');
      return at + 1;
    }
    const address = found[1]!;
    if (address.length === at - opening.at - 1 && this.#text.startsWith(address, opening.at + 1)) {
      this.#pieces.length = opening.piece;
      this.#add(address, 'address');
    } else {
      this.#pieces[opening.piece] = { text: '', kind: 'plain' };
      this.#add(' (');
      this.#add(address, 'address');
      this.#add(')');
    }
    return at + 1 + found[0].length;
  }
}

function endOfRun(text: string, at: number): number {
  let end = at + 1;
  while (text[end] === text[at]) end += 1;
  return end;
}

function toSpans(pieces: readonly InlinePiece[]): InlineSpan[] {
  const spans: InlineSpan[] = [];
  let [bold, italic] = [0, 0];
  for (const { text, kind, run } of pieces) {
    bold -= run?.ends.bold ?? 0;
    italic -= run?.ends.italic ?? 0;
    const shown = run === undefined ? text : run.character.repeat(run.left);
    const span = { text: shown, bold: bold > 0, italic: italic > 0, kind };
    const last = spans.at(-1);
    if (last?.bold === span.bold && last.italic === span.italic && last.kind === kind) {
      spans[spans.length - 1] = { ...span, text: last.text + shown };
    } else if (shown !== '') spans.push(span);
    bold += run?.begins.bold ?? 0;
    italic += run?.begins.italic ?? 0;
  }
  return spans;
}
