import { MotifError } from '../../errors.ts';
import type { Key } from '../../terminal/keys.ts';
import { defuseLine } from '../../text/defuse.ts';
import { candidateRows, insertionOf } from './completing.ts';
import { Draft, toLines } from './draft.ts';
import type { DraftKeys } from './draft-keys.ts';
import { DraftView } from './draft-view.ts';

import { cleared, type EditorTools, leavesNext, type DraftOptions, tooLong, type EditorResult } from './contract.ts';
import { type KeyAction, actionOf } from './keymap.ts';
import { Recall } from './recall.ts';
import { ReverseSearch } from './reverse-search.ts';

/** A longer text is no command with a path to be completed, and is not copied for the question. */
const completedBytesMax = 64 * 1024;

/** One text from its first key to its last. */
export class Editing {
  readonly #tools: EditorTools;
  readonly #draftKeys: DraftKeys;
  readonly #prompt: string;
  readonly #draft: Draft;
  readonly #view = new DraftView();
  #recall: Recall;
  #search: ReverseSearch | undefined;
  /** The find of a search, in the place of the draft. */
  #found: Draft | undefined;
  /** Rows under the draft, until the next key. */
  #below: readonly string[] = [];
  #isLeaving = false;

  constructor(tools: EditorTools, draftKeys: DraftKeys, { prompt, initial = '' }: DraftOptions) {
    this.#tools = tools;
    this.#draftKeys = draftKeys;
    this.#prompt = prompt;
    this.#draft = new Draft(toLines(initial));
    this.#recall = new Recall(tools.history.entries);
  }

  async toEnd(): Promise<EditorResult> {
    await this.draw();
    for (;;) {
      const key = await this.#tools.keyboard.read();
      const end = key === undefined ? left : await this.#take(key);
      if (end === undefined) await this.draw();
      else {
        await this.#drawEnd();
        return end;
      }
    }
  }

  async draw(): Promise<void> {
    const { screen, style } = this.#tools;
    const below = this.#search === undefined ? this.#below : [searchLine(this.#search)];
    const frame = this.#view.frame(this.#found ?? this.#draft, screen, {
      prompt: this.#prompt,
      below,
      stylePrompt: (text) => style?.prompt(text) ?? text,
      styleBelow: (text) => style?.notice(text) ?? text,
    });
    await screen.draw(frame);
  }

  /** Draws what stays on the screen: the text without what was below it, from its start if it is too long. */
  async #drawEnd(): Promise<void> {
    this.#below = [];
    this.#search = undefined;
    this.#found = undefined;
    if (this.#view.isCut) {
      this.#draft.move('draft-start');
      this.#below = [`… ${this.#draft.lines.length} lines, ${this.#draft.bytes} bytes in all`];
    }
    await this.draw();
  }

  async #take(key: Key): Promise<EditorResult | undefined> {
    this.#below = [];
    if (this.#search !== undefined && this.#takeSearching(this.#search, key)) return undefined;
    const wasLeaving = this.#isLeaving;
    this.#isLeaving = false;
    if (key.kind === 'press') {
      const action = actionOf(key.name);
      return action === undefined ? undefined : this.#act(action, wasLeaving);
    }
    this.#draftKeys.rest();
    const isTooLong = key.kind === 'paste' && key.isTooLong;
    if (isTooLong || !this.#draft.insert(key.text, key.kind === 'text')) this.#say(tooLong);
    return undefined;
  }

  async #act(action: KeyAction, wasLeaving: boolean): Promise<EditorResult | undefined> {
    if (action === 'interrupt') return this.#interrupt(wasLeaving);
    if (action === 'leave-or-erase' && this.#draft.isEmpty) return left;
    const done = this.#draftKeys.press(action === 'leave-or-erase' ? 'erase-right' : action, this.#draft);
    if (done === 'too-long') this.#say(tooLong);
    if (done !== false) return undefined;
    if (action === 'send') return this.#send();
    await this.#others[action]?.();
    return undefined;
  }

  readonly #others: Partial<Record<KeyAction, () => void | Promise<void>>> = {
    up: () => this.#goLine(-1),
    down: () => this.#goLine(1),
    complete: () => this.#complete(),
    search: () => void (this.#search = new ReverseSearch(this.#tools.history.entries)),
    'search-newer': () => void (this.#search = new ReverseSearch(this.#tools.history.entries)),
    redraw: () => this.#tools.screen.clear(),
    elsewhere: () => this.#editElsewhere(),
    suspend: async () => {
      await this.#tools.screen.leave();
      await this.#tools.keyboard.suspend();
    },
  };

  #send(): EditorResult | undefined {
    return this.#draft.breakAtBackslash() ? undefined : { kind: 'entered', text: this.#draft.text() };
  }

  #interrupt(wasLeaving: boolean): EditorResult | undefined {
    if (!this.#draft.isEmpty) {
      this.#tools.history.keep(this.#draft.text());
      this.#draft.replaceAll('');
      this.#recall = new Recall(this.#tools.history.entries);
      this.#say(cleared);
    } else if (wasLeaving) return left;
    else {
      this.#isLeaving = true;
      this.#say(leavesNext);
    }
    return undefined;
  }

  #goLine(by: -1 | 1): void {
    if (this.#draft.moveLine(by)) return;
    const text = this.#recall.step(by, this.#draft.text());
    if (text !== undefined) this.#draft.replaceAll(text);
  }

  async #complete(): Promise<void> {
    if (this.#draft.bytes > completedBytesMax) return;
    const text = this.#draft.text();
    const { line, at } = this.#draft.cursor;
    const lineStart = this.#draft.lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0);
    const completion = await this.#askFor(text, lineStart + at);
    if (completion === undefined || completion.start < lineStart) return;
    const insertion = insertionOf(completion, text.slice(completion.start, lineStart + at));
    if (insertion !== undefined && !this.#draft.replaceBefore(completion.start - lineStart, insertion))
      this.#say(tooLong);
    const { columns, rows } = this.#tools.screen;
    const { candidates } = completion;
    if (candidates.length > 1) this.#below = candidateRows(candidates, columns - 1, Math.max(1, rows - 2));
  }

  /** A folder may be slow to list: Ctrl-C gives up waiting for it. */
  async #askFor(text: string, cursor: number) {
    const { keyboard } = this.#tools;
    try {
      return await keyboard.whileWorking(async (signal) => {
        const stopped = new Promise<undefined>((resolve) =>
          signal.addEventListener('abort', () => resolve(undefined), { once: true }),
        );
        return Promise.race([this.#tools.complete(text, cursor), stopped]);
      });
    } catch (error) {
      this.#say(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }

  async #editElsewhere(): Promise<void> {
    const { screen, keyboard } = this.#tools;
    await screen.wipe();
    try {
      const text = await keyboard.lending(() => this.#tools.editElsewhere(this.#draft.text()));
      if (!this.#draft.replaceAll(toLines(text).replace(/\n$/, ''))) this.#say(tooLong);
    } catch (error) {
      if (!(error instanceof MotifError)) throw error;
      this.#below = [error.message, ...error.notes, ...error.hints].map((line) => defuseLine(line));
    }
  }

  /** False for a key that ends the search and is still to be obeyed. */
  #takeSearching(search: ReverseSearch, key: Key): boolean {
    const name = key.kind === 'press' ? key.name : undefined;
    const action = name === undefined ? undefined : actionOf(name);
    if (key.kind !== 'press') search.type(key.text.replaceAll('\n', ' '));
    else if (action === 'search') search.next(-1);
    else if (action === 'search-newer') search.next(1);
    else if (action === 'erase-left') search.rubOut();
    else
      return this.#endSearch(
        search,
        action === 'interrupt' || name === 'ctrl-g',
        name === 'enter' || name === 'escape',
      );
    const { found } = search;
    this.#found = found === undefined ? undefined : new Draft(found.text);
    if (found !== undefined) this.#found?.moveTo(found.at);
    return true;
  }

  #endSearch({ found }: ReverseSearch, isCancelled: boolean, isTaken: boolean): boolean {
    this.#search = undefined;
    this.#found = undefined;
    if (!isCancelled && found !== undefined) {
      this.#recall.jump(found.index, this.#draft.text());
      this.#draft.replaceAll(found.text);
    }
    return isCancelled || isTaken;
  }

  #say(line: string): void {
    this.#below = [defuseLine(line)];
  }
}

const left: EditorResult = { kind: 'left' };

function searchLine({ query, found, hasFailed }: ReverseSearch): string {
  const state = hasFailed
    ? 'nothing else was typed with'
    : found === undefined
      ? 'search what was typed'
      : 'typed before';
  return `${state}: ${defuseLine(query)}`;
}
