import type { Attention, KeyboardWorld } from './keyboard.ts';

/** Lines as the terminal itself edits them, where nothing may be redrawn. */
export interface LineInput extends Attention {
  /** Lines that arrive together are one text. `interrupted`: Ctrl-C; undefined: Ctrl-D, or the terminal has gone. */
  read(): Promise<{ readonly text: string } | 'interrupted' | undefined>;
}

export function openLineInput(_world: KeyboardWorld): LineInput {
  throw new Error('not built yet');
}
