import { clusterEnd } from '../text/clusters.ts';
import { defusePart } from '../text/defuse.ts';
import { columnsOf, plainColumnsAt } from '../text/width.ts';

const plain = /^[\x20-\x7e]*$/;
const tabColumns = 8;
/** As far as one character of a person's can reach, and a bit: what is further away never moves a break. */
const reachUnits = 160;
const compareUnits = 4096;

/** A part of a row as a terminal shows it. */
interface RowPiece {
  readonly shown: string;
  readonly columns: number;
}

/**
 * One line of a text, broken hard at a number of columns. Breaks are looked for only as far as somebody asks, and what
 * is known of a line stays known where an edit did not reach: a long line costs what is seen of it.
 */
export class WrappedLine {
  readonly text: string;
  readonly #columns: number;
  /** The start of each known row. */
  readonly #starts: number[];
  #isWhole = false;

  constructor(text: string, columns: number, before?: WrappedLine) {
    this.text = text;
    this.#columns = Math.max(1, columns);
    this.#starts = before !== undefined && before.#columns === this.#columns ? before.#startsStillTrueFor(text) : [0];
  }

  isFor(text: string, columns: number): boolean {
    return this.#columns === Math.max(1, columns) && this.text === text;
  }

  /** The number of rows, counted no further than `most`. */
  rowCount(most = Number.POSITIVE_INFINITY): number {
    while (!this.#isWhole && this.#starts.length < most) this.#breakOnce();
    return Math.min(this.#starts.length, most);
  }

  /** True where the text goes on to this row; it is broken no further than that. */
  hasRow(row: number): boolean {
    return row < this.rowCount(row + 1);
  }

  /** The row and column of a place in the text; a place between two rows is on the second. */
  find(at: number): { readonly row: number; readonly column: number } {
    while (!this.#isWhole && this.#starts.at(-1)! <= at) this.#breakOnce();
    const row = this.#rowAt(at);
    let column = 0;
    for (let place = this.#starts[row]!; place < at;) {
      const step = this.#step(place, column);
      column += step.columns;
      place = step.end;
    }
    return { row, column };
  }

  /** One row, safe to print and at most as wide as was asked for. */
  row(index: number): string {
    while (!this.#isWhole && this.#starts.length <= index + 1) this.#breakOnce();
    const start = this.#starts[index] ?? this.text.length;
    const end = this.#starts[index + 1] ?? this.text.length;
    const whole = this.text.slice(start, end);
    if (plain.test(whole)) return whole;
    let shown = '';
    let column = 0;
    for (let at = start; at < end;) {
      const { end: next, columns } = this.#step(at, column);
      shown +=
        plainColumnsAt(this.text, at) === columns ? this.text.slice(at, next) : this.#piece(at, next, column).shown;
      column += columns;
      at = next;
    }
    return shown;
  }

  #breakOnce(): void {
    const end = this.#rowEnd(this.#starts.at(-1)!);
    if (end >= this.text.length) this.#isWhole = true;
    else this.#starts.push(end);
  }

  #rowEnd(start: number): number {
    const { text } = this;
    const straight = start + this.#columns;
    if (plain.test(text.slice(start, straight + 1))) return Math.min(straight, text.length);
    let column = 0;
    for (let at = start; at < text.length;) {
      const step = this.#step(at, column);
      column += step.columns;
      if (column > this.#columns && at > start) return at;
      at = step.end;
    }
    return text.length;
  }

  /** The next character and its width, which for most text needs no pattern to be known. */
  #step(at: number, column: number): { readonly end: number; readonly columns: number } {
    const columns = plainColumnsAt(this.text, at);
    if (columns > 0 && columns <= this.#columns) return { end: at + 1, columns };
    const end = clusterEnd(this.text, at);
    return { end, columns: this.#piece(at, end, column).columns };
  }

  #piece(start: number, end: number, column: number): RowPiece {
    const cluster = this.text.slice(start, end);
    if (cluster.startsWith('\t')) {
      const onIt = defusePart(this.text, start + 1, end);
      const blanks = tabTo(this.#columns - columnsOf(onIt), column);
      return this.#fitting(' '.repeat(blanks) + onIt);
    }
    if (plain.test(cluster)) return { shown: cluster, columns: 1 };
    return this.#fitting(defusePart(this.text, start, end));
  }

  #fitting(shown: string): RowPiece {
    const columns = columnsOf(shown);
    if (columns > this.#columns) return { shown: '?', columns: 1 };
    // A mark without anything under it would sit on whatever the terminal shows before it, and no key could reach it.
    return columns === 0 ? { shown: `\u25cc${shown}`, columns: 1 } : { shown, columns };
  }

  #rowAt(at: number): number {
    let low = 0;
    for (let high = this.#starts.length - 1; low < high;) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle]! <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #startsStillTrueFor(text: string): number[] {
    const reached = sameUnits(this.text, text) - reachUnits;
    const count = this.#starts.findLastIndex((start) => start <= reached) + 1;
    return count === 0 ? [0] : this.#starts.slice(0, count);
  }
}

/** Columns to the next stop, but never over the edge. */
function tabTo(rowColumns: number, column: number): number {
  const wanted = tabColumns - (column % tabColumns);
  return Math.max(1, Math.min(wanted, rowColumns - column));
}

/** The number of units that two texts share at their start. */
function sameUnits(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let same = 0;
  while (same < most && one.slice(same, same + compareUnits) === other.slice(same, same + compareUnits)) {
    same += compareUnits;
  }
  while (same < most && one.charCodeAt(same) === other.charCodeAt(same)) same += 1;
  return Math.min(same, most);
}
