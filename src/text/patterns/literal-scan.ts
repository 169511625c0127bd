import { ForeignPlaces, type TextRange } from './foreign-places.ts';
import {
  asciiFold,
  buildTrie,
  firstSymbolOf,
  foldLiteral,
  foldUnit,
  isBlankAt,
  link,
  secondSymbolOf,
} from './literal-table.ts';
import { ofWords, scanParts } from './literal-pass.ts';
import { scannedText, type ScannedText } from './scanned-text.ts';
import { atOnce, eachInPieces, type Piecework } from '../turns.ts';
import { isAsciiText } from '../utf8.ts';

type Found = (literal: number, end: number) => void;

/** Finds many literals in one pass over a text, whatever their number (Aho and Corasick's automaton). */
export interface LiteralScan {
  /**
   * Calls `found` for every place of every literal, overlapping ones too, with its index and where it ends. Case is
   * ignored, and any run of white space counts as one blank.
   */
  scan(text: string, found: Found): void;
}

export class LiteralFault extends Error {
  override readonly name = 'LiteralFault';
}

/** The table takes four bytes a cell, so this is 64 MB: some 50,000 words of Latin letters. */
const cellsMax = 16_000_000;
/** Characters that are read in eight parts: places found in the others are kept until those of the first are told. */
const chunkCharacters = 8_192;

interface ScanOptions {
  /** One for lists that are never given up, so that a text is passed over once for all of them. */
  readonly shared?: ForeignPlaces | undefined;
  /** Of ASCII alone: places around which a word of ASCII goes on are left out, which is soonest seen here. */
  readonly areWords?: boolean;
}

export function createLiteralScan(literals: readonly string[], options?: ScanOptions): LiteralScan {
  return atOnce(makeLiteralScan(literals, options));
}

/** The same in pieces: the table of 50,000 words takes a tenth of a second. */
export function* makeLiteralScan(
  literals: readonly string[],
  { shared, areWords = false }: ScanOptions = {},
): Piecework<LiteralScan> {
  const folded = yield* eachInPieces(literals, foldLiteral);
  const trie = yield* buildTrie(folded, areWords);
  const { width, ends, classes } = trie;
  if (trie.count * width > cellsMax) throw new LiteralFault('too many words for one list');
  const { table, firstEnd, inside, report, shorter } = yield* link(trie, areWords);
  const isAscii = literals.every(isAsciiText);
  const columns = Uint16Array.from({ length: 256 }, (_, byte) => (byte < 128 ? classes[asciiFold[byte]!]! : 0));
  const mayHold = createGlance(literals);
  const isForeign = folded.every((symbols) => symbols.some((symbol) => symbol > 127));
  const places = isForeign ? (shared ?? new ForeignPlaces()) : undefined;
  const list = places?.add(literals) ?? 0;

  function scan(text: string, found: Found): void {
    if (places === undefined && !mayHold(text)) return;
    const scanned = scannedText(text);
    if (!isAscii) {
      const parts = places?.partsOf(scanned, list) ?? [{ start: 0, end: text.length }];
      for (const part of parts) scanUnits(scanned, found, part);
      return;
    }
    const { bytes, places: placesOf } = scanned;
    const reader = { table, width, columns, firstEnd, inside, report };
    let cell = 0;
    for (let from = 0; from < bytes.length; from += chunkCharacters)
      cell = scanParts(
        bytes,
        { from, end: Math.min(bytes.length, from + chunkCharacters), cell },
        reader,
        (ended, index, but) => {
          if (!areWords || ofWords[bytes[index]!] === 0 || ofWords[bytes[index + 1]!] !== 1)
            tell(ended, text, placesOf === undefined ? index : placesOf[index]!, found, but);
        },
      );
  }

  function scanUnits({ text }: ScannedText, found: Found, { start, end }: TextRange): void {
    let cell = 0;
    for (let index = start; index < end; index++) {
      cell = step(cell, foldUnit(text.charCodeAt(index)));
      if (cell >= firstEnd) tell(cell, text, index, found, 0);
    }
  }

  function step(cell: number, folded: number): number {
    if (folded < 128) return table[cell * width + classes[folded]!]!;
    const next = table[cell * width + classes[firstSymbolOf(folded)]!]!;
    return table[next * width + classes[secondSymbolOf(folded)]!]!;
  }

  /** Tells of the literals that end here, but for those of a state and what it falls back to. */
  function tell(cell: number, text: string, index: number, found: Found, but: number): void {
    // A literal that ends with a blank has ended at the first of a run.
    if (index > 0 && isBlankAt(text, index) && isBlankAt(text, index - 1)) return;
    for (let hit = report[cell]!; hit !== but; hit = shorter[hit]!) {
      for (let literal = ends.first[hit]!; literal !== 0; literal = ends.next[literal]!) found(literal - 1, index + 1);
    }
  }

  return { scan };
}

/** More looks than this take longer than the one pass. */
const glancesMax = 8;

/**
 * True where a text may hold any of a few literals: the engine looks for one word ten times as fast as the pass over
 * all characters, and in most texts there is none of them. True where that cannot be told by a word of plain letters.
 */
function createGlance(literals: readonly string[]): (text: string) => boolean {
  const distinct = new Set<string>();
  for (const literal of literals) {
    distinct.add(plainestPiece(literal));
    if (distinct.size > glancesMax || distinct.has('')) return () => true;
  }
  const pieces = [...distinct];
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
