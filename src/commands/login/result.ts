import type { Verification } from '../../client/client.ts';
import { MotifError, TransportError } from '../../errors.ts';
import { profilePath } from '../../settings/paths.ts';
import type { Profile, TokenRecord } from '../../settings/profile-file.ts';
import { printDocument } from '../../terminal/output.ts';
import type { World } from '../../world/world.ts';
import { requireConfigFolder } from '../shared/connection/connection.ts';
import type { JsonFlags } from '../shared/flags/options.ts';
import type { Notice } from '../shared/notices.ts';
import type { Run } from '../shared/run.ts';

type ShownFlags = JsonFlags & { readonly noVerify?: boolean | undefined };

export const tenantVariable = 'MOTIF_TENANT_ID';

/** The end of a login that has stored the new token, while a keyring keeps the old one. */
export function stillHeld(
  name: string,
  { message, hints }: MotifError,
  verification: Verification | undefined,
): MotifError {
  const again = `unlock it, then the same login again, or motif logout ${name}, removes the old token`;
  return new MotifError('io', `profile ${name} is stored and in use, but its old token is still stored: ${message}`, {
    notes: verification?.failure === undefined ? [] : [`not verified: ${verification.failure.message}`],
    hint: [again, ...hints.slice(1)],
  });
}

/** Reminds of a token that an earlier login left in the keyring, and said so. */
export function remindOfHeld(name: string, { message, hints }: MotifError, notice: Notice): void {
  const words = `the old token of profile ${name} is still stored: ${message}`;
  notice([words, ...hints.slice(1).map((line) => `  ${line}`)].join('\n'));
}

/** Says where the token goes before it is written, so that a person can still stop it. */
export function announceStore(record: TokenRecord, profile: Profile, config: string, notice: Notice): void {
  if (record.store === 'keyring') notice('the token goes into the keyring of this machine');
  if (record.store === 'file')
    notice(`the token goes into a file only you can read (0600) in ${config}/tokens, not encrypted`);
  if (record.store === 'command')
    notice(`the token is not stored; its command is run when needed (profile ${profile.name})`);
}

/** Says what was stored and what comes next, last of all why the token is not verified. */
export async function showLogin(
  { world, flags, notice }: Run<ShownFlags>,
  profile: Profile,
  verification: Verification | undefined,
): Promise<void> {
  const { url, tenant = null } = profile.values;
  const path = profilePath(requireConfigFolder(world), profile.name);
  notice(`profile ${profile.name} is stored and in use (${verificationWords(verification, flags)}): ${path}`);
  const inTheWay = variablesBefore(profile, world.env);
  const failure = verification?.failure;
  if (inTheWay.length > 0)
    notice(
      `${inTheWay.join(', ')} in the environment ${inTheWay.length === 1 ? 'counts' : 'count'} more than the profile`,
    );
  if (failure !== undefined) {
    const again = `once that works, ask whether the token is accepted: motif doctor -p ${profile.name}`;
    const isTls = failure instanceof TransportError && failure.layer === 'tls';
    const kept = [
      ...(isTls ? [`a CA file for this profile: motif profile set cacert FILE -p ${profile.name}`] : []),
      ...(failure instanceof TransportError ? [addressHint(profile)] : []),
    ];
    const lines = [...failure.notes, ...failure.hints, ...kept, again].map((line) => `  ${line}`);
    notice([`not verified: ${failure.message}`, ...lines].join('\n'));
  } else if (verification?.status === 404) notice(pathHint(profile));
  else if (inTheWay.length === 0) notice('next: motif prompt "Hello"');
  else notice(`next: unset ${inTheWay.join(' ')}, or motif prompt -p ${profile.name} "Hello"`);
  if (!flags.json) return;
  const verified = flags.noVerify ? null : verification?.accepted === true;
  const document = { profile: profile.name, url, tenant, token_store: profile.token?.store ?? null, verified, path };
  await printDocument({ ok: true, ...document, error: null }, {}, world);
}

/** The token stays with its host and port, so that only a login takes the profile elsewhere. */
function addressHint({ name }: Profile): string {
  return `another address for this profile: motif login ADDRESS -p ${name}`;
}

/** The host answered, so that the address may be wrong behind it alone. */
function pathHint({ name }: Profile): string {
  return `another address on this host: motif profile set url ADDRESS -p ${name}; on another one: motif login ADDRESS -p ${name}`;
}

function verificationWords(verification: Verification | undefined, flags: ShownFlags): string {
  if (flags.noVerify) return 'not verified, as asked';
  if (verification?.status === 404) return 'saved, but the address answered 404: is it right?';
  return verification?.accepted ? 'the service accepts the token' : 'not verified, for the reason below';
}

/** The variables because of which a plain `motif prompt` would not use the new profile. */
function variablesBefore({ name: profile, values }: Profile, env: World['env']): string[] {
  const names = ['MOTIF_URL', 'MOTIF_ID', 'MOTIF_TOKEN', 'MOTIF_TOKEN_FILE'];
  const isOther = env.MOTIF_PROFILE ? env.MOTIF_PROFILE !== profile : false;
  const isOtherTenant = env[tenantVariable] ? env[tenantVariable] !== values.tenant : false;
  return [
    ...(isOther ? ['MOTIF_PROFILE'] : []),
    ...names.filter((name) => env[name]),
    ...(isOtherTenant ? [tenantVariable] : []),
  ];
}
