import { isDeepStrictEqual } from 'node:util';
import { MotifError } from '../errors.ts';
import { plainWord } from '../text/defuse.ts';
import type { Secret } from '../text/secret.ts';
import { FileFault, type World } from '../world/world.ts';
import { currentPath, profilePath, profilesFolder, tokensFolder } from './paths.ts';
import { type Profile, profileBytesMax, readCurrentName, readProfile } from './profile-file.ts';
import { originOfProfile } from './resolve.ts';
import { saving } from './saving.ts';
import {
  accountsOf,
  forgetAccounts,
  forgetToken,
  type KeyringLeft,
  ownAccounts,
  tokenPlaceOf,
  sweepTokens,
} from './token-removal.ts';
import { fetchToken, storedText, type TokenWorld } from './token-source.ts';
import { debrisAgeMs } from '../text/limits.ts';

type StoreWorld = Pick<World, 'files' | 'uid' | 'keyring' | 'newId' | 'now'>;

const stagingPrefix = '.staging-';

/**
 * Writes a profile with `conf`, which neither notices a short write nor follows a safe path to the real file. So it
 * writes into a folder of its own; what it wrote is read back, and only a whole file is renamed into place. `withToken`
 * runs in between: what the profile refers to is there before it, and a disk that cannot take it leaves no new token.
 */
export async function writeProfile(
  world: StoreWorld,
  config: string,
  profile: Profile,
  withToken?: () => Promise<void>,
): Promise<void> {
  const staging = stagingFolder(config, profile.name);
  try {
    await saving(config, async () => {
      await world.files.makeFolder(profilesFolder(config));
      await sweepStaging(world, config, profile.name);
      await sweepTokens(world, config, profile.name);
      await world.files.makeFolder(profilesFolder(staging));
      await writeWithConf(profilesFolder(staging), profile);
      if (!(await isWhole(world, staging, profile))) {
        throw new FileFault(profilePath(config, profile.name), 'EIO', 'what was written could not be read back');
      }
      await withToken?.();
      await moveIntoPlace(world.files, profilePath(staging, profile.name), profilePath(config, profile.name));
    });
  } finally {
    await world.files.remove(staging, { recursive: true }).catch(() => undefined);
  }
}

/** A person's own link, or folder behind one, may lead into a repository of dotfiles: the file there is replaced. */
async function moveIntoPlace(files: World['files'], staged: string, path: string): Promise<void> {
  if ((await files.info(path, { follow: false }))?.type !== 'link') {
    try {
      return await files.rename(staged, path);
    } catch (error) {
      if (!(error instanceof FileFault) || error.code !== 'EXDEV') throw error;
    }
  }
  const { bytes } = await files.read(staged, { bytesMax: profileBytesMax });
  await files.writeAtomic(path, bytes);
}

async function writeWithConf(folder: string, profile: Profile): Promise<void> {
  const { default: Conf } = await import('conf');
  const store = new Conf<Record<string, unknown>>({
    cwd: folder,
    configName: profile.name,
    configFileMode: 0o600,
    accessPropertiesByDotNotation: false,
  });
  store.store = documentOf(profile);
}

function documentOf(profile: Profile): Record<string, unknown> {
  return {
    ...profile.others,
    ...profile.values,
    ...(profile.token === undefined ? {} : { token: profile.token }),
    ...(profile.allowHttp ? { allow_http: true } : {}),
    ...(profile.leftAccounts?.length ? { left_in_keyring: profile.leftAccounts } : {}),
  };
}

async function isWhole(world: StoreWorld, staging: string, profile: Profile): Promise<boolean> {
  const written = await readProfile(world, staging, profile.name).catch(() => undefined);
  return written !== undefined && isDeepStrictEqual(documentOf(written), documentOf(profile));
}

/** One name a profile, whose lock is held: what is found there was left behind. */
function stagingFolder(config: string, name: string): string {
  return `${config}/${stagingPrefix}${name}`;
}

/** Removes the staging folders of processes that were killed: this profile's at once, those of others by their age. */
async function sweepStaging({ files, now }: StoreWorld, config: string, profile: string): Promise<void> {
  for (const name of await files.list(config)) {
    if (!name.startsWith(stagingPrefix)) continue;
    const folder = `${config}/${name}`;
    const info = await files.info(folder);
    const isOld = info !== undefined && now() - info.modifiedAt > debrisAgeMs;
    if (isOld || folder === stagingFolder(config, profile)) await files.remove(folder, { recursive: true });
  }
}

/** Throws where the file that it would replace is broken: that may hold what a person still needs. */
export async function writeCurrentName(world: StoreWorld, config: string, name: string | undefined): Promise<void> {
  await readCurrentName(world, config);
  const document = name === undefined ? {} : { current: name };
  await saving(config, async () => {
    await world.files.makeFolder(config);
    await world.files.writeAtomic(currentPath(config), `${JSON.stringify(document, undefined, 2)}\n`);
  });
}

/** The same at a login. */
interface LeftToken extends KeyringLeft {
  /** False where an earlier login left it already. */
  readonly isNew: boolean;
}

/**
 * Stores a profile and its token, and forgets the token of the previous record; returns what a keyring still holds of
 * that one, which the profile remembers for its logout. The profile's file decides: until it is renamed into place, a
 * reader finds the old profile with the old token.
 */
export async function saveLogin(
  world: StoreWorld,
  config: string,
  given: Profile,
  { token, previous }: { readonly token: Secret | undefined; readonly previous: Profile | undefined },
): Promise<LeftToken | undefined> {
  const { leftAccounts: known = [], ...bound } = bindToken(given, world);
  const leftAccounts = leftBehind([...known, ...accountsOf(config, previous)], config, bound);
  const profile = { ...bound, leftAccounts };
  await writeProfile(world, config, profile, () => storeToken(world, config, profile, token));
  if (previous === undefined) return undefined;
  const left = await saving(config, () => forgetReplaced(world, config, previous, profile));
  if (left !== undefined) return { ...left, isNew: previous.leftAccounts?.includes(left.account) !== true };
  if (leftAccounts.length > 0) await writeProfile(world, config, bound);
  return undefined;
}

/** Accounts of the keyring that may hold a token which the new record does not name. */
function leftBehind(accounts: readonly string[], config: string, profile: Profile): readonly string[] {
  const current = tokenPlaceOf(config, profile).account;
  return [...new Set(accounts)].filter((each) => each !== current);
}

/** A token goes to its origin alone, and so does what a command prints. */
function bindToken(profile: Profile, world: StoreWorld): Profile {
  const { token } = profile;
  const origin = originOfProfile(profile);
  if (token?.store === 'file') return { ...profile, token: { store: 'file', id: world.newId() } };
  if (token?.store === 'command' && origin !== undefined) return { ...profile, token: { ...token, origin } };
  return profile;
}

async function storeToken(
  { files, keyring }: StoreWorld,
  config: string,
  profile: Profile,
  token: Secret | undefined,
): Promise<void> {
  const origin = originOfProfile(profile);
  const place = tokenPlaceOf(config, profile);
  if (origin === undefined || token === undefined) return;
  if (place.account !== undefined) {
    await keyring.set(place.account, token.reveal()).catch((error: unknown): never => {
      if (!(error instanceof MotifError)) throw error;
      const login = `motif login ${plainWord(profile.values.url ?? origin)} -p ${profile.name}`;
      throw error.withHint(`or keep the token in a file: ${login} --token-store file`);
    });
  }
  if (place.path === undefined) return;
  await files.makeFolder(tokensFolder(config));
  await files.writeNew(place.path, storedText(origin, token));
}

async function forgetReplaced(
  world: StoreWorld,
  config: string,
  previous: Profile,
  profile: Profile,
): Promise<KeyringLeft | undefined> {
  const [old, current] = [tokenPlaceOf(config, previous), tokenPlaceOf(config, profile)];
  if (old.path !== undefined && old.path !== current.path) await world.files.remove(old.path);
  const [left] = await forgetAccounts(world, profile.name, await ownAccounts(world, config, profile));
  return left;
}

/**
 * Forgets a profile and its token everywhere. The profile goes last: a failure leaves something to log out of. With
 * `leavesKeyring` it goes even where a keyring keeps a token; returns these.
 */
export async function forgetProfile(
  world: StoreWorld,
  config: string,
  profile: Profile,
  { leavesKeyring = false }: { readonly leavesKeyring?: boolean } = {},
): Promise<readonly KeyringLeft[]> {
  return await saving(config, async () => {
    const left = await forgetToken(world, config, profile);
    if (left[0] !== undefined && !leavesKeyring) throw left[0].fault;
    await sweepStaging(world, config, profile.name);
    await sweepTokens(world, config, profile.name);
    await world.files.remove(profilePath(config, profile.name));
    return left;
  });
}

/**
 * The token moves with its profile; the old name is forgotten last, so that no failure loses the token. A profile that
 * is a person's own link stays one: the link gets the new name, and what it leads to stays where it is.
 */
export async function renameProfile(
  world: StoreWorld & TokenWorld,
  config: string,
  profile: Profile,
  name: string,
): Promise<void> {
  const { leftAccounts: _moved, ...plain } = profile;
  const renamed = { ...profile, name };
  const origin = originOfProfile(profile);
  const { token: record } = profile;
  const isKept = record !== undefined && record.store !== 'command' && origin !== undefined;
  const token = isKept
    ? await fetchToken({ kind: 'profile', profile: profile.name, origin, record }, world, () => undefined)
    : undefined;
  const [from, to] = [profilePath(config, profile.name), profilePath(config, name)];
  const isLink = (await world.files.info(from, { follow: false }))?.type === 'link';
  if (isLink) await saving(config, () => world.files.rename(from, to));
  try {
    await saveLogin(world, config, renamed, { token, previous: undefined });
  } catch (error) {
    if (isLink) await world.files.rename(to, from);
    throw error;
  }
  await forgetProfile(world, config, plain);
}
