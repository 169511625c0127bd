import { WrappedLine } from '../../terminal/wrapped-line.ts';
import { defuseLine } from '../../text/defuse.ts';
import { columnsOf } from '../../text/width.ts';
import type { Draft } from './draft.ts';

/** The output of an echo. */
export interface EchoSurface {
  readonly isTerminal: boolean;
  readonly columns: number;
  write(text: string): Promise<void>;
}

/** The last row that was written of a draft. */
interface WrittenRow {
  readonly line: number;
  readonly row: number;
  readonly text: string;
  readonly room: number;
}

const lineMark = '… ';
const rowMark = ' '.repeat(columnsOf(lineMark));
const rubOut = '\b \b';

/**
 * Follows a draft that changes at its end alone, with nothing but text, line breaks and backspaces. What is added is
 * written behind what is there, what is taken away from the last row is rubbed out, and after any other change the last
 * row is written once more, below. Rows are broken here, for no backspace goes back over a break of the terminal's.
 */
export class DraftEcho {
  readonly #surface: EchoSurface;
  readonly #label: string;
  #shown: WrittenRow | undefined;
  #wrapped: WrappedLine | undefined;

  constructor(surface: EchoSurface, prompt: string) {
    this.#surface = surface;
    this.#label = `${defuseLine(prompt.trimEnd())} `;
  }

  /** The whole draft, where the cursor is at the start of a row. */
  async whole(draft: Draft): Promise<void> {
    this.#shown = { line: 0, row: 0, text: '', room: this.#room() };
    await this.#surface.write(this.#label + this.#rest(draft, this.#shown));
    this.#shown = this.#last(draft);
  }

  /** Its last row, where the cursor is at the start of one: somebody else has written meanwhile. */
  async again(draft: Draft): Promise<void> {
    this.#shown = this.#last(draft);
    await this.#surface.write(this.#asRow(this.#shown));
  }

  async follow(draft: Draft): Promise<void> {
    const shown = this.#shown;
    const last = this.#last(draft);
    this.#shown = last;
    await this.#surface.write(shown === undefined ? this.#asRow(last) : this.#change(draft, shown, last));
  }

  /** The text that brings the terminal from `shown` to `last`: the last row once more where nothing else will do. */
  #change(draft: Draft, shown: WrittenRow, last: WrittenRow): string {
    const below = `\n${this.#asRow(last)}`;
    // After a resize the rows are others; only the first one still starts where it did.
    if (shown.room !== last.room && shown.row > 0) return below;
    const columns = columnsOf(shown.text);
    const rubbed = columns - columnsOf(last.text);
    const isSameLine = shown.line === last.line;
    if (isSameLine && shown.row > last.row) return rubOut.repeat(columns) + below;
    if (isSameLine && shown.row === last.row && rubbed > 0 && shown.text.startsWith(last.text))
      return rubOut.repeat(rubbed);
    const isThere = shown.line <= last.line && this.#line(draft, shown.line).row(shown.row).startsWith(shown.text);
    return isThere ? this.#rest(draft, shown) : below;
  }

  /** All that comes behind what is shown. */
  #rest(draft: Draft, shown: WrittenRow): string {
    const parts = [this.#line(draft, shown.line).row(shown.row).slice(shown.text.length)];
    let row = shown.row + 1;
    for (let line = shown.line; line < draft.lines.length; line += 1, row = 0) {
      const wrapped = this.#line(draft, line);
      for (; wrapped.hasRow(row); row += 1) parts.push(this.#mark(line, row) + wrapped.row(row));
    }
    return parts.join('\n');
  }

  #last(draft: Draft): WrittenRow {
    const line = draft.lines.length - 1;
    const wrapped = this.#line(draft, line);
    const row = wrapped.rowCount() - 1;
    return { line, row, text: wrapped.row(row), room: this.#room() };
  }

  /** Uses again what is known of the line before, which for a long line is nearly everything. */
  #line(draft: Draft, line: number): WrappedLine {
    const text = draft.lines[line]!;
    if (this.#wrapped?.isFor(text, this.#room()) === true) return this.#wrapped;
    return (this.#wrapped = new WrappedLine(text, this.#room(), this.#wrapped));
  }

  #asRow({ line, row, text }: WrittenRow): string {
    return this.#mark(line, row) + text;
  }

  #mark(line: number, row: number): string {
    if (row > 0) return rowMark;
    return line > 0 ? lineMark : this.#label;
  }

  /** The last column stays empty, as in every editor here. */
  #room(): number {
    return this.#surface.columns - 1 - Math.max(columnsOf(this.#label), columnsOf(lineMark));
  }
}
