import { refuseForeign } from '../../settings/ownership.ts';
import { configFolder, currentPath, profilePath, profilesFolder, tokensFolder } from '../../settings/paths.ts';
import { cannotList, listProfiles } from '../../settings/profile-file.ts';
import type { Settings } from '../../settings/resolve.ts';
import { FileFault, type World } from '../../world/world.ts';

/** The state of the files that motif keeps. */
export interface StoredFiles {
  readonly folder: string | undefined;
  readonly isEmpty: boolean;
  /** Those that other users can reach. */
  readonly open: readonly OpenFile[];
}

interface OpenFile {
  readonly path: string;
  readonly mode: number;
  readonly wanted: number;
}

/**
 * Modes and owners of what is stored. The file of a stored token is not among them: getting the token judges it, and
 * mends it at once; the one that the environment names is the person's own.
 */
export async function examineFiles(
  { profile, token }: Partial<Pick<Settings, 'profile' | 'token'>>,
  world: World,
): Promise<StoredFiles> {
  const folder = configFolder(world);
  if (folder !== undefined) await needReadable(folder, world);
  const open = token?.value.kind === 'path' ? await openTokenFile(token.value.path, world) : [];
  if (folder === undefined || (await world.files.info(folder))?.type !== 'folder') {
    return { folder, isEmpty: true, open };
  }
  for (const { path, wanted } of keptPlaces(folder, profile)) {
    const info = await world.files.info(path);
    if (info === undefined) continue;
    refuseForeign(path, info, world.uid);
    if ((info.mode & 0o077) !== 0) open.push({ path, mode: info.mode, wanted });
  }
  return { folder, isEmpty: false, open };
}

async function openTokenFile(path: string, { files }: World): Promise<OpenFile[]> {
  const info = await files.info(path);
  const isOpen = info?.type === 'file' && (info.mode & 0o077) !== 0;
  return isOpen ? [{ path, mode: info.mode, wanted: fileMode }] : [];
}

const folderMode = 0o700;
const fileMode = 0o600;

function keptPlaces(folder: string, profile: string | undefined): { path: string; wanted: number }[] {
  return [
    { path: folder, wanted: folderMode },
    { path: profilesFolder(folder), wanted: folderMode },
    { path: tokensFolder(folder), wanted: folderMode },
    { path: currentPath(folder), wanted: fileMode },
    ...(profile === undefined ? [] : [{ path: profilePath(folder, profile), wanted: fileMode }]),
  ];
}

/** MOTIF_CONFIG_DIR=/dev/null is a way to have no profiles. */
async function needReadable(folder: string, { files }: World): Promise<void> {
  if ((await files.info(folder))?.type === 'device') return;
  await files.list(folder).catch((error: unknown) => {
    throw error instanceof FileFault ? cannotList(error, folder) : error;
  });
  await listProfiles(files, folder);
}
