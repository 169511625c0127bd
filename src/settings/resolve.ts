import type { MotifTarget } from '../wire/request.ts';
import { isSwitchedOn, type Setting, type SettingKey, settingTable } from './table.ts';
import { type Address, parseGiven } from './address.ts';
import type { Profile, TokenRecord } from './profile-file.ts';

type Level = 'flag' | 'environment' | 'profile' | 'default';

/** A value and where it came from, in words: "--url", "MOTIF_URL", "profile support-bot". */
export interface Sourced<T> {
  readonly value: T;
  readonly from: string;
  readonly level: Level;
}

type ValueOf<K extends SettingKey> = (typeof settingTable)[K] extends Setting<infer T> ? T : never;

/** Source of the token; getting it may ask a keyring or run a command, so that waits until it is needed. */
export type TokenSource =
  | { readonly kind: 'variable'; readonly name: string; readonly text: string }
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'profile'; readonly profile: string; readonly origin: string; readonly record: TokenRecord };

export interface Settings {
  /** The profile that was looked at; `usedProfile` says if anything of it is used. */
  readonly profile: string | undefined;
  readonly baseUrl: Sourced<string> | undefined;
  readonly motifId: Sourced<string> | undefined;
  readonly token: Sourced<TokenSource> | undefined;
  readonly tenant: Sourced<string> | undefined;
  readonly timeout: Sourced<number>;
  readonly connectTimeout: Sourced<number>;
  readonly retries: Sourced<number>;
  readonly cacert: Sourced<string> | undefined;
  readonly cert: Sourced<string> | undefined;
  readonly key: Sourced<string> | undefined;
  readonly proxy: Sourced<URL> | undefined;
  readonly blockedNotice: Sourced<string> | undefined;
  /** True where chats are saved. */
  readonly history: Sourced<boolean>;
  readonly allowHttp: boolean;
  /** Variables that are set to nothing, which counts as not set. */
  readonly emptyVariables: readonly string[];
}

interface TypedSettings {
  /** Flag texts by setting; absent where not typed. */
  readonly flags: Readonly<Partial<Record<SettingKey, string>>>;
  readonly allowHttp: boolean;
  /** True if -p named the profile: then it outranks the environment for what says who and where. */
  readonly isProfileNamed: boolean;
}

/** Every variable that says who asks which Motif, and how. */
const settingVariables: readonly string[] = [
  'MOTIF_PROFILE',
  ...Object.values(settingTable).flatMap(({ env }: Setting<unknown>) => env ?? []),
  'MOTIF_TOKEN',
  'MOTIF_TOKEN_FILE',
];

type Env = Readonly<Record<string, string | undefined>>;

/** Decides every value, and says of each where it came from. Pure: what was typed, the environment, the profile. */
export function resolve(typed: TypedSettings, env: Env, profile: Profile | undefined): Settings {
  const look = createLookup(typed, env, profile);
  const urls = look.all('url');
  const baseUrl = urls[0] && { ...urls[0], value: urls[0].value.baseUrl };
  const origin = urls[0]?.value.origin;
  const own = profile !== undefined && originOfProfile(profile) === origin ? profile : undefined;
  const bound = createLookup(typed, env, own);
  const first = <K extends SettingKey>(key: K): Sourced<ValueOf<K>> | undefined =>
    ((settingTable[key] as Setting<ValueOf<K>>).isBound === true ? bound : look).first(key);
  const identityEnv = isEnvironmentElsewhere(urls) ? {} : env;
  const fallback = <K extends SettingKey>(key: K): Sourced<ValueOf<K>> =>
    first(key) ?? { value: settingTable[key].default as ValueOf<K>, from: 'default', level: 'default' };
  const identity = {
    baseUrl,
    motifId: chooseMotifId(levelsOf(typed), look.all('motif'), urls, origin),
    token: chooseToken(typed, identityEnv, own),
    tenant: createLookup(typed, identityEnv, own).first('tenant'),
    cacert: first('cacert'),
    cert: first('cert'),
    key: first('key'),
  };
  const words = isOfProfile(identity) ? profile : undefined;
  return {
    ...identity,
    profile: profile?.name,
    timeout: fallback('timeout'),
    connectTimeout: fallback('connectTimeout'),
    retries: fallback('retries'),
    proxy: first('proxy'),
    // Words of an organization are about its own Motif.
    blockedNotice: createLookup(typed, env, words).first('blockedNotice'),
    history: isSwitchedOn(env.MOTIF_NO_HISTORY)
      ? { value: false, from: 'MOTIF_NO_HISTORY', level: 'environment' }
      : fallback('history'),
    allowHttp: typed.allowHttp || (own?.allowHttp ?? false),
    emptyVariables: settingVariables.filter((name) => env[name] === ''),
  };
}

export function targetOf({ baseUrl, motifId }: Settings): MotifTarget | undefined {
  return baseUrl && motifId ? { baseUrl: baseUrl.value, motifId: motifId.value } : undefined;
}

/** Values that say who asks which Motif, and by which certificates. */
type Identity = Pick<Settings, 'baseUrl' | 'motifId' | 'token' | 'tenant' | 'cacert' | 'cert' | 'key'>;

/** The profile that says who asks or which Motif is asked; undefined where others outrank all that it says of that. */
export function usedProfile(settings: Settings): string | undefined {
  return isOfProfile(settings) ? settings.profile : undefined;
}

function isOfProfile({ baseUrl, motifId, token, tenant, cacert, cert, key }: Identity): boolean {
  return [baseUrl, motifId, token, tenant, cacert, cert, key].some((value) => value?.level === 'profile');
}

/** Stands for an address that nothing names: a preview needs no login. */
export const exampleTarget: MotifTarget = { baseUrl: 'https://gateway.example', motifId: 'MOTIF-ID' };

/** The origin a profile was made for; undefined if it has no address yet. */
export function originOfProfile(profile: Profile): string | undefined {
  return profile.values.url === undefined ? undefined : settingTable.url.parse(profile.values.url).origin;
}

function createLookup(typed: TypedSettings, env: Env, profile: Profile | undefined) {
  function candidates<K extends SettingKey>(key: K): (Sourced<ValueOf<K>> | undefined)[] {
    const setting = settingTable[key] as Setting<ValueOf<K>>;
    const flag = read(setting, typed.flags[key], `--${setting.flag}`, 'flag');
    const environment =
      setting.env === undefined ? undefined : read(setting, given(env[setting.env]), setting.env, 'environment');
    const stored =
      profile === undefined || setting.profileKey === undefined
        ? undefined
        : read(setting, profile.values[setting.profileKey], `profile ${profile.name}`, 'profile');
    const isProfileFirst = typed.isProfileNamed && setting.isIdentity === true;
    return isProfileFirst ? [flag, stored, environment] : [flag, environment, stored];
  }
  function all<K extends SettingKey>(key: K): Sourced<ValueOf<K>>[] {
    return candidates(key).filter((candidate) => candidate !== undefined);
  }
  return { all, first: <K extends SettingKey>(key: K): Sourced<ValueOf<K>> | undefined => all(key)[0] };
}

function read<T>(setting: Setting<T>, text: string | undefined, from: string, level: Level): Sourced<T> | undefined {
  if (text === undefined) return undefined;
  return { value: parseGiven(setting.parse, text, { name: from, hint: 'motif help environment' }), from, level };
}

/** An empty variable is one that is not set, as a CI job that has no such secret leaves it. */
function given(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

function levelsOf({ isProfileNamed }: TypedSettings): readonly Level[] {
  return isProfileNamed ? ['flag', 'profile', 'environment'] : ['flag', 'environment', 'profile'];
}

/**
 * The ID of the highest level that gives one; at the same level --motif or MOTIF_ID replaces the one at the end of the
 * address. The ID in an address counts only for the origin that is used.
 */
function chooseMotifId(
  levels: readonly Level[],
  named: readonly Sourced<string>[],
  urls: readonly Sourced<Address>[],
  origin: string | undefined,
): Sourced<string> | undefined {
  for (const level of levels) {
    const replacing = named.find((id) => id.level === level);
    if (replacing !== undefined) return replacing;
    const url = urls.find((candidate) => candidate.level === level);
    if (url?.value.motifId !== undefined && url.value.origin === origin) return { ...url, value: url.value.motifId };
  }
  return undefined;
}

function chooseToken(typed: TypedSettings, env: Env, own: Profile | undefined): Sourced<TokenSource> | undefined {
  const stored = own?.token && storedToken(own, own.token);
  const environment = tokenFromEnvironment(env);
  return typed.isProfileNamed ? (stored ?? environment) : (environment ?? stored);
}

function storedToken(profile: Profile, record: TokenRecord): Sourced<TokenSource> | undefined {
  const origin = originOfProfile(profile);
  if (origin === undefined) return undefined;
  return {
    value: { kind: 'profile', profile: profile.name, origin, record },
    from: `profile ${profile.name}`,
    level: 'profile',
  };
}

/** Token and tenant of the environment belong to MOTIF_URL, if set: no profile of another origin gets them. */
function isEnvironmentElsewhere(urls: readonly Sourced<Address>[]): boolean {
  const environment = urls.find(({ level }) => level === 'environment');
  return urls[0]?.level === 'profile' && environment !== undefined && environment.value.origin !== urls[0].value.origin;
}

function tokenFromEnvironment(env: Env): Sourced<TokenSource> | undefined {
  const level = 'environment';
  const text = given(env.MOTIF_TOKEN);
  if (text !== undefined) return { value: { kind: 'variable', name: 'MOTIF_TOKEN', text }, from: 'MOTIF_TOKEN', level };
  const path = given(env.MOTIF_TOKEN_FILE);
  return path === undefined ? undefined : { value: { kind: 'path', path }, from: 'MOTIF_TOKEN_FILE', level };
}
