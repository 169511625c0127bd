import { MotifError } from '../../errors.ts';
import { defuseLine } from '../../text/defuse.ts';
import { FileFault, type World } from '../../world/world.ts';

/** The file of `-o`: checked before anything is asked, written once there is an answer. */
export interface OutputFile {
  readonly path: string;
  write(content: string): Promise<void>;
}

/** A regular file is replaced whole, a device or FIFO written straight; what could destroy another thing is refused. */
export async function openOutputFile(
  path: string,
  inputs: ReadonlySet<string>,
  { files, stdin }: World,
  flag = '-o',
): Promise<OutputFile> {
  if (path === '') throw new MotifError('usage', `${flag} needs the name of a file, but got an empty one`);
  const info = await files.info(path, { follow: false });
  const refuse = (reason: string, hint: string) => new MotifError('usage', `${flag}: ${path} ${reason}`, { hint });
  if (info?.type === 'folder') throw refuse('is a folder', 'name a file in it');
  if (info?.type === 'link')
    throw refuse('is a symbolic link, which is never written through', 'name the file itself; for stdout leave -o out');
  if (info !== undefined && (inputs.has(info.identity) || info.identity === stdin.identity))
    throw refuse('is also an input of this prompt', 'choose another name');
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) || '/' : '.';
  if ((await files.info(folder))?.type !== 'folder')
    throw refuse(`is in a folder that does not exist`, `make it first: mkdir -p ${folder}`);
  const isStraight = info !== undefined && info.type !== 'file';
  return {
    path,
    async write(content) {
      try {
        if (isStraight) await files.writeThrough(path, content);
        else await files.writeAtomic(path, content, { mode: 'usual' });
      } catch (error) {
        if (!(error instanceof FileFault)) throw error;
        throw new MotifError('io', `${flag}: ${path}: ${error.message}`, { cause: error });
      }
    },
  };
}

/** Throws the failure for a file that could not be written, and any other error as it is. */
export function throwIo(error: unknown): never {
  if (!(error instanceof FileFault)) throw error;
  throw new MotifError('io', `${defuseLine(error.path)}: ${error.message}`, { cause: error });
}
