import type { Piecework } from '../text/turns.ts';
import { type Line, linesOf } from './plain-lines.ts';
import { type Places, Placing } from './places.ts';

/** A document with where its values stand. */
interface PlainYaml {
  readonly value: unknown;
  readonly places: Places;
}

/**
 * Reads the plain form in which most files are written: maps and lists by indentation, or on one line in brackets, of
 * words, numbers and simply quoted texts. Twenty times as fast as the whole of YAML, which matters for 10,000 Motifs.
 * Undefined for all else, faulty files too: nothing is read here that YAML would read in another way.
 */
export function* readPlainYaml(text: string, levelsMax: number): Piecework<PlainYaml | undefined> {
  // Characters that indent, break or end lines in other ways.
  if (/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff]/.test(text)) return undefined;
  const lines = yield* linesOf(text);
  if (lines === undefined) return undefined;
  const reader = new PlainReader(text, levelsMax, lines);
  try {
    return { value: yield* reader.document(), places: reader.places };
  } catch (error) {
    if (error instanceof NotPlain) return undefined;
    throw error;
  }
}

class NotPlain extends Error {}

const key = /(?:([A-Za-z0-9_][\w./-]*)|"([^"\\\n]*)"|'([^'\n]*)'):(?= |$)/my;
const quoted = /"([^"\\\n]*)"|'([^'\n]*)'/y;
const blockWord = /[^\s\-?:,[\]{}#&*!|>'"%@`.+~=<](?:[^\s:#]|:(?! |$)|(?<! )#| +(?![ #\n]|$))*/my;
const flowWord = /[^\s\-?:,[\]{}#&*!|>'"%@`.+~=<](?:[^\s:#,[\]{}]|:(?![\s,[\]{}])|(?<! )#| +(?![ #\n,[\]{}]|$))*/my;
const rest = / *(?: #.*)?$/my;
const literal = /\|(-?)(?= *(?: #.*)?$)/my;

class PlainReader {
  readonly places: Places = new Map();
  readonly #text: string;
  readonly #levelsMax: number;
  readonly #lines: readonly Line[];
  #line = 0;
  #at = 0;
  #level = 0;

  constructor(text: string, levelsMax: number, lines: readonly Line[]) {
    this.#text = text;
    this.#levelsMax = levelsMax;
    this.#lines = lines;
  }

  *document(): Piecework<unknown> {
    const first = this.#lines[0];
    if (first === undefined) throw new NotPlain();
    const value = this.#isDash() ? this.#block(first.indent) : yield* this.#outerMap(first.indent);
    if (this.#line < this.#lines.length) throw new NotPlain();
    return value;
  }

  /** The map at the top, and its sections: others may have their turn behind each entry. */
  *#outerMap(indent: number, levels = 1): Piecework<unknown> {
    const map = new Placing(this.places, 'map');
    this.#level += 1;
    for (let line = this.#current(indent); line !== undefined; line = this.#current(indent)) {
      const name = this.#keyed(map, indent, line);
      if (name !== undefined) {
        const below = this.#below(indent);
        const isMap = below !== undefined && levels > 0 && !this.#isDash();
        map.add(name, isMap ? yield* this.#outerMap(below.indent, levels - 1) : this.#blockBelow(indent), line.start);
      }
      yield;
    }
    this.#level -= 1;
    return map.value;
  }

  #block(indent: number): unknown {
    if (++this.#level > this.#levelsMax) throw new NotPlain();
    const value = this.#isDash() ? this.#blockList(indent) : this.#blockMap(indent);
    this.#level -= 1;
    return value;
  }

  #blockMap(indent: number): unknown {
    const map = new Placing(this.places, 'map');
    for (let line = this.#current(indent); line !== undefined; line = this.#current(indent)) {
      const name = this.#keyed(map, indent, line);
      if (name !== undefined) map.add(name, this.#blockBelow(indent), line.start);
    }
    return map.value;
  }

  /** Reads a key, and its value where that begins on the same line. Returns the name where it does not. */
  #keyed(map: Placing, indent: number, line: Line): string | undefined {
    const keyAt = line.start;
    const name = this.#newKey(map, keyAt);
    const valueAt = this.#at;
    if (this.#text[valueAt] === '|') map.add(name, this.#literal(indent), keyAt);
    else if (!this.#isDone()) map.add(name, this.#inline(line), this.#isNested(valueAt) ? keyAt : valueAt);
    else {
      this.#line += 1;
      return name;
    }
    return undefined;
  }

  /** The line of a value below its key. A list may stand there without further indentation. */
  #below(indent: number): Line | undefined {
    const line = this.#lines[this.#line];
    const isDeeper = line !== undefined && (line.indent > indent || (line.indent === indent && this.#isDash()));
    return isDeeper ? line : undefined;
  }

  #blockBelow(indent: number): unknown {
    const line = this.#below(indent);
    return line === undefined ? null : this.#block(line.indent);
  }

  #blockList(indent: number): unknown {
    const list = new Placing(this.places, 'list');
    for (let line = this.#current(indent); line !== undefined && this.#isDash(); line = this.#current(indent)) {
      const lineStart = line.start - indent;
      this.#at = line.start + 1;
      this.#skipBlanks();
      const itemAt = this.#at;
      if (this.#isDone()) throw new NotPlain();
      if (this.#text[itemAt] === '-' || this.#key(itemAt) !== undefined) {
        // The text behind the dash is a line of its own, as far as indentation goes.
        line.indent = itemAt - lineStart;
        line.start = itemAt;
        list.add(list.size, this.#block(line.indent), itemAt);
      } else {
        this.#at = itemAt;
        list.add(list.size, this.#inline(line), itemAt);
      }
    }
    return list.value;
  }

  /** The line that is next, if it belongs to a block of this indentation. */
  #current(indent: number): Line | undefined {
    const line = this.#lines[this.#line];
    if (line !== undefined && line.indent > indent) throw new NotPlain();
    return line !== undefined && line.indent === indent ? line : undefined;
  }

  #isDash(): boolean {
    const { start, end } = this.#lines[this.#line]!;
    return this.#text[start] === '-' && (start + 1 === end || this.#text[start + 1] === ' ');
  }

  /** The rest of a line, which has to be one value and no more. */
  #inline(line: Line): unknown {
    const value = this.#value(blockWord);
    if (!this.#isDone() || this.#at > line.end) throw new NotPlain();
    this.#line += 1;
    return value;
  }

  /** Lines as they are, to the next that is not indented further than the key. */
  #literal(indent: number): string {
    const strip = this.#take(literal)?.[1];
    if (strip === undefined) throw new NotPlain();
    const lines: string[] = [];
    let column: number | undefined;
    let from = this.#text.indexOf('\n', this.#at) + 1;
    while (from > 0 && from < this.#text.length) {
      const newline = this.#text.indexOf('\n', from);
      const line = this.#text.slice(from, newline === -1 ? undefined : newline);
      const depth = line.search(/[^ ]/);
      if (depth !== -1 && depth <= indent) break;
      if (depth !== -1) column ??= depth;
      // Blanks of a line that holds nothing else, and a text that ends without a line break, have rules of their own.
      const isOdd = depth === -1 ? line.length > (column ?? 0) : depth < column!;
      if (isOdd || newline === -1) throw new NotPlain();
      lines.push(line.slice(column ?? 0));
      from = newline + 1;
    }
    if (column === undefined) throw new NotPlain();
    while (this.#line < this.#lines.length && this.#lines[this.#line]!.start < from) this.#line += 1;
    return lines.join('\n').replace(/\n*$/, strip === '-' ? '' : '\n');
  }

  #value(word: RegExp): unknown {
    const first = this.#text[this.#at];
    if (first === '[') return this.#flowList();
    if (first === '{') return this.#flowMap();
    const [taken, double, single] = this.#take(quoted) ?? [];
    if (taken !== undefined) return double ?? single ?? '';
    const plain = this.#take(word)?.[0];
    if (plain === undefined) throw new NotPlain();
    return typed(plain);
  }

  #flowList(): unknown {
    const list = new Placing(this.places, 'list');
    this.#each(']', () => {
      const itemAt = this.#at;
      list.add(list.size, this.#value(flowWord), itemAt);
    });
    return list.value;
  }

  #flowMap(): unknown {
    const map = new Placing(this.places, 'map');
    this.#each('}', () => {
      const keyAt = this.#at;
      const name = this.#newKey(map, keyAt);
      const valueAt = this.#at;
      map.add(name, this.#value(flowWord), this.#isNested(valueAt) ? keyAt : valueAt);
    });
    return map.value;
  }

  #each(close: string, read: () => void): void {
    if (++this.#level > this.#levelsMax) throw new NotPlain();
    this.#at += 1;
    this.#skipBlanks();
    while (this.#text[this.#at] !== close) {
      read();
      this.#skipBlanks();
      if (this.#text[this.#at] === close) break;
      if (this.#text[this.#at] !== ',') throw new NotPlain();
      this.#at += 1;
      this.#skipBlanks();
    }
    this.#at += 1;
    this.#level -= 1;
  }

  #key(at: number): string | undefined {
    this.#at = at;
    const [taken, plain, double, single] = this.#take(key) ?? [];
    return taken === undefined ? undefined : (plain ?? double ?? single ?? '');
  }

  /** A key that the map does not have yet; its value comes next. */
  #newKey(map: Placing, at: number): string {
    const name = this.#key(at);
    if (name === undefined || map.has(name)) throw new NotPlain();
    this.#skipBlanks();
    return name;
  }

  #isNested(at: number): boolean {
    return this.#text[at] === '[' || this.#text[at] === '{';
  }

  #isDone(): boolean {
    rest.lastIndex = this.#at;
    return rest.test(this.#text) || this.#text.startsWith(' #', this.#at - 1);
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match !== null) this.#at = pattern.lastIndex;
    return match;
  }

  #skipBlanks(): void {
    while (this.#text[this.#at] === ' ') this.#at += 1;
  }
}

/** A number of the core schema; in any but the simplest form it is left to the whole parser. */
const numeric = /^(?:\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|0o[0-7]+|0x[\da-fA-F]+)$/;
const simpleNumber = /^(?:0|[1-9]\d{0,14})(?:\.\d{1,6})?$/;

function typed(word: string): unknown {
  if (simpleNumber.test(word)) return Number(word);
  if (word === 'true') return true;
  if (word === 'false') return false;
  if (numeric.test(word) || /^(?:null|true|false)$/i.test(word)) throw new NotPlain();
  return word;
}
