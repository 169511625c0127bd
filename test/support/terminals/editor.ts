import { createAppendingEditor } from '../../../src/chat/editor/appending-editor.ts';
import type { EditorTools } from '../../../src/chat/editor/contract.ts';
import { createEditor } from '../../../src/chat/editor/editor.ts';
import { openInputHistory } from '../../../src/chat/editor/input-history.ts';
import { openKeyboard } from '../../../src/terminal/keyboard.ts';
import { openScreen } from '../../../src/terminal/screen.ts';
import { createTyping } from './typing.ts';
import { VirtualScreen } from './virtual-screen.ts';
import { fakeWorld } from '../world.ts';

interface EditorSetup {
  readonly before?: readonly string[];
  readonly tools?: Partial<EditorTools>;
  /** Absent: a terminal that marks pastes. */
  readonly term?: string;
  readonly size?: { readonly columns: number; readonly rows?: number };
}

/** A person at a terminal, who has typed something before. */
async function onKeyboard({
  before = [],
  term = 'xterm-256color',
  size = { columns: 40 },
}: Omit<EditorSetup, 'tools'>) {
  const typing = createTyping();
  const world = fakeWorld({ env: { TERM: term }, stdin: { typed: typing.typed }, stderr: size });
  const history = await openInputHistory({
    path: undefined,
    files: world.files,
    notice: () => {},
  });
  for (const text of before) history.keep(text);
  return { ...typing, world, history };
}

/** An editor on a terminal that shows what a person would see. */
export async function atTerminal({ tools = {}, ...setup }: EditorSetup = {}) {
  const person = await onKeyboard(setup);
  const { world, history } = person;
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
    ...person,
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

/** The editor of --accessible, on a terminal that is only written on at its end. */
export async function atAccessibleTerminal({ tools, ...setup }: EditorSetup = {}) {
  const person = await onKeyboard(setup);
  const { world, history } = person;
  const keyboard = openKeyboard(world, world.stderr);
  const page = world.stderr;
  const editor = createAppendingEditor({ keyboard, history, editElsewhere: async (text) => text, page, ...tools });
  return {
    ...person,
    editor,
    read: (initial?: string) => editor.read({ prompt: '> ', ...(initial === undefined ? {} : { initial }) }),
    /** As it was written, but for the modes of pastes. */
    written: () => page.text.replace(/\u001b\[\?2004[hl]/g, ''),
    /** Rows that a person sees. */
    seen: (): string[] => {
      const terminal = new VirtualScreen(page.columns, page.rows);
      terminal.write(page.text.replace(/\u001b\[\?2004[hl]/g, '').replaceAll('\n', '\r\n'));
      return terminal.seen;
    },
  };
}
