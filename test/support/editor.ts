import { createEditor, type EditorTools } from '../../src/chat/editor.ts';
import { openInputHistory } from '../../src/chat/input-history.ts';
import { openKeyboard } from '../../src/terminal/keyboard.ts';
import { openScreen } from '../../src/terminal/screen.ts';
import { createTyping } from './typing.ts';
import { VirtualScreen } from './virtual-screen.ts';
import { fakeWorld } from './world.ts';

interface Setup {
  readonly before?: readonly string[];
  readonly tools?: Partial<EditorTools>;
  readonly size?: { readonly columns: number; readonly rows?: number };
}

/** An editor on a terminal that shows what a person would see. */
export async function atTerminal({ before = [], tools = {}, size = { columns: 40 } }: Setup = {}) {
  const typing = createTyping();
  const world = fakeWorld({ stdin: { typed: typing.typed }, stderr: size });
  const history = await openInputHistory({
    path: undefined,
    files: world.files,
    sleep: (ms) => world.sleep(ms),
    notice: () => {},
  });
  for (const text of before) history.keep(text);
  const editor = createEditor({
    keyboard: openKeyboard(world, world.stderr),
    screen: openScreen(world.stderr, {}),
    history,
    complete: async () => ({ start: 0, candidates: [] }),
    editElsewhere: async (text) => text,
    ...tools,
  });
  let shownUpTo = 0;
  const terminal = new VirtualScreen(world.stderr.columns, world.stderr.rows);
  return {
    ...typing,
    world,
    history,
    editor,
    read: (initial?: string) => editor.read({ prompt: '> ', ...(initial === undefined ? {} : { initial }) }),
    seen: (): string[] => {
      const text = world.stderr.text.slice(shownUpTo).replace(/\u001b\[\?2004[hl]/g, '');
      shownUpTo = world.stderr.text.length;
      terminal.write(text);
      return terminal.seen;
    },
    terminal,
  };
}
