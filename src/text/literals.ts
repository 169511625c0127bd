type Found = (literal: number, end: number) => void;

/** Finds many literals in one pass over a text, whatever their number (Aho and Corasick's automaton). */
interface LiteralScan {
  /**
   * Calls `found` for every place of every literal, overlapping ones too, with its index and where it ends. Case is
   * ignored, and any run of white space counts as one blank. Only between a start and an end, where they are given.
   */
  scan(text: string, found: Found, start?: number, end?: number): void;
}

export class LiteralFault extends Error {
  override readonly name = 'LiteralFault';
}

/** The table takes four bytes a cell, so this is 64 MB: some 50,000 words of Latin letters. */
const cellsMax = 16_000_000;
const blank = 0x20;
/** Characters of a text that are read in two halves: places found in the second are kept until the first is told. */
const chunkCharacters = 8_192;

export function createLiteralScan(literals: readonly string[]): LiteralScan {
  const trie = buildTrie(literals);
  const { width } = trie;
  if (trie.children.length * width > cellsMax) throw new LiteralFault('too many words for one list');
  const { table, report } = link(trie);
  const { ends, classes } = trie;
  const isAscii = literals.every((literal) => !/[^\0-\x7f]/.test(literal));
  const columns = Uint16Array.from({ length: 256 }, (_, byte) => (byte < 128 ? classes[asciiFold[byte]!]! : 0));
  const mayHold = createGlance(literals);

  function scan(text: string, found: Found, start = 0, end = text.length): void {
    if (!mayHold(text)) return;
    if (!isAscii) return scanUnits(text, found, start, end);
    const bytes = bytesOf(text);
    const reader = { table, columns, reportOf: (cell: number) => report[(cell >> 1) / width]! };
    let cell = 0;
    for (let from = start; from < end; from += chunkCharacters)
      cell = scanHalves(
        bytes,
        { from, end: Math.min(end, from + chunkCharacters), cell },
        reader,
        (ended, index, but) => tell(ended, text, index, found, but),
      );
  }

  function scanUnits(text: string, found: Found, start: number, end: number): void {
    let cell = 0;
    for (let index = start; index < end; index++) {
      const unit = text.charCodeAt(index);
      cell = unit < 128 ? table[(cell >> 1) + columns[unit]!]! : step(cell, foldUnit(unit));
      if ((cell & 1) === 1) tell(cell, text, index, found, 0);
    }
  }

  function step(cell: number, folded: number): number {
    let next = cell;
    for (const symbol of symbolsOf(folded)) next = table[(next >> 1) + classes[symbol]!]!;
    return next;
  }

  /** Tells of the literals that end here, but for those of a state and what it falls back to. */
  function tell(cell: number, text: string, index: number, found: Found, but: number): void {
    // A literal that ends with a blank has ended at the first of a run.
    if (index > 0 && isBlank(text, index) && isBlank(text, index - 1)) return;
    for (let hit = report[(cell >> 1) / width]!; hit !== but; hit = report[trie.fails[hit]!]!) {
      for (const literal of ends[hit]!) found(literal, index + 1);
    }
  }

  return { scan };
}

/** A part of a text, and the cell that is reached before it. */
interface Chunk {
  readonly from: number;
  readonly end: number;
  readonly cell: number;
}

/** An automaton, as far as one pass over bytes needs it. */
interface Reader {
  readonly table: Int32Array;
  readonly columns: Uint16Array;
  readonly reportOf: (cell: number) => number;
}

/** Receives each cell where literals end, its place, and the state whose literals are told of elsewhere. */
type TellCell = (cell: number, index: number, but: number) => void;

/**
 * Reads two halves at once, for each step waits for the one before it. What begins in the first and ends in the second
 * is found by going on with the first until both would be in one state. Returns the cell at the end.
 */
function scanHalves(bytes: Uint8Array, { from, end, cell: before }: Chunk, reader: Reader, tell: TellCell): number {
  const { table, columns, reportOf } = reader;
  const middle = (from + end) >> 1;
  const half = middle - from;
  /** Cells of the second half where a literal ends, each with its place. */
  const later: number[] = [];
  let cell = before;
  let ahead = 0;
  for (let at = from; at < middle; at++) {
    cell = table[(cell >> 1) + columns[bytes[at]!]!]!;
    ahead = table[(ahead >> 1) + columns[bytes[at + half]!]!]!;
    if (((cell | ahead) & 1) === 0) continue;
    if ((cell & 1) === 1) tell(cell, at, 0);
    if ((ahead & 1) === 1) later.push(ahead, at + half);
  }
  if (middle + half < end) {
    ahead = table[(ahead >> 1) + columns[bytes[end - 1]!]!]!;
    if ((ahead & 1) === 1) later.push(ahead, end - 1);
  }
  let told = 0;
  let fresh = 0;
  for (let at = middle; at < end && cell !== fresh; at++) {
    const column = columns[bytes[at]!]!;
    cell = table[(cell >> 1) + column]!;
    fresh = table[(fresh >> 1) + column]!;
    if (cell !== fresh && (cell & 1) === 1) tell(cell, at, reportOf(fresh));
    if (later[told + 1] === at) tell(later[told++]!, later[told++]!, 0);
  }
  const last = cell === fresh ? ahead : cell;
  while (told < later.length) tell(later[told++]!, later[told++]!, 0);
  return last;
}

/**
 * The last texts as bytes, because several lists are looked for in each of the few readings of a text. No bytes are ever
 * written over: a scan may begin inside another.
 */
const kept: { readonly text: string; readonly bytes: Buffer }[] = [];
const keptMax = 3;
/** Bytes of longer texts are not kept. */
const keptCharactersMax = 1_048_576;
const noLetter = 0xff;

/** Forgets all texts that were scanned: for whoever is done with them, since they may be what nobody should keep. */
export function forgetScannedTexts(): void {
  kept.length = 0;
}

/** A byte for each unit: itself, or what it folds to; all that is no ASCII is one sign that no literal of ASCII has. */
function bytesOf(text: string): Buffer {
  for (const one of kept) if (one.text === text) return one.bytes;
  const bytes = write(text, Buffer.allocUnsafe(text.length));
  if (text.length > keptCharactersMax) return bytes;
  if (kept.length === keptMax) kept.shift();
  kept.push({ text, bytes });
  return bytes;
}

function write(text: string, bytes: Buffer): Buffer {
  if (Buffer.byteLength(text) === text.length) bytes.write(text, 'latin1');
  else {
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      bytes[at] = unit < 128 ? unit : Math.min(noLetter, foldUnit(unit));
    }
  }
  return bytes;
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

/**
 * Breadth first, so that the state to fall back to is always complete before it is copied from. What a state reports is
 * known as soon as its parent is reached, so each cell is written once, as it will be read.
 */
function link({ children, ends, width, fails, classes }: Trie): Automaton {
  const table = new Int32Array(children.length * width);
  const report = new Int32Array(children.length);
  const queue = [0];
  for (const state of queue) {
    const fallback = fails[state]! * width;
    if (state !== 0) table.copyWithin(state * width, fallback, fallback + width);
    for (const [column, child] of children[state]!) {
      const fail = state === 0 ? 0 : (table[fallback + column]! >> 1) / width;
      fails[child] = fail;
      report[child] = ends[child]!.length > 0 ? child : report[fail]!;
      table[state * width + column] = 2 * child * width + (report[child] === 0 ? 0 : 1);
      queue.push(child);
    }
  }
  keepAtBlanks(table, width, classes[blank]!);
  return { table, report };
}

/** The state behind a blank stays as it is at the blanks that follow, which is how a run of them counts as one. */
function keepAtBlanks(table: Int32Array, width: number, column: number): void {
  for (let cell = column; cell < table.length; cell += width) {
    const reached = table[cell]!;
    table[(reached >> 1) + column] = reached;
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
