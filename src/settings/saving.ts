import { MotifError } from '../errors.ts';
import { formatDuration } from '../text/durations.ts';
import { fileRemedy, openFilesHint } from '../text/file-remedies.ts';
import { lockWaitMs } from '../text/limits.ts';
import { FileFault, type World } from '../world/world.ts';
import { noProfileHint, otherFolderHints } from './profile-file.ts';
import { profilePath, profilesFolder } from './paths.ts';

/**
 * Holds profiles while they are read and written again, so that of two changes at once neither is lost. Nothing in here
 * waits for a person or the network.
 */
export async function holdingProfiles<T>(
  world: Pick<World, 'files'>,
  config: string,
  names: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  // In one order everywhere, so that no two renames wait for each other.
  const [first, ...rest] = [...new Set(names)].sort();
  if (first === undefined) return work();
  const release = await takeLock(world, config, first);
  try {
    return await holdingProfiles(world, config, rest, work);
  } finally {
    release();
  }
}

async function takeLock({ files }: Pick<World, 'files'>, config: string, name: string): Promise<() => void> {
  const path = profilePath(config, name);
  await saving(config, () => files.makeFolder(profilesFolder(config)));
  const release = await saving(config, () => files.lock(path, lockWaitMs));
  if (release !== undefined) return release;
  throw new MotifError('io', `profile ${name} is busy: another motif has held it for ${formatDuration(lockWaitMs)}`, {
    hint: `if none is running, remove ${files.lockPath(path)}`,
  });
}

export async function saving<T>(config: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw cannotSave(config, error);
  }
}

/** The keyring's own refusals say already what to do. */
function cannotSave(config: string, error: unknown): unknown {
  const isFile = error instanceof FileFault;
  const reason = isFile ? error.message : (error as NodeJS.ErrnoException).code;
  if (error instanceof MotifError || reason === undefined) return error;
  const path = isFile ? error.path : config;
  const code = isFile ? error.code : reason;
  const isInTheWay = code === 'EEXIST' || code === 'ELOOP';
  const words = isInTheWay ? 'something that is no folder is in its place' : reason;
  return new MotifError('io', `cannot save in ${path}: ${words}`, {
    hint: savingHints(config, code),
    cause: error,
  });
}

function savingHints(config: string, code: string): readonly string[] {
  const remedy = fileRemedy(code);
  if (remedy === 'room') return ['make room', noProfileHint];
  if (remedy === 'open files') return [openFilesHint];
  return remedy === undefined ? [noProfileHint] : otherFolderHints(config, code);
}
