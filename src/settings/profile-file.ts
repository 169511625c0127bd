import { MotifError } from '../errors.ts';
import { fileRemedy } from '../text/file-remedies.ts';
import { shellWord } from '../text/defuse.ts';
import { isFields, JsonFault, parseJson } from '../text/json/json.ts';
import { closest } from '../text/similar.ts';
import { decodeUtf8, Utf8Fault } from '../text/utf8.ts';
import { FileFault, type Files, type World } from '../world/world.ts';
import { emptyHint, SettingFault } from './address.ts';
import { refuseForeign } from './ownership.ts';
import { currentPath, profileNameShape, profilePath, profilesFolder } from './paths.ts';
import { type Setting, settingTable } from './table.ts';

/** A profile as it stands in its file: every setting as text, checked by the same parser as flags and environment. */
export interface Profile {
  readonly name: string;
  /** Texts by profile key. */
  readonly values: Readonly<Record<string, string>>;
  readonly token?: TokenRecord;
  /** Said at login: this origin may be spoken to over plain http. */
  readonly allowHttp: boolean;
  /** Accounts of a keyring that would not forget an earlier token of this profile: a logout asks it again. */
  readonly leftAccounts?: readonly string[];
  /** Keys that a newer motif wrote and this one does not know; it is kept when the profile is written again. */
  readonly others: Readonly<Record<string, unknown>>;
}

/** Place of a profile's token; never the token itself. */
export type TokenRecord =
  | { readonly store: 'keyring' }
  | { readonly store: 'file'; readonly id?: string }
  | { readonly store: 'command'; readonly command: string; readonly origin?: string };

export const profileBytesMax = 64 * 1024;

export const profileKeys: ReadonlyMap<string, Setting<unknown>> = new Map(
  Object.values<Setting<unknown>>(settingTable).flatMap((setting) =>
    setting.profileKey === undefined ? [] : [[setting.profileKey, setting] as const],
  ),
);

type ProfileWorld = Pick<World, 'files' | 'uid'>;

/** The names of all profiles; kind `config` where their folder cannot be looked into. */
export async function listProfiles(files: Files, config: string | undefined): Promise<readonly string[]> {
  if (config === undefined) return [];
  const folder = profilesFolder(config);
  const names = await files.list(folder).catch((error: unknown) => {
    throw error instanceof FileFault ? cannotList(error, config) : error;
  });
  return names
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -5))
    .filter((name) => profileNameShape.test(name));
}

/** Reads a profile; undefined if there is none of that name. A broken file is named and left as it is. */
export async function readProfile(world: ProfileWorld, config: string, name: string): Promise<Profile | undefined> {
  const path = profilePath(config, name);
  const value = await readOwnJson(world, path, [config, profilesFolder(config)]);
  return value === undefined ? undefined : parseProfile(value, name, path);
}

/** Reads a profile that was named; throws kind `config` where there is none. */
export async function requireProfile(world: ProfileWorld, config: string | undefined, name: string): Promise<Profile> {
  const profile = config === undefined ? undefined : await readProfile(world, config, name);
  if (profile === undefined) throw unknownProfile(name, await listProfiles(world.files, config));
  return profile;
}

/** The profile in use; undefined if none is. */
export async function readCurrentProfile(world: ProfileWorld, config: string): Promise<Profile | undefined> {
  const name = await readCurrentName(world, config);
  if (name === undefined) return undefined;
  const profile = await readProfile(world, config, name);
  if (profile === undefined) throw lostProfile(name, config);
  return profile;
}

/** The name in `config.json` that `profile use` and `login` set. */
export async function readCurrentName(world: ProfileWorld, config: string): Promise<string | undefined> {
  const path = currentPath(config);
  const value = await readOwnJson(world, path, [config]);
  if (value === undefined) return undefined;
  const name = isFields(value) ? value.current : undefined;
  if (typeof name === 'string' && profileNameShape.test(name)) return name;
  if (isFields(value) && name === undefined) return undefined;
  throw broken(path, 'current must be the name of a profile');
}

/** A folder of ours that another user owns, or that is no folder. */
export function cannotList({ path, code, message }: FileFault, config: string): MotifError {
  return new MotifError('config', `${path} cannot be looked into: ${message}`, {
    hint: otherFolderHints(config, code),
  });
}

/**
 * Ways out where something else stands in the place of a folder of ours, or another user owns it: one sudo makes the
 * whole config folder, and not that of the profiles alone.
 */
export function otherFolderHints(config: string, code: string): readonly string[] {
  return [
    ...(fileRemedy(code) === 'owner'
      ? [`was motif run with sudo? sudo chown -R "$(id -un)" ${shellWord(config)}`]
      : []),
    'name a folder of yours: MOTIF_CONFIG_DIR',
    noProfileHint,
  ];
}

export const noProfileHint = 'or use no profile: MOTIF_URL and MOTIF_TOKEN in the environment';

export function unknownProfile(name: string, names: readonly string[]): MotifError {
  const near = closest(name, names);
  return new MotifError('config', `there is no profile ${JSON.stringify(name)}`, {
    hint: near === undefined ? ['motif profile list shows yours, motif login makes one'] : [`did you mean ${near}?`],
  });
}

/** The failure where the profile in use is gone, which is no typing error. */
export function lostProfile(name: string, config: string): MotifError {
  return new MotifError('config', `there is no profile ${name}, which ${currentPath(config)} names as the one in use`, {
    hint: ['use another: motif profile use NAME (motif profile list shows yours)', 'or make one: motif login ADDRESS'],
  });
}

export function checkProfileName(name: string, hint = 'choose another: -p NAME'): string {
  if (profileNameShape.test(name)) return name;
  if (name === '') throw new MotifError('usage', 'the name of the profile is empty', { hint: emptyHint });
  throw new MotifError('usage', 'a profile name has 1 to 64 letters, digits, - and _', { hint });
}

async function readOwnJson(
  world: ProfileWorld,
  path: string,
  folders: readonly string[],
  isSecondTry = false,
): Promise<unknown> {
  const { files, uid } = world;
  try {
    const { bytes, info } = await files.read(path, { bytesMax: profileBytesMax });
    refuseForeign(path, info, uid);
    for (const folder of folders) {
      const above = await files.info(folder);
      if (above !== undefined) refuseForeign(folder, above, uid);
    }
    return parseJson(decodeUtf8(bytes));
  } catch (error) {
    // A home that is a device or another user's is as good as none: everything may come from the environment.
    if (error instanceof FileFault && (await files.info(path, { follow: false })) === undefined) return undefined;
    // A login that came between the read and this look has made it; a link that leads nowhere is none the second time.
    if (error instanceof FileFault && error.code === 'ENOENT' && !isSecondTry) {
      return readOwnJson(world, path, folders, true);
    }
    if (error instanceof FileFault)
      throw broken(path, error.code === 'ENOENT' ? 'it is a link that leads nowhere' : error.message, error);
    if (error instanceof Utf8Fault) throw broken(path, `it ${error.message}`);
    if (error instanceof JsonFault) throw broken(path, `line ${error.line}, column ${error.column}: ${error.message}`);
    throw error;
  }
}

function parseProfile(value: unknown, name: string, path: string): Profile {
  if (!isFields(value)) throw broken(path, 'it must hold a JSON object');
  const values: Record<string, string> = {};
  for (const [key, setting] of profileKeys) {
    const text = value[key];
    if (text === undefined) continue;
    if (typeof text !== 'string') throw broken(path, `${key} must be a string`);
    values[key] = checkValue(text, key, setting, path);
  }
  const { token: record, allow_http: allowHttp, left_in_keyring: left, ...rest } = value;
  const others = Object.fromEntries(
    Object.entries(rest).filter(([key]) => !profileKeys.has(key) && key !== '__proto__'),
  );
  const token = parseTokenRecord(record, path);
  const leftAccounts = parseLeftAccounts(left, path);
  return {
    name,
    values,
    others,
    allowHttp: allowHttp === true,
    ...(token !== undefined && { token }),
    ...(leftAccounts.length > 0 && { leftAccounts }),
  };
}

function parseLeftAccounts(value: unknown, path: string): readonly string[] {
  if (value === undefined) return [];
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value;
  throw broken(path, 'left_in_keyring must be a list of accounts');
}

function checkValue(text: string, key: string, setting: Setting<unknown>, path: string): string {
  try {
    setting.parse(text);
    return text;
  } catch (error) {
    if (error instanceof SettingFault) throw broken(path, `${key} ${error.message}`);
    throw error;
  }
}

function parseTokenRecord(value: unknown, path: string): TokenRecord | undefined {
  if (value === undefined) return undefined;
  if (isFields(value)) {
    const { store, command, id, origin } = value;
    if (store === 'keyring') return { store };
    if (store === 'file' && id === undefined) return { store };
    if (store === 'file' && typeof id === 'string' && /^[a-z0-9]{1,32}$/.test(id)) return { store, id };
    if (store === 'command' && typeof command === 'string' && command !== '') {
      if (origin === undefined) return { store, command };
      if (typeof origin === 'string') return { store, command, origin };
    }
  }
  throw broken(path, 'token must say where the token is: {"store": "keyring"}, "file" or "command"');
}

function broken(path: string, reason: string, cause?: unknown): MotifError {
  return new MotifError('config', `${path} cannot be used: ${reason}`, {
    hint: 'correct it, or move it away and log in again; motif leaves it as it is',
    cause,
  });
}
