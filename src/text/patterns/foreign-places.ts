import { foldInto, foldUnit, isBlankAt } from './literal-table.ts';
import type { ScannedText } from './scanned-text.ts';

/** A part of a text in which literals may stand. */
export interface TextRange {
  readonly start: number;
  end: number;
}

/** A word of a literal, of which one to four units are looked for, one of them beyond ASCII. */
interface Word {
  readonly list: number;
  readonly units: Uint16Array;
  /** The place in the word of the last of those that are looked for. */
  readonly at: number;
  /** So many characters of the literal stand before and behind that one at most. */
  readonly before: number;
  readonly behind: number;
}

const blank = 0x20;
const unitsMax = 65_536;
/** Units that are looked for at most. */
const mostUnits = 4;
/** A block of Unicode has 64 units. */
const blockBits = 6;
/** More words with the same units are not compared: a text of nothing else would take long. */
const wordsMax = 32;

/** Numbers for two, three and four units in a row, each made of the last unit, or of the number for the others. */
function ofTwo(first: number, second: number): number {
  return (first << 16) ^ second;
}

function ofThree(first: number, others: number): number {
  return Math.imul(first, 0x2545f491) ^ Math.imul(others, 0x05ebca6b);
}

function ofFour(first: number, others: number): number {
  return Math.imul(first, 0x42b2ae35) ^ Math.imul(others, 0x1b873593);
}

function numberOf(units: Uint16Array, start: number, end: number): number {
  const last = units[end - 1]!;
  if (end - start === 1) return last;
  const two = ofTwo(units[end - 2]!, last);
  if (end - start === 2) return two;
  const three = ofThree(units[end - 3]!, two);
  return end - start === 3 ? three : ofFour(units[start]!, three);
}

/** A bit for each number: 32 kB, which stay near where a text is read. */
const bitsOfSlot = 18;

function spread(number: number): number {
  return Math.imul(number, 0x9e3779b1) >>> (32 - bitsOfSlot);
}

/** A word that stands in a text, by the place of the last of the units that are looked for. */
interface WordPlace {
  readonly word: Word;
  readonly at: number;
}

/** The words of a text that were found while there were so many lists. */
class FoundWords {
  readonly by: ForeignPlaces;
  readonly lists: number;
  readonly words: WordPlace[] = [];

  constructor(by: ForeignPlaces, lists: number) {
    this.by = by;
    this.lists = lists;
  }
}

/** Each list has one bit of a 32-bit number. */
const listsMax = 32;

/**
 * Tells where in a text literals of some lists, each with a character beyond ASCII, may stand: by a word of each. It is
 * one pass for all lists that looks up bits, where each automaton takes two steps in a large table for each character,
 * and in most texts little is left for those. It errs on one side: outside of the parts that it tells stands none.
 */
export class ForeignPlaces {
  readonly #bits = new Int32Array(1 << (bitsOfSlot - 5));
  /** By block, a bit for each list with a unit of it. */
  readonly #blocks = new Int32Array(1 << (16 - blockBits));
  /** By the number for the units that are looked for. */
  readonly #words = new Map<number, Word[]>();
  #lists = 0;

  /** Takes one more list of literals, each with a character beyond ASCII, and returns its number. */
  add(literals: readonly string[]): number {
    if (this.#lists === listsMax) throw new RangeError('too many lists for one pass');
    const folded = foldedLiterals(literals);
    const counts = new Uint32Array(unitsMax);
    for (const units of folded) for (let at = 0; at < units.length; at++) counts[units[at]!]!++;
    for (const units of folded) this.#add(units, rarestIn(units, counts));
    return this.#lists++;
  }

  /**
   * The parts in which literals of a list may stand. Undefined where they would be most of the text, or where long runs
   * of white space are walked over too often.
   */
  partsOf(scanned: ScannedText, list: number): readonly TextRange[] | undefined {
    const { text, oddUnits = '' } = scanned;
    if (!this.#mayHave(oddUnits, list)) return nowhere;
    const parts: TextRange[] = [];
    let walked = 0;
    for (const { word, at } of this.#wordsIn(scanned)) {
      if (word.list !== list) continue;
      const start = walk(text, at, 0, word.before);
      const end = walk(text, at, text.length, word.behind) + 1;
      walked += end - start;
      if (walked > text.length) return undefined;
      addPart(parts, start, end);
    }
    return parts;
  }

  /** False where a text with these units has no literal, by the blocks of Unicode alone. */
  #mayHave(units: string, list: number): boolean {
    for (let at = 0; at < units.length; at++)
      if (((this.#blocks[foldUnit(units.charCodeAt(at)) >> blockBits]! >> list) & 1) === 1) return true;
    return false;
  }

  #add(literal: Uint16Array, { start, end }: TextRange): void {
    for (let at = start; at < end; at++)
      if (literal[at]! > 127) this.#blocks[literal[at]! >> blockBits]! |= 1 << this.#lists;
    const number = numberOf(literal, start, end);
    const slot = spread(number);
    this.#bits[slot >> 5]! |= 1 << (slot & 31);
    const from = literal.lastIndexOf(blank, start) + 1;
    const next = literal.indexOf(blank, start);
    const units = literal.subarray(from, next === -1 ? literal.length : next);
    const word = { list: this.#lists, units, at: end - 1 - from, before: end - 1, behind: literal.length - end };
    const words = this.#words.get(number);
    if (words === undefined) this.#words.set(number, [word]);
    else words.push(word);
  }

  #wordsIn(scanned: ScannedText): readonly WordPlace[] {
    const known = scanned.foreign;
    if (known instanceof FoundWords && known.by === this && known.lists === this.#lists) return known.words;
    const found = new FoundWords(this, this.#lists);
    scanned.foreign = found;
    const { text, folded, beyond = [] } = scanned;
    if (folded !== undefined) this.#addWords({ text, units: folded, from: 0 }, { start: 0, end: text.length }, found);
    let next = 0;
    for (const at of folded === undefined ? beyond : []) {
      const start = Math.max(at, next);
      next = Math.min(text.length, at + mostUnits);
      const from = Math.max(0, start - mostUnits + 1);
      for (let index = from; index < next; index++) fewUnits[index - from] = foldUnit(text.charCodeAt(index));
      this.#addWords({ text, units: fewUnits, from }, { start, end: next }, found);
    }
    return found.words;
  }

  /** Adds the words whose units end in a part of a text. */
  #addWords({ text, units, from }: TextUnits, { start, end }: TextRange, { words }: FoundWords): void {
    const bits = this.#bits;
    const offset = start - from;
    let first = offset > 2 ? units[offset - 3]! : 0;
    let second = offset > 1 ? units[offset - 2]! : 0;
    let third = offset > 0 ? units[offset - 1]! : 0;
    let left = offset > 0 ? mostUnits : 0;
    for (let at = start; at < end; at++) {
      const fourth = units[at - from]!;
      if (fourth > 127) left = mostUnits;
      if (left > 0) {
        left--;
        const two = ofTwo(third, fourth);
        const three = ofThree(second, two);
        const four = ofFour(first, three);
        if ((bitOf(bits, four) | bitOf(bits, three) | bitOf(bits, two) | bitOf(bits, fourth)) !== 0)
          this.#addWordsAt(text, at, [four, three, two, fourth], words);
      }
      first = second;
      second = third;
      third = fourth;
    }
  }

  #addWordsAt(text: string, at: number, numbers: readonly number[], found: WordPlace[]): void {
    for (const number of numbers) {
      const words = bitOf(this.#bits, number) === 0 ? undefined : this.#words.get(number);
      if (words === undefined) continue;
      const isEach = words.length > wordsMax;
      for (const word of words) if (isEach || isWordAt(word, text, at)) found.push({ word, at });
    }
  }
}

/** Folded units of a text from a place on. */
interface TextUnits {
  readonly text: string;
  readonly units: Uint16Array;
  readonly from: number;
}

/** The units around one place. */
const fewUnits = new Uint16Array(2 * mostUnits);

function bitOf(bits: Int32Array, number: number): number {
  const slot = spread(number);
  return (bits[slot >> 5]! >> (slot & 31)) & 1;
}

const nowhere: readonly TextRange[] = [];

function isWordAt({ units, at: offset }: Word, text: string, at: number): boolean {
  const start = at - offset;
  if (start < 0 || start + units.length > text.length) return false;
  for (let index = 0; index < units.length; index++)
    if (foldUnit(text.charCodeAt(start + index)) !== units[index]) return false;
  return true;
}

/** Parts of one array: one of its own for each costs more than all else. */
function foldedLiterals(literals: readonly string[]): readonly Uint16Array[] {
  const all = new Uint16Array(literals.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  return literals.map((literal) => foldInto(all.subarray(end, (end += literal.length)), literal));
}

/** A part that starts before the last ones begins is one with them: a word is found by units anywhere in it. */
function addPart(parts: TextRange[], start: number, end: number): void {
  let [from, to] = [start, end];
  for (let last = parts.at(-1); last !== undefined && from <= last.end; last = parts.at(-1)) {
    from = Math.min(from, last.start);
    to = Math.max(to, last.end);
    parts.pop();
  }
  parts.push({ start: from, end: to });
}

/** The place of units that few literals have: as many as are looked for, one of them beyond ASCII, and no blank. */
function rarestIn(units: Uint16Array, counts: Uint32Array): TextRange {
  for (let length = mostUnits; length > 0; length--) {
    let rarest: TextRange | undefined;
    let least = Infinity;
    for (let start = 0; start + length <= units.length; start++) {
      const share = shareOf(units, start, start + length, counts);
      if (share >= least) continue;
      least = share;
      rarest = { start, end: start + length };
    }
    if (rarest !== undefined) return rarest;
  }
  throw new RangeError('a literal of ASCII alone');
}

/** Infinite where a blank is among the units, or none of them is beyond ASCII. */
function shareOf(units: Uint16Array, start: number, end: number, counts: Uint32Array): number {
  let share = 1;
  let hasForeign = false;
  for (let at = start; at < end; at++) {
    const unit = units[at]!;
    if (unit === blank) return Infinity;
    hasForeign ||= unit > 127;
    share *= counts[unit]!;
  }
  return hasForeign ? share : Infinity;
}

/** The place so many characters from another, where a run of white space is one; none beyond a limit. */
function walk(text: string, from: number, limit: number, count: number): number {
  const step = limit > from ? 1 : -1;
  const last = step === 1 ? limit - 1 : limit;
  let at = from;
  for (let left = count; left > 0 && at !== last; left--) {
    at += step;
    if (isBlankAt(text, at)) while (at !== last && isBlankAt(text, at + step)) at += step;
  }
  return at;
}

/** For the lists of what every text is searched for, which are made once. */
export const sharedPlaces = new ForeignPlaces();
