import { Interrupted, MotifError } from '../../errors.ts';
import { temporaryFolder } from '../../settings/paths.ts';
import { defuseLine } from '../../text/defuse.ts';
import { promptBytesMax } from '../../text/limits.ts';
import { type ChildResult, FileFault, type World } from '../../world/world.ts';
import { decodeText, tooLarge } from './stdin.ts';

/** A text that came back from the editor. Its file stays until the text is answered, so that no failure loses it. */
export interface Edited {
  readonly text: string;
  discard(): Promise<void>;
  /** Says where the text is: with a failure, or at once where what ended the run has no words of its own. */
  sayKept(error: unknown): Promise<void>;
}

export async function editText(text: string, world: World): Promise<Edited> {
  const folder = `${temporaryFolder(world)}/motif-${world.newId()}`;
  const path = `${folder}/prompt.md`;
  const editor = world.env.VISUAL || world.env.EDITOR || 'vi';
  const program = plainProgram(editor);
  const discard = () => world.files.remove(folder, { recursive: true });
  const sayKept = async (error: unknown): Promise<void> => {
    const kept = `the edited prompt is kept in ${path}`;
    if (error instanceof MotifError) error.withNote(kept);
    else await world.stderr.write(`motif: ${kept}\n`);
  };
  try {
    await world.files.makeFolder(folder);
    await world.files.writeAtomic(path, text);
    // Through a shell, for EDITOR may hold flags; the path is an argument, so nothing in it is read as shell.
    // The program is looked for first: of one that is missing the shell would say so in its own words.
    const lookFirst = program === undefined ? '' : `command -v ${program} >/dev/null 2>&1 || exit ${codeMissing}; `;
    const ended = await world.run({
      command: '/bin/sh',
      args: ['-c', `${lookFirst}${editor} "$1"`, 'sh', path],
      takesTerminal: true,
    });
    const { code } = ended;
    if (code === (program === undefined ? codeNotFound : codeMissing))
      throw notInstalled(program ?? defuseLine(editor, 80), world);
    if (code !== 0) throw editorFault(defuseLine(editor, 80), ended, world);
  } catch (error) {
    if (error instanceof MotifError) await discard();
    if (error instanceof Interrupted) await sayKept(error);
    throw toEditFault(error);
  }
  try {
    const { bytes } = await world.files.read(path, { bytesMax: promptBytesMax });
    return { text: decodeText(bytes, 'the edited prompt'), discard, sayKept };
  } catch (error) {
    const fault = toEditFault(error);
    await sayKept(fault);
    throw fault;
  }
}

const codeNotFound = 127;
/** Ours, for an editor that runs may end with any other. */
const codeMissing = 119;

/** The program of an editor's command, where the shell would read nothing else into its name. */
function plainProgram(editor: string): string | undefined {
  const [program = ''] = editor.trim().split(/\s+/);
  return /^[\w./+][\w./+-]*$/.test(program) ? program : undefined;
}

/** Names the variable that counts, and an editor other than the one that is missing. */
function notInstalled(program: string, world: World): MotifError {
  return new MotifError('usage', `the editor ${program} is not installed; nothing was sent`, {
    hint: otherEditor(program, world),
  });
}

function otherEditor(program: string, { env }: World): string {
  const variable = env.VISUAL ? 'VISUAL' : 'EDITOR';
  return `set ${variable} to another one, for example ${variable}=${program === 'vi' ? 'nano' : 'vi'}`;
}

function toEditFault(error: unknown): unknown {
  if (!(error instanceof FileFault)) return error;
  if (error.code === 'ETOOLARGE') return tooLarge('the edited prompt');
  return new MotifError('io', `the prompt cannot be edited: ${error.path}: ${error.message}`, { cause: error });
}

/** An editor that ends badly was told to by the person, as with `:cq`; 126 is said of a file that is no program. */
function editorFault(editor: string, { code, failure }: ChildResult, world: World): MotifError {
  if (failure === 'not-found' || failure === 'not-started') {
    return new MotifError('usage', 'there is no terminal to edit on; nothing was sent', {
      hint: 'leave -e out: words, -f FILE or stdin say what to send',
    });
  }
  if (code === 126) {
    return new MotifError('usage', `the editor ${editor} cannot be run; nothing was sent`, {
      hint: otherEditor(editor, world),
    });
  }
  const how = code === null ? 'was stopped' : `ended with code ${code}`;
  return new MotifError('usage', `the editor ${editor} ${how}; nothing was sent`);
}
