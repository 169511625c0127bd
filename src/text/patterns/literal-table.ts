/** The automaton of many literals as one table, and how characters are folded for it. */

const blank = 0x20;

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

/** Takes the symbols of each literal. */
export function buildTrie(folded: readonly (readonly number[])[]): Trie {
  const used = new Set(folded.flat());
  const classes = new Uint16Array(symbolCount);
  let width = 1;
  for (const symbol of [...commonFirst, ...used]) {
    if (used.has(symbol) && classes[symbol] === 0) classes[symbol] = width++;
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
    for (const index of left) states[index] = childOf(states[index]!, classes[folded[index]![depth]!]!);
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
  /** By row of a state and the column of a symbol: the number of the next state, doubled, odd where literals end. */
  readonly table: StateTable;
  /** The state whose literals end in a state: itself, or one that it falls back to; 0 where none do. */
  readonly report: Int32Array;
  /** The state to fall back to. */
  readonly fails: Int32Array;
}

/**
 * Breadth first, so that the state to fall back to is always complete before it is copied from. What a state reports is
 * known as soon as its parent is reached, so each cell is written once, as it will be read.
 */
export function link({ count, children, columns, ends, width, classes }: Trie): Automaton {
  const table = 2 * count < 65_536 ? new Uint16Array(count * width) : new Int32Array(count * width);
  const report = new Int32Array(count);
  const fails = new Int32Array(count);
  // States are numbered by their depth.
  for (let state = 0; state < count; state++) {
    const fallback = fails[state]! * width;
    if (state !== 0) table.copyWithin(state * width, fallback, fallback + width);
    for (let child = children.first[state]!; child !== 0; child = children.next[child]!) {
      const column = columns[child]!;
      const fail = state === 0 ? 0 : table[fallback + column]! >> 1;
      fails[child] = fail;
      report[child] = ends.first[child] !== 0 ? child : report[fail]!;
      table[state * width + column] = 2 * child + (report[child] === 0 ? 0 : 1);
    }
  }
  keepAtBlanks(table, width, classes[blank]!);
  return { table, report, fails };
}

/** The state behind a blank stays as it is at the blanks that follow, which is how a run of them counts as one. */
function keepAtBlanks(table: StateTable, width: number, column: number): void {
  for (let cell = column; cell < table.length; cell += width) {
    const reached = table[cell]!;
    table[(reached >> 1) * width + column] = reached;
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
