import type { Command } from 'commander';
import { MotifError } from '../../errors.ts';
import type { Profile, TokenRecord } from '../../settings/profile-file.ts';
import { originOfProfile, type TokenSource } from '../../settings/resolve.ts';
import { checkToken, readTokenFile } from '../../settings/token-source.ts';
import { askHidden } from '../../terminal/ask.ts';
import type { Secret } from '../../text/secret.ts';
import type { World } from '../../world/world.ts';
import { getToken } from '../shared/connection.ts';
import type { Notice } from '../shared/notices.ts';
import { readStdin } from '../shared/stdin.ts';

export interface TokenFlags {
  readonly tokenStdin?: boolean;
  readonly tokenFile?: string;
  readonly tokenCommand?: string;
  readonly tokenStore?: string;
}

/** A token and, where a command made it, that command. */
export interface GivenToken {
  readonly token: Secret;
  readonly command?: string;
}

export const whereThingsAre =
  'console > Motifs > three dots > details > API definition shows address and token; settings shows the tenant';

/** Nobody pipes a token slower than this. */
const tokenStdinTimeoutMs = 60_000;

export function withToken(command: Command): Command {
  return command
    .option('--token-stdin', 'read the token from stdin')
    .option('--token-file <file>', 'read the token from a file, once')
    .option('--token-command <command>', 'store this command instead; it prints the token when needed')
    .option('--token-store <where>', 'keyring or file (default: the keyring if one answers)');
}

/** The login that a token is for. */
interface Purpose {
  readonly profile: Profile;
  readonly existing: Profile | undefined;
  /** The person was told already where things are. */
  readonly isGuided: boolean;
}

/** From stdin, a file, a command, the profile as it was, or a hidden question; never from a flag. */
export async function obtainToken(
  flags: TokenFlags,
  purpose: Purpose,
  world: World,
  notice: Notice,
): Promise<GivenToken> {
  checkFlags(flags);
  const given = await readGiven(flags, purpose, world, notice);
  world.redactor.add(given.token);
  return given;
}

async function readGiven(
  flags: TokenFlags,
  { profile, existing, isGuided }: Purpose,
  world: World,
  notice: Notice,
): Promise<GivenToken> {
  const origin = originOfProfile(profile) ?? '';
  const sourceOf = (record: TokenRecord): TokenSource => ({ kind: 'profile', profile: profile.name, origin, record });
  if (flags.tokenCommand !== undefined) {
    const token = await getToken(sourceOf({ store: 'command', command: flags.tokenCommand }), world, notice);
    return { token, command: flags.tokenCommand };
  }
  if (flags.tokenFile !== undefined)
    return { token: await readTokenFile(flags.tokenFile, world.files, '--token-file') };
  if (flags.tokenStdin) return { token: await readFromStdin(world, notice) };
  const record = existing !== undefined && originOfProfile(existing) === origin ? existing.token : undefined;
  const keep = async (kept: TokenRecord): Promise<GivenToken> => ({
    token: await getToken(sourceOf(kept), world, notice),
    ...(kept.store === 'command' ? { command: kept.command } : {}),
  });
  if (world.stdin.kind !== 'terminal') {
    if (record !== undefined) return keep(record);
    throw new MotifError('usage', 'which token? there is no terminal to ask on', {
      hint: ['--token-stdin, --token-file FILE or --token-command COMMAND', whereThingsAre],
    });
  }
  if (!isGuided) await world.stderr.write(`${whereThingsAre}\n`);
  const typed = await askHidden(
    world,
    record === undefined ? 'Token (not shown)' : 'Token (not shown; Enter keeps the stored one)',
  );
  if (typed.reveal() === '' && record !== undefined) return keep(record);
  return { token: checkToken(typed.reveal(), 'the token') };
}

async function readFromStdin(world: World, notice: Notice): Promise<Secret> {
  if (world.stdin.kind === 'terminal') {
    throw new MotifError('usage', '--token-stdin reads a pipe, but stdin is the terminal', {
      hint: 'leave the flag out to be asked',
    });
  }
  const text = world.stdin.kind === 'none' ? '' : await readStdin(world, tokenStdinTimeoutMs, notice);
  return checkToken(text, 'the token on stdin');
}

function checkFlags(flags: TokenFlags): void {
  const sources = [
    flags.tokenStdin ? '--token-stdin' : undefined,
    flags.tokenFile && '--token-file',
    flags.tokenCommand && '--token-command',
  ];
  const given = sources.filter((name) => name !== undefined && name !== '');
  if (given.length > 1) throw new MotifError('usage', `${given.join(' and ')} both give the token; use one`);
  const { tokenStore, tokenCommand } = flags;
  if (tokenStore !== undefined && tokenStore !== 'keyring' && tokenStore !== 'file') {
    throw new MotifError('usage', '--token-store takes keyring or file');
  }
  if (tokenStore !== undefined && tokenCommand !== undefined) {
    throw new MotifError('usage', '--token-command stores no token, so --token-store has nothing to say');
  }
}

/** Where the token will be kept: as asked, as it was, in the keyring if one answers, else in a file. */
export async function chooseStore(
  given: GivenToken,
  { tokenStore }: TokenFlags,
  existing: Profile | undefined,
  world: World,
): Promise<TokenRecord> {
  if (given.command !== undefined) return { store: 'command', command: given.command };
  if (tokenStore === 'file') return { store: 'file' };
  if (tokenStore === undefined && existing?.token?.store === 'file') return { store: 'file' };
  if ((await world.keyring.probe()) !== undefined) return { store: 'keyring' };
  if (tokenStore === undefined) return { store: 'file' };
  throw new MotifError('io', 'no keyring answers on this machine', {
    hint: ['store the token in a 0600 file: --token-store file'],
  });
}
