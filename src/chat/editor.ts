import type { Attention, Keyboard } from '../terminal/keyboard.ts';
import type { LineInput } from '../terminal/line-input.ts';
import type { Screen } from '../terminal/screen.ts';

import type { InputHistory } from './input-history.ts';

export interface Editor extends Pick<Attention, 'whileWorking' | 'lending' | 'close'> {
  read(options: ReadOptions): Promise<Typed>;
}

export interface ReadOptions {
  /** One line, shown before the first row of the draft; control characters in it are made visible. */
  readonly prompt: string;
  /** What the draft starts with: a text that is to be edited. */
  readonly initial?: string;
}

/** `left`: Ctrl-D or twice Ctrl-C on an empty line, or the terminal has gone. */
export type Typed = { readonly kind: 'entered'; readonly text: string } | { readonly kind: 'left' };

export interface EditorTools {
  readonly keyboard: Keyboard;
  readonly screen: Screen;
  readonly history: InputHistory;
  /** What could stand at the cursor instead of the text from `start` to there. */
  complete(text: string, cursor: number): Promise<Completion>;
  /** For Ctrl-O: the text as an editor program left it. A MotifError that it throws is shown, and the draft stays. */
  editElsewhere(text: string): Promise<string>;
  /** Styles the prompt and the notices; neither changes a text's width. */
  readonly style?: { prompt(text: string): string; notice(text: string): string };
}

export interface Completion {
  /** In UTF-16 units, as the cursor. */
  readonly start: number;
  /** The only one is put in, with a space behind it unless it ends in `/`; of several, what they have in common. */
  readonly candidates: readonly { readonly text: string; readonly note?: string }[];
}

export function createEditor(_tools: EditorTools): Editor {
  throw new Error('not built yet');
}

/** For TERM=dumb and --accessible: the terminal edits the line, a `\` at its end continues it, nothing is redrawn. */
export function createPlainEditor(_lines: LineInput, _output: { write(text: string): Promise<void> }): Editor {
  throw new Error('not built yet');
}
