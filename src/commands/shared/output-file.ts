import { MotifError } from '../../errors.ts';
import { defuseLine, pathWord } from '../../text/defuse.ts';
import { FileFault, type FileInfo, type World } from '../../world/world.ts';

/** The file of `-o`: checked before anything is asked, written once there is an answer. */
export interface OutputFile {
  readonly path: string;
  /** True where a file of this name was there before, which stays unless something is written. */
  readonly isOld: boolean;
  /** True for a device or a pipe. */
  readonly isStraight: boolean;
  write(content: string): Promise<void>;
}

/** Further facts of an output file. */
interface OutputOptions {
  /** The flag that names it, for its faults. */
  readonly flag?: string;
  /** Files that the command will read or write later, which it has not read yet; undefined for a flag without value. */
  readonly later?: readonly (string | undefined)[];
  /** The way out for a file that is an input; another name unless given. */
  readonly ifInput?: string | readonly string[] | undefined;
  /** True for a file that this process wrote, as it still stands there: it is no input, though it was read since. */
  readonly isOwn?: (info: FileInfo) => boolean;
  /** The bits of a new file; `usual` unless given. */
  readonly mode?: number | undefined;
}

/** A regular file is replaced whole, a device or FIFO written straight; what could destroy another thing is refused. */
export async function openOutputFile(path: string, world: World, options: OutputOptions = {}): Promise<OutputFile> {
  const { flag = '-o', later = [], mode = 'usual', isOwn = () => false, ifInput = 'choose another name' } = options;
  const { files } = world;
  if (path === '') throw new MotifError('usage', `${flag} needs the name of a file, but got an empty one`);
  const info = await files.info(path, { follow: false });
  const refuse = (reason: string, hint: string | readonly string[]) =>
    new MotifError('usage', `${flag}: ${path} ${reason}`, { hint });
  if (info?.type === 'folder') throw refuse('is a folder', 'name a file in it');
  if (info?.type === 'link')
    throw refuse(
      'is a symbolic link, which is never written through',
      flag === '-o' ? 'name the file itself; for stdout leave -o out' : 'name the file itself',
    );
  if (!(info && isOwn(info)) && (await isInput(path, world, later)))
    throw refuse('is also an input of this command', ifInput);
  const folder = folderOf(path);
  await needFolderOf(path, world, `${flag}: ${path}`);
  const isStraight = info !== undefined && info.type !== 'file';
  if (info?.type === 'fifo' && (await mayBeLaid(path, info, world)))
    throw refuse(
      `is a pipe of another user (${info.uid}), who may have laid it there to read this`,
      'choose another name, or make a pipe of your own: mkfifo',
    );
  const toIo = (error: unknown): never => {
    if (!(error instanceof FileFault)) throw error;
    throw new MotifError('io', `${flag}: ${path}: ${error.message}`, { cause: error });
  };
  await files.needWritable(isStraight ? path : folder).catch(toIo);
  return {
    path,
    isOld: info?.type === 'file',
    isStraight,
    async write(content) {
      await (isStraight ? files.writeThrough(path, content) : files.writeAtomic(path, content, { mode })).catch(toIo);
    },
  };
}

/** True for what another user may have put into a folder of all, such as /tmp, to read what is written there. */
export async function mayBeLaid(
  path: string,
  { uid: owner }: FileInfo,
  { files, uid }: Pick<World, 'files' | 'uid'>,
): Promise<boolean> {
  if (uid === undefined || owner === uid) return false;
  return (((await files.info(folderOf(path)))?.mode ?? 0) & 0o002) !== 0;
}

/** Throws unless there is a folder for a file of this name, which `words` name to a person. */
export async function needFolderOf(path: string, { files }: Pick<World, 'files'>, words = path): Promise<void> {
  const folder = folderOf(path);
  if ((await files.info(folder))?.type === 'folder') return;
  throw new MotifError('usage', `${words} is in a folder that does not exist`, {
    hint: `make it first: mkdir -p ${pathWord(folder)}`,
  });
}

/**
 * True for a file that was read in this process, that is stdin, or that is one of those that are used later. Names do
 * not matter: links lead to the same file, and a file that is not there yet is known by its folder.
 */
export async function isInput(
  path: string,
  world: World,
  later: readonly (string | undefined)[] = [],
): Promise<boolean> {
  const info = await world.files.info(path);
  if (info !== undefined && (info.identity === world.stdin.identity || world.files.wasRead(info))) return true;
  return await isOneOf(path, later, world);
}

/** True for a file that is one of those, by whatever name. */
export async function isOneOf(path: string, others: readonly (string | undefined)[], world: World): Promise<boolean> {
  const own = await placeOf(path, world);
  const places = await Promise.all(others.flatMap((name) => (name === undefined ? [] : [placeOf(name, world)])));
  return own !== undefined && places.includes(own);
}

/** The identity of a file, or that of its folder with its name where it is not there yet. */
async function placeOf(path: string, { files }: World): Promise<string | undefined> {
  const info = await files.info(path);
  if (info !== undefined) return info.type === 'file' ? info.identity : undefined;
  const folder = await files.info(folderOf(path));
  return folder && `${folder.identity}/${path.slice(path.lastIndexOf('/') + 1)}`;
}

function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) || '/' : '.';
}

/** Throws the failure for a file that could not be written, and any other error as it is. */
export function throwIo(error: unknown): never {
  if (!(error instanceof FileFault)) throw error;
  throw new MotifError('io', `${defuseLine(error.path)}: ${error.message}`, { cause: error });
}
