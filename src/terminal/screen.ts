import { clustersOf } from '../text/clusters.ts';
import { columnsOf } from '../text/width.ts';
import type { Output } from '../world/world.ts';

/** Rows that already fit: each at most as wide as the terminal, nothing in them but what may reach a terminal. */
export interface Frame {
  readonly rows: readonly string[];
  readonly cursor: { readonly row: number; readonly column: number };
}

/** The last rows of a terminal, drawn again and again; what is above them is never touched. */
export interface Screen {
  readonly columns: number;
  readonly rows: number;
  /** Writes only what differs from the frame before. */
  draw(frame: Frame): Promise<void>;
  /** Leaves what is drawn where it is; whatever is written next starts on a line of its own. */
  leave(): Promise<void>;
  /** Takes away what is drawn; whatever is written next stands in its place. */
  wipe(): Promise<void>;
  /** Somebody else has written: the next frame is drawn whole, from where the cursor is. */
  forget(): void;
  /** An empty terminal, with the next frame at its top. */
  clear(): Promise<void>;
  /** Called when the terminal got another size; the next frame is drawn for it. */
  onResize(listener: () => void): () => void;
}

const nothing: Frame = { rows: [], cursor: { row: 0, column: 0 } };
const eraseLine = '\u001b[K';
const eraseBelow = '\u001b[J';
const eraseAll = '\u001b[H\u001b[2J';
const styling = /\u001b\[[0-9;]*m/g;

/**
 * Every move is relative and starts with CR, and no row is wider than the terminal, so that neither where on the screen
 * the rows are nor how a terminal wraps has to be known. The cursor is never hidden: nothing has to be undone.
 */
export function openScreen(output: Output, env: Readonly<Record<string, string | undefined>>): Screen {
  return new DrawnScreen(output, wrapsAgain(env));
}

class DrawnScreen implements Screen {
  readonly #output: Output;
  readonly #wrapsAgain: boolean;
  #drawn = nothing;
  #drawnFor: { readonly columns: number; readonly rows: number };

  constructor(output: Output, doesWrapAgain: boolean) {
    this.#output = output;
    this.#wrapsAgain = doesWrapAgain;
    this.#drawnFor = this.#size();
  }

  get columns(): number {
    return this.#output.columns;
  }

  get rows(): number {
    return this.#output.rows;
  }

  async draw(frame: Frame): Promise<void> {
    let text = this.#isResized() ? this.#wipeAfterResize() : '';
    const { rows, cursor } = this.#drawn;
    let at = cursor.row;
    let last = Math.max(0, rows.length - 1);
    const go = (row: number): void => {
      text += moveTo(row, at, last);
      at = row;
      last = Math.max(last, row);
    };
    for (const [index, row] of frame.rows.entries()) {
      if (row === rows[index]) continue;
      go(index);
      text += eraseLine + row;
    }
    if (frame.rows.length < rows.length) {
      go(frame.rows.length);
      text += eraseBelow;
    }
    go(frame.cursor.row);
    this.#drawn = frame;
    await this.#output.write(text + right(Math.min(frame.cursor.column, this.columns - 1)));
  }

  async leave(): Promise<void> {
    const { rows, cursor } = this.#drawn;
    const text = rows.length === 0 ? '' : moveTo(rows.length, cursor.row, rows.length - 1);
    this.forget();
    await this.#output.write(text);
  }

  async wipe(): Promise<void> {
    const text = moveTo(0, this.#drawn.cursor.row, 0) + eraseBelow;
    this.forget();
    await this.#output.write(text);
  }

  forget(): void {
    this.#drawn = nothing;
    this.#drawnFor = this.#size();
  }

  async clear(): Promise<void> {
    this.forget();
    await this.#output.write(eraseAll);
  }

  onResize(listener: () => void): () => void {
    return this.#output.onResize(listener);
  }

  #size(): { columns: number; rows: number } {
    return { columns: this.columns, rows: this.rows };
  }

  #isResized(): boolean {
    return this.columns !== this.#drawnFor.columns || this.rows !== this.#drawnFor.rows;
  }

  /**
   * At another width the terminal may have broken the rows anew, at another height moved some out of sight; the way up
   * ends at its top. All that is left is wiped.
   */
  #wipeAfterResize(): string {
    const { rows, cursor } = this.#drawn;
    const { columns } = this;
    const isBroken = this.#wrapsAgain && columns < this.#drawnFor.columns;
    const above = rows.slice(0, cursor.row).reduce((sum, row) => sum + (isBroken ? rowsOf(row, columns) : 1), 0);
    const within = isBroken ? rowWithin(rows[cursor.row] ?? '', cursor.column, columns) : 0;
    this.forget();
    return `\r${up(above + within)}${eraseBelow}`;
  }
}

/** The text that brings the cursor from a row to the start of another; below the last one there may be no row yet. */
function moveTo(target: number, from: number, last: number): string {
  if (target <= from) return `\r${up(from - target)}`;
  const known = Math.max(from, Math.min(target, last));
  return `\r${down(known - from)}${'\r\n'.repeat(target - known)}`;
}

function up(rows: number): string {
  return rows === 0 ? '' : `\u001b[${rows}A`;
}

function down(rows: number): string {
  return rows === 0 ? '' : `\u001b[${rows}B`;
}

function right(columns: number): string {
  return columns === 0 ? '' : `\u001b[${columns}C`;
}

/** Nearly all terminals break long lines anew when they get narrower; these cut them, and one cannot ask. */
function wrapsAgain({ TERM = '', XTERM_VERSION, TMUX }: Readonly<Record<string, string | undefined>>): boolean {
  return XTERM_VERSION === undefined && TERM !== 'linux' && (!TERM.startsWith('screen') || TMUX !== undefined);
}

/** Rows that a terminal needs for what was one row when it was wider. */
function rowsOf(row: string, columns: number): number {
  let count = 1;
  let used = 0;
  for (const cluster of clustersOf(row.replaceAll(styling, ''))) {
    const needed = columnsOf(cluster);
    if (used + needed > columns && used > 0) {
      count += 1;
      used = 0;
    }
    used += needed;
  }
  return count;
}

/** Which of them the cursor is on; behind the text it stays on the last. */
function rowWithin(row: string, column: number, columns: number): number {
  let before = '';
  let used = 0;
  for (const cluster of clustersOf(row.replaceAll(styling, ''))) {
    if (used >= column) return rowsOf(before + cluster, columns) - 1;
    before += cluster;
    used += columnsOf(cluster);
  }
  return rowsOf(before, columns) - 1;
}
