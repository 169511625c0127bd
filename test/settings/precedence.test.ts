import { describe, expect, test } from 'vitest';
import type { Profile } from '../../src/settings/profile-file.ts';
import { resolve, type Settings } from '../../src/settings/resolve.ts';
import { type SettingKey, settingTable } from '../../src/settings/table.ts';
import { product } from '../support/truth.ts';

const here = 'https://here.example';
const there = 'https://there.example';
const addressOf = (origin: string, id: string) => `${origin}/api/v1/apps/${id}`;

function profileOf(values: Readonly<Record<string, string>>): Profile {
  return { name: 'staging', values, allowHttp: false, others: {}, token: { store: 'file' } };
}

/** One value of each kind: the flag's, the variable's, the profile's. */
interface Case {
  readonly key: SettingKey;
  readonly variable: string;
  readonly profileKey?: string;
  readonly texts: readonly [string, string, string];
  readonly values: readonly [unknown, unknown, unknown];
  readonly fallback: unknown;
  readonly isIdentity?: true;
  read(settings: Settings): { readonly value: unknown; readonly from: string } | undefined;
}

const durations = { texts: ['1s', '2s', '3s'], values: [1000, 2000, 3000] } as const;
const paths = {
  texts: ['/f.pem', '/e.pem', '/p.pem'],
  values: ['/f.pem', '/e.pem', '/p.pem'],
  fallback: undefined,
} as const;
const words = {
  texts: ['from-flag', 'from-env', 'from-profile'],
  values: ['from-flag', 'from-env', 'from-profile'],
} as const;

const cases: readonly Case[] = [
  {
    key: 'timeout',
    variable: 'MOTIF_TIMEOUT',
    profileKey: 'timeout',
    ...durations,
    fallback: 300_000,
    read: (s) => s.timeout,
  },
  {
    key: 'connectTimeout',
    variable: 'MOTIF_CONNECT_TIMEOUT',
    profileKey: 'connect_timeout',
    ...durations,
    fallback: 10_000,
    read: (s) => s.connectTimeout,
  },
  {
    key: 'retries',
    variable: 'MOTIF_RETRIES',
    profileKey: 'retries',
    texts: ['5', '6', '7'],
    values: [5, 6, 7],
    fallback: 2,
    read: (s) => s.retries,
  },
  { key: 'cacert', variable: 'MOTIF_CACERT', profileKey: 'cacert', ...paths, read: (s) => s.cacert },
  { key: 'cert', variable: 'MOTIF_CERT', profileKey: 'cert', ...paths, read: (s) => s.cert },
  { key: 'key', variable: 'MOTIF_KEY', profileKey: 'key', ...paths, read: (s) => s.key },
  {
    key: 'blockedNotice',
    variable: 'MOTIF_BLOCKED_NOTICE',
    profileKey: 'blocked_notice',
    ...words,
    fallback: undefined,
    read: (s) => s.blockedNotice,
  },
  {
    key: 'tenant',
    variable: 'MOTIF_TENANT_ID',
    profileKey: 'tenant',
    ...words,
    fallback: undefined,
    isIdentity: true,
    read: (s) => s.tenant,
  },
];

const levels = product({ byFlag: [true, false], byEnv: [true, false], byProfile: [true, false], named: [true, false] });

/** Settings with rules of their own, which are tried below. */
const addresses: readonly string[] = ['url', 'motif'];

test('every setting with a variable has a case, with the names that the table has', () => {
  const settings = Object.entries(settingTable).flatMap(([key, { env: variable, profileKey }]) =>
    variable === undefined || addresses.includes(key) ? [] : [{ key, variable, profileKey }],
  );
  const tried = cases.map(({ key, variable, profileKey }) => ({ key, variable, profileKey }));
  expect(tried).toEqual(expect.arrayContaining(settings));
  expect(tried).toHaveLength(settings.length);
});

describe.each(cases)('$key', (one) => {
  test.each(levels)('flag $byFlag, variable $byEnv, profile $byProfile, -p $named', (given) => {
    const { byFlag, byEnv, byProfile, named } = given;
    const values = {
      url: addressOf(here, 'bot'),
      ...(byProfile && one.profileKey ? { [one.profileKey]: one.texts[2] } : {}),
    };
    const settings = resolve(
      { flags: byFlag ? { [one.key]: one.texts[0] } : {}, allowHttp: false, isProfileNamed: named },
      byEnv ? { [one.variable]: one.texts[1] } : {},
      profileOf(values),
    );
    const profileFirst = named && one.isIdentity === true;
    const order = profileFirst ? [0, 2, 1] : [0, 1, 2];
    const there = [byFlag, byEnv, byProfile];
    const winner = order.find((level) => there[level]);
    const origins = ['--', one.variable, 'profile staging'];
    const found = one.read(settings);
    expect(found?.value).toEqual(winner === undefined ? one.fallback : one.values[winner]);
    if (winner !== undefined) expect(found?.from).toContain(origins[winner]);
    else if (one.fallback !== undefined) expect(found?.from).toBe('default');
  });
});

describe('the address', () => {
  const rows = product({ flag: [undefined, 'f'], env: [undefined, 'e'], own: [undefined, 'p'], named: [true, false] });
  test.each(rows)('--url $flag, MOTIF_URL $env, profile $own, -p $named', ({ flag, env, own, named }) => {
    const settings = resolve(
      { flags: flag === undefined ? {} : { url: addressOf(here, flag) }, allowHttp: false, isProfileNamed: named },
      env === undefined ? {} : { MOTIF_URL: addressOf(here, env) },
      own === undefined ? undefined : profileOf({ url: addressOf(here, own) }),
    );
    const expected = named ? (flag ?? own ?? env) : (flag ?? env ?? own);
    expect(settings.motifId?.value).toBe(expected);
    expect(settings.baseUrl?.value).toBe(expected === undefined ? undefined : here);
  });
});

describe('the Motif ID: --motif replaces the one at the end of the address, of the same level or below', () => {
  const url = { url: addressOf(here, 'profile-id') };
  test.each([
    ['--motif over the profile', { motif: 'm' }, {}, false, 'm'],
    ['--motif over --url', { motif: 'm', url: addressOf(here, 'u') }, {}, false, 'm'],
    ['--motif over MOTIF_ID', { motif: 'm' }, { MOTIF_ID: 'e' }, false, 'm'],
    ['--motif over a named profile', { motif: 'm' }, { MOTIF_ID: 'e' }, true, 'm'],
    ['MOTIF_ID over the profile', {}, { MOTIF_ID: 'e' }, false, 'e'],
    ['MOTIF_ID over MOTIF_URL', {}, { MOTIF_ID: 'e', MOTIF_URL: addressOf(here, 'u') }, false, 'e'],
    ['--url over MOTIF_ID', { url: addressOf(here, 'u') }, { MOTIF_ID: 'e' }, false, 'u'],
    ['a named profile over MOTIF_ID', {}, { MOTIF_ID: 'e' }, true, 'profile-id'],
    ['a named profile over MOTIF_URL', {}, { MOTIF_URL: addressOf(here, 'u') }, true, 'profile-id'],
  ])('%s', (_name, flags, env, named, expected) => {
    const settings = resolve({ flags, allowHttp: false, isProfileNamed: named }, env, profileOf(url));
    expect(settings.motifId?.value).toBe(expected);
  });

  test('a bare base URL elsewhere does not borrow the profile’s Motif ID', () => {
    const settings = resolve({ flags: { url: there }, allowHttp: false, isProfileNamed: false }, {}, profileOf(url));
    expect(settings.motifId).toBeUndefined();
  });
});

describe('the token', () => {
  const rows = product({
    url: ['none', 'same', 'other'] as const,
    env: ['none', 'same', 'other'] as const,
    token: ['none', 'variable', 'file', 'both'] as const,
    profile: ['none', 'there'] as const,
    named: [true, false],
  });
  const originOf = { none: undefined, same: here, other: there };
  const tokens = {
    none: {},
    variable: { MOTIF_TOKEN: 'environment_0123456789' },
    file: { MOTIF_TOKEN_FILE: '/run/token' },
    both: { MOTIF_TOKEN: 'environment_0123456789', MOTIF_TOKEN_FILE: '/run/token' },
  };

  test.each(rows)('--url $url, MOTIF_URL $env, token $token, profile $profile, -p $named', (row) => {
    const flagOrigin = originOf[row.url];
    const envOrigin = originOf[row.env];
    const profileOrigin = row.profile === 'there' ? here : undefined;
    const target = row.named ? (flagOrigin ?? profileOrigin ?? envOrigin) : (flagOrigin ?? envOrigin ?? profileOrigin);
    const settings = resolve(
      {
        flags: flagOrigin === undefined ? {} : { url: addressOf(flagOrigin, 'bot') },
        allowHttp: false,
        isProfileNamed: row.named,
      },
      { ...tokens[row.token], ...(envOrigin === undefined ? {} : { MOTIF_URL: addressOf(envOrigin, 'bot') }) },
      profileOrigin === undefined ? undefined : profileOf({ url: addressOf(profileOrigin, 'bot'), tenant: 'acme' }),
    );
    const source = settings.token?.value;
    const fromProfile = source?.kind === 'profile';
    if (fromProfile) expect([source.origin, target]).toEqual([here, here]);
    if (settings.tenant?.from === 'profile staging') expect(target).toBe(here);

    const profileMay = profileOrigin !== undefined && profileOrigin === target;
    const isEnvironmentElsewhere =
      flagOrigin === undefined && row.named && profileMay && envOrigin !== undefined && envOrigin !== target;
    const environmentMay = row.token !== 'none' && !isEnvironmentElsewhere;
    if (profileMay && (row.named || !environmentMay)) expect(fromProfile).toBe(true);
    else if (environmentMay) expect(source?.kind).toBe(row.token === 'file' ? 'path' : 'variable');
    else expect(source).toBeUndefined();
  });
});

test('an empty variable is one that is not set', () => {
  const env = {
    MOTIF_URL: '',
    MOTIF_ID: '',
    MOTIF_TOKEN: '',
    MOTIF_TENANT_ID: '',
    MOTIF_TIMEOUT: '',
    MOTIF_RETRIES: '',
  };
  const settings = resolve(
    { flags: {}, allowHttp: false, isProfileNamed: false },
    env,
    profileOf({ url: addressOf(here, 'bot'), tenant: 'acme', timeout: '3s' }),
  );
  expect(settings).toMatchObject({
    baseUrl: { value: here },
    motifId: { value: 'bot' },
    tenant: { value: 'acme' },
    timeout: { value: 3000 },
    retries: { value: 2 },
    token: { from: 'profile staging' },
  });
});
