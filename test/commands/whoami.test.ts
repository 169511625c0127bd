import { describe, expect, test } from 'vitest';
import { settingTable } from '../../src/settings/table.ts';
import { doctor } from '../support/rooms/doctor.ts';
import { documentOf, loggedIn, logIn } from '../support/rooms/login.ts';
import { motif, testEnv, testToken, testUrl } from '../support/motif.ts';
import { prompt } from '../support/rooms/prompt.ts';
import { blocked, service } from '../support/service.ts';

describe('whoami', () => {
  test('shows what would be used, and where each value came from', async () => {
    const world = await loggedIn([testUrl, '-p', 'staging', '--tenant', 'acme']);
    const env = { MOTIF_TIMEOUT: '90s' };
    const run = await motif(['whoami', '--retries', '4'], { env, after: world });
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    const rows = Object.fromEntries(
      run.stdout
        .trimEnd()
        .split('\n')
        .map((line) => [line.split(/\s+/)[0], line]),
    );
    expect(rows.profile).toContain('staging');
    expect(rows.url).toMatch(/https:\/\/gw\.example\/api\/v1\/apps\/support-bot\s+profile$/);
    expect(rows.motif_id).toMatch(/support-bot\s+profile$/);
    expect(rows.tenant).toMatch(/acme\s+profile$/);
    expect(rows.timeout).toMatch(/MOTIF_TIMEOUT$/);
    expect(rows.retries).toMatch(/4\s+--retries$/);
    expect(rows.connect_timeout).toMatch(/default$/);
  });

  test('has a row for each setting of the table', async () => {
    const run = await motif(['whoami', '--json'], { after: await loggedIn([testUrl]) });
    const names = Object.entries(settingTable).map(
      ([key, { profileKey = key }]: [string, { profileKey?: string }]) => profileKey,
    );
    const shown = Object.keys(documentOf(run));
    expect(names.filter((name) => !shown.includes(name) && !shown.includes(`${name}_id`))).toEqual([]);
  });

  test.each([
    ['the file store', {}],
    ['the keyring', { keyring: 'present' } as const],
  ])('a token in %s shows its last four characters only', async (_name, setup) => {
    const { world } = await logIn([testUrl, '--token-stdin', '--no-verify'], setup);
    const run = await motif(['whoami'], { env: {}, after: world, ...setup });
    expect(run.stdout).toContain(testToken.slice(-4));
    expect(run.stdout + run.stderr).not.toContain(testToken.slice(-5));
    expect(run.stdout + run.stderr).not.toContain(testToken.slice(0, 5));
  });

  test.each([
    ['MOTIF_TOKEN', { MOTIF_TOKEN: testToken }],
    ['MOTIF_TOKEN_FILE', { MOTIF_TOKEN_FILE: 'token.txt' }],
  ])('a token from %s is masked and its origin named', async (from, env) => {
    const run = await motif(['whoami', '--json'], {
      env: { MOTIF_URL: testUrl, ...env },
      files: { 'token.txt': `${testToken}\n` },
    });
    const { token } = documentOf(run) as { token: { value: string; from: string } };
    expect(token.from).toContain(from);
    expect(token.value).toMatch(/^\D?.*8Vc3$/);
    expect(run.stdout).not.toContain(testToken.slice(-5));
  });

  test('a short token shows none of itself', async () => {
    const run = await motif(['whoami'], { env: { MOTIF_URL: testUrl, MOTIF_TOKEN: 'q8z7' } });
    expect(run.stdout + run.stderr).not.toContain('q8z7');
  });

  test('it sends nothing, even with everything set', async () => {
    expect(await motif(['whoami'], { env: { ...testEnv, HTTPS_PROXY: 'http://proxy.example:3128' } })).toMatchObject({
      exitCode: 0,
    });
  });

  test('--json has each value with its origin', async () => {
    const run = await motif(['whoami', '--json', '--tenant', 'acme'], { env: testEnv });
    expect(documentOf(run)).toMatchObject({
      ok: true,
      profile: null,
      url: { value: testUrl, from: 'MOTIF_URL' },
      motif_id: { value: 'support-bot', from: 'MOTIF_URL' },
      tenant: { value: 'acme', from: '--tenant' },
      timeout: { value: '5m', from: 'default' },
      connect_timeout: { value: '10s', from: 'default' },
      retries: { value: 2, from: 'default' },
      error: null,
    });
  });

  test.each([
    ['no Motif at all', {}, 'motif login'],
    ['a base URL without a Motif ID', { MOTIF_URL: 'https://gw.example', MOTIF_TOKEN: testToken }, '--motif ID'],
  ])('%s: exit 3, shown what there is, and told what to type', async (_name, env, next) => {
    const run = await motif(['whoami'], { env });
    expect(run.exitCode).toBe(3);
    expect(run.stderr).toContain(next);
    const asDocument = await motif(['whoami', '--json'], { env });
    expect(documentOf(asDocument)).toMatchObject({ ok: false, error: { kind: 'config', exit_code: 3 } });
  });

  test('a proxy’s password from the environment is not shown', async () => {
    const env = { ...testEnv, HTTPS_PROXY: 'http://user:HUSHHUSH@proxy.example:3128' };
    for (const argv of [['whoami'], ['whoami', '--json'], ['whoami', '--proxy', 'http://me:HUSHHUSH@p.example']]) {
      const run = await motif(argv, { env });
      expect(run.exitCode).toBe(0);
      expect(run.stdout + run.stderr).not.toContain('HUSHHUSH');
    }
  });

  test.each([
    { env: { HTTPS_PROXY: 'http://p.example:3128' }, argv: [], proxy: ['http://p.example:3128', 'HTTPS_PROXY'] },
    { env: { all_proxy: 'p.example' }, argv: [], proxy: ['http://p.example', 'all_proxy'] },
    { env: { HTTPS_PROXY: 'p.example' }, argv: ['--proxy', 'o.example'], proxy: ['http://o.example', '--proxy'] },
    { env: { HTTPS_PROXY: 'p.example', NO_PROXY: '.example' }, argv: [], proxy: [null, null] },
    { env: { HTTP_PROXY: 'p.example' }, argv: [], proxy: [null, null] },
  ])('the proxy that would be used, and what names it: $env $argv', async ({ env, argv, proxy: [value, from] }) => {
    const run = await motif(['whoami', '--json', ...argv], { env: { ...testEnv, ...env } });
    expect(documentOf(run)).toMatchObject({ proxy: { value, from } });
  });

  test('a bad value is a usage error that names its variable', async () => {
    for (const [name, value] of [
      ['MOTIF_TIMEOUT', 'soon'],
      ['MOTIF_RETRIES', '-1'],
      ['MOTIF_URL', 'gw.example'],
      ['MOTIF_ID', '../admin'],
      ['MOTIF_TENANT_ID', 'a b'],
    ] as const) {
      const run = await motif(['whoami'], { env: { ...testEnv, [name]: value } });
      expect(run, name).toMatchObject({ exitCode: 2, stdout: '' });
      expect(run.stderr).toContain(name);
    }
  });

  test('a locked keyring is told apart from no token', async () => {
    const { world } = await logIn([testUrl, '--token-stdin', '--no-verify'], { keyring: 'present' });
    const run = await motif(['whoami'], { env: {}, after: world, keyring: 'locked' });
    expect(run.exitCode).toBe(12);
    expect(run.stdout).toMatch(/^token +set, but not usable: see what failed +profile, keyring$/m);
    expect(run.stderr).toMatch(/keyring.*locked.*\n.*unlock/);
  });

  test('the profile is the one that counts, not the one a variable hides', async () => {
    const world = await loggedIn([testUrl, '-p', 'staging']);
    const env = { MOTIF_URL: 'https://other.example/api/v1/apps/bot', MOTIF_TOKEN: 'other_token_0123456789' };
    const run = await motif(['whoami', '--json'], { env, after: world });
    expect(documentOf(run)).toMatchObject({
      profile: null,
      url: { value: env.MOTIF_URL, from: 'MOTIF_URL' },
      token: { value: '****6789', from: expect.stringContaining('MOTIF_TOKEN') as string },
    });
    expect((await motif(['whoami'], { env, after: world })).stdout).toMatch(/^profile +staging +not used$/m);
    const part = { MOTIF_TOKEN: env.MOTIF_TOKEN };
    expect(documentOf(await motif(['whoami', '--json'], { env: part, after: world }))).toMatchObject({
      profile: 'staging',
    });
    expect((await motif(['whoami'], { env: part, after: world })).stdout).toMatch(/^profile +staging$/m);
  });
});

describe('everything from the environment', () => {
  test.each([
    ['without a home', { home: null }],
    ['with MOTIF_TOKEN_FILE', { env: { MOTIF_URL: testUrl, MOTIF_TOKEN_FILE: 'token.txt' } }],
    [
      'with a base URL and MOTIF_ID',
      { env: { MOTIF_URL: 'https://gw.example', MOTIF_ID: 'bot', MOTIF_TOKEN: testToken } },
    ],
  ])('%s: whoami needs no file of its own', async (_name, setup) => {
    const run = await motif(['whoami', '--json'], { files: { 'token.txt': testToken }, ...setup });
    expect(run.exitCode).toBe(0);
    expect(documentOf(run)).toMatchObject({ ok: true, profile: null, token: { value: '****8Vc3' } });
  });

  test('login without a home says what to set instead', async () => {
    const run = await logIn([testUrl, '--token-stdin', '--no-verify'], { home: null });
    expect(run.exitCode).not.toBe(0);
    expect(run.stdout).toBe('');
    expect(run.stderr).toMatch(/MOTIF_CONFIG_DIR|MOTIF_TOKEN/);
  });

  test.each([
    {
      name: 'address and token elsewhere',
      url: 'https://other.example/api/v1/apps/bot',
      profile: null,
      row: 'timeout',
    },
    {
      name: 'the token elsewhere',
      url: 'https://gw.example/api/v1/apps/bot',
      profile: 'staging',
      row: undefined,
      tenant: 'acme',
    },
    {
      name: 'address and token at the same service',
      url: 'https://gw.example/api/v1/apps/bot',
      profile: null,
      row: 'timeout',
    },
    {
      name: 'nothing of the profile',
      url: 'https://other.example/api/v1/apps/bot',
      profile: null,
      row: undefined,
      timeout: '',
    },
  ])(
    'prompt and doctor name the profile as whoami does: $name',
    async ({ url, profile, row, tenant, timeout = '9s' }) => {
      const world = await loggedIn([testUrl, '-p', 'staging', ...(tenant === undefined ? [] : ['--tenant', tenant])]);
      for (const [key, value] of [
        ['blocked_notice', 'Ask Ana.'],
        ['timeout', timeout],
      ] as const)
        await motif(['profile', 'set', key, value], { env: {}, after: world });
      const env = { MOTIF_URL: url, MOTIF_TOKEN: 'other_token_0123456789' };
      const used = row === undefined ? 'not used' : `used for ${row} alone`;
      expect((await motif(['whoami'], { env, after: world })).stdout).toMatch(
        profile === null ? new RegExp(`^profile +staging +${used}$`, 'm') : /^profile +staging$/m,
      );
      const refused = await prompt(['hi'], { env, after: world }, service({ body: blocked }));
      expect(refused).toMatchObject({ exitCode: 10 });
      expect(refused.stderr.includes('Ask Ana.')).toBe(profile !== null);
      expect(documentOf(await motif(['whoami', '--json'], { env, after: world }))).toMatchObject({ profile });
      const asked = await prompt(['hi', '--json'], { env, after: world });
      expect(documentOf(asked)).toMatchObject({ profile, motif_id: 'bot' });
      const examined = documentOf(await doctor(['--json'], { env, after: world }));
      expect(examined).toMatchObject({ settings: { profile } });
      expect(examined.items).toContainEqual(
        expect.objectContaining({ message: `${url}, ${profile === null ? 'no profile' : `profile ${profile}`}` }),
      );
    },
  );
});

test('an address of usual length stands in the row of its setting at 80 columns', async () => {
  const world = await loggedIn(['http://127.0.0.1:40081/api/v1/apps/support-bot', '-p', 'production', '--no-verify']);
  const { stdout } = await motif(['whoami'], { env: { NO_COLOR: '1' }, after: world, stdout: { columns: 80 } });
  expect(stdout).toMatch(/^url +http:\S+ {2}profile$/m);
  expect(stdout).toMatch(/^token +\*{4}\S+ +profile, file$/m);
});
