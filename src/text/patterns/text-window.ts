/** Edges of texts, lines and words at a place, as the engine numbers them. */
const emptyAt = { beginOfLine: 1, endOfLine: 2, beginOfText: 4, endOfText: 8, edgeOfWord: 16, noEdgeOfWord: 32 };
const lineEnd = 10;
const endOfInput = -8;

/**
 * A part of a text, as the engine reads one, that knows how far it was read. It is moved along the text: to make a part
 * and a matcher for each look took longer than most looks. Places are those in the part.
 */
export class TextWindow {
  readonly #text: string;
  #start = 0;
  #end = 0;
  #readTo = 0;

  constructor(text: string) {
    this.#text = text;
  }

  show(start: number, end: number): void {
    this.#start = start;
    this.#end = end;
    this.#readTo = start;
  }

  /** The end of what was read, as a place in the text. */
  get readTo(): number {
    return this.#readTo;
  }

  endPos(): number {
    return this.#end - this.#start;
  }

  canCheckPrefix(): boolean {
    return true;
  }

  prefixLength({ prefix }: { readonly prefix: string }): number {
    return prefix.length;
  }

  /** The engine asks so for literals before it looks; whoever looks here has asked for them already. */
  hasString(): boolean {
    return true;
  }

  hasAnyString(): boolean {
    return true;
  }

  /** The code point at a place and how many units it has, in one number. */
  step(place: number): number {
    const at = place + this.#start;
    if (at >= this.#end) return endOfInput;
    const first = this.#read(at);
    if (first < 0xd800 || first > 0xdbff || at + 1 >= this.#end) return (first << 3) | 1;
    const second = this.#read(at + 1);
    if (second < 0xdc00 || second > 0xdfff) return (first << 3) | 1;
    return (((first - 0xd800) * 0x400 + (second - 0xdc00) + 0x10000) << 3) | 2;
  }

  /** The distance to the next place of the literal with which all matches begin. */
  index({ prefix }: { readonly prefix: string }, place: number): number {
    const from = place + this.#start;
    const ahead = this.#text.slice(from, this.#end).indexOf(prefix);
    this.#readTo = Math.max(this.#readTo, ahead === -1 ? this.#end : from + ahead + prefix.length);
    return ahead;
  }

  context(place: number): number {
    const at = place + this.#start;
    const before = at > this.#start && at <= this.#end ? this.#read(at - 1) : -1;
    const behind = at < this.#end ? this.#read(at) : -1;
    let empty = isOfWord(before) === isOfWord(behind) ? emptyAt.noEdgeOfWord : emptyAt.edgeOfWord;
    if (before < 0) empty |= emptyAt.beginOfText | emptyAt.beginOfLine;
    if (before === lineEnd) empty |= emptyAt.beginOfLine;
    if (behind < 0) empty |= emptyAt.endOfText | emptyAt.endOfLine;
    if (behind === lineEnd) empty |= emptyAt.endOfLine;
    return empty;
  }

  #read(at: number): number {
    if (at >= this.#readTo) this.#readTo = at + 1;
    return this.#text.charCodeAt(at);
  }
}

/** As the engine has it: a letter or figure of ASCII, or `_`. */
function isOfWord(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || code === 0x5f
  );
}
