import { parseDuration } from '../text/durations.ts';
import { tenantCharactersMax } from '../text/limits.ts';
import { foundWords } from '../text/secret.ts';
import { type Address, noToken, parseAddress, parseMotifId, SettingFault } from './address.ts';

/** A setting that flags, environment, profile and default may give, highest first. */
export interface Setting<T> {
  /** As typed, without the dashes; absent where no flag gives it. */
  readonly flag?: string;
  readonly env?: string;
  /** Its key in a profile and for `motif profile set`. */
  readonly profileKey?: string;
  /** True for what a profile holds for its origin: never used for another one. */
  readonly isBound?: boolean;
  /** A profile named by -p outranks the environment for these. */
  readonly isIdentity?: boolean;
  readonly summary: string;
  /** The value, or a SettingFault. */
  readonly parse: (text: string) => T;
  readonly default?: T;
}

/** The longest time limit; no timer is trusted with more. */
const timeoutMsMax = 24 * 3600 * 1000;

/** The longest notice that a terminal shows after a block. */
const noticeCharactersMax = 2000;

/** Every setting but the token, which is never a flag. It feeds resolution, the flags and `profile set`. */
export const settingTable = {
  url: {
    flag: 'url',
    env: 'MOTIF_URL',
    profileKey: 'url',
    isIdentity: true,
    summary: 'the API base URL as the console shows it',
    parse: parseAddress,
  } as Setting<Address>,
  motif: {
    flag: 'motif',
    env: 'MOTIF_ID',
    isIdentity: true,
    summary: 'Motif ID; replaces the one at the end of the address',
    parse: parseMotifId,
  } as Setting<string>,
  tenant: {
    flag: 'tenant',
    env: 'MOTIF_TENANT_ID',
    profileKey: 'tenant',
    isBound: true,
    isIdentity: true,
    summary: 'tenant ID, sent as x-service-tenant-id',
    parse: parseHeaderText,
  } as Setting<string>,
  timeout: {
    flag: 'timeout',
    env: 'MOTIF_TIMEOUT',
    profileKey: 'timeout',
    summary: 'one prompt with its retries and waits',
    parse: parseTimeout,
    default: 5 * 60 * 1000,
  } as Setting<number>,
  connectTimeout: {
    flag: 'connect-timeout',
    env: 'MOTIF_CONNECT_TIMEOUT',
    profileKey: 'connect_timeout',
    summary: 'reaching the service',
    parse: parseTimeout,
    default: 10 * 1000,
  } as Setting<number>,
  retries: {
    flag: 'retries',
    env: 'MOTIF_RETRIES',
    profileKey: 'retries',
    summary: 'retries, only where the prompt did not run',
    parse: parseRetries,
    default: 2,
  } as Setting<number>,
  cacert: {
    flag: 'cacert',
    env: 'MOTIF_CACERT',
    profileKey: 'cacert',
    isBound: true,
    summary: 'a private CA (PEM file), trusted beside the usual ones',
    parse: parsePath,
  } as Setting<string>,
  cert: {
    flag: 'cert',
    env: 'MOTIF_CERT',
    profileKey: 'cert',
    isBound: true,
    summary: 'client certificate (PEM file)',
    parse: parsePath,
  } as Setting<string>,
  key: {
    flag: 'key',
    env: 'MOTIF_KEY',
    profileKey: 'key',
    isBound: true,
    summary: 'key of the client certificate (PEM file)',
    parse: parsePath,
  } as Setting<string>,
  proxy: {
    flag: 'proxy',
    profileKey: 'proxy',
    summary: 'proxy address; else HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY',
    parse: parseProxy,
  } as Setting<URL>,
  blockedNotice: {
    flag: 'blocked-notice',
    env: 'MOTIF_BLOCKED_NOTICE',
    profileKey: 'blocked_notice',
    summary: "your organization's words after a block",
    parse: parseText,
  } as Setting<string>,
  history: {
    profileKey: 'history',
    summary: 'on or off: whether chats are saved',
    parse: parseSwitch,
    default: true,
  } as Setting<boolean>,
};

export type SettingKey = keyof typeof settingTable;

export function parseTimeout(text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined || ms <= 0) {
    throw new SettingFault(`must be a duration such as 500ms, 20s or 5m${foundWords(text)}`, durationHint);
  }
  if (ms > timeoutMsMax) throw new SettingFault(`must be at most 24h${foundWords(text)}`, durationHint);
  return ms;
}

const durationHint = 'durations are written 500ms, 20s, 5m, 24h; a bare number is seconds';

function parseRetries(text: string): number {
  if (!/^\d{1,2}$/.test(text)) throw new SettingFault(`must be a whole number from 0 to 99${foundWords(text)}`);
  return Number(text);
}

/** A value that may stand in a header: it is never echoed, for it may be a token in the wrong place. */
function parseHeaderText(text: string): string {
  const value = text.trim();
  if (!/^[\x21-\x7e]+$/.test(value) || value.length > tenantCharactersMax)
    throw new SettingFault(`must be 1 to ${tenantCharactersMax} printable ASCII characters without spaces`);
  return noToken(value, 'a tenant ID');
}

function parsePath(text: string): string {
  if (text === '') throw new SettingFault('must name a file');
  return text;
}

function parseText(text: string): string {
  if (text.length > noticeCharactersMax) throw new SettingFault(`must be at most ${noticeCharactersMax} characters`);
  return text;
}

function parseSwitch(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new SettingFault(`must be on or off${foundWords(text)}`);
  return text === 'on';
}

/** True where a variable such as MOTIF_NO_STDIN says yes: it is set, and neither empty nor 0. */
export function isSwitchedOn(variable: string | undefined): boolean {
  return variable !== undefined && variable !== '' && variable !== '0';
}

/** A proxy's address; a bare HOST:PORT means http://, as with curl. Its credentials are never echoed. */
export function parseProxy(text: string): URL {
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const url = URL.canParse(withScheme) ? new URL(withScheme) : undefined;
  if (url === undefined || url.hostname === '')
    throw new SettingFault('must be a proxy address such as http://proxy.example:3128');
  if (url.protocol.startsWith('socks')) {
    throw new SettingFault('names a SOCKS proxy, which motif does not speak; name an http:// or https:// proxy');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new SettingFault('must start with http:// or https://');
  try {
    decodeURIComponent(url.username + url.password);
  } catch {
    throw new SettingFault('holds a broken %-escape in its name or password; write a plain % as %25');
  }
  return url;
}
