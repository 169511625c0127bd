import { MotifError } from '../../errors.ts';
import { errorLines, fitLines } from '../../terminal/lines.ts';
import type { Key } from '../../terminal/keys.ts';
import { Draft, toLines } from './draft.ts';
import { DraftEcho, type EchoSurface } from './draft-echo.ts';
import { DraftKeys } from './draft-keys.ts';

import {
  cleared,
  type Editor,
  type EditorTools,
  leavesNext,
  type DraftOptions,
  tooLong,
  type EditorResult,
} from './contract.ts';
import { type KeyAction, actionOf } from './keymap.ts';
import { Recall } from './recall.ts';

type Tools = Pick<EditorTools, 'keyboard' | 'history' | 'editElsewhere'> & { readonly page: EchoSurface };

/** State of the editor from one text to the next. */
interface Session {
  readonly draftKeys: DraftKeys;
  isToldOfKeys: boolean;
}

const adding: ReadonlySet<KeyAction> = new Set(['new-line', 'put-back']);
const taking: ReadonlySet<KeyAction> = new Set(['erase-left', 'cut-blank-left', 'cut-word-left', 'cut-to-start']);

/** The editor of --accessible: a text is changed at its end alone, and the terminal keeps what was written. */
export function createAppendingEditor(tools: Tools): Editor {
  const { keyboard, page } = tools;
  const session: Session = { draftKeys: new DraftKeys(), isToldOfKeys: false };
  return {
    async read(options) {
      const appending = new Appending(tools, session, options);
      keyboard.onReturn(() => void appending.comeBack().catch(() => undefined));
      try {
        return await appending.toEnd();
      } finally {
        keyboard.onReturn(() => undefined);
        await page.write('\n');
      }
    },
    whileWorking: (work) => keyboard.whileWorking(work),
    close: () => keyboard.close(),
  };
}

/** One text from its first key to its last; the cursor is always at its end. */
class Appending {
  readonly #tools: Tools;
  readonly #session: Session;
  readonly #draft: Draft;
  readonly #echo: DraftEcho;
  #recall: Recall;
  #isLeaving = false;

  constructor(tools: Tools, session: Session, { prompt, initial = '' }: DraftOptions) {
    this.#tools = tools;
    this.#session = session;
    this.#draft = new Draft(toLines(initial));
    this.#echo = new DraftEcho(tools.page, prompt);
    this.#recall = new Recall(tools.history.entries);
  }

  async toEnd(): Promise<EditorResult> {
    await this.#echo.whole(this.#draft);
    for (;;) {
      const key = await this.#tools.keyboard.read();
      const end = key === undefined ? left : await this.#take(key);
      if (end !== undefined) return end;
    }
  }

  async comeBack(): Promise<void> {
    await this.#tools.page.write('\n');
    await this.#echo.again(this.#draft);
  }

  async #take(key: Key): Promise<EditorResult | undefined> {
    const wasLeaving = this.#isLeaving;
    this.#isLeaving = false;
    if (key.kind === 'press') {
      const action = actionOf(key.name);
      return action === undefined ? undefined : this.#act(action, wasLeaving);
    }
    this.#session.draftKeys.rest();
    const isTooLong = key.kind === 'paste' && key.isTooLong;
    const isIn = !isTooLong && this.#draft.insert(key.text, key.kind === 'text');
    await (isIn ? this.#echo.follow(this.#draft) : this.#say(tooLong));
    return undefined;
  }

  async #act(action: KeyAction, wasLeaving: boolean): Promise<EditorResult | undefined> {
    if (action === 'interrupt') return this.#interrupt(wasLeaving);
    if (action === 'leave-or-erase') return this.#draft.isEmpty ? left : undefined;
    if (action === 'send') {
      if (!this.#draft.breakAtBackslash()) return { kind: 'entered', text: this.#draft.text() };
      await this.#echo.follow(this.#draft);
    } else if (adding.has(action) || taking.has(action)) await this.#change(action);
    else await (this.#others[action] ?? (() => this.#sayOfKeys()))();
    return undefined;
  }

  readonly #others: Partial<Record<KeyAction, () => Promise<void>>> = {
    up: () => this.#goBack(-1),
    down: () => this.#goBack(1),
    elsewhere: () => this.#editElsewhere(),
    suspend: async () => {
      await this.#tools.page.write('\n');
      await this.#tools.keyboard.suspend();
      await this.#echo.again(this.#draft);
    },
  };

  /** Adds or takes away at the end, but never over the start of a line: the line before cannot be written on. */
  async #change(action: KeyAction): Promise<void> {
    const line = this.#draft.lines.at(-1)!;
    if (taking.has(action) && line === '') return;
    const isCut = action === 'cut-blank-left' || action === 'cut-word-left';
    const cut: KeyAction = line.trim() === '' ? 'cut-to-start' : 'cut-blank-left';
    const done = this.#session.draftKeys.press(isCut ? cut : action, this.#draft);
    await (done === 'too-long' ? this.#say(tooLong) : this.#echo.follow(this.#draft));
  }

  async #goBack(by: -1 | 1): Promise<void> {
    const text = this.#recall.step(by, this.#draft.text());
    if (text === undefined) return;
    this.#draft.replaceAll(text);
    await this.#tools.page.write('\n');
    await this.#echo.whole(this.#draft);
  }

  async #interrupt(wasLeaving: boolean): Promise<EditorResult | undefined> {
    if (this.#draft.isEmpty) {
      if (wasLeaving) return left;
      this.#isLeaving = true;
      await this.#say(leavesNext);
      return undefined;
    }
    this.#tools.history.keep(this.#draft.text());
    this.#draft.replaceAll('');
    this.#recall = new Recall(this.#tools.history.entries);
    await this.#say(cleared);
    return undefined;
  }

  async #editElsewhere(): Promise<void> {
    const { page, keyboard, editElsewhere } = this.#tools;
    await page.write('\n');
    try {
      const text = await keyboard.lending(() => editElsewhere(this.#draft.text()));
      if (!this.#draft.replaceAll(toLines(text).replace(/\n$/, ''))) return await this.#say(tooLong);
    } catch (error) {
      if (!(error instanceof MotifError)) throw error;
      await page.write(errorLines(error, page));
    }
    await this.#echo.whole(this.#draft);
  }

  async #sayOfKeys(): Promise<void> {
    if (this.#session.isToldOfKeys) return;
    this.#session.isToldOfKeys = true;
    await this.#say('this key does nothing here: with --accessible only the end of a text can be changed');
  }

  async #say(line: string): Promise<void> {
    const { page } = this.#tools;
    await page.write(fitLines(`\nmotif: ${line}\n`, page));
    await this.#echo.again(this.#draft);
  }
}

const left: EditorResult = { kind: 'left' };
