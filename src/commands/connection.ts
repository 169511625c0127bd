import type { ClientSettings } from '../client/client.ts';
import { MotifError } from '../errors.ts';
import { configFolder } from '../settings/paths.ts';
import { listProfiles, type Profile, readCurrentName, readProfile, unknownProfile } from '../settings/profile-file.ts';
import { resolve, type Settings, type Sourced, targetOf, type TokenSource } from '../settings/resolve.ts';
import { fetchToken } from '../settings/token.ts';
import { isLoopback } from '../text/loopback.ts';
import type { Connection, ProxyRoute } from '../wire/http.ts';
import { motifUrl, type Target } from '../wire/request.ts';
import type { World } from '../world/world.ts';
import { type Certificates, readCertificates } from './certificates.ts';
import { type ConnectionFlags, settingFlags } from './flags.ts';
import type { Notice } from './notices.ts';
import { chooseProxy } from '../settings/proxy.ts';

export function requireConfigFolder(world: World): string {
  const config = configFolder(world);
  if (config !== undefined) return config;
  throw new MotifError('io', 'there is no home folder to keep a profile in', {
    hint: [
      'set MOTIF_CONFIG_DIR to an absolute path',
      'or use no profile: MOTIF_URL and MOTIF_TOKEN in the environment',
    ],
  });
}

/** What would be used, each value with its origin. Reads the profile; asks no keyring and no network. */
export async function resolveSettings(
  flags: ConnectionFlags & { blockedNotice?: string },
  world: World,
): Promise<Settings> {
  const profile = await chooseProfile(flags.profile, world);
  return resolve(
    { flags: settingFlags(flags), allowHttp: flags.allowHttp === true, isProfileNamed: flags.profile !== undefined },
    world.env,
    profile,
  );
}

/** The profile that -p, MOTIF_PROFILE or `profile use` names, in that order. */
async function chooseProfile(typed: string | undefined, world: World): Promise<Profile | undefined> {
  const config = configFolder(world);
  const named = typed ?? (world.env.MOTIF_PROFILE === '' ? undefined : world.env.MOTIF_PROFILE);
  const name = named ?? (config === undefined ? undefined : await readCurrentName(world.files, config));
  if (name === undefined) return undefined;
  const profile = config === undefined ? undefined : await readProfile(world.files, config, name);
  if (profile !== undefined) return profile;
  throw unknownProfile(name, await listProfiles(world.files, config));
}

/** The Motif to ask; kind `config` where nothing names one. */
export function requireTarget(settings: Settings): Target {
  const target = targetOf(settings);
  if (target === undefined) throw missingTarget(settings);
  const url = new URL(target.baseUrl);
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !settings.allowHttp) {
    throw new MotifError('usage', `${url.origin} is plain http: token and prompt would cross the network readable`, {
      hint: ['use https://, or say --allow-http if that network is yours'],
    });
  }
  return target;
}

function missingTarget({ baseUrl }: Settings): MotifError {
  if (baseUrl === undefined) {
    return new MotifError('config', 'no Motif to ask: there is no profile and no MOTIF_URL', {
      hint: [
        'motif login ADDRESS (console > Motifs > three dots > details > API definition)',
        'or set MOTIF_URL and MOTIF_TOKEN',
      ],
    });
  }
  const kind = baseUrl.level === 'flag' ? 'usage' : 'config';
  return new MotifError(kind, `the address from ${baseUrl.from} names no Motif`, {
    hint: ['give the whole address, HOST/api/v1/apps/MOTIF-ID, or --motif ID beside it'],
  });
}

/** Where the token for the target is to be had; kind `config` where there is none. */
export function requireToken({ token }: Settings, target: Target): Sourced<TokenSource> {
  if (token !== undefined) return token;
  throw new MotifError('config', `there is no token for ${motifUrl(target)}`, {
    hint: [
      `motif login ${motifUrl(target)}`,
      'or set MOTIF_TOKEN (console > Motifs > three dots > details > API definition)',
    ],
  });
}

/** Everything the client needs; gets the token and reads the certificate files. */
export async function openConnection(settings: Settings, world: World, notice: Notice): Promise<ClientSettings> {
  const target = requireTarget(settings);
  const source = requireToken(settings, target);
  const token = await fetchToken(source.value, world, notice);
  world.redactor.add(token);
  return {
    target,
    token,
    tokenFrom: source.from,
    tenant: settings.tenant?.value,
    connection: await readConnection(settings, target, world, notice),
    timeoutMs: settings.timeout.value,
    retries: settings.retries.value,
  };
}

/** How the target is reached: by which proxy, trusting whom, and as whom. */
export async function readConnection(
  settings: Settings,
  target: Target,
  world: World,
  notice: Notice,
): Promise<Connection> {
  const proxy = findProxy(settings, target, world);
  return toConnection(settings, await readCertificates(settings, world, notice), proxy);
}

/** The proxy on the way, its password known to the redactor. */
export function findProxy(settings: Settings, target: Target, world: World): ProxyRoute | undefined {
  const proxy = chooseProxy(target, settings.proxy, world.env);
  if (proxy?.credentials !== undefined) world.redactor.add(proxy.credentials);
  return proxy;
}

export function toConnection(
  { connectTimeout }: Settings,
  certificates: Certificates,
  proxy: ProxyRoute | undefined,
): Connection {
  return { connectTimeoutMs: connectTimeout.value, ...certificates, ...(proxy === undefined ? {} : { proxy }) };
}
