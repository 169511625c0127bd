import type { Frame } from '../../terminal/screen.ts';
import { WrappedLine } from '../../terminal/wrapped-line.ts';
import { defuseLine } from '../../text/defuse.ts';
import { clip, columnsOf } from '../../text/width.ts';
import type { Draft } from './draft.ts';

/** A row of the wrapped draft. */
interface RowPlace {
  readonly line: number;
  readonly row: number;
}

interface Extras {
  readonly prompt: string;
  /** Rows below the draft: what was found, what may be completed, what went wrong. */
  readonly below: readonly string[];
  readonly stylePrompt: (text: string) => string;
  readonly styleBelow: (text: string) => string;
}

interface Size {
  readonly columns: number;
  readonly rows: number;
}

/**
 * The view of a draft on a terminal: the rows around the cursor. The last column stays empty, so that the cursor always
 * has a place behind the text and no row is ever broken by the terminal. Only rows that are seen are laid out.
 */
export class DraftView {
  /** True if the last frame left rows of the draft out. */
  isCut = false;
  #top: RowPlace = { line: 0, row: 0 };
  #lines = new Map<number, WrappedLine>();

  frame(draft: Draft, { columns, rows }: Size, { prompt, below, stylePrompt, styleBelow }: Extras): Frame {
    const label = clip(defuseLine(prompt.trimEnd()), Math.floor((columns - 1) / 2) - 1);
    const indent = label === '' ? 0 : columnsOf(label) + 1;
    const hints = below.slice(0, Math.max(0, rows - 1)).map((row) => styleBelow(clip(row, Math.max(1, columns - 1))));
    const window = new Window(draft, this.#lines, Math.max(1, columns - 1 - indent));
    const height = Math.max(1, rows - hints.length);
    this.#top = window.topFor(this.#top, height);
    const places = window.from(this.#top, height);
    const cursor = window.cursor();
    this.isCut =
      places.length === height &&
      (places[0]!.line + places[0]!.row > 0 || window.from(this.#top, height + 1).length > height);
    this.#lines = window.used;
    const shown = places.map((place) => {
      const isFirst = place.line === 0 && place.row === 0;
      const margin = isFirst && indent > 0 ? `${stylePrompt(label)} ` : ' '.repeat(indent);
      return margin + window.text(place);
    });
    const cursorRow = places.findIndex((place) => isSame(place, cursor));
    return { rows: [...shown, ...hints], cursor: { row: cursorRow, column: indent + cursor.column } };
  }
}

/** The draft's lines as they are wrapped at one width; what was known of them before is used again. */
class Window {
  readonly used = new Map<number, WrappedLine>();
  readonly #draft: Draft;
  readonly #known: ReadonlyMap<number, WrappedLine>;
  readonly #columns: number;

  constructor(draft: Draft, known: ReadonlyMap<number, WrappedLine>, columns: number) {
    this.#draft = draft;
    this.#known = known;
    this.#columns = columns;
  }

  text({ line, row }: RowPlace): string {
    return this.#line(line).row(row);
  }

  cursor(): RowPlace & { readonly column: number } {
    const { line, at } = this.#draft.cursor;
    return { line, ...this.#line(line).find(at) };
  }

  /** Moved as little as shows the cursor, and never so that room is left below while there is text above. */
  topFor(top: RowPlace, height: number): RowPlace {
    const cursor = this.cursor();
    const isAbove = comesBefore(cursor, top) || !this.#exists(top);
    const isSeen = !isAbove && this.from(top, height).some((place) => isSame(place, cursor));
    const wanted = isSeen ? top : this.#above(cursor, isAbove ? 0 : height - 1);
    const count = this.from(wanted, height).length;
    return count === height ? wanted : this.#above(wanted, height - count);
  }

  /** Up to so many rows from one on. */
  from(top: RowPlace, height: number): RowPlace[] {
    const places: RowPlace[] = [];
    let { line, row } = top;
    while (places.length < height && line < this.#draft.lines.length) {
      const count = this.#line(line).rowCount(row + height - places.length);
      for (; row < count && places.length < height; row += 1) places.push({ line, row });
      line += 1;
      row = 0;
    }
    return places;
  }

  #above({ line, row }: RowPlace, by: number): RowPlace {
    let left = by;
    let at = { line, row };
    while (left > at.row && at.line > 0) {
      left -= at.row + 1;
      at = { line: at.line - 1, row: this.#line(at.line - 1).rowCount() - 1 };
    }
    return { line: at.line, row: Math.max(0, at.row - left) };
  }

  #exists({ line, row }: RowPlace): boolean {
    return line < this.#draft.lines.length && this.#line(line).hasRow(row);
  }

  #line(index: number): WrappedLine {
    const text = this.#draft.lines[index]!;
    const known = this.used.get(index) ?? this.#known.get(index);
    const line = known?.isFor(text, this.#columns) === true ? known : new WrappedLine(text, this.#columns, known);
    this.used.set(index, line);
    return line;
  }
}

function isSame(one: RowPlace, other: RowPlace): boolean {
  return one.line === other.line && one.row === other.row;
}

function comesBefore(one: RowPlace, other: RowPlace): boolean {
  return one.line < other.line || (one.line === other.line && one.row < other.row);
}
