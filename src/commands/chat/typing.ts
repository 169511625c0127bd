import { createAppendingEditor } from '../../chat/editor/appending-editor.ts';
import { type Chat, createChat } from '../../chat/chat.ts';
import type { Editor } from '../../chat/editor/contract.ts';
import { createEditor } from '../../chat/editor/editor.ts';
import { type InputHistory, openInputHistory } from '../../chat/editor/input-history.ts';
import { type TurnSource, talk } from '../../chat/loop.ts';
import { createPlainEditor } from '../../chat/editor/plain-editor.ts';
import { completeSlash } from '../../chat/slash/completion.ts';
import { tellGoingOn } from '../../chat/slash/saved.ts';
import { spellTyped } from '../../chat/slash/slash.ts';
import { slashTable } from '../../chat/slash/table.ts';
import { motifName } from '../../chat/status.ts';
import { openKeyboard } from '../../terminal/keyboard.ts';
import { openLineInput } from '../../terminal/line-input.ts';
import { fitLines } from '../../terminal/lines.ts';
import { openScreen } from '../../terminal/screen.ts';
import type { World } from '../../world/world.ts';
import type { ChatFlags } from './flags.ts';
import type { ChatMotif, ChatRun } from './chat-motif.ts';
import type { Opening } from './opening.ts';
import { createPorts } from './ports.ts';
import { createWordSources } from './words.ts';
import { isEmbedded } from '../shared/flags/embedded.ts';
import { isAccessible, type Run, styleOf } from '../shared/run.ts';
import { editText } from '../shared/edit.ts';

/** Time between drawing the prompt and loading the rest; a person needs longer for the first words. */
const warmUpAfterMs = 30;

/** The chat of a person at a terminal: everything that was drawn or switched is put back whatever ends it. */
export async function talkAtTerminal(run: ChatRun, opening: Opening, motif: ChatMotif): Promise<void> {
  const { world, flags } = run;
  const { files, stderr } = world;
  const history = await openInputHistory({ path: opening.inputHistoryPath, files, notice: opening.notice });
  // The editor asks for completions of a chat that is made with it.
  const place: { chat?: Chat } = {};
  const hasKeys = world.env.TERM !== 'dumb';
  const editor = hasKeys
    ? await openEditor(run, place, history)
    : createPlainEditor(openLineInput(world), { write: (text) => stderr.write(fitLines(text, stderr)) });
  try {
    const person = { working: editor.whileWorking.bind(editor), hasKeys };
    const chat = (place.chat = createChat(createPorts(run, opening, person), opening));
    opening.notice(greetingOf(chat));
    if (flags.continue || flags.conversation !== undefined) tellGoingOn(chat);
    warmUp(run, motif).catch(() => undefined);
    try {
      await talk(toSource(editor, history), chat);
    } finally {
      await keepUnanswered(chat, history);
    }
  } finally {
    editor.close();
  }
}

/** Whatever is wrong with it will be told by the first turn. */
async function warmUp({ world, flags }: Run<ChatFlags>, motif: ChatMotif): Promise<void> {
  await world.sleep(warmUpAfterMs);
  await (isEmbedded(flags) ? motif.open() : world.readyToSend());
}

async function openEditor(
  run: Run<ChatFlags>,
  place: { readonly chat?: Chat },
  history: InputHistory,
): Promise<Editor> {
  const { world } = run;
  const { stderr, env } = world;
  const { dim, bold } = await styleOf(run, stderr);
  const keyboard = openKeyboard(world, stderr);
  const tools = { keyboard, history, editElsewhere: (text: string) => editElsewhere(text, world) };
  if (isAccessible(run)) return createAppendingEditor({ ...tools, page: stderr });
  const sources = createWordSources(place, world);
  return createEditor({
    ...tools,
    screen: openScreen(stderr, env),
    style: { prompt: bold, notice: dim },
    complete: (text, cursor) => completeSlash(text, cursor, { table: slashTable, sources }),
  });
}

async function editElsewhere(text: string, world: World): Promise<string> {
  const edited = await editText(text, world);
  await edited.discard();
  return edited.text;
}

function toSource(editor: Editor, history: InputHistory): TurnSource {
  return {
    read: (initial) => editor.read({ prompt: '> ', initial }),
    async ended(text, end) {
      if (end === 'answered') await history.remember(text);
      else if (end === 'blocked') await history.forget(text);
      else history.keep(text);
    },
  };
}

/** Keeps the text of a prompt that failed, for whoever leaves to mend the cause; a blocked one is kept nowhere. */
async function keepUnanswered({ held, ports }: Chat, history: InputHistory): Promise<void> {
  if (held?.hasFailed !== true || held.isTakenBack === true) return;
  const isKept = await history.remember(spellTyped(held.text));
  const where = ports.hasKeys ? 'the next chat' : 'the next chat that has keys';
  ports.tell.notice(
    `the text that was not answered ${isKept ? `comes back with Up in ${where}` : 'is not kept for a later chat'}`,
  );
}

function greetingOf({ asked, saves }: Chat): string {
  const keeping = saves ? '' : '; nothing of it is kept';
  return `talking to ${motifName(asked)}${keeping}; /help lists the commands, Ctrl-D leaves`;
}
