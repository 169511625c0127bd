import { MotifError } from '../errors.ts';
import { debrisAgeMs } from '../text/limits.ts';
import type { World } from '../world/world.ts';
import { tokenPath, tokensFolder } from './paths.ts';
import { type Profile, readProfile } from './profile-file.ts';
import { originOfProfile } from './resolve.ts';
import { keyringAccount } from './token-source.ts';

type RemovalWorld = Pick<World, 'files' | 'uid' | 'keyring' | 'now'>;

/** An account of a keyring that was not forgotten there, and why. */
export interface KeyringLeft {
  readonly account: string;
  readonly fault: MotifError;
}

/** The place of a profile's token: a file, or an account of the keyring; neither where a command prints it. */
export function tokenPlaceOf(config: string, profile: Profile): { readonly account?: string; readonly path?: string } {
  const { name, token } = profile;
  const origin = originOfProfile(profile);
  if (token?.store === 'file') return { path: tokenPath(config, name, token.id) };
  return token?.store === 'keyring' && origin !== undefined ? { account: keyringAccount(name, origin) } : {};
}

/** Accounts of the keyring that may hold a token of the profile. */
export function accountsOf(config: string, profile: Profile | undefined): readonly string[] {
  if (profile === undefined) return [];
  const { account } = tokenPlaceOf(config, profile);
  return [...(account === undefined ? [] : [account]), ...(profile.leftAccounts ?? [])];
}

/** Accounts that earlier records of the profile left, without one that another profile of that name has now. */
export async function ownAccounts(world: RemovalWorld, config: string, profile: Profile): Promise<readonly string[]> {
  const own: string[] = [];
  for (const account of profile.leftAccounts ?? []) {
    const name = account.slice(0, account.indexOf('@'));
    const owner = name === profile.name ? undefined : await readProfile(world, config, name);
    const isOwned = owner !== undefined && tokenPlaceOf(config, owner).account === account;
    if (!isOwned) own.push(account);
  }
  return own;
}

/** Deletes accounts from the keyring; returns those that it did not forget. */
export async function forgetAccounts(
  { keyring }: RemovalWorld,
  name: string,
  accounts: readonly string[],
): Promise<readonly KeyringLeft[]> {
  const left: KeyringLeft[] = [];
  for (const account of accounts) {
    try {
      await keyring.delete(account);
    } catch (error) {
      if (!(error instanceof MotifError)) throw error;
      left.push({
        account,
        fault: error.withHint(`where that keyring is gone for good: motif logout ${name} --force`),
      });
    }
  }
  return left;
}

/** Every token file of that name: one may be left by a login that was killed. A name holds no dot. */
export async function forgetToken(
  world: RemovalWorld,
  config: string,
  profile: Profile,
): Promise<readonly KeyringLeft[]> {
  const { files } = world;
  for (const file of await files.list(tokensFolder(config))) {
    if (file.startsWith(`${profile.name}.`)) await files.remove(`${tokensFolder(config)}/${file}`);
  }
  const { account } = tokenPlaceOf(config, profile);
  const earlier = await ownAccounts(world, config, profile);
  return await forgetAccounts(world, profile.name, account === undefined ? earlier : [account, ...earlier]);
}

/**
 * Removes tokens to which no profile refers, for a login was killed: this profile's at once, because its lock is held,
 * and those of others by their age.
 */
export async function sweepTokens(world: RemovalWorld, config: string, profile: string): Promise<void> {
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
