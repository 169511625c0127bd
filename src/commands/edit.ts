import { MotifError } from '../errors.ts';
import { defuseLine } from '../text/defuse.ts';
import { type ChildResult, FileFault, type World } from '../world/world.ts';
import { decodeText, promptBytesMax } from './stdin.ts';

/** A text that came back from the editor. Its file stays until the text has been answered, so that no failure loses it. */
export interface Edited {
  readonly text: string;
  discard(): Promise<void>;
  /** The same failure, saying where the text is. */
  keptBy(error: unknown): unknown;
}

export async function editText(text: string, world: World): Promise<Edited> {
  const folder = `${world.env.TMPDIR?.startsWith('/') ? world.env.TMPDIR.replace(/\/+$/, '') : '/tmp'}/motif-${world.newId()}`;
  const path = `${folder}/prompt.md`;
  const editor = [world.env.VISUAL, world.env.EDITOR, 'vi'].find((name) => name !== undefined && name !== '') ?? 'vi';
  const discard = () => world.files.remove(folder, { recursive: true });
  try {
    await world.files.makeFolder(folder);
    await world.files.writeAtomic(path, text);
    // Through a shell, for EDITOR may hold flags; the path is an argument, so nothing in it is read as shell.
    const { code, failure } = await world.run({
      command: '/bin/sh',
      args: ['-c', `${editor} "$1"`, 'sh', path],
      takesTerminal: true,
    });
    if (code !== 0) throw editorFault(defuseLine(editor, 80), code, failure);
    const { bytes } = await world.files.read(path, { bytesMax: promptBytesMax });
    const kept = `the edited prompt is kept in ${path}`;
    return {
      text: decodeText(bytes, 'the edited prompt'),
      discard,
      keptBy: (error) => (error instanceof MotifError ? error.withNote(kept) : error),
    };
  } catch (error) {
    if (error instanceof MotifError && error.kind === 'usage') await discard();
    if (error instanceof FileFault)
      throw new MotifError('io', `the prompt cannot be edited: ${error.path}: ${error.message}`, { cause: error });
    throw error;
  }
}

/** An editor that ends badly was told to by the person, as with `:cq`; a shell that finds none says 126 or 127. */
function editorFault(editor: string, code: number | null, failure: ChildResult['failure']): MotifError {
  if (failure === 'not-found' || failure === 'not-started') {
    return new MotifError('usage', 'there is no terminal to edit on; nothing was sent', {
      hint: 'leave -e out: words, -f FILE or stdin say what to send',
    });
  }
  if (code === 126 || code === 127) {
    return new MotifError('usage', `the editor ${editor} cannot be run; nothing was sent`, {
      hint: 'set EDITOR, for example EDITOR=nano',
    });
  }
  const how = code === null ? 'was stopped' : `ended with code ${code}`;
  return new MotifError('usage', `the editor ${editor} ${how}; nothing was sent`);
}
