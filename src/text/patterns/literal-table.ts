/** The automaton of many literals as one table, and how characters are folded for it. */

const blank = 0x20;

interface Trie {
  readonly children: readonly ReadonlyMap<number, number>[];
  /** The literals that end in a state. */
  readonly ends: readonly (readonly number[])[];
  /** From symbol to column; 0 is every symbol that no literal has. */
  readonly classes: Uint16Array;
  readonly width: number;
  readonly fails: Int32Array;
}

/** The characters of most texts stand side by side in each row, so that fewer are fetched from memory. */
const commonFirst = Array.from(' etaoinsrhldcumfpg', (letter) => letter.charCodeAt(0));

const symbolCount = 128 + 128 + 512;

/**
 * A character beyond ASCII is two symbols, so that a list of Chinese words needs some hundred columns and not
 * thousands. The three ranges of symbols are disjoint, so a scan never gets out of step.
 */
function symbolsOf(folded: number): readonly number[] {
  return folded < 128 ? [folded] : [firstSymbolOf(folded), secondSymbolOf(folded)];
}

export function firstSymbolOf(folded: number): number {
  return 128 + (folded >> 9);
}

export function secondSymbolOf(folded: number): number {
  return 256 + (folded & 511);
}

export function buildTrie(literals: readonly string[]): Trie {
  const children: Map<number, number>[] = [new Map()];
  const ends: number[][] = [[]];
  const classes = new Uint16Array(symbolCount);
  const folded = literals.map(foldLiteral);
  const used = new Set(folded.flat());
  let width = 1;
  for (const symbol of [...commonFirst, ...used]) {
    if (used.has(symbol) && classes[symbol] === 0) classes[symbol] = width++;
  }
  // All first symbols before all second ones: states that texts are in most of the time stand side by side in memory.
  const states = folded.map(() => 0);
  let left = [...folded.keys()];
  for (let depth = 0; left.length > 0; depth++) {
    for (const index of left) {
      const symbol = folded[index]![depth];
      if (symbol === undefined) {
        if (depth > 0) ends[states[index]!]!.push(index);
        continue;
      }
      const column = classes[symbol]!;
      const of = children[states[index]!]!;
      let next = of.get(column);
      if (next === undefined) {
        next = children.push(new Map()) - 1;
        ends.push([]);
        of.set(column, next);
      }
      states[index] = next;
    }
    left = left.filter((index) => depth < folded[index]!.length);
  }
  return { children, ends, classes, width, fails: new Int32Array(children.length) };
}

/** Small numbers where they suffice: the table is larger than the nearest memory, for which a scan waits. */
export type StateTable = Uint16Array | Int32Array;

interface Automaton {
  /** By row of a state and the column of a symbol: the number of the next state, doubled, odd where literals end. */
  readonly table: StateTable;
  readonly report: Int32Array;
}

/**
 * Breadth first, so that the state to fall back to is always complete before it is copied from. What a state reports is
 * known as soon as its parent is reached, so each cell is written once, as it will be read.
 */
export function link({ children, ends, width, fails, classes }: Trie): Automaton {
  const cells = children.length * width;
  const table = 2 * children.length < 65_536 ? new Uint16Array(cells) : new Int32Array(cells);
  const report = new Int32Array(children.length);
  const queue = [0];
  for (const state of queue) {
    const fallback = fails[state]! * width;
    if (state !== 0) table.copyWithin(state * width, fallback, fallback + width);
    for (const [column, child] of children[state]!) {
      const fail = state === 0 ? 0 : table[fallback + column]! >> 1;
      fails[child] = fail;
      report[child] = ends[child]!.length > 0 ? child : report[fail]!;
      table[state * width + column] = 2 * child + (report[child] === 0 ? 0 : 1);
      queue.push(child);
    }
  }
  keepAtBlanks(table, width, classes[blank]!);
  return { table, report };
}

/** The state behind a blank stays as it is at the blanks that follow, which is how a run of them counts as one. */
function keepAtBlanks(table: StateTable, width: number, column: number): void {
  for (let cell = column; cell < table.length; cell += width) {
    const reached = table[cell]!;
    table[(reached >> 1) * width + column] = reached;
  }
}

export function foldLiteral(literal: string): number[] {
  const units = Array.from({ length: literal.length }, (_, index) => foldUnit(literal.charCodeAt(index)));
  return units.filter((unit, index) => unit !== blank || units[index - 1] !== blank).flatMap(symbolsOf);
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

function foldOnce(unit: number): number {
  const character = String.fromCharCode(unit);
  if (/\s/.test(character)) return blank;
  const lower = otherForms[character] ?? character.toLowerCase();
  return lower.length === 1 ? lower.charCodeAt(0) : unit;
}
