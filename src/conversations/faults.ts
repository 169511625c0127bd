import { dirname } from 'node:path';
import { MotifError } from '../errors.ts';
import { fileRemedy } from '../text/file-remedies.ts';
import { FileFault, type Files } from '../world/world.ts';
import { otherStateHints } from './file-name.ts';
import { ConversationFault } from './record.ts';

/** Rejects where a conversation in this folder, or the one of this file, surely cannot be saved. */
export async function needWritable(files: Files, folder: string, path?: string): Promise<void> {
  try {
    await files.needWritable(path ?? (await nearestFolder(files, folder)));
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    throw new MotifError('io', `nothing was sent, for no turn can be saved: ${error.path}: ${error.message}`, {
      hint: otherStateHints(folder, error.code),
      cause: error,
    });
  }
}

/** The folder, or the nearest one above in which it can be made. */
async function nearestFolder(files: Files, folder: string): Promise<string> {
  const info = (await files.info(folder)) ?? (await files.info(folder, { follow: false }));
  if (info?.type === 'folder') return folder;
  if (info !== undefined) throw new FileFault(folder, 'ENOTDIR', 'is not a folder');
  return dirname(folder) === folder ? folder : nearestFolder(files, dirname(folder));
}

/** The failure for a conversation that cannot be read; an error that is none of its file stays what it is. */
export function cannotUse(path: string, id: string, error: unknown): unknown {
  if (!(error instanceof ConversationFault) && !(error instanceof FileFault)) return error;
  // The file itself has no part in these.
  const remedy = error instanceof FileFault ? fileRemedy(error.code) : undefined;
  if (error instanceof FileFault && remedy !== undefined && remedy !== 'place') {
    const hint = otherStateHints(dirname(path), error.code);
    return new MotifError('io', `${path}: ${error.message}`, { hint, cause: error });
  }
  const isFile = error instanceof ConversationFault || (error.code !== 'EISDIR' && error.code !== 'ENOTFILE');
  return new MotifError('config', `${path} cannot be used: ${error.message}`, {
    hint: `motif leaves it as it is${isFile ? `; motif history delete ${id} removes it` : ', for motif did not make it'}`,
    cause: error,
  });
}
