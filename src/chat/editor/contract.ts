import type { Attention, Keyboard } from '../../terminal/keyboard.ts';
import type { Screen } from '../../terminal/screen.ts';
import { promptBytesMax } from '../../text/limits.ts';
import { formatSize } from '../../text/sizes.ts';
import type { DraftCompletion } from './completing.ts';
import type { InputHistory } from './input-history.ts';

export interface Editor extends Pick<Attention, 'whileWorking' | 'close'> {
  read(options: DraftOptions): Promise<EditorResult>;
}

export interface DraftOptions {
  /** One line, shown before the first row of the draft; control characters in it are made visible. */
  readonly prompt: string;
  /** The start of the draft: a text that is to be edited. */
  readonly initial?: string | undefined;
}

/** `left`: Ctrl-D or twice Ctrl-C on an empty line, or the terminal has gone. */
export type EditorResult = { readonly kind: 'entered'; readonly text: string } | { readonly kind: 'left' };

export interface EditorTools {
  readonly keyboard: Keyboard;
  readonly screen: Screen;
  readonly history: InputHistory;
  /** Completions for the text from their `start` to the cursor. */
  complete(text: string, cursor: number): Promise<DraftCompletion>;
  /** For Ctrl-O: the text as an editor program left it. A MotifError that it throws is shown, and the draft stays. */
  editElsewhere(text: string): Promise<string>;
  /** Styles the prompt and the notices; neither changes a text's width. */
  readonly style?: { prompt(text: string): string; notice(text: string): string };
}

/** Notices of every editor, each shown in its own way. */
export const tooLong = `no more fits: ${formatSize(promptBytesMax)} is the most that motif sends`;
export const cleared = 'cleared; Up brings it back';
export const leavesNext = 'Ctrl-C again leaves, and so does Ctrl-D';
