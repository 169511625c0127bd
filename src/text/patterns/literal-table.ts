import type { Piecework } from '../turns.ts';

/** The automaton of many literals as one table, and how characters are folded for it. */

const blank = 0x20;
/** Literals or states that are worked on before others may have their turn: some 0.2 ms. */
const perPiece = 1_024;

/** By state: plain arrays, for a list of thousands of phrases has tens of thousands of states. */
interface Trie {
  readonly count: number;
  readonly children: Lists;
  /** The column of the symbol that leads to a state. */
  readonly columns: Uint16Array;
  /** The literals that end in a state. */
  readonly ends: Lists;
  /** From symbol to column; 0 is every symbol that no literal has. */
  readonly classes: Uint16Array;
  readonly width: number;
}

/** Lists of numbers, each of which is in one of them: the first of a list, and what follows a number; 0 is none. */
interface Lists {
  readonly first: Int32Array;
  readonly next: Int32Array;
}

/** The characters of most texts stand side by side in each row, so that fewer are fetched from memory. */
const commonFirst = Array.from(' etaoinsrhldcumfpg', (letter) => letter.charCodeAt(0));

/** The units of ASCII that words are made of. */
const wordUnits = Array.from('abcdefghijklmnopqrstuvwxyz0123456789_', (character) => character.charCodeAt(0));

const symbolCount = 128 + 128 + 512;

/**
 * A character beyond ASCII is two symbols, so that a list of Chinese words needs some hundred columns and not
 * thousands. The three ranges of symbols are disjoint, so a scan never gets out of step.
 */
export function firstSymbolOf(folded: number): number {
  return 128 + (folded >> 9);
}

export function secondSymbolOf(folded: number): number {
  return 256 + (folded & 511);
}

/** Takes the symbols of each literal. `areWords`: all that words of ASCII are made of has a column. */
export function* buildTrie(folded: readonly (readonly number[])[], areWords = false): Piecework<Trie> {
  const used = new Set<number>();
  for (const [index, symbols] of folded.entries()) {
    for (const symbol of symbols) used.add(symbol);
    if (index % perPiece === 0) yield;
  }
  const classes = new Uint16Array(symbolCount);
  let width = 1;
  for (const symbol of [...commonFirst, ...used]) {
    if (used.has(symbol) && classes[symbol] === 0) classes[symbol] = width++;
  }
  if (areWords) {
    for (const unit of wordUnits) classes[unit] ||= width;
    width++;
  }
  const statesMax = folded.reduce((sum, { length }) => sum + length, 1);
  const children = { first: new Int32Array(statesMax), next: new Int32Array(statesMax) };
  const columns = new Uint16Array(statesMax);
  let count = 1;
  const childOf = (state: number, column: number): number => {
    let child = children.first[state]!;
    while (child !== 0 && columns[child] !== column) child = children.next[child]!;
    if (child !== 0) return child;
    columns[count] = column;
    children.next[count] = children.first[state]!;
    children.first[state] = count;
    return count++;
  };
  // All first symbols before all second ones: states that texts are in most of the time stand side by side in memory.
  const states = new Int32Array(folded.length);
  let left = [...folded.keys()];
  for (let depth = 0; left.length > 0; depth++) {
    left = left.filter((index) => depth < folded[index]!.length);
    for (let at = 0; at < left.length; at++) {
      const index = left[at]!;
      states[index] = childOf(states[index]!, classes[folded[index]![depth]!]!);
      if (at % perPiece === 0) yield;
    }
  }
  return { count, children, columns, ends: endsOf(states, count), classes, width };
}

/** The literals by the state in which they end, counted from 1. */
function endsOf(states: Int32Array, count: number): Lists {
  const ends = { first: new Int32Array(count), next: new Int32Array(states.length + 1) };
  for (let literal = states.length; literal > 0; literal--) {
    const state = states[literal - 1]!;
    if (state === 0) continue;
    ends.next[literal] = ends.first[state]!;
    ends.first[state] = literal;
  }
  return ends;
}

/** Small numbers where they suffice: the table is larger than the nearest memory, for which a scan waits. */
export type StateTable = Uint16Array | Int32Array;

interface Automaton {
  /** By row of a state and the column of a symbol: the row of the next state. */
  readonly table: StateTable;
  /** The first row of a state in which literals end; they do in all behind it, so that small numbers suffice. */
  readonly firstEnd: number;
  /** The row inside a word of which no literal begins, where they are looked for at the beginnings of words alone. */
  readonly inside: number;
  /** By row, the state whose literals end there: its own, or one that it falls back to; 0 where none do. */
  readonly report: Int32Array;
  /** By state, the next one that it falls back to in which literals end; 0 where there is none. */
  readonly shorter: Int32Array;
}

/**
 * `areWords`: literals that begin with a letter, a digit or a low line are found where none of these stands before.
 * Most of a text is then read in one row, which stays in the nearest memory.
 */
export function* link(trie: Trie, areWords = false): Piecework<Automaton> {
  const { count, children, columns, width, classes } = trie;
  /** By column, 1 for the symbols that words are made of. */
  const ofWords = new Uint8Array(width);
  for (const unit of areWords ? wordUnits : []) ofWords[classes[unit]!] = 1;
  const { fails, ending } = yield* fallbacksOf(trie, ofWords);
  const rows = new Int32Array(count + 1);
  const firstEnd = ending.reduce((sum, state) => sum + (state === 0 ? 1 : 0), 0);
  const table = count < 65_536 ? new Uint16Array((count + 1) * width) : new Int32Array((count + 1) * width);
  const report = new Int32Array(count + 1);
  let [plain, last] = [0, firstEnd];
  for (let state = 0; state <= count; state++) {
    const row = ending[state] === 0 ? plain++ : last++;
    rows[state] = row;
    report[row] = ending[state]!;
    if (state % perPiece === 0) yield;
  }
  const inside = rows[count]!;
  // States are numbered by their depth: the one to fall back to is complete before it is copied from.
  for (let state = 0; state < count; state++) {
    const start = rows[state]! * width;
    const fallback = rows[fails[state]!]! * width;
    if (state !== 0) table.copyWithin(start, fallback, fallback + width);
    for (let child = children.first[state]!; child !== 0; child = children.next[child]!)
      table[start + columns[child]!] = rows[child]!;
    for (let column = 0; state === 0 && column < width; column++) {
      table[inside * width + column] = ofWords[column] === 1 ? inside : table[column]!;
      if (ofWords[column] === 1) table[column] ||= inside;
    }
    if (state % perPiece === 0) yield;
  }
  yield* keepAtBlanks(table, rows, width, classes[blank]!);
  return { table, firstEnd, inside, report, shorter: fails.map((fail) => ending[fail]!) };
}

/**
 * By state, the one to fall back to, and the one whose literals end there: itself or the first behind it. The state
 * inside a word stands behind all others.
 */
function* fallbacksOf(
  { count, children, columns, ends, width }: Trie,
  ofWords: Uint8Array,
): Piecework<{ readonly fails: Int32Array; readonly ending: Int32Array }> {
  const fails = new Int32Array(count + 1);
  const ending = new Int32Array(count + 1);
  /** Of the first state, which has by far the most and is asked most often. */
  const ofFirst = new Int32Array(width);
  for (let child = children.first[0]!; child !== 0; child = children.next[child]!) ofFirst[columns[child]!] = child;
  const next = (state: number, column: number): number => {
    if (state === count && ofWords[column] === 1) return count;
    if (state === 0 || state === count) return ofFirst[column]!;
    let child = children.first[state]!;
    while (child !== 0 && columns[child] !== column) child = children.next[child]!;
    return child;
  };
  for (let state = 0; state < count; state++) {
    for (let child = children.first[state]!; child !== 0; child = children.next[child]!) {
      const column = columns[child]!;
      let fail = state === 0 && ofWords[column] === 1 ? count : 0;
      for (let from = state; from !== 0 && fail === 0;) {
        from = fails[from]!;
        fail = next(from, column);
        if (from === 0 && fail === 0 && ofWords[column] === 1) fail = count;
      }
      fails[child] = fail;
      ending[child] = ends.first[child] === 0 ? ending[fail]! : child;
    }
    if (state % perPiece === 0) yield;
  }
  return { fails, ending };
}

/** The state behind a blank stays as it is at the blanks that follow, which is how a run of them counts as one. */
function* keepAtBlanks(table: StateTable, rows: Int32Array, width: number, column: number): Piecework<void> {
  for (let state = 0; state < rows.length; state++) {
    const reached = table[rows[state]! * width + column]!;
    table[reached * width + column] = reached;
    if (state % perPiece === 0) yield;
  }
}

/** The symbols of a literal, in which a run of white space is one blank. */
export function foldLiteral(literal: string): readonly number[] {
  const symbols: number[] = [];
  let before = -1;
  for (let index = 0; index < literal.length; index++) {
    const unit = foldUnit(literal.charCodeAt(index));
    if (unit >= 128) symbols.push(firstSymbolOf(unit), secondSymbolOf(unit));
    else if (unit !== blank || before !== blank) symbols.push(unit);
    before = unit;
  }
  return symbols;
}

/** Letters that upper case shows to be another in lower case: the long s and the sigma at the end of a word. */
const otherForms: Readonly<Record<string, string>> = { '\u017f': 's', '\u03c2': '\u03c3' };
export const asciiFold = Uint8Array.from({ length: 128 }, (_, unit) => foldOnce(unit));
let folds: Uint16Array | undefined;

/** One UTF-16 unit without its case, white space as a blank; never changes the length, so that places stay true. */
export function foldUnit(unit: number): number {
  if (unit < 128) return asciiFold[unit]!;
  folds ??= new Uint16Array(65_536);
  return (folds[unit] ||= foldOnce(unit));
}

/** Writes the units of a text without their case. */
export function foldInto(units: Uint16Array, text: string): Uint16Array {
  for (let at = 0; at < text.length; at++) units[at] = foldUnit(text.charCodeAt(at));
  return units;
}

export function isBlankAt(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit <= blank ? asciiFold[unit] === blank : unit > 127 && foldUnit(unit) === blank;
}

function foldOnce(unit: number): number {
  const character = String.fromCharCode(unit);
  if (/\s/.test(character)) return blank;
  const lower = otherForms[character] ?? character.toLowerCase();
  return lower.length === 1 ? lower.charCodeAt(0) : unit;
}
