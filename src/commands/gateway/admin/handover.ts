import { MotifError } from '../../../errors.ts';
import { isAdded } from '../../../gateway/access/access.ts';
import { type GatewayConfig, unlimited, type UsageLimits } from '../../../gateway/config.ts';
import { newToken } from '../../../gateway/access/token.ts';
import { isLoopback } from '../../../wire/http.ts';
import { configFolder, profileNameShape } from '../../../settings/paths.ts';
import { type Profile, readProfile } from '../../../settings/profile-file.ts';
import { defuseLine, plainWord } from '../../../text/defuse.ts';
import { Secret } from '../../../text/secret.ts';
import type { World } from '../../../world/world.ts';
import type { AdminFlags, NewTokenFlags, TokenOutFlags } from './flags.ts';
import { tellInForce } from './in-force.ts';
import { printDocument } from '../../../terminal/output.ts';
import type { Notice } from '../../shared/notices.ts';
import type { Run } from '../../shared/run.ts';
import { factColumns, printTable } from '../../shared/table.ts';
import { addressOf } from '../address.ts';
import { toDay, toMoment } from '../../../text/durations.ts';

/** A token that was just made, with what the gateway file keeps of it. */
export interface FreshToken {
  readonly text: string;
  readonly user: string | undefined;
  readonly record: {
    readonly id: string;
    readonly sha256: string;
    readonly user?: string;
    readonly team?: string;
    readonly created: string;
    readonly expires?: string;
    readonly limits?: Readonly<Record<string, number>>;
  };
}

const idDigits = 8;

/** Facts of a new token: those of the flags, and those that it takes over from the one before it. */
interface TokenFacts {
  readonly user?: string | undefined;
  /** The moment from which it is no longer accepted. */
  readonly endsAt?: number | undefined;
  readonly team?: string | undefined;
  readonly limits?: UsageLimits;
}

/** Its ID begins its hash, so that no two tokens ever have the same one, and an old audit stays clear. */
export function makeToken(world: World, { user, endsAt, team, limits = unlimited }: TokenFacts): FreshToken {
  const { text, sha256 } = newToken(world.random(32));
  world.redactor.add(new Secret(text));
  const record = {
    id: `t-${sha256.slice(0, idDigits)}`,
    sha256,
    ...(user !== undefined && { user }),
    ...(team !== undefined && { team }),
    created: toDay(world.now()),
    ...(endsAt !== undefined && { expires: toMoment(endsAt) }),
    ...(Object.keys(limitsRecord(limits)).length > 0 && { limits: limitsRecord(limits) }),
  };
  return { text, user, record };
}

/** Limits as the gateway file has them, without those that are not set. */
function limitsRecord({ rpm, tokensPerDay, inFlight }: UsageLimits): Readonly<Record<string, number>> {
  return {
    ...(rpm !== undefined && { rpm }),
    ...(tokensPerDay !== undefined && { tokens_per_day: tokensPerDay }),
    ...(inFlight !== undefined && { in_flight: inFlight }),
  };
}

/** The moment that `--expires` means, which must be to come. */
export function endOf(expires: NewTokenFlags['expires'], world: Pick<World, 'now'>): number | undefined {
  if (expires === undefined || expires === 'never') return undefined;
  const at = 'inMs' in expires ? world.now() + expires.inMs : expires.at;
  if (at > world.now()) return at;
  throw new MotifError('usage', '--expires is in the past', {
    hint: 'a day begins at 00:00 UTC, and 0 is now: never is a word',
  });
}

/** The address of a Motif as its clients need it, like the console's API definition. */
export function motifAddress({ listen }: Pick<GatewayConfig, 'listen'>, motifId: string): string {
  return `${listen.publicUrl ?? addressOf(listen, listen.port)}/api/v1/apps/${encodeURIComponent(motifId)}`;
}

/** Parts of handing over that differ between the commands. */
interface HandoverParts {
  readonly run: Run<AdminFlags & TokenOutFlags>;
  /** Told behind the token where a gateway may serve the file already, which is then asked if it has read it. */
  readonly served?: { readonly notes: readonly string[]; readonly before: GatewayConfig };
  /** The earlier tokens that end, where there can be any. */
  readonly ending?: readonly { readonly id: string; readonly expires: string }[];
}

/** Shows a new token, this once, or the file that has it; and all that a client needs beside it. */
export async function handOver(
  token: FreshToken,
  motifId: string,
  config: GatewayConfig,
  { run, served, ending }: HandoverParts,
): Promise<void> {
  const { world, flags, notice } = run;
  const { tokenOut } = flags;
  const address = motifAddress(config, motifId);
  const login = loginLine(token, motifId, config);
  // Beside tokens that stay, a new one is for somebody else, whose profiles are not known here.
  const isInPlace = ending !== undefined && ending.length > 0;
  const known = tokenOut !== undefined && isInPlace ? await profileFor(motifId, config, world) : undefined;
  sayWhatToMind(config, tokenOut, notice);
  if (known?.other !== undefined) {
    notice(
      `your profile ${known.name} is for another address, ${known.other}, so the line to log in makes a new profile`,
    );
  }
  // People see the token before the gateway is waited for; a document is printed whole.
  if (!flags.json) {
    const tokenPath = tokenOut === undefined ? undefined : world.files.absolute(tokenOut);
    const parts = { tokenOut, known, tokenPath };
    await printTable(run, factColumns, rowsOf(token, motifId, config, parts), { isSecretShown: true });
    // The longest lines are laid out by themselves: the facts keep their column on a terminal that is too narrow.
    const ways = [loginRow(token, motifId, config, parts), exportRow(token, motifId, config, parts)];
    for (const way of ways) await printTable(run, factColumns, [way], { isSecretShown: true });
  }
  for (const note of served?.notes ?? []) notice(note);
  const facts = {
    motif_id: motifId,
    address,
    ...(tokenOut === undefined ? { token: token.text } : { token: null, token_file: tokenOut }),
    token_id: token.record.id,
    tenant: config.tenant ?? null,
    user: token.user ?? null,
    login: `${login} --token-stdin`,
    ...(ending !== undefined && { ending }),
  };
  if (served !== undefined) await tellInForce({ before: served.before, config }, run, facts);
  else if (flags.json) await printDocument({ ok: true, ...facts, error: null }, flags, world);
}

/** The profile of this machine that a login with the address of the Motif would change. */
interface KnownProfile {
  readonly name: string;
  /** Its address, where that is another one, which `--force` would replace. */
  readonly other: string | undefined;
}

async function profileFor(motifId: string, config: GatewayConfig, world: World): Promise<KnownProfile | undefined> {
  if (!profileNameShape.test(motifId)) return undefined;
  // The token is made already: a profile that cannot be read is for the login to tell.
  const profile = await readOwnProfile(motifId, world).catch(() => undefined);
  const { url } = profile?.values ?? {};
  const isOther = url !== undefined && url !== motifAddress(config, motifId);
  return profile && { name: motifId, other: isOther ? defuseLine(url, 200) : undefined };
}

async function readOwnProfile(name: string, world: World): Promise<Profile | undefined> {
  const folder = configFolder(world);
  return folder === undefined ? undefined : await readProfile(world, folder, name);
}

const longestName = 'Motif ID';

interface LoginParts {
  readonly tokenOut: string | undefined;
  readonly known: KnownProfile | undefined;
  /** The whole path of that file, for a script that runs in another folder. */
  readonly tokenPath: string | undefined;
}

function rowsOf(token: FreshToken, motifId: string, config: GatewayConfig, { tokenOut }: LoginParts): string[][] {
  const { tenant } = config;
  const needs = needsTenant(token, motifId, config);
  return [
    ['address', motifAddress(config, motifId)],
    [longestName, motifId],
    ['token', tokenOut === undefined ? token.text : `${token.record.id}, in ${tokenOut}`],
    ...(tenant === undefined ? [] : [['tenant', needs ? tenant : `${tenant} (not needed by ${token.user})`]]),
  ];
}

/** The row of the line to log in, as wide at its name as the rows above it. */
function loginRow(
  token: FreshToken,
  motifId: string,
  config: GatewayConfig,
  { tokenOut, known }: LoginParts,
): string[] {
  const login = loginLine(token, motifId, config);
  const line = tokenOut === undefined ? login : `${login}${choiceOf(known)} --token-stdin < ${tokenOut}`;
  return ['log in'.padEnd(longestName.length), line];
}

/** The row of the line that a script or a CI job needs in place of a login. */
function exportRow(token: FreshToken, motifId: string, config: GatewayConfig, { tokenPath }: LoginParts): string[] {
  const variables = [
    `MOTIF_URL=${plainWord(motifAddress(config, motifId))}`,
    ...(needsTenant(token, motifId, config) ? [`MOTIF_TENANT_ID=${plainWord(config.tenant ?? '')}`] : []),
    tokenPath === undefined ? `MOTIF_TOKEN=${token.text}` : `MOTIF_TOKEN_FILE=${plainWord(tokenPath)}`,
  ];
  return ['scripts'.padEnd(longestName.length), `export ${variables.join(' ')}`];
}

/** Flags by which a login changes the profile that has the address, and no other one. */
function choiceOf(known: KnownProfile | undefined): string {
  if (known === undefined) return '';
  return known.other === undefined ? ' --force' : ` -p ${known.name}-2`;
}

function loginLine(token: FreshToken, motifId: string, config: GatewayConfig): string {
  const address = motifAddress(config, motifId);
  const url = new URL(address);
  return [
    `motif login ${address}`,
    ...(needsTenant(token, motifId, config) ? [`--tenant ${config.tenant}`] : []),
    ...(url.protocol === 'http:' && !isLoopback(url.hostname) ? ['--allow-http'] : []),
  ].join(' ');
}

function needsTenant({ user }: FreshToken, motifId: string, config: GatewayConfig): boolean {
  return config.tenant !== undefined && !(user !== undefined && isAdded(user, config.motifs.get(motifId)!, config));
}

function sayWhatToMind({ listen }: GatewayConfig, tokenOut: string | undefined, notice: Notice): void {
  notice(
    tokenOut === undefined
      ? 'the token is shown only now: the file keeps its hash alone. motif login asks for it, or takes --token-stdin'
      : `the token stands in ${tokenOut} alone, which only you can read: the gateway file keeps its hash`,
  );
  const isAnywhere = listen.host === '0.0.0.0' || listen.host === '::';
  if (listen.publicUrl === undefined && (isAnywhere || listen.port === 0)) {
    notice('set listen.public_url in the file to the address at which clients reach this gateway');
  }
}
