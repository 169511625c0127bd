import { MotifError } from '../../errors.ts';
import type { Profile, TokenRecord } from '../../settings/profile-file.ts';
import { originOfProfile, type TokenSource } from '../../settings/resolve.ts';
import { parseTimeout, settingTable } from '../../settings/table.ts';
import { checkToken, fetchToken, readTokenFile } from '../../settings/token-source.ts';
import { askHidden, maySeeQuestion } from '../../terminal/ask.ts';
import { errorLines } from '../../terminal/lines.ts';
import type { Secret } from '../../text/secret.ts';
import { fold } from '../../text/width.ts';
import { motifPlaces } from '../../wire/motif-places.ts';
import type { MotifTarget } from '../../wire/request.ts';
import type { World } from '../../world/world.ts';
import { getToken } from '../shared/connection/connection.ts';
import { choice, file, type FlagsOf, flags, textFlag, toggle } from '../shared/flags/flags.ts';
import type { Notice } from '../shared/notices.ts';
import type { Run } from '../shared/run.ts';
import { readStdin } from '../shared/stdin.ts';

const bothGive = 'both give the token';

/** Ways to give the token, and where it is kept. */
export const tokenFlags = flags(
  {
    tokenStdin: toggle('--token-stdin', 'read the token from stdin', {
      not: { tokenFile: bothGive, tokenCommand: bothGive },
    }),
    tokenFile: file('--token-file <file>', 'read the token from a file, once', { not: { tokenCommand: bothGive } }),
    tokenCommand: textFlag('--token-command <command>', 'store this command instead; it prints the token when needed', {
      not: { tokenStore: 'do not go together: a command stores no token' },
    }),
    tokenStore: choice(
      '--token-store <where>',
      ['keyring', 'file'],
      'keyring or file (default: the keyring if one answers)',
    ),
  },
  { heading: 'Token' },
);

type TokenFlags = FlagsOf<typeof tokenFlags>;

/** A token and, where a command made it, that command. */
export interface GivenToken {
  readonly token: Secret;
  readonly command?: string;
  /** True where a person was asked for it. */
  readonly isTyped?: boolean;
}

/** Says where a person finds what is asked for; of a Motif whose address is still to come, in the console. */
export async function sayWhereThingsAre({ stderr }: Pick<World, 'stderr'>, target?: MotifTarget): Promise<void> {
  const { guide } = motifPlaces(target);
  const lines = stderr.isTerminal ? guide.map((line) => fold(line, stderr.columns, '  ')) : guide;
  await stderr.write(`${lines.join('\n')}\n`);
}

/** A token that is piped comes sooner than a prompt. */
const tokenStdinTimeoutMs = 60_000;

/** The login that a token is for. */
interface Purpose {
  readonly profile: Profile;
  readonly existing: Profile | undefined;
  /** The person was told already where things are. */
  readonly isGuided: boolean;
}

/** The token from stdin, a file, a command, the profile as it was, or a hidden question; never from a flag. */
export async function obtainToken(run: Run<TokenFlags>, purpose: Purpose): Promise<GivenToken> {
  const given = await readGiven(run, purpose);
  run.world.redactor.add(given.token);
  return given;
}

async function readGiven(
  { world, flags: typed, notice }: Run<TokenFlags>,
  { profile, existing, isGuided }: Purpose,
): Promise<GivenToken> {
  const origin = originOfProfile(profile) ?? '';
  const { timeout } = profile.values;
  const get = (record: TokenRecord): Promise<Secret> => {
    const source: TokenSource = { kind: 'profile', profile: profile.name, origin, record };
    return getToken(source, world, notice, timeout === undefined ? undefined : parseTimeout(timeout));
  };
  if (typed.tokenCommand !== undefined) {
    const command = typed.tokenCommand;
    return { token: await get({ store: 'command', command }), command };
  }
  if (typed.tokenFile !== undefined)
    return { token: await readTokenFile(typed.tokenFile, world.files, '--token-file') };
  if (typed.tokenStdin) return { token: await readFromStdin(world, notice) };
  const { baseUrl, motifId } = settingTable.url.parse(profile.values.url ?? '');
  const target = motifId === undefined ? undefined : { baseUrl, motifId };
  const record = existing !== undefined && originOfProfile(existing) === origin ? existing.token : undefined;
  const keep = async (kept: TokenRecord): Promise<GivenToken> => ({
    token: await get(kept),
    ...(kept.store === 'command' ? { command: kept.command } : {}),
  });
  if (!maySeeQuestion(world)) {
    if (record !== undefined) return keep(record);
    throw new MotifError('usage', 'no token was given, and there is no terminal to ask on (stdin and stderr)', {
      hint: [
        ...variableHints(world.env),
        '--token-stdin, --token-file FILE or --token-command COMMAND',
        ...motifPlaces(target).guide,
      ],
    });
  }
  if (!isGuided) await sayWhereThingsAre(world, target);
  const token = await askToken(world, { isStored: record !== undefined, hint: motifPlaces(target).tokenAgain });
  if (token === undefined && record !== undefined) return { ...(await keep(record)), isTyped: true };
  return { token: token ?? checkToken('', 'the token', motifPlaces(target).tokenAgain), isTyped: true };
}

/** The token as it was typed; undefined for none. One that cannot be a token is asked for again. */
async function askToken(
  world: World,
  { isStored, hint }: { readonly isStored: boolean; readonly hint: string },
): Promise<Secret | undefined> {
  const question = isStored ? 'Token (not shown; Enter keeps the stored one)' : 'Token (not shown)';
  for (;;) {
    const text = (await askHidden(world, question)).reveal();
    if (text === '') return undefined;
    try {
      return checkToken(text, 'the token', hint);
    } catch (error) {
      if (!(error instanceof MotifError)) throw error;
      await world.stderr.write(errorLines(error, world.stderr));
    }
  }
}

/** Words on what a login with this token replaces; undefined where the profile has no token to be read, or this one. */
export async function replacedWords(
  existing: Profile | undefined,
  given: GivenToken,
  world: World,
): Promise<string | undefined> {
  const origin = existing && originOfProfile(existing);
  if (existing?.token === undefined || origin === undefined) return undefined;
  const record = existing.token;
  if (record.store === 'command') {
    return record.command === given.command
      ? undefined
      : `profile ${existing.name} had a token command; it is replaced`;
  }
  const source: TokenSource = { kind: 'profile', profile: existing.name, origin, record };
  const old = await fetchToken(source, world, () => undefined).catch(() => undefined);
  if (old === undefined || old.reveal() === given.token.reveal()) return undefined;
  return `profile ${existing.name} had another token; it is replaced`;
}

/** Lines for a token that is in the environment already, from where a login does not take one by itself. */
function variableHints({ MOTIF_TOKEN: token, MOTIF_TOKEN_FILE: path }: World['env']): string[] {
  if (token) return ['to store the one in MOTIF_TOKEN: printf %s "$MOTIF_TOKEN" | motif login ... --token-stdin'];
  return path ? ['to store the one in MOTIF_TOKEN_FILE: motif login ... --token-file "$MOTIF_TOKEN_FILE"'] : [];
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

/** The store for the token: as asked, as it was, the keyring if one answers, else a file. */
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
