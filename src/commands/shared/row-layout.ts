import { columnsOf, columnsOfAll, fold, foldedWords } from '../../text/width.ts';

/** The place of a column: several lines of places where a terminal is too narrow for one. */
interface ColumnPlace {
  readonly line: number;
  readonly start: number;
  /** A cell is folded within it; a word that is longer is left whole, and what follows it goes on below. */
  readonly width: number;
}

interface PaintedCell {
  readonly text: string;
  readonly paint: (text: string) => string;
}

const gap = '  ';
/** A column is never folded to less, unless its cells are shorter. */
const foldedColumnsMin = 12;

interface Measure {
  readonly whole: number;
  readonly least: number;
}

/**
 * Places for the columns of these rows, the head among them: side by side where they fit, else as narrow as their words
 * allow, else in several lines, of which the further ones begin below the second column.
 */
export function placeColumns(rows: readonly (readonly string[])[], width: number): readonly ColumnPlace[] {
  const count = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const whole = Array.from({ length: count }, (_, at) => columnsOfAll(rows.map((row) => row[at] ?? '')));
  if (widthOfAll(whole) <= width) return inOneLine(whole, Infinity);
  // Fewer of the long words count where not all of them leave room for the columns side by side.
  const behindFirst = count === 2 ? [width - whole[0]! - gap.length] : [];
  for (const wordMax of [...behindFirst, width / 2, width / 3]) {
    const shared = shareWidth(measuresOf(rows, count, wordMax), width);
    if (shared !== undefined) return inOneLine(shared, width);
  }
  return inLines(measuresOf(rows, count, width / 2), width);
}

/** Measures of each column; a word beyond `wordMax` counts for nothing, unless most cells of the column have one. */
function measuresOf(rows: readonly (readonly string[])[], count: number, wordMax: number): readonly Measure[] {
  return Array.from({ length: count }, (_, at) => measureOf(rows, at, wordMax));
}

function measureOf(rows: readonly (readonly string[])[], at: number, wordMax: number): Measure {
  const all = rows.map((row) => ({ cell: row[at] ?? '', word: longestWord(row[at] ?? '') }));
  const usual = all.filter(({ word }) => word <= wordMax);
  const counted = usual.length * 2 >= all.length ? usual : all;
  const whole = columnsOfAll(counted.map(({ cell }) => cell));
  const words = counted.reduce((most, { word }) => Math.max(most, word), 0);
  return { whole, least: at === 0 ? whole : Math.max(words, Math.min(whole, foldedColumnsMin)) };
}

function longestWord(cell: string): number {
  return columnsOfAll(foldedWords(cell).map((word) => word.trimStart()));
}

function widthOfAll(widths: readonly number[]): number {
  return widths.reduce((sum, each) => sum + each + gap.length, -gap.length);
}

/** Widths that fit, the widest columns folded; undefined where even the least ones do not. */
function shareWidth(measures: readonly Measure[], width: number): readonly number[] | undefined {
  const under = (cap: number) => measures.map(({ whole, least }) => Math.max(least, Math.min(whole, cap)));
  for (let cap = width; cap >= 0; cap -= 1) if (widthOfAll(under(cap)) <= width) return under(cap);
  return undefined;
}

function inOneLine(widths: readonly number[], width: number): readonly ColumnPlace[] {
  let start = 0;
  return widths.map((each, at) => {
    const place = { line: 0, start, width: at === widths.length - 1 ? width - start : each };
    start += each + gap.length;
    return place;
  });
}

function inLines(measures: readonly Measure[], width: number): readonly ColumnPlace[] {
  const second = (measures[0]?.whole ?? 0) + gap.length;
  const margin = second > width / 3 ? gap.length : second;
  let [line, start] = [0, 0];
  return measures.map(({ whole }, at) => {
    if (at > 0 && start + whole > width) [line, start] = [line + 1, margin];
    const place = { line, start, width: Math.min(whole, width - start) };
    start += place.width + gap.length;
    return place;
  });
}

interface Line {
  text: string;
  used: number;
}

/**
 * A row as lines, each cell at the place of its column or, where that is taken, below it. A cell with a word that is
 * too long for its column has a line of its own, below the second column or at the margin; where the cell does not fit
 * there, only the word goes to the margin. The last cell may stand behind such a cell.
 */
export function layOutRow(cells: readonly PaintedCell[], places: readonly ColumnPlace[], width: number): string {
  const lines: Line[] = [];
  let [base, group] = [0, 0];
  cells.forEach(({ text, paint }, at) => {
    const place = places[at]!;
    if (text === '') return;
    if (place.line !== group) [base, group] = [lines.length, place.line];
    let row = base;
    const behind = (lines[base]?.used ?? -Infinity) + gap.length;
    // The last cell goes behind one that is wider than its column, where there is room for the whole of it.
    const isLast = cells.slice(at + 1).every((cell) => cell.text === '') && lines.length === base + 1;
    const isBehind = isLast && behind > place.start && behind + columnsOf(text) <= width;
    const pieces = isBehind ? [{ piece: text, start: behind }] : piecesOf(text, at, places, width);
    pieces.forEach(({ piece, start }, number) => {
      if ((lines[row]?.used ?? -Infinity) + gap.length > start) row = lines.length;
      if (number === 0) base = row;
      const line = (lines[row] ??= { text: '', used: 0 });
      line.text += ' '.repeat(start - line.used) + paint(piece);
      line.used = start + columnsOf(piece);
      row += 1;
    });
  });
  return lines.map((line) => line.text).join('\n');
}

/** A folded cell, each piece with the column at which it begins. */
function piecesOf(text: string, at: number, places: readonly ColumnPlace[], width: number) {
  const place = places[at]!;
  const pieces = fold(text, place.width, '').split('\n');
  const isWide = (piece: string): boolean => at > 0 && place.start + columnsOf(piece) > width;
  const starts = pieces.some(isWide) ? [places[1]!.start, gap.length] : [];
  const start = starts.find((each) => each + columnsOf(text) <= width);
  if (start !== undefined) return [{ piece: text, start }];
  return pieces.map((piece) => ({ piece, start: isWide(piece) ? gap.length : place.start }));
}
