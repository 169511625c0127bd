import type { Editor, EditorTools } from './contract.ts';
import { DraftKeys } from './draft-keys.ts';
import { Editing } from './editing.ts';

/** Reads texts of several lines, one after the other; what was cut from one can be put into the next. */
export function createEditor(tools: EditorTools): Editor {
  const { keyboard, screen } = tools;
  const draftKeys = new DraftKeys();
  return {
    async read(options) {
      const editing = new Editing(tools, draftKeys, options);
      const stopListening = screen.onResize(() => void editing.draw().catch(() => undefined));
      keyboard.onReturn(() => {
        screen.forget();
        void editing.draw().catch(() => undefined);
      });
      try {
        return await editing.toEnd();
      } finally {
        stopListening();
        keyboard.onReturn(() => undefined);
        await screen.leave();
      }
    },
    whileWorking: (work) => keyboard.whileWorking(work),
    close: () => keyboard.close(),
  };
}
