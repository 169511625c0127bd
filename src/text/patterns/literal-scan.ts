import { asciiFold, buildTrie, foldLiteral, foldUnit, link, firstSymbolOf, secondSymbolOf } from './literal-table.ts';
import { scanParts } from './literal-pass.ts';
import { scannedText, type ScannedText } from './scanned-text.ts';
import { isAsciiText } from '../utf8.ts';

type Found = (literal: number, end: number) => void;

/** Finds many literals in one pass over a text, whatever their number (Aho and Corasick's automaton). */
interface LiteralScan {
  /**
   * Calls `found` for every place of every literal, overlapping ones too, with its index and where it ends. Case is
   * ignored, and any run of white space counts as one blank.
   */
  scan(text: string, found: Found): void;
  /** The same for words and phrases; places where a word of ASCII goes on are left out, which is soonest seen here. */
  scanWords(text: string, found: Found): void;
}

export class LiteralFault extends Error {
  override readonly name = 'LiteralFault';
}

/** The table takes four bytes a cell, so this is 64 MB: some 50,000 words of Latin letters. */
const cellsMax = 16_000_000;
const blank = 0x20;
/** Characters that are read in eight parts: places found in the others are kept until those of the first are told. */
const chunkCharacters = 8_192;

export function createLiteralScan(literals: readonly string[]): LiteralScan {
  const folded = literals.map(foldLiteral);
  const trie = buildTrie(folded);
  const { width, ends, classes } = trie;
  if (trie.count * width > cellsMax) throw new LiteralFault('too many words for one list');
  const { table, report, fails } = link(trie);
  const isAscii = literals.every(isAsciiText);
  const columns = Uint16Array.from({ length: 256 }, (_, byte) => (byte < 128 ? classes[asciiFold[byte]!]! : 0));
  const mayHold = createGlance(literals);
  const isForeign = folded.every((symbols) => symbols.some((symbol) => symbol > 127));
  const foreign = createForeignTest(isForeign ? literals : []);

  function search(text: string, found: Found, areWords: boolean): void {
    if (!isForeign && !mayHold(text)) return;
    const scanned = scannedText(text);
    if (!isAscii) {
      for (const { start, end } of partsOf(scanned)) scanUnits(text, found, start, end);
      return;
    }
    const { bytes } = scanned;
    const reader = { table, width, columns, report };
    let cell = 0;
    for (let from = 0; from < text.length; from += chunkCharacters)
      cell = scanParts(
        bytes,
        { from, end: Math.min(text.length, from + chunkCharacters), cell },
        reader,
        (ended, index, but) => {
          if (!areWords || ofWords[bytes[index]!] === 0 || ofWords[bytes[index + 1]!] !== 1)
            tell(ended, text, index, found, but);
        },
      );
  }

  /** Parts of a text in which literals may stand. */
  function partsOf({ text, beyond, oddUnits = '' }: ScannedText): readonly TextRange[] {
    const whole = [{ start: 0, end: text.length }];
    if (!isForeign) return whole;
    if (!foreign.mayHave(oddUnits)) return [];
    if (beyond !== undefined) return foreign.partsAround(text, beyond) ?? whole;
    return mayHold(text) ? whole : [];
  }

  function scanUnits(text: string, found: Found, start: number, end: number): void {
    let cell = 0;
    for (let index = start; index < end; index++) {
      const unit = text.charCodeAt(index);
      cell = unit < 128 ? table[(cell >> 1) * width + columns[unit]!]! : step(cell, foldUnit(unit));
      if ((cell & 1) === 1) tell(cell, text, index, found, 0);
    }
  }

  function step(cell: number, folded: number): number {
    if (folded < 128) return table[(cell >> 1) * width + classes[folded]!]!;
    const next = table[(cell >> 1) * width + classes[firstSymbolOf(folded)]!]!;
    return table[(next >> 1) * width + classes[secondSymbolOf(folded)]!]!;
  }

  /** Tells of the literals that end here, but for those of a state and what it falls back to. */
  function tell(cell: number, text: string, index: number, found: Found, but: number): void {
    // A literal that ends with a blank has ended at the first of a run.
    if (index > 0 && isBlank(text, index) && isBlank(text, index - 1)) return;
    for (let hit = report[cell >> 1]!; hit !== but; hit = report[fails[hit]!]!) {
      for (let literal = ends.first[hit]!; literal !== 0; literal = ends.next[literal]!) found(literal - 1, index + 1);
    }
  }

  return {
    scan: (text, found) => search(text, found, false),
    scanWords: (text, found) => search(text, found, true),
  };
}

/** The folded units that stand right before and behind a unit in literals; `any` where it begins or ends one. */
interface Neighbours {
  readonly before: Set<number>;
  readonly behind: Set<number>;
}

const any = -1;
/** A block of Unicode has 64 units. */
const blockBits = 6;

/**
 * Tells where in a text the first unit beyond ASCII of a literal may stand, by the units on both sides of it. Most
 * letters with accents stand in no such place, and what is around them need not be read.
 */
function createForeignTest(literals: readonly string[]) {
  const firsts = new Map<number, Neighbours>();
  const hasBlock = new Uint8Array(1 << (16 - blockBits));
  const reach: Reach = { before: 0, behind: 0 };
  for (const literal of literals) {
    const units = Array.from({ length: literal.length }, (_, index) => foldUnit(literal.charCodeAt(index)));
    const first = units.findIndex((unit) => unit > 127);
    const unit = units[first]!;
    const neighbours = firsts.get(unit) ?? { before: new Set(), behind: new Set() };
    neighbours.before.add(units[first - 1] ?? any);
    neighbours.behind.add(units[first + 1] ?? any);
    firsts.set(unit, neighbours);
    hasBlock[unit >> blockBits] = 1;
    reach.before = Math.max(reach.before, first);
    reach.behind = Math.max(reach.behind, units.length - first);
  }
  const isIn = (units: Set<number>, text: string, at: number) =>
    units.has(any) || (at >= 0 && at < text.length && units.has(foldUnit(text.charCodeAt(at))));

  function mayStand(text: string, at: number): boolean {
    const neighbours = firsts.get(foldUnit(text.charCodeAt(at)));
    return neighbours !== undefined && isIn(neighbours.before, text, at - 1) && isIn(neighbours.behind, text, at + 1);
  }

  return {
    /** False where a text with these units has no literal, by the blocks of Unicode alone. */
    mayHave(units: string): boolean {
      for (let at = 0; at < units.length; at++)
        if (hasBlock[foldUnit(units.charCodeAt(at)) >> blockBits] === 1) return true;
      return false;
    },
    /** Parts of a text with characters beyond ASCII at these places; undefined where they are most of it. */
    partsAround(text: string, beyond: readonly number[]): readonly TextRange[] | undefined {
      const places = beyond.filter((at) => mayStand(text, at));
      const most = places.length * (reach.before + reach.behind);
      return most > text.length ? undefined : partsWithin(text, places, reach);
    },
  };
}

/** So many characters of a literal stand before and behind its first one beyond ASCII at most. */
interface Reach {
  before: number;
  behind: number;
}

interface TextRange {
  readonly start: number;
  end: number;
}

/** Parts so far around places of a text; undefined where long runs of white space are walked over too often. */
function partsWithin(
  text: string,
  places: readonly number[],
  { before, behind }: Reach,
): readonly TextRange[] | undefined {
  const parts: TextRange[] = [];
  let walked = 0;
  for (const at of places) {
    const end = walk(text, at, text.length, behind) + 1;
    const last = parts.at(-1);
    const isInside = last !== undefined && at <= last.end;
    const start = isInside ? at : walk(text, at, 0, before);
    walked += end - start;
    if (walked > text.length) return undefined;
    if (last !== undefined && start <= last.end) last.end = end;
    else parts.push({ start, end });
  }
  return parts;
}

/** The place so many characters from another, where a run of white space is one; none beyond a limit. */
function walk(text: string, from: number, limit: number, count: number): number {
  const step = limit > from ? 1 : -1;
  const last = step === 1 ? limit - 1 : limit;
  let at = from;
  for (let left = count; left > 0 && at !== last; left--) {
    at += step;
    if (isBlank(text, at)) while (at !== last && isBlank(text, at + step)) at += step;
  }
  return at;
}

/** By byte, 1 for those that words of ASCII are made of. */
const ofWords = Uint8Array.from({ length: 256 }, (_, byte) => (/\w/.test(String.fromCharCode(byte)) ? 1 : 0));

function isBlank(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit <= blank ? asciiFold[unit] === blank : unit > 127 && foldUnit(unit) === blank;
}

/** More looks than this take longer than the one pass. */
const glancesMax = 8;

/**
 * True where a text may hold any of a few literals: the engine looks for one word ten times as fast as the pass over
 * all characters, and in most texts there is none of them. True where that cannot be told by a word of plain letters.
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

/** The longest run of a literal that lower case alone folds; other characters may depend on their neighbours. */
function plainestPiece(literal: string): string {
  const runs = literal.toLowerCase().match(/[!-~]+/g) ?? [];
  return runs.reduce((longest, run) => (run.length > longest.length ? run : longest), '');
}
