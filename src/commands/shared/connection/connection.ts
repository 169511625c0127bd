import type { ClientSettings } from '../../../client/client.ts';
import { MotifError } from '../../../errors.ts';
import { tokenPlaceHints } from '../../../settings/address.ts';
import { configFolder } from '../../../settings/paths.ts';
import {
  checkProfileName,
  listProfiles,
  type Profile,
  readCurrentProfile,
  readProfile,
  requireProfile,
} from '../../../settings/profile-file.ts';
import { resolve, type Settings, type Sourced, targetOf, type TokenSource } from '../../../settings/resolve.ts';
import { isSwitchedOn } from '../../../settings/table.ts';
import { fetchToken } from '../../../settings/token-source.ts';
import { type Connection, isLoopback, type ProxyRoute } from '../../../wire/http.ts';
import { defuseLine } from '../../../text/defuse.ts';
import type { Secret } from '../../../text/secret.ts';
import { motifUrl, type MotifTarget } from '../../../wire/request.ts';
import type { World } from '../../../world/world.ts';
import { type Certificates, readCertificates } from './certificates.ts';
import { type ConnectionFlags, settingFlags } from '../flags/connection.ts';
import { promptLimits } from './destination.ts';
import type { Notice } from '../notices.ts';
import type { Run } from '../run.ts';
import { chooseProxy } from '../../../settings/proxy.ts';
import { motifPlaces } from '../../../wire/motif-places.ts';

const commandNoticeAfterMs = 3000;

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

/** The settings, each value with its origin. Reads the profile; asks no keyring and no network. */
export async function resolveSettings({
  world,
  flags,
  notice,
}: Run<ConnectionFlags & { readonly blockedNotice?: string | undefined }>): Promise<Settings> {
  const { env } = world;
  const named = namedProfile(flags, world);
  const typed = {
    flags: settingFlags(flags),
    allowHttp: flags.allowHttp === true,
    isProfileNamed: flags.profile !== undefined,
  };
  if (named !== undefined) return resolve(typed, env, await requireProfile(world, configFolder(world), named));
  let isFolderRight = false;
  try {
    const config = configFolder(world);
    isFolderRight = true;
    return resolve(typed, env, config === undefined ? undefined : await readCurrentProfile(world, config));
  } catch (error) {
    if (!(error instanceof MotifError) || (isFolderRight && error.kind !== 'config')) throw error;
    const alone = resolve(typed, env, undefined);
    if (targetOf(alone) === undefined || alone.token === undefined) throw error;
    notice(`the profile in use is left out: ${error.message}`);
    return alone;
  }
}

/** The profile that MOTIF_PROFILE names, or the one chosen last; undefined where there is none. */
export async function readProfileInUse(world: World): Promise<Profile | undefined> {
  const config = requireConfigFolder(world);
  const named = namedProfile({}, world);
  return named === undefined ? readCurrentProfile(world, config) : requireProfile(world, config, named);
}

/** The profile that -p or MOTIF_PROFILE names, in that order. */
function namedProfile({ profile }: Pick<ConnectionFlags, 'profile'>, { env }: World): string | undefined {
  if (profile !== undefined) return checkProfileName(profile);
  if (env.MOTIF_PROFILE === undefined || env.MOTIF_PROFILE === '') return undefined;
  return checkProfileName(env.MOTIF_PROFILE, 'MOTIF_PROFILE names one; motif profile list shows yours');
}

/** The Motif to ask; kind `config` where nothing names one. */
export async function requireTarget(settings: Settings, world: World): Promise<MotifTarget> {
  const target = targetOf(settings);
  if (target === undefined) throw await missingTarget(settings, world);
  const url = new URL(target.baseUrl);
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !settings.allowHttp) {
    throw new MotifError('usage', `${url.origin} is plain http: others on the network could read token and prompt`, {
      hint: ['use https://, or say --allow-http if that network is yours'],
    });
  }
  return target;
}

const addressVariables = ['MOTIF_URL', 'MOTIF_ID'];

export async function missingTarget(settings: Settings, world: World): Promise<MotifError> {
  const { baseUrl, profile } = settings;
  const names = profile === undefined ? await listProfiles(world.files, configFolder(world)) : [];
  const { words, hints } = emptyVariables(settings, addressVariables);
  if (baseUrl === undefined && names.length > 0) {
    return noneInUse(names, emptyVariables(settings, [...addressVariables, 'MOTIF_PROFILE']));
  }
  if (baseUrl === undefined) {
    const variable = words === '' ? 'no MOTIF_URL' : words;
    return new MotifError('config', `no Motif to ask: there is no profile and ${variable}`, {
      hint: [
        ...hints,
        ...(isJob(world)
          ? ['set MOTIF_URL and MOTIF_TOKEN in this job, the token from a secret (motif help ci)']
          : [`motif login ADDRESS (${motifPlaces().address})`, 'or set MOTIF_URL and MOTIF_TOKEN']),
        'prompt, chat, check and batch need neither with --demo or --local FILE',
      ],
    });
  }
  const kind = baseUrl.level === 'flag' ? 'usage' : 'config';
  return new MotifError(
    kind,
    `the address from ${baseUrl.from} names no Motif${words === '' ? '' : `, and ${words}`}`,
    {
      hint: [...hints, 'give the whole address, HOST/api/v1/apps/MOTIF-ID, or --motif ID beside it'],
    },
  );
}

interface EmptyVariables {
  /** `MOTIF_URL is set, but empty`; empty where none of them is. */
  readonly words: string;
  readonly hints: readonly string[];
}

/** Words for variables that somebody meant to set. */
function emptyVariables(settings: Settings, names: readonly string[]): EmptyVariables {
  const empty = names.filter((name) => settings.emptyVariables.includes(name));
  if (empty.length === 0) return { words: '', hints: [] };
  const words = `${empty.join(' and ')} ${empty.length === 1 ? 'is' : 'are'} set, but empty`;
  // The name of a profile is no secret.
  if (empty.every((name) => name === 'MOTIF_PROFILE')) return { words, hints: [] };
  return {
    words,
    hints: ['in CI: no secret has that name, or this job may not see it, as one for a pull request from a fork'],
  };
}

const secretHint = 'this job has no MOTIF_TOKEN; one for a pull request from a fork may see no secret';

const namesShownMax = 5;

/** Profiles are there, but none was chosen: `logout` forgot the one that was. */
export function noneInUse(names: readonly string[], empty: EmptyVariables = { words: '', hints: [] }): MotifError {
  const shown = names.slice(0, namesShownMax).join(', ');
  return new MotifError('config', `no profile is in use${empty.words === '' ? '' : `, and ${empty.words}`}`, {
    hint: [
      ...empty.hints,
      'motif profile use NAME, or -p NAME',
      `yours: ${shown}${names.length > namesShownMax ? ', ...' : ''}`,
    ],
  });
}

/** The source of the token for the target; throws kind `config` where there is none. */
export function requireToken(settings: Settings, target: MotifTarget, world: World): Sourced<TokenSource> {
  if (settings.token !== undefined) return settings.token;
  throw missingToken(settings, target, world);
}

/** True where nobody could log in: a token comes from a secret of the job. */
function isJob({ env }: World): boolean {
  return isSwitchedOn(env.CI) || env.GITHUB_ACTIONS === 'true';
}

export function missingToken(settings: Settings, target: MotifTarget, world: World): MotifError {
  const { words, hints } = emptyVariables(settings, ['MOTIF_TOKEN', 'MOTIF_TOKEN_FILE']);
  return new MotifError('config', `there is no token for ${motifUrl(target)}${words === '' ? '' : `: ${words}`}`, {
    hint: isJob(world)
      ? [...(words === '' ? [secretHint] : hints), `set MOTIF_TOKEN from a secret (${motifPlaces(target).token})`]
      : [...hints, `motif login ${motifUrl(target)}`, `or set MOTIF_TOKEN (${motifPlaces(target).token})`],
  });
}

/** Everything the client needs; gets the token and reads the certificate files. */
export async function openConnection(settings: Settings, world: World, notice: Notice): Promise<ClientSettings> {
  const target = await requireTarget(settings, world);
  const source = requireToken(settings, target, world);
  const token = await getToken(source.value, world, notice, settings.timeout.value);
  world.redactor.add(token);
  refuseTokenAsName(settings, token);
  return {
    target,
    token,
    tokenFrom: source.from,
    tokenAdvice: await adviceFor(settings, source.value, target, world),
    tenant: settings.tenant,
    isTenantEmpty: settings.emptyVariables.includes('MOTIF_TENANT_ID'),
    traceparent: world.env.TRACEPARENT,
    connection: await readConnection(settings, target, world, notice),
    ...promptLimits(settings),
  };
}

/** A shorter token is a word of a test, and no secret. */
const secretCharactersMin = 8;

/** The token, unless it stands in the place of the Motif ID or the tenant, too, which servers log. */
export function refuseTokenAsName({ motifId, tenant }: Settings, token: Secret): Secret {
  const misplaced = [motifId, tenant].find((named) => named?.value === token.reveal());
  // A stand-in of a service often takes one short word for both.
  if (misplaced === undefined || token.reveal().length < secretCharactersMin) return token;
  const what = misplaced === motifId ? 'a Motif ID' : 'a tenant ID';
  throw new MotifError('usage', `${misplaced.from} holds the access token, where ${what} belongs; nothing was sent`, {
    hint: tokenPlaceHints,
  });
}

/** Gets the token; a command that makes one may be waiting for a person, so that it is named before long. */
export async function getToken(source: TokenSource, world: World, notice: Notice, timeoutMs?: number): Promise<Secret> {
  const fetching = () => fetchToken(source, world, notice, timeoutMs);
  if (source.kind !== 'profile' || source.record.store !== 'command' || !world.stderr.isTerminal) return fetching();
  const over = new AbortController();
  const late = () => notice(`waiting for the token command of profile ${source.profile}`);
  void world.sleep(commandNoticeAfterMs, over.signal).then(late, () => undefined);
  return fetching().finally(() => over.abort());
}

/** Advice for a token that is not accepted, in words that follow its origin. */
export async function adviceFor(
  { motifId }: Settings,
  source: TokenSource,
  target: MotifTarget,
  world: World,
): Promise<string> {
  // A profile has the token of its own Motif; another one was named beside it.
  const isElsewhere = source.kind === 'profile' && motifId?.level !== 'profile';
  const owner = isElsewhere ? await profileOf(target, world) : undefined;
  if (owner === undefined || (source.kind === 'profile' && source.profile === owner)) return tokenAdvice(source);
  return `profile ${owner} has the token of Motif ${defuseLine(target.motifId, 64)}: -p ${owner}`;
}

/** The profile that has this Motif as its own; undefined also where it cannot be read. */
export async function profileOf(target: MotifTarget, world: World): Promise<string | undefined> {
  const config = configFolder(world);
  if (config === undefined) return undefined;
  for (const name of await listProfiles(world.files, config).catch(() => [])) {
    const own = await readProfile(world, config, name)
      .then(
        (profile) => profile && targetOf(resolve({ flags: {}, allowHttp: false, isProfileNamed: true }, {}, profile)),
      )
      .catch(() => undefined);
    if (own !== undefined && motifUrl(own) === motifUrl(target)) return name;
  }
  return undefined;
}

function tokenAdvice(source: TokenSource): string {
  if (source.kind === 'profile') return `a new one: motif login -p ${source.profile}`;
  return source.kind === 'path' ? 'put a new one into that file, or unset it' : 'set it again, or unset it';
}

/** The proxy, roots and client certificate with which the target is reached. */
export async function readConnection(
  settings: Settings,
  target: MotifTarget,
  world: World,
  notice: Notice,
): Promise<Connection> {
  const proxy = await findProxy(settings, target, world);
  return toConnection(settings, await readCertificates(settings, world, notice), proxy);
}

/** The proxy on the way, its password known to the redactor. */
export async function findProxy(
  settings: Settings,
  target: MotifTarget,
  world: World,
): Promise<ProxyRoute | undefined> {
  const proxy = await chooseProxy(target, settings.proxy, world.env);
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
