import { MotifError } from '../errors.ts';
import { checkPathHint, defuseLine } from '../text/defuse.ts';
import { formatDuration } from '../text/durations.ts';
import { type Fields, isFields, JsonFault, parseJson } from '../text/json/json.ts';
import type { Secret } from '../text/secret.ts';
import { parseToken, TokenFault } from '../text/token-form.ts';
import { decodeUtf8, Utf8Fault } from '../text/utf8.ts';
import { FileFault, type World } from '../world/world.ts';
import { configFolder, tokenPath } from './paths.ts';
import type { TokenSource } from './resolve.ts';
import { motifPlaces } from '../wire/motif-places.ts';

export type TokenWorld = Pick<World, 'env' | 'home' | 'uid' | 'files' | 'keyring' | 'run'>;

const tokenFileBytesMax = 64 * 1024;
/** A credential helper may have to ask the person, but not for ever. */
const tokenCommandTimeoutMs = 60_000;

/** The account under which a keyring keeps a profile's token: bound to the origin it was given for. */
export function keyringAccount(profile: string, origin: string): string {
  return `${profile}@${origin}`;
}

/**
 * Gets the token from wherever it is, in at most so long where a command makes it. `notice` hears of a token file that
 * others could read and that was mended.
 */
export async function fetchToken(
  source: TokenSource,
  world: TokenWorld,
  notice: (text: string) => void,
  timeoutMs = tokenCommandTimeoutMs,
): Promise<Secret> {
  switch (source.kind) {
    case 'variable':
      return checkToken(source.text, source.name);
    case 'path':
      return readTokenFile(source.path, world.files, 'MOTIF_TOKEN_FILE');
    case 'profile':
      return fetchStored(source, world, notice, Math.min(timeoutMs, tokenCommandTimeoutMs));
  }
}

/** A token file that a person named: `--token-file` or MOTIF_TOKEN_FILE. */
export async function readTokenFile(path: string, files: World['files'], from: string): Promise<Secret> {
  try {
    const { bytes } = await files.read(path, { bytesMax: tokenFileBytesMax });
    return checkToken(decodeUtf8(bytes), `the token in ${path}`);
  } catch (error) {
    if (error instanceof FileFault) {
      const hint =
        error.code === 'ENOTFILE' ? 'send it on stdin instead: --token-stdin' : checkPathHint(path, error.code);
      throw new MotifError('usage', `${from}: ${path}: ${error.message}`, { hint });
    }
    if (error instanceof Utf8Fault) {
      throw new MotifError('usage', `${from}: ${path}: ${error.message}`, { hint: copyHint });
    }
    throw error;
  }
}

const copyHint = motifPlaces().tokenAgain;

/** The fault never echoes the value. */
export function checkToken(text: string, from: string, hint = copyHint): Secret {
  try {
    return parseToken(text);
  } catch (error) {
    if (!(error instanceof TokenFault)) throw error;
    throw new MotifError('usage', `${from} ${error.message}`, { hint });
  }
}

type StoredSource = Extract<TokenSource, { kind: 'profile' }>;

async function fetchStored(
  source: StoredSource,
  world: TokenWorld,
  notice: (text: string) => void,
  timeoutMs: number,
): Promise<Secret> {
  const { profile, record } = source;
  if (record.store === 'command') {
    if (record.origin !== undefined && record.origin !== source.origin) throw foreignCommand(profile, record.origin);
    return runTokenCommand(record.command, profile, world, timeoutMs);
  }
  if (record.store === 'file') return readStored(source, record.id, world, notice);
  return readKeyring(source, world);
}

async function readKeyring({ profile, origin }: StoredSource, { keyring }: TokenWorld): Promise<Secret> {
  const elsewhere = `or store it in a file: motif login -p ${profile} --token-store file`;
  const failed = (reason: string, hint: string): MotifError =>
    new MotifError('io', `the keyring does not give out the token of profile ${profile}: ${reason}`, {
      hint: [hint, elsewhere],
    });
  try {
    const text = await keyring.get(keyringAccount(profile, origin));
    if (text !== undefined) return checkToken(text, `the token of profile ${profile} in the keyring`);
  } catch (error) {
    if (!(error instanceof MotifError) || error.kind !== 'io') throw error;
    throw failed(error.message, 'unlock the keyring and try again');
  }
  throw failed('it shows no such entry', `unlock it if it is locked, else: motif login -p ${profile}`);
}

/** Somebody changed the address in the profile's file, and what the command prints is not meant for that one. */
function foreignCommand(profile: string, origin: string): MotifError {
  return new MotifError('config', `the token command of profile ${profile} is for ${defuseLine(origin, 200)} alone`, {
    hint: `if its address is right: motif login -p ${profile} --token-command COMMAND`,
  });
}

async function readStored(
  source: StoredSource,
  id: string | undefined,
  world: TokenWorld,
  notice: (text: string) => void,
): Promise<Secret> {
  const path = tokenPath(configFolder(world) ?? '', source.profile, id);
  const refused = (reason: string) =>
    new MotifError('config', `the token of profile ${source.profile} cannot be used: ${path} ${reason}`, {
      hint: `motif login -p ${source.profile}`,
    });
  try {
    const { bytes, info } = await world.files.read(path, { bytesMax: tokenFileBytesMax, follow: false });
    if (world.uid !== undefined && info.uid !== world.uid) throw refused('belongs to another user');
    if ((info.mode & 0o077) !== 0) {
      await world.files.setMode(path, 0o600);
      notice(`${path} could be read by others; its mode is 0600 now. Consider a new token.`);
    }
    const { origin, token } = parseStored(decodeUtf8(bytes));
    if (typeof token !== 'string') throw refused('is broken');
    if (origin !== source.origin) throw refused('was stored for another address');
    return checkToken(token, `the token in ${path}`);
  } catch (error) {
    if (error instanceof FileFault) throw refused(`cannot be read: ${error.message}`);
    if (error instanceof Utf8Fault) throw refused(error.message);
    if (error instanceof JsonFault) throw refused('is broken');
    throw error;
  }
}

/** The store's file names the origin its token was given for, so that an edited profile cannot send it elsewhere. */
export function storedText(origin: string, token: Secret): string {
  return `${JSON.stringify({ origin, token: token.reveal() })}\n`;
}

function parseStored(text: string): Fields {
  const value = parseJson(text);
  return isFields(value) ? value : {};
}

async function runTokenCommand(
  command: string,
  profile: string,
  world: TokenWorld,
  timeoutMs: number,
): Promise<Secret> {
  const result = await world.run({
    command: '/bin/sh',
    args: ['-c', command],
    timeoutMs,
    inheritsEnv: true,
  });
  if (result.code === 0) {
    const hint = 'the command must print the token and nothing else, for example: pass show motif | head -n 1';
    return checkToken(result.stdout, `what the token command of profile ${profile} printed`, hint);
  }
  const isLate = result.failure === 'timeout';
  const how = isLate
    ? `did not end within ${formatDuration(timeoutMs)}`
    : result.failure === 'killed'
      ? 'was stopped'
      : `ended with code ${result.code ?? 'none'}`;
  const said = defuseLine(result.stderr.trim().split('\n')[0] ?? '', 200);
  throw new MotifError(isLate ? 'timeout' : 'config', `the token command of profile ${profile} ${how}`, {
    notes: said === '' ? [] : [`it said: ${said}`],
    hint: `run it by hand, or store another: motif login -p ${profile} --token-command COMMAND`,
  });
}
