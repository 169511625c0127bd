import type { StateTable } from './literal-table.ts';

/** One pass of an automaton over the bytes of a text. */

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
  const { table, width, columns } = reader;
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
  let cell1 = 0;
  let cell2 = 0;
  let cell3 = 0;
  let cell4 = 0;
  let cell5 = 0;
  let cell6 = 0;
  let cell7 = 0;
  for (let at = 0; at < part; at++) {
    cell = table[(cell >> 1) * width + columns[bytes[from + at]!]!]!;
    cell1 = table[(cell1 >> 1) * width + columns[bytes[from1 + at]!]!]!;
    cell2 = table[(cell2 >> 1) * width + columns[bytes[from2 + at]!]!]!;
    cell3 = table[(cell3 >> 1) * width + columns[bytes[from3 + at]!]!]!;
    cell4 = table[(cell4 >> 1) * width + columns[bytes[from4 + at]!]!]!;
    cell5 = table[(cell5 >> 1) * width + columns[bytes[from5 + at]!]!]!;
    cell6 = table[(cell6 >> 1) * width + columns[bytes[from6 + at]!]!]!;
    cell7 = table[(cell7 >> 1) * width + columns[bytes[from7 + at]!]!]!;
    if (((cell | cell1 | cell2 | cell3 | cell4 | cell5 | cell6 | cell7) & 1) === 0) continue;
    if ((cell & 1) === 1) tell(cell, from + at, 0);
    if ((cell1 & 1) === 1) later[0]!.push(cell1, from1 + at);
    if ((cell2 & 1) === 1) later[1]!.push(cell2, from2 + at);
    if ((cell3 & 1) === 1) later[2]!.push(cell3, from3 + at);
    if ((cell4 & 1) === 1) later[3]!.push(cell4, from4 + at);
    if ((cell5 & 1) === 1) later[4]!.push(cell5, from5 + at);
    if ((cell6 & 1) === 1) later[5]!.push(cell6, from6 + at);
    if ((cell7 & 1) === 1) later[6]!.push(cell7, from7 + at);
  }
  for (let at = from7 + part; at < end; at++) {
    cell7 = table[(cell7 >> 1) * width + columns[bytes[at]!]!]!;
    if ((cell7 & 1) === 1) later[6]!.push(cell7, at);
  }
  const starts = [from1, from2, from3, from4, from5, from6, from7, end];
  const lasts = [cell1, cell2, cell3, cell4, cell5, cell6, cell7];
  for (let index = 0; index < lasts.length; index++) {
    const rest = { from: starts[index]!, end: starts[index + 1]!, cell };
    cell = goOn(bytes, rest, { later: later[index]!, last: lasts[index]! }, reader, tell);
  }
  return cell;
}

/** Goes on into a part that was read on its own, tells of all that ends there, and returns the cell at its end. */
function goOn(
  bytes: Uint8Array,
  { from, end, cell: before }: Chunk,
  { later, last }: { readonly later: LaterCells; readonly last: number },
  { table, width, columns, report }: Reader,
  tell: TellCell,
): number {
  let told = 0;
  let cell = before;
  let fresh = 0;
  for (let at = from; at < end && cell !== fresh; at++) {
    const column = columns[bytes[at]!]!;
    cell = table[(cell >> 1) * width + column]!;
    fresh = table[(fresh >> 1) * width + column]!;
    if (cell !== fresh && (cell & 1) === 1) tell(cell, at, report[fresh >> 1]!);
    if (later[told + 1] === at) tell(later[told++]!, later[told++]!, 0);
  }
  while (told < later.length) tell(later[told++]!, later[told++]!, 0);
  return cell === fresh ? last : cell;
}
