import type { StateTable } from './literal-table.ts';

/** One pass of an automaton over the bytes of a text. */

/** By byte, 1 for those that words of ASCII are made of. */
export const ofWords = Uint8Array.from({ length: 256 }, (_, byte) => (/\w/.test(String.fromCharCode(byte)) ? 1 : 0));

/** A bit beyond all rows: cells hold the row of the next state, and literals end in those from one row on. */
const endsBit = 1 << 30;

/** A part of a text, and the cell that is reached before it. */
interface Chunk {
  readonly from: number;
  readonly end: number;
  readonly cell: number;
}

/** An automaton, as far as one pass over bytes needs it. */
interface Reader {
  readonly table: StateTable;
  readonly width: number;
  readonly columns: Uint16Array;
  readonly firstEnd: number;
  readonly inside: number;
  readonly report: Int32Array;
}

/** Receives each cell where literals end, its place, and the state whose literals are told of elsewhere. */
type TellCell = (cell: number, index: number, but: number) => void;

/** Cells where a literal ends, each with its place behind it. */
type LaterCells = number[];

/**
 * Reads eight parts at once, for each step waits for the one before it, and for memory. What begins in one and ends in
 * the next is found by going on with the first until both would be in one state. Returns the cell at the end.
 */
export function scanParts(
  bytes: Uint8Array,
  { from, end, cell: before }: Chunk,
  reader: Reader,
  tell: TellCell,
): number {
  const { table, width, columns, firstEnd, inside } = reader;
  if (end - from < partedMin) return scanWhole(bytes, { from, end, cell: before }, reader, tell);
  const skip = endsBit - firstEnd;
  const part = (end - from) >> 3;
  const from1 = from + part;
  const from2 = from1 + part;
  const from3 = from2 + part;
  const from4 = from3 + part;
  const from5 = from4 + part;
  const from6 = from5 + part;
  const from7 = from6 + part;
  /** Those of each part but the first. */
  const later: LaterCells[] = [[], [], [], [], [], [], []];
  let cell = before;
  let cell1 = startAt(bytes, from1, inside);
  let cell2 = startAt(bytes, from2, inside);
  let cell3 = startAt(bytes, from3, inside);
  let cell4 = startAt(bytes, from4, inside);
  let cell5 = startAt(bytes, from5, inside);
  let cell6 = startAt(bytes, from6, inside);
  let cell7 = startAt(bytes, from7, inside);
  for (let at = 0; at < part; at++) {
    cell = table[cell * width + columns[bytes[from + at]!]!]!;
    cell1 = table[cell1 * width + columns[bytes[from1 + at]!]!]!;
    cell2 = table[cell2 * width + columns[bytes[from2 + at]!]!]!;
    cell3 = table[cell3 * width + columns[bytes[from3 + at]!]!]!;
    cell4 = table[cell4 * width + columns[bytes[from4 + at]!]!]!;
    cell5 = table[cell5 * width + columns[bytes[from5 + at]!]!]!;
    cell6 = table[cell6 * width + columns[bytes[from6 + at]!]!]!;
    cell7 = table[cell7 * width + columns[bytes[from7 + at]!]!]!;
    const four = (cell + skip) | (cell1 + skip) | (cell2 + skip) | (cell3 + skip);
    const others = (cell4 + skip) | (cell5 + skip) | (cell6 + skip) | (cell7 + skip);
    if (((four | others) & endsBit) === 0) continue;
    if (cell >= firstEnd) tell(cell, from + at, 0);
    if (cell1 >= firstEnd) later[0]!.push(cell1, from1 + at);
    if (cell2 >= firstEnd) later[1]!.push(cell2, from2 + at);
    if (cell3 >= firstEnd) later[2]!.push(cell3, from3 + at);
    if (cell4 >= firstEnd) later[3]!.push(cell4, from4 + at);
    if (cell5 >= firstEnd) later[4]!.push(cell5, from5 + at);
    if (cell6 >= firstEnd) later[5]!.push(cell6, from6 + at);
    if (cell7 >= firstEnd) later[6]!.push(cell7, from7 + at);
  }
  for (let at = from7 + part; at < end; at++) {
    cell7 = table[cell7 * width + columns[bytes[at]!]!]!;
    if (cell7 >= firstEnd) later[6]!.push(cell7, at);
  }
  const starts = [from1, from2, from3, from4, from5, from6, from7, end];
  const lasts = [cell1, cell2, cell3, cell4, cell5, cell6, cell7];
  for (let index = 0; index < lasts.length; index++) {
    const rest = { from: starts[index]!, end: starts[index + 1]!, cell };
    cell = goOn(bytes, rest, { later: later[index]!, last: lasts[index]! }, reader, tell);
  }
  return cell;
}

/** Parts of fewer bytes would be read once more for the most part, until both are in one state. */
const partedMin = 160;

function scanWhole(
  bytes: Uint8Array,
  { from, end, cell: before }: Chunk,
  { table, width, columns, firstEnd }: Reader,
  tell: TellCell,
): number {
  let cell = before;
  for (let at = from; at < end; at++) {
    cell = table[cell * width + columns[bytes[at]!]!]!;
    if (cell >= firstEnd) tell(cell, at, 0);
  }
  return cell;
}

/** The row before a part is read on its own. */
function startAt(bytes: Uint8Array, at: number, inside: number): number {
  return at > 0 && ofWords[bytes[at - 1]!] === 1 ? inside : 0;
}

/** Goes on into a part that was read on its own, tells of all that ends there, and returns the cell at its end. */
function goOn(
  bytes: Uint8Array,
  { from, end, cell: before }: Chunk,
  { later, last }: { readonly later: LaterCells; readonly last: number },
  { table, width, columns, firstEnd, inside, report }: Reader,
  tell: TellCell,
): number {
  let told = 0;
  let cell = before;
  let fresh = startAt(bytes, from, inside);
  for (let at = from; at < end && cell !== fresh; at++) {
    const column = columns[bytes[at]!]!;
    cell = table[cell * width + column]!;
    fresh = table[fresh * width + column]!;
    if (cell !== fresh && cell >= firstEnd) tell(cell, at, report[fresh]!);
    if (later[told + 1] === at) tell(later[told++]!, later[told++]!, 0);
  }
  while (told < later.length) tell(later[told++]!, later[told++]!, 0);
  return cell === fresh ? last : cell;
}
