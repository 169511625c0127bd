import { parseTypedLine, typedLockWaitMs } from '../../chat/editor/input-history.ts';
import { MotifError } from '../../errors.ts';
import { inputHistoryPath, stateFolder } from '../../settings/paths.ts';
import { FileFault, type World } from '../../world/world.ts';

const bytesMax = 16 * 1024 * 1024;

/**
 * Takes what was said in conversations that are to be deleted out of what was typed, or it would come back with the
 * next Up. Asks for the texts only if there is anything to look at.
 */
export async function forgetTyped(world: World, textsOf: () => Promise<ReadonlySet<string>>): Promise<void> {
  const state = stateFolder(world);
  if (state === undefined) return;
  const path = inputHistoryPath(state);
  if ((await world.files.info(path)) === undefined) return;
  const said = new Set([...(await textsOf())].flatMap(paragraphsOf));
  let release: (() => void) | undefined;
  try {
    release = await world.files.lock(path, typedLockWaitMs);
    if (release === undefined)
      throw new MotifError('io', `${path} is busy: another motif holds it; nothing was deleted`);
    const { bytes } = await world.files.read(path, { bytesMax });
    const lines = new TextDecoder().decode(bytes).split('\n');
    const kept = lines.filter((line) => !isSaid(line, said));
    if (kept.length < lines.length) await world.files.writeAtomic(path, kept.join('\n'));
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    throw new MotifError('io', `${path}: ${error.message}; nothing was deleted`, { cause: error });
  } finally {
    release?.();
  }
}

/**
 * A message is what was typed, perhaps with a template before it and files behind it, a blank line between; so it is
 * looked for paragraph by paragraph. A typed // stands for a slash.
 */
function isSaid(line: string, paragraphs: ReadonlySet<string>): boolean {
  const typed = parseTypedLine(line)?.replace(/^\/\//, '/');
  return typed !== undefined && paragraphsOf(typed).every((paragraph) => paragraphs.has(paragraph));
}

function paragraphsOf(text: string): readonly string[] {
  return text.trim().split('\n\n');
}
