import { clusterEnd, clusterStart } from '../../text/clusters.ts';
import { promptBytesMax } from '../../text/limits.ts';
import { columnsOf } from '../../text/width.ts';
import { atColumn, isBefore, type MotionName, motions, type CursorPosition } from './motions.ts';

/** One change, as what takes it back: the text between two places was `removed`. */
interface Step {
  readonly from: CursorPosition;
  readonly to: CursorPosition;
  readonly removed: string;
  readonly cursor: CursorPosition;
  /** Typed key by key: the next one belongs to it, up to the end of the word. */
  readonly isTyping: boolean;
}

const stepsMax = 1000;
/** The most that steps keep of texts, so that undoing never holds many times what a draft may. */
const stepUnitsMax = 2 * promptBytesMax;

/**
 * A text that is being written: its lines, and a cursor between two characters as a person sees them. It is kept in
 * lines so that a key costs what it changes and not what is there.
 */
export class Draft {
  #lines: string[] = [''];
  #cursor: CursorPosition = { line: 0, at: 0 };
  #bytes = 0;
  #steps: Step[] = [];
  #stepUnits = 0;
  /** The column that the cursor keeps to on its way over shorter lines. */
  #column: number | undefined;

  constructor(text = '') {
    this.insert(text);
    this.#steps = [];
    this.#stepUnits = 0;
  }

  get lines(): readonly string[] {
    return this.#lines;
  }

  get cursor(): CursorPosition {
    return this.#cursor;
  }

  get isEmpty(): boolean {
    return this.#lines.length === 1 && this.#lines[0] === '';
  }

  get bytes(): number {
    return this.#bytes;
  }

  text(): string {
    return this.#lines.join('\n');
  }

  /** False if the draft would get too long, and then nothing has changed. */
  insert(text: string, isTyping = false): boolean {
    if (text === '') return true;
    if (this.#bytes + Buffer.byteLength(text) > promptBytesMax) return false;
    this.#change(this.#cursor, this.#cursor, text, isTyping);
    return true;
  }

  /** Everything, with the cursor at its end. */
  replaceAll(text: string): boolean {
    if (Buffer.byteLength(text) > promptBytesMax) return false;
    this.#change({ line: 0, at: 0 }, motions['draft-end'](this.#lines), text);
    return true;
  }

  /** The text from a place in the line to the cursor. */
  replaceBefore(at: number, text: string): boolean {
    const { line } = this.#cursor;
    const removed = this.#lines[line]!.slice(at, this.#cursor.at);
    if (this.#bytes - Buffer.byteLength(removed) + Buffer.byteLength(text) > promptBytesMax) return false;
    this.#change({ line, at }, this.#cursor, text);
    return true;
  }

  /** Breaks the line at a backslash at its end, as Enter does; false if there is none. */
  breakAtBackslash(): boolean {
    const { line, at } = this.#cursor;
    const text = this.#lines[line]!;
    const backslashes = /\\*$/.exec(text.slice(Math.max(0, at - 64), at))![0].length;
    return at === text.length && backslashes % 2 === 1 && this.replaceBefore(at - 1, '\n');
  }

  /** Moves to a place in the whole text, in UTF-16 units. */
  moveTo(offset: number): void {
    this.#column = undefined;
    let left = offset;
    let line = 0;
    for (; line < this.#lines.length - 1 && left > this.#lines[line]!.length; line += 1) {
      left -= this.#lines[line]!.length + 1;
    }
    this.#cursor = { line, at: Math.min(left, this.#lines[line]!.length) };
  }

  move(motion: MotionName): void {
    this.#column = undefined;
    this.#cursor = motions[motion](this.#lines, this.#cursor);
  }

  /** Up or down by one line; false if there is none. */
  moveLine(by: -1 | 1): boolean {
    const { line, at } = this.#cursor;
    if (this.#lines[line + by] === undefined) return false;
    this.#column ??= columnsOf(this.#lines[line]!.slice(0, at));
    this.#cursor = atColumn(this.#lines, line + by, this.#column);
    return true;
  }

  /** Takes away what a motion would go over, and returns it. */
  erase(motion: MotionName): string {
    const target = motions[motion](this.#lines, this.#cursor);
    const isBack = isBefore(target, this.#cursor);
    return this.#change(isBack ? target : this.#cursor, isBack ? this.#cursor : target, '');
  }

  /** The characters on both sides of the cursor change places; at the end of a line, the last two. */
  swap(): void {
    const { line, at } = this.#cursor;
    const text = this.#lines[line]!;
    const middle = at === text.length ? clusterStart(text, at) : at;
    if (middle === 0) return;
    const start = clusterStart(text, middle);
    const end = clusterEnd(text, middle);
    const swapped = text.slice(middle, end) + text.slice(start, middle);
    this.#change({ line, at: start }, { line, at: end }, swapped);
  }

  undo(): boolean {
    const step = this.#steps.pop();
    if (step === undefined) return false;
    this.#stepUnits -= step.removed.length;
    this.#replace(step.from, step.to, step.removed);
    this.#cursor = step.cursor;
    return true;
  }

  #change(from: CursorPosition, to: CursorPosition, text: string, isTyping = false): string {
    const cursor = this.#cursor;
    const removed = this.#replace(from, to, text);
    if (removed === '' && text === '') return '';
    const before = this.#steps.at(-1);
    const goesOn = isTyping && before?.isTyping === true && isSame(before.to, from) && !/\s/.test(text);
    const step = { from, to: this.#cursor, removed, cursor, isTyping };
    if (goesOn) this.#steps[this.#steps.length - 1] = { ...before, to: this.#cursor };
    else this.#remember(step);
    return removed;
  }

  #remember(step: Step): void {
    this.#steps.push(step);
    this.#stepUnits += step.removed.length;
    while (this.#steps.length > stepsMax || this.#stepUnits > stepUnitsMax) {
      this.#stepUnits -= this.#steps.shift()!.removed.length;
    }
  }

  /** The one place where the text changes; the cursor ends behind what came in. */
  #replace(from: CursorPosition, to: CursorPosition, text: string): string {
    const removed = this.#between(from, to);
    const head = this.#lines[from.line]!.slice(0, from.at);
    const tail = this.#lines[to.line]!.slice(to.at);
    const lines = text.split('\n');
    const last = lines.length - 1;
    this.#cursor = { line: from.line + last, at: lines[last]!.length + (last === 0 ? head.length : 0) };
    lines[0] = head + lines[0]!;
    lines[last] += tail;
    this.#splice(from.line, to.line - from.line + 1, lines);
    this.#bytes += Buffer.byteLength(text) - Buffer.byteLength(removed);
    this.#column = undefined;
    return removed;
  }

  #between(from: CursorPosition, to: CursorPosition): string {
    if (from.line === to.line) return this.#lines[from.line]!.slice(from.at, to.at);
    const first = this.#lines[from.line]!.slice(from.at);
    const last = this.#lines[to.line]!.slice(0, to.at);
    return [first, ...this.#lines.slice(from.line + 1, to.line), last].join('\n');
  }

  #splice(start: number, count: number, lines: string[]): void {
    // One line for another, as nearly every key does, moves nothing; and a call takes only so many arguments.
    if (count === 1 && lines.length === 1) this.#lines[start] = lines[0]!;
    else this.#lines = this.#lines.slice(0, start).concat(lines, this.#lines.slice(start + count));
  }
}

/** A text from elsewhere as a draft keeps it. */
export function toLines(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

function isSame(one: CursorPosition, other: CursorPosition): boolean {
  return one.line === other.line && one.at === other.at;
}
