/** Finds many literals in one pass over a text, whatever their number (Aho and Corasick's automaton). */
export interface LiteralScan {
  /**
   * Calls `found` for every place of every literal, overlapping ones too, with its index and where it ends. Case is
   * ignored, and any run of white space counts as one blank.
   */
  scan(text: string, found: (literal: number, end: number) => void): void;
}

export class LiteralFault extends Error {
  override readonly name = 'LiteralFault';
}

/** The table takes four bytes a cell, so this is 64 MB: some 50,000 words of Latin letters. */
const cellsMax = 16_000_000;
const blank = 0x20;

export function createLiteralScan(literals: readonly string[]): LiteralScan {
  const trie = buildTrie(literals);
  const { width } = trie;
  if (trie.children.length * width > cellsMax) throw new LiteralFault('too many words for one list');
  const { table, report } = link(trie);
  const { ends, classes } = trie;
  const columns = Uint16Array.from(asciiFold, (symbol) => classes[symbol]!);
  const mayHold = createGlance(literals);

  function scan(text: string, found: (literal: number, end: number) => void): void {
    if (!mayHold(text)) return;
    let cell = 0;
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      cell = unit < 128 ? table[(cell >> 1) + columns[unit]!]! : step(cell, foldUnit(unit));
      if ((cell & 1) === 1) tell(cell, text, index, found);
    }
  }

  function step(cell: number, folded: number): number {
    let next = cell;
    for (const symbol of symbolsOf(folded)) next = table[(next >> 1) + classes[symbol]!]!;
    return next;
  }

  function tell(cell: number, text: string, index: number, found: (literal: number, end: number) => void): void {
    // A literal that ends with a blank has ended at the first of a run.
    if (index > 0 && isBlank(text, index) && isBlank(text, index - 1)) return;
    for (let hit = report[(cell >> 1) / width]!; hit !== 0; hit = report[trie.fails[hit]!]!) {
      for (const literal of ends[hit]!) found(literal, index + 1);
    }
  }

  return { scan };
}

function isBlank(text: string, at: number): boolean {
  return foldUnit(text.charCodeAt(at)) === blank;
}

/** More looks than this take longer than the one pass. */
const glancesMax = 8;

/**
 * True where a text may hold any of a few literals: the engine looks for one word ten times as fast as the pass over all
 * characters, and in most texts there is none of them. True where that cannot be told by a word of plain letters.
 */
function createGlance(literals: readonly string[]): (text: string) => boolean {
  const pieces = [...new Set(literals.map(plainestPiece))];
  if (pieces.length > glancesMax || pieces.includes('')) return () => true;
  const looks = pieces.some((piece) => piece.includes('s')) ? [...pieces, '\u017f'] : pieces;
  return (text) => {
    const lower = text.toLowerCase();
    return looks.some((look) => lower.includes(look));
  };
}

/** The longest run of a literal that lower case alone folds; what it does to other characters may depend on neighbours. */
function plainestPiece(literal: string): string {
  const runs = literal.toLowerCase().match(/[!-~]+/g) ?? [];
  return runs.reduce((longest, run) => (run.length > longest.length ? run : longest), '');
}

interface Trie {
  readonly children: readonly ReadonlyMap<number, number>[];
  /** The literals that end in a state. */
  readonly ends: readonly (readonly number[])[];
  /** From symbol to column; 0 is every symbol that no literal has. */
  readonly classes: Uint16Array;
  readonly width: number;
  readonly fails: Int32Array;
}

/** The characters of most texts stand side by side in each row, so that fewer of them have to be fetched from memory. */
const commonFirst = Array.from(' etaoinsrhldcumfpg', (letter) => letter.charCodeAt(0));

const symbolCount = 128 + 128 + 512;

/**
 * A character beyond ASCII is two symbols, so that a list of Chinese words needs some hundred columns and not thousands.
 * The three ranges of symbols are disjoint, so a scan never gets out of step.
 */
function symbolsOf(folded: number): readonly number[] {
  return folded < 128 ? [folded] : [128 + (folded >> 9), 256 + (folded & 511)];
}

function buildTrie(literals: readonly string[]): Trie {
  const children: Map<number, number>[] = [new Map()];
  const ends: number[][] = [[]];
  const classes = new Uint16Array(symbolCount);
  const folded = literals.map(foldLiteral);
  const used = new Set(folded.flat());
  let width = 1;
  for (const symbol of [...commonFirst, ...used]) {
    if (used.has(symbol) && classes[symbol] === 0) classes[symbol] = width++;
  }
  folded.forEach((symbols, index) => {
    let state = 0;
    for (const symbol of symbols) {
      let next = children[state]!.get(classes[symbol]!);
      if (next === undefined) {
        next = children.push(new Map()) - 1;
        ends.push([]);
        children[state]!.set(classes[symbol]!, next);
      }
      state = next;
    }
    if (state !== 0) ends[state]!.push(index);
  });
  return { children, ends, classes, width, fails: new Int32Array(children.length) };
}

interface Automaton {
  /** By the first cell of a state and the column of a symbol: the first cell of the next, doubled, odd where one ends. */
  readonly table: Int32Array;
  readonly report: Int32Array;
}

/** Breadth first, so that the state to fall back to is always complete before it is copied from. */
function link({ children, ends, width, fails, classes }: Trie): Automaton {
  const table = new Int32Array(children.length * width);
  const report = new Int32Array(children.length);
  const queue = [0];
  for (const state of queue) {
    const fallback = fails[state]!;
    report[state] = ends[state]!.length > 0 ? state : report[fallback]!;
    if (state !== 0) table.copyWithin(state * width, fallback * width, (fallback + 1) * width);
    for (const [column, child] of children[state]!) {
      fails[child] = state === 0 ? 0 : table[fallback * width + column]!;
      table[state * width + column] = child;
      queue.push(child);
    }
  }
  keepAtBlanks(table, width, classes[blank]!);
  return { table: table.map((state) => 2 * state * width + (report[state] === 0 ? 0 : 1)), report };
}

/** The state behind a blank stays as it is at the blanks that follow, which is how a run of them counts as one. */
function keepAtBlanks(table: Int32Array, width: number, column: number): void {
  for (let cell = column; cell < table.length; cell += width) {
    const reached = table[cell]!;
    table[reached * width + column] = reached;
  }
}

function foldLiteral(literal: string): number[] {
  const units = Array.from({ length: literal.length }, (_, index) => foldUnit(literal.charCodeAt(index)));
  return units.filter((unit, index) => unit !== blank || units[index - 1] !== blank).flatMap(symbolsOf);
}

const asciiFold = Uint8Array.from({ length: 128 }, (_, unit) => foldOnce(unit));
let folds: Uint16Array | undefined;

/** Lower case of one UTF-16 unit, white space as a blank; never changes the length, so that places stay true. */
function foldUnit(unit: number): number {
  if (unit < 128) return asciiFold[unit]!;
  folds ??= new Uint16Array(65_536);
  return (folds[unit] ||= foldOnce(unit));
}

function foldOnce(unit: number): number {
  const character = String.fromCharCode(unit);
  if (/\s/.test(character)) return blank;
  // The Kelvin sign and the long s are letters of ASCII in another case.
  const lower = character === '\u017f' ? 's' : character.toLowerCase();
  return lower.length === 1 ? lower.charCodeAt(0) : unit;
}
