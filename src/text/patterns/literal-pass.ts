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

/** Most quarters of a short text have no such cell. */
const none: LaterCells = [];

/**
 * Reads four quarters at once, for each step waits for the one before it. What begins in one and ends in the next is
 * found by going on with the first until both would be in one state. Returns the cell at the end.
 */
export function scanQuarters(
  bytes: Uint8Array,
  { from, end, cell: before }: Chunk,
  reader: Reader,
  tell: TellCell,
): number {
  const { table, width, columns } = reader;
  const quarter = (end - from) >> 2;
  const second = from + quarter;
  const third = second + quarter;
  const fourth = third + quarter;
  let later2: LaterCells | undefined;
  let later3: LaterCells | undefined;
  let later4: LaterCells | undefined;
  let cell = before;
  let cell2 = 0;
  let cell3 = 0;
  let cell4 = 0;
  for (let at = 0; at < quarter; at++) {
    cell = table[(cell >> 1) * width + columns[bytes[from + at]!]!]!;
    cell2 = table[(cell2 >> 1) * width + columns[bytes[second + at]!]!]!;
    cell3 = table[(cell3 >> 1) * width + columns[bytes[third + at]!]!]!;
    cell4 = table[(cell4 >> 1) * width + columns[bytes[fourth + at]!]!]!;
    if (((cell | cell2 | cell3 | cell4) & 1) === 0) continue;
    if ((cell & 1) === 1) tell(cell, from + at, 0);
    if ((cell2 & 1) === 1) (later2 ??= []).push(cell2, second + at);
    if ((cell3 & 1) === 1) (later3 ??= []).push(cell3, third + at);
    if ((cell4 & 1) === 1) (later4 ??= []).push(cell4, fourth + at);
  }
  for (let at = fourth + quarter; at < end; at++) {
    cell4 = table[(cell4 >> 1) * width + columns[bytes[at]!]!]!;
    if ((cell4 & 1) === 1) (later4 ??= []).push(cell4, at);
  }
  cell = goOn(bytes, { from: second, end: third, cell }, { later: later2 ?? none, last: cell2 }, reader, tell);
  cell = goOn(bytes, { from: third, end: fourth, cell }, { later: later3 ?? none, last: cell3 }, reader, tell);
  return goOn(bytes, { from: fourth, end, cell }, { later: later4 ?? none, last: cell4 }, reader, tell);
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
