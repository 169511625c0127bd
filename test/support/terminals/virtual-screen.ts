import { clustersOf } from '../../../src/text/clusters.ts';
import { columnsOf } from '../../../src/text/width.ts';

/** A row of cells; the second cell of a wide character is empty. `goesOn`: the terminal itself broke the line here. */
interface Row {
  cells: string[];
  /** Paint of each cell, as the parameters of SGR; absent where it is plain. */
  paints: string[];
  goesOn: boolean;
}

/** A stretch of a row that is painted alike; `paint` has the parameters of SGR, with blanks between. */
export interface PaintedText {
  readonly text: string;
  readonly paint: string;
}

const sequence = /^\u001b\[([0-9;?]*)([A-Za-z])/;

/** A terminal as far as an editor needs one: wrapping with a pending wrap, scrolling, and breaking anew on a resize. */
export class VirtualScreen {
  #columns: number;
  #rows: number;
  #grid: Row[] = [{ cells: [], paints: [], goesOn: false }];
  /** The first row that is seen; those before it have scrolled away. */
  #top = 0;
  #row = 0;
  #column = 0;
  #paint = '';
  /** Sequences that no editor of ours should write. */
  readonly unknown: string[] = [];

  constructor(columns: number, rows: number) {
    this.#columns = columns;
    this.#rows = rows;
  }

  get cursor(): { row: number; column: number } {
    return { row: this.#row - this.#top, column: Math.min(this.#column, this.#columns - 1) };
  }

  /** The rows that are seen, without blanks at their ends and without empty ones at the end. */
  get seen(): string[] {
    const rows = this.#grid.slice(this.#top, this.#top + this.#rows).map(textOf);
    return rows.slice(0, rows.findLastIndex((row) => row !== '') + 1);
  }

  get scrolledAway(): string[] {
    return this.#grid.slice(0, this.#top).map(textOf);
  }

  /** All rows, those that scrolled away too, cut where the paint changes. */
  get painted(): readonly (readonly PaintedText[])[] {
    return this.#grid.map(({ cells, paints }) => {
      const texts: { text: string; paint: string }[] = [];
      for (const [at, text] of cells.entries()) {
        const paint = paints[at] ?? '';
        const last = texts.at(-1);
        if (last !== undefined && last.paint === paint) last.text += text;
        else texts.push({ text, paint });
      }
      return texts;
    });
  }

  write(text: string): void {
    for (let rest = text; rest !== '';) {
      const found = sequence.exec(rest);
      if (found !== null) this.#obey(found[2]!, found[1]!);
      const control = found === null && /^[\0-\x1f\x7f-\x9f]/.test(rest) ? rest[0]! : undefined;
      if (control !== undefined) this.#control(control);
      const run = found === null && control === undefined ? /^[^\0-\x1f\x7f-\x9f]+/.exec(rest)![0] : '';
      for (const cluster of clustersOf(run)) this.#put(cluster);
      rest = rest.slice(found?.[0].length ?? (run.length || 1));
    }
  }

  /** Resizes the screen. With `reflows` lines are broken anew, as most terminals do; without, they are cut. */
  resize(columns: number, rows: number, reflows: boolean): void {
    if (reflows) this.#reflow(columns);
    else for (const row of this.#grid) row.cells.length = Math.min(row.cells.length, columns);
    this.#columns = columns;
    this.#rows = rows;
    this.#column = Math.min(this.#column, columns - 1);
    // Empty rows below the cursor go first, then rows above scroll away.
    while (this.#grid.length > this.#row + 1 && textOf(this.#grid.at(-1)!) === '') this.#grid.pop();
    this.#top = Math.max(0, Math.min(this.#grid.length - rows, this.#row));
    this.#top = Math.max(this.#top, this.#row - rows + 1);
  }

  #reflow(columns: number): void {
    const grid: Row[] = [];
    let cursor: { row: number; column: number } | undefined;
    for (let start = 0; start < this.#grid.length;) {
      let end = start;
      while (this.#grid[end]!.goesOn && end + 1 < this.#grid.length) end += 1;
      const line = this.#grid.slice(start, end + 1);
      const cells = line.flatMap((row) => row.cells);
      const before = line.slice(0, Math.max(0, this.#row - start)).reduce((sum, row) => sum + row.cells.length, 0);
      const isHere = this.#row >= start && this.#row <= end;
      const broken = breakCells(cells, columns);
      if (isHere) cursor = placeIn(broken, before + this.#column, grid.length);
      grid.push(...broken);
      start = end + 1;
    }
    this.#grid = grid;
    this.#row = cursor?.row ?? 0;
    this.#column = cursor?.column ?? 0;
  }

  #obey(final: string, parameters: string): void {
    const count = Math.max(1, Number(parameters || 1));
    if (final === 'A') this.#row = Math.max(this.#top, this.#row - count);
    else if (final === 'B') this.#goDown(Math.min(this.#row + count, this.#top + this.#rows - 1));
    else if (final === 'C') this.#column = Math.min(this.#columns - 1, this.#column + count);
    else if (final === 'K') this.#eraseToEnd();
    else if (final === 'G') this.#column = Number(parameters || 1) - 1;
    else if (final === 'J' && parameters === '2') {
      for (const row of this.#grid.slice(this.#top)) Object.assign(row, { cells: [], paints: [], goesOn: false });
    } else if (final === 'J') {
      this.#eraseToEnd();
      this.#grid.length = this.#row + 1;
    } else if (final === 'H') {
      this.#row = this.#top;
      this.#column = 0;
    } else if (final === 'm') this.#paint = paintAfter(this.#paint, parameters);
    else this.unknown.push(`CSI ${parameters}${final}`);
  }

  #eraseToEnd(): void {
    const row = this.#here();
    row.cells.length = Math.min(this.#column, row.cells.length);
    row.paints.length = Math.min(this.#column, row.paints.length);
    row.goesOn = false;
  }

  #control(character: string): void {
    if (character === '\r') this.#column = 0;
    else if (character === '\n') this.#lineFeed();
    else if (character === '\b') this.#column = Math.max(0, this.cursor.column - 1);
    else this.unknown.push(JSON.stringify(character));
  }

  #lineFeed(): void {
    if (this.#row === this.#top + this.#rows - 1) this.#top += 1;
    this.#goDown(this.#row + 1);
  }

  #goDown(row: number): void {
    while (this.#grid.length <= row) this.#grid.push({ cells: [], paints: [], goesOn: false });
    this.#row = row;
  }

  #put(cluster: string): void {
    const width = Math.min(columnsOf(cluster), this.#columns);
    if (this.#column + width > this.#columns) {
      this.#here().goesOn = true;
      this.#lineFeed();
      this.#column = 0;
    }
    const { cells, paints } = this.#here();
    while (cells.length < this.#column) cells.push(' ');
    if (width === 0) cells[Math.max(0, this.#column - 1)] += cluster;
    else cells.splice(this.#column, width, cluster, ...Array.from({ length: width - 1 }, () => ''));
    for (let at = 0; at < width; at += 1) paints[this.#column + at] = this.#paint;
    this.#column += width;
    this.#here().goesOn = false;
  }

  #here(): Row {
    return this.#grid[this.#row]!;
  }
}

function textOf({ cells }: Row): string {
  return cells.join('').trimEnd();
}

function breakCells(cells: readonly string[], columns: number): Row[] {
  const rows: Row[] = [{ cells: [], paints: [], goesOn: false }];
  for (let at = 0; at < cells.length;) {
    const width = cells[at + 1] === '' ? 2 : 1;
    if (rows.at(-1)!.cells.length + width > columns && rows.at(-1)!.cells.length > 0) {
      rows.at(-1)!.goesOn = true;
      rows.push({ cells: [], paints: [], goesOn: false });
    }
    rows.at(-1)!.cells.push(...cells.slice(at, at + width));
    at += width;
  }
  return rows;
}

/** The row of the cursor, which behind the text is the last one. */
function placeIn(rows: readonly Row[], offset: number, above: number): { row: number; column: number } {
  let left = offset;
  for (const [index, { cells, goesOn }] of rows.entries()) {
    if (left < cells.length || !goesOn) return { row: above + index, column: left };
    left -= cells.length;
  }
  return { row: above + rows.length - 1, column: left };
}

/** The parameters in force after these; 22 ends bold and dim, 23 italic, 24 underline, 39 a colour. */
function paintAfter(before: string, parameters: string): string {
  const ends: Record<string, RegExp> = { '22': /^[12]$/, '23': /^3$/, '24': /^4$/, '39': /^[39][0-7]$/ };
  let paints = before.split(' ').filter(Boolean);
  for (const each of (parameters || '0').split(';')) {
    if (each === '0') paints = [];
    else if (ends[each] !== undefined) paints = paints.filter((paint) => !ends[each]!.test(paint));
    else paints = [...paints, each];
  }
  return paints.join(' ');
}
