import { isDeepStrictEqual } from 'node:util';
import { MotifError } from '../errors.ts';
import { plainWord } from '../text/defuse.ts';
import type { Secret } from '../text/secret.ts';
import { FileFault, type World } from '../world/world.ts';
import { currentPath, profilePath, profilesFolder, tokenPath, tokensFolder } from './paths.ts';
import { type Profile, profileBytesMax, readProfile } from './profile-file.ts';
import { originOfProfile } from './resolve.ts';
import { saving } from './saving.ts';
import { fetchToken, keyringAccount, storedText, type TokenWorld } from './token-source.ts';
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

/**
 * Removes tokens to which no profile refers, for a login was killed: this profile's at once, because its lock is held,
 * and those of others by their age.
 */
async function sweepTokens(world: StoreWorld, config: string, profile: string): Promise<void> {
  const { files, now } = world;
  for (const file of await files.list(tokensFolder(config))) {
    const [, name, id] = /^([\w-]+)\.(\w+)\.json$/.exec(file) ?? [];
    const path = `${tokensFolder(config)}/${file}`;
    const info = await files.info(path, { follow: false });
    if (name === undefined || info === undefined) continue;
    if (name !== profile && now() - info.modifiedAt <= debrisAgeMs) continue;
    const isKept = await readProfile(world, config, name).then(
      (profile) => profile?.token?.store === 'file' && profile.token.id === id,
      () => true,
    );
    if (!isKept) await files.remove(path);
  }
}

export async function writeCurrentName(world: StoreWorld, config: string, name: string | undefined): Promise<void> {
  const document = name === undefined ? {} : { current: name };
  await saving(config, async () => {
    await world.files.makeFolder(config);
    await world.files.writeAtomic(currentPath(config), `${JSON.stringify(document, undefined, 2)}\n`);
  });
}

/**
 * Stores a profile and its token, and forgets the token of the previous record; returns why a keyring still holds that
 * one, which the profile remembers for its logout. The profile's file decides: until it is renamed into place, a reader
 * finds the old profile with the old token.
 */
export async function saveLogin(
  world: StoreWorld,
  config: string,
  given: Profile,
  { token, previous }: { readonly token: Secret | undefined; readonly previous: Profile | undefined },
): Promise<MotifError | undefined> {
  const { leftAccounts: known = [], ...bound } = bindToken(given, world);
  const leftAccounts = leftBehind([...known, ...accountsOf(config, previous)], config, bound);
  const profile = { ...bound, leftAccounts };
  await writeProfile(world, config, profile, () => storeToken(world, config, profile, token));
  if (previous === undefined) return undefined;
  try {
    await saving(config, () => forgetReplaced(world, config, previous, profile));
  } catch (error) {
    if (error instanceof MotifError && leftAccounts.length > 0) return error;
    throw error;
  }
  if (leftAccounts.length > 0) await writeProfile(world, config, bound);
  return undefined;
}

/** Accounts of the keyring that may hold a token which the new record does not name. */
function leftBehind(accounts: readonly string[], config: string, profile: Profile): readonly string[] {
  const current = placeOf(config, profile).account;
  return [...new Set(accounts)].filter((each) => each !== current);
}

/** Accounts of the keyring that may hold a token of the profile. */
function accountsOf(config: string, profile: Profile | undefined): readonly string[] {
  if (profile === undefined) return [];
  const { account } = placeOf(config, profile);
  return [...(account === undefined ? [] : [account]), ...(profile.leftAccounts ?? [])];
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
  const place = placeOf(config, profile);
  if (origin === undefined || token === undefined) return;
  if (place.account !== undefined) await keyring.set(place.account, token.reveal());
  if (place.path === undefined) return;
  await files.makeFolder(tokensFolder(config));
  await files.writeNew(place.path, storedText(origin, token));
}

async function forgetReplaced(world: StoreWorld, config: string, previous: Profile, profile: Profile): Promise<void> {
  const [old, current] = [placeOf(config, previous), placeOf(config, profile)];
  if (old.path !== undefined && old.path !== current.path) await world.files.remove(old.path);
  await forgetLeft(world, config, profile);
}

/** Deletes what earlier records of the profile left in the keyring, unless another profile of that name has it now. */
async function forgetLeft(world: StoreWorld, config: string, profile: Profile): Promise<void> {
  for (const account of profile.leftAccounts ?? []) {
    const name = account.slice(0, account.indexOf('@'));
    const owner = name === profile.name ? undefined : await readProfile(world, config, name);
    const isOwned = owner !== undefined && placeOf(config, owner).account === account;
    if (isOwned) continue;
    await world.keyring.delete(account).catch((error: unknown) => {
      const path = plainWord(profilePath(config, profile.name));
      throw error instanceof MotifError ? error.withHint(`where that keyring is gone for good: rm ${path}`) : error;
    });
  }
}

/** Forgets a profile and its token everywhere. The profile goes last: a failure leaves something to log out of. */
export async function forgetProfile(world: StoreWorld, config: string, profile: Profile): Promise<void> {
  await saving(config, async () => {
    await forgetToken(world, config, profile);
    await sweepStaging(world, config, profile.name);
    await sweepTokens(world, config, profile.name);
    await world.files.remove(profilePath(config, profile.name));
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

/** Every token file of that name: one may be left by a login that was killed. A name holds no dot. */
async function forgetToken(world: StoreWorld, config: string, profile: Profile): Promise<void> {
  const { files, keyring } = world;
  for (const file of await files.list(tokensFolder(config))) {
    if (file.startsWith(`${profile.name}.`)) await files.remove(`${tokensFolder(config)}/${file}`);
  }
  const { account } = placeOf(config, profile);
  if (account !== undefined) await keyring.delete(account);
  await forgetLeft(world, config, profile);
}

function placeOf(config: string, profile: Profile): { readonly account?: string; readonly path?: string } {
  const { name, token } = profile;
  const origin = originOfProfile(profile);
  if (token?.store === 'file') return { path: tokenPath(config, name, token.id) };
  return token?.store === 'keyring' && origin !== undefined ? { account: keyringAccount(name, origin) } : {};
}
