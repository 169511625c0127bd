import { MotifError } from '../errors.ts';
import { motifIdCharactersMax } from '../text/limits.ts';
import { ownTokenForm } from '../text/token-form.ts';

/** An address as a person gives it: the Motif's own, or a bare base URL that needs a Motif ID beside it. */
export interface Address {
  readonly baseUrl: string;
  readonly motifId?: string;
  /** Scheme, host and port: what decides whether a stored token may go there. */
  readonly origin: string;
}

/** Why a value cannot be used, in words that follow the name of the setting. */
export class SettingFault extends Error {
  override readonly name = 'SettingFault';
  /** Text that may be written instead, where the words alone do not say it. */
  readonly hint: string | readonly string[] | undefined;

  constructor(reason: string, hint?: string | readonly string[]) {
    super(reason);
    this.hint = hint;
  }
}

/** The value of a text as a setting, or a usage error that begins with the name of where it came from. */
export function parseGiven<T>(
  parse: (text: string) => T,
  text: string,
  { name, hint = [] }: { readonly name: string; readonly hint?: string | readonly string[] },
): T {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof SettingFault)) throw error;
    if (text.trim() === '') throw new MotifError('usage', `${name} is empty`, { hint: emptyHint });
    throw new MotifError('usage', `${name} ${error.message}`, { hint: error.hint ?? hint });
  }
}

/** Advice for a token in the place of something else. */
export const tokenPlaceHints = [
  'a token goes into MOTIF_TOKEN, or motif login asks for it',
  'other users of this machine see the words of a command: if they may have seen it, have it replaced',
] as const;

/** The hint about an empty text, most often an unset variable of a script. */
export const emptyHint = 'if a variable stands in its place, is it set?';

const shape = 'https://HOST/api/v1/apps/MOTIF-ID';
const apiPath = /^(?<base>.*?)\/api\/v(?<version>\d+)(?:\/apps(?:\/(?<id>[^/]*)(?:\/prompts)?)?)?$/;

/**
 * Reads an address once and strictly, so that what is shown is what is used: the host is the ASCII form that DNS sees,
 * and anything that could make a reader see another host than the program does is refused.
 */
export function parseAddress(text: string): Address {
  const url = parseUrl(text.trim());
  if (url.username !== '' || url.password !== '') throw new SettingFault('must not hold a user name or password');
  if (url.hash !== '') throw new SettingFault(`must not have a #fragment; an address looks like ${shape}`);
  const path = url.pathname.replace(/\/+$/, '');
  const match = apiPath.exec(path);
  if (match === null) return { baseUrl: url.origin + path, origin: url.origin };
  const { base = '', version, id } = match.groups ?? {};
  if (version !== '1') throw new SettingFault(`names /api/v${version}, but motif speaks /api/v1`);
  const address = { baseUrl: url.origin + base, origin: url.origin };
  return id === undefined || id === '' ? address : { ...address, motifId: parseMotifId(decodeId(id)) };
}

function parseUrl(text: string): URL {
  if (text.includes('\\') || hasInvisible(text)) {
    throw new SettingFault(`holds a space, a backslash or an invisible character; an address looks like ${shape}`);
  }
  if (!/^https?:\/\//i.test(text)) {
    const isHost = /^([\w-]+(\.[\w-]+)+|\w[\w-]*(?=:\d)|localhost)(:\d+)?(\/|$)/.test(text);
    throw new SettingFault(isHost ? 'must start with https:// (http:// on this machine)' : `must look like ${shape}`);
  }
  try {
    return new URL(text);
  } catch {
    throw new SettingFault(`is not a valid address; an address looks like ${shape}`);
  }
}

function decodeId(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new SettingFault('holds a Motif ID with a broken %-escape');
  }
}

/** Any text the service may call a Motif, except what would change the path it becomes a part of. */
export function parseMotifId(text: string): string {
  const id = text.trim();
  if (id === '') throw new SettingFault('must not be empty');
  if (id.length > motifIdCharactersMax) throw new SettingFault(`is longer than ${motifIdCharactersMax} characters`);
  if (id === '.' || id === '..' || /[/\\?#]/.test(id) || hasInvisible(id) || !id.isWellFormed()) {
    throw new SettingFault('must not hold spaces, slashes, ?, # or invisible characters, nor be . or ..');
  }
  return noToken(id, 'a Motif ID');
}

/** The text, unless it holds a whole access token, which would be sent where others log it. It is never echoed. */
export function noToken(text: string, expected: string): string {
  if (!ownTokenForm.test(text)) return text;
  throw new SettingFault(`holds an access token, where ${expected} belongs; nothing was sent`, tokenPlaceHints);
}

/** True of a blank or a character without a look. The pattern for these takes long to make: plain text needs none. */
function hasInvisible(text: string): boolean {
  return !/^[\x21-\x7e]*$/.test(text) && /[\s\p{Cc}\p{Cf}]/u.test(text);
}
