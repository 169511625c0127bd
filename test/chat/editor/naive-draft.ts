import type { KeyAction } from '../../../src/chat/editor/keymap.ts';
import { clustersOf } from '../../../src/text/clusters.ts';
import { columnsOf } from '../../../src/text/width.ts';

interface Snapshot {
  readonly text: string;
  readonly cursor: number;
  readonly typedTo: number | undefined;
}

/** The editor's draft as a plain string with a number for a cursor, as slow and as simple as can be. */
export class NaiveDraft {
  text = '';
  cursor = 0;
  #undo: Snapshot[] = [];
  #cut: string[] = [];
  #before: KeyAction | undefined;
  #age = 0;
  #column: number | undefined;

  type(text: string): void {
    this.#before = undefined;
    this.#change(this.cursor, this.cursor, text, true);
  }

  paste(text: string): void {
    this.#before = undefined;
    this.#change(this.cursor, this.cursor, text);
  }

  press(action: KeyAction): void {
    const before = this.#before;
    this.#before = action;
    const column = this.#column;
    this.#column = undefined;
    const { text, cursor } = this;
    const left = text.slice(0, cursor);
    const right = text.slice(cursor);
    const lineStart = left.lastIndexOf('\n') + 1;
    const lineEnd = cursor + (/^[^\n]*/.exec(right)?.[0].length ?? 0);
    const places: Partial<Record<KeyAction, number>> = {
      left: cursor - (lastCluster(left.slice(lineStart)) || Math.min(1, cursor)),
      right: cursor + (cursor === lineEnd ? Math.min(1, right.length) : firstCluster(right)),
      'word-left': left.replace(/[\p{L}\p{N}\p{M}_]*[^\p{L}\p{N}\p{M}_]*$/u, '').length,
      'word-right': cursor + /^[^\p{L}\p{N}\p{M}_]*[\p{L}\p{N}\p{M}_]*/u.exec(right)![0].length,
      'line-start': lineStart,
      'line-end': lineEnd,
      'draft-start': 0,
      'draft-end': text.length,
    };
    const cuts: Partial<Record<KeyAction, number>> = {
      'cut-word-left': places['word-left']!,
      'cut-word-right': places['word-right']!,
      'cut-blank-left': left.replace(/\S*\s*$/, '').length,
      'cut-to-start': cursor === lineStart ? Math.max(0, cursor - 1) : lineStart,
      'cut-to-end': cursor === lineEnd ? Math.min(text.length, cursor + 1) : lineEnd,
    };
    if (places[action] !== undefined) this.cursor = places[action];
    else if (cuts[action] !== undefined) this.#keep(cuts[action], before !== undefined && before in cuts);
    else if (action === 'erase-left') this.#erase(places.left!);
    else if (action === 'erase-right') this.#erase(places.right!);
    else if (action === 'new-line') this.#change(cursor, cursor, '\n');
    else if (action === 'up' || action === 'down') this.#goLine(action === 'up' ? -1 : 1, column);
    else this.#rare(action, before, lineStart, lineEnd);
  }

  #rare(action: KeyAction, before: KeyAction | undefined, lineStart: number, lineEnd: number): void {
    const { text, cursor } = this;
    if (action === 'put-back') {
      this.#age = 1;
      this.#change(cursor, cursor, this.#cut.at(-1) ?? '');
    } else if (action === 'put-older') {
      const isRight = (before === 'put-back' || before === 'put-older') && this.#cut.length > 0;
      if (!isRight) {
        this.#before = undefined;
        return;
      }
      this.#restore();
      this.#age = (this.#age % this.#cut.length) + 1;
      this.#change(this.cursor, this.cursor, this.#cut.at(-this.#age)!);
    } else if (action === 'undo') this.#restore();
    else if (action === 'swap') {
      const middle = cursor === lineEnd ? cursor - lastCluster(text.slice(lineStart, cursor)) : cursor;
      if (middle === lineStart) return;
      const start = middle - lastCluster(text.slice(lineStart, middle));
      const end = middle + firstCluster(text.slice(middle, lineEnd));
      this.#change(start, end, text.slice(middle, end) + text.slice(start, middle));
    }
  }

  #goLine(by: -1 | 1, column: number | undefined): void {
    const lines = this.text.split('\n');
    const line = this.text.slice(0, this.cursor).split('\n').length - 1;
    const target = lines[line + by];
    this.#column = column;
    if (target === undefined) return;
    this.#column ??= columnsOf(this.text.slice(0, this.cursor).split('\n').at(-1)!);
    let at = 0;
    let used = 0;
    for (const cluster of clustersOf(target)) {
      used += columnsOf(cluster);
      if (used > this.#column) break;
      at += cluster.length;
    }
    this.cursor = lines.slice(0, line + by).reduce((sum, each) => sum + each.length + 1, 0) + at;
  }

  #keep(place: number, goesOn: boolean): void {
    const isBack = place < this.cursor;
    const removed = this.#erase(place);
    if (removed === '') return;
    const last = goesOn ? (this.#cut.pop() ?? '') : '';
    this.#cut.push(isBack ? removed + last : last + removed);
    if (this.#cut.length > 16) this.#cut.shift();
  }

  #erase(place: number): string {
    const [from, to] = place < this.cursor ? [place, this.cursor] : [this.cursor, place];
    const removed = this.text.slice(from, to);
    this.#change(from, to, '');
    return removed;
  }

  #change(from: number, to: number, text: string, isTyping = false): void {
    if (from === to && text === '') return;
    this.#column = undefined;
    const typedTo = isTyping ? from + text.length : undefined;
    const last = this.#undo.at(-1);
    if (isTyping && last?.typedTo === from && !/\s/.test(text)) {
      this.#undo[this.#undo.length - 1] = { ...last, typedTo };
    } else this.#undo.push({ text: this.text, cursor: this.cursor, typedTo });
    this.text = this.text.slice(0, from) + text + this.text.slice(to);
    this.cursor = from + text.length;
  }

  #restore(): void {
    const last = this.#undo.pop();
    if (last === undefined) return;
    this.text = last.text;
    this.cursor = last.cursor;
  }
}

function firstCluster(text: string): number {
  for (const cluster of clustersOf(text)) return cluster.length;
  return 0;
}

function lastCluster(text: string): number {
  return [...clustersOf(text)].at(-1)?.length ?? 0;
}
