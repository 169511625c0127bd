import { describe, expect, test } from 'vitest';
import { configFolder, documentOf, filesBelow, loggedIn, logIn, tokenOf } from '../../support/rooms/login.ts';
import { motif, testToken, testUrl } from '../../support/motif.ts';
import { service } from '../../support/service.ts';

const settled = [testUrl, '--tenant', 'acme-7f3a', '--timeout', '90s', '--cacert', '/etc/acme.pem'] as const;

async function whoami(world: Awaited<ReturnType<typeof loggedIn>>): Promise<Record<string, unknown>> {
  return documentOf(await motif(['whoami', '--json'], { env: {}, after: world }));
}

describe('a login to a profile that exists', () => {
  test('off a terminal it is refused, says --force and -p, and changes nothing', async () => {
    const world = await loggedIn(settled);
    const before = filesBelow(configFolder(world));
    const run = await logIn([testUrl, '--token-stdin'], { after: world, stdin: 'second_token_0123456789' });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('support-bot');
    expect(run.stderr).toContain('--force');
    expect(run.stderr).toContain('-p');
    expect(filesBelow(configFolder(world))).toEqual(before);
  });

  test('with --force it keeps what is not given', async () => {
    const world = await loggedIn(settled);
    const forced = [testUrl, '--token-stdin', '--no-verify', '--force', '--timeout', '2m'];
    const run = await logIn(forced, { after: world, stdin: 'second_token_0123456789' });
    expect(run.exitCode).toBe(0);
    expect(await whoami(run.world)).toMatchObject({
      tenant: { value: 'acme-7f3a' },
      timeout: { value: '2m' },
      cacert: { value: '/etc/acme.pem' },
      token: { value: '****6789' },
    });
  });

  test.each([
    { name: 'another address', address: 'https://new.example/api/v1/apps/support-bot', says: testUrl },
    { name: 'the same address', address: testUrl, says: undefined },
  ])('with --force it says which address it replaces: $name', async ({ address, says }) => {
    const argv = [address, '--token-stdin', '--no-verify', '--force'];
    const { stderr } = await logIn(argv, { after: await loggedIn([testUrl]), stdin: 'second_token_0123456789' });
    const [, was] = /replaces the address of profile support-bot, which was (.*)$/m.exec(stderr) ?? [];
    expect(was).toBe(says);
  });

  const stdin = ['--token-stdin'];
  const command = ['--token-command', 'pass show motif'];
  test.each([
    { name: 'another token', before: stdin, argv: stdin, says: 'had another token; it is replaced' },
    { name: 'the same token', before: stdin, argv: stdin, token: testToken, says: undefined },
    { name: 'no token', before: stdin, argv: [], says: undefined },
    { name: 'a command', before: stdin, argv: command, says: 'had another token; it is replaced' },
    { name: 'the same command', before: command, argv: command, says: undefined },
    { name: 'a token after a command', before: command, argv: stdin, says: 'had a token command; it is replaced' },
  ])('with --force it says which token it replaces: $name', async ({ before, argv, token, says }) => {
    const helper = { run: () => ({ code: 0, stdout: 'third_token_0123456789', stderr: '' }) };
    const { world } = await logIn([testUrl, '--no-verify', ...before], helper);
    const setup = { after: world, ...helper, ...(argv === stdin && { stdin: token ?? 'second_token_0123456789' }) };
    const run = await motif(['login', testUrl, '--no-verify', '--force', ...argv], { env: {}, ...setup });
    expect(run.exitCode).toBe(0);
    const [, words] = /profile support-bot (had .*)$/m.exec(run.stderr) ?? [];
    expect(words).toBe(says);
  });

  test('with --force and no token it keeps the stored one', async () => {
    const world = await loggedIn([testUrl, '--tenant', 'acme-7f3a']);
    const asked = service();
    const run = await motif(['login', testUrl, '--force', '--tenant', 'other'], { env: {}, after: world, ...asked });
    expect(run.exitCode).toBe(0);
    expect(asked.requests.map(tokenOf)).toEqual([testToken]);
    expect(await whoami(run.world)).toMatchObject({ tenant: { value: 'other' }, token: { value: '****8Vc3' } });
  });

  test('-p NAME alone is enough to change its token', async () => {
    const world = await loggedIn([...settled, '-p', 'staging']);
    const again = ['-p', 'staging', '--token-stdin', '--no-verify', '--force'];
    const run = await logIn(again, { after: world, stdin: 'second_token_0123456789' });
    expect(run.exitCode).toBe(0);
    expect(await whoami(run.world)).toMatchObject({
      profile: 'staging',
      url: { value: testUrl },
      tenant: { value: 'acme-7f3a' },
      token: { value: '****6789' },
    });
  });

  test.each([
    { name: 'a token file', argv: ['--token-file', 'token.txt'], setup: {} },
    { name: 'a token on stdin', argv: ['--token-stdin'], setup: { stdin: 'second_token_0123456789' } },
    {
      name: 'a token command',
      argv: ['--token-command', 'pass show motif'],
      setup: { run: () => ({ code: 0, stdout: 'second_token_0123456789', stderr: '' }) },
    },
  ])('$name alone, without name and address, is one for the profile in use', async ({ argv, setup }) => {
    const other = 'https://other.example/api/v1/apps/bot';
    const world = await loggedIn([...settled, '-p', 'staging'], [other, '-p', 'other']);
    const used = await motif(['profile', 'use', 'staging'], { env: {}, after: world });
    const files = { 'token.txt': 'second_token_0123456789' };
    const forced = ['login', ...argv, '--no-verify', '--force'];
    const run = await motif(forced, { env: {}, after: used.world, files, ...setup });
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toContain('profile staging is stored');
    const shown = { profile: 'staging', url: { value: testUrl }, tenant: { value: 'acme-7f3a' } };
    expect(documentOf(await motif(['whoami', '--json'], { env: {}, after: run.world, ...setup }))).toMatchObject(shown);
  });

  test('MOTIF_PROFILE names the profile of a token that is given alone', async () => {
    const world = await loggedIn([...settled, '-p', 'staging'], ['https://other.example/api/v1/apps/bot']);
    const env = { MOTIF_PROFILE: 'staging' };
    const run = await logIn(['--token-stdin', '--no-verify', '--force'], { after: world, env });
    expect(run.stderr).toContain('profile staging is stored');
  });

  test('it is not changed unasked, and --motif beside the token needs the address of its service', async () => {
    const world = await loggedIn([...settled, '-p', 'staging']);
    const unasked = await logIn(['--token-stdin', '--no-verify'], { after: world });
    expect(unasked.exitCode).toBe(2);
    expect(unasked.stderr).toContain('profile staging exists already');
    const run = await logIn(['--token-stdin', '--no-verify', '--motif', 'sales'], { after: world });
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('no address was given: motif login ADDRESS');
    expect(await whoami(run.world)).toMatchObject({ profile: 'staging', url: { value: testUrl } });
  });

  test('without a profile in use, a token alone asks for the address', async () => {
    const run = await logIn(['--token-stdin', '--no-verify']);
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('no address was given');
  });

  test.each([
    ['yes', ['y\n', `${testToken}\r`], 0, '****8Vc3'],
    ['no', ['n\n'], 2, '****6789'],
  ])('at a terminal it is asked about first: %s', async (_name, typed, exitCode, shown) => {
    const world = await loggedIn([...settled, 'token=first_token_0123456789']);
    const run = await logIn([testUrl, '--no-verify'], { after: world, stdin: { typed }, stderr: { columns: 200 } });
    expect(run).toMatchObject({ exitCode, stdout: '' });
    expect(run.stderr).toContain('support-bot');
    expect(await whoami(run.world)).toMatchObject({ token: { value: shown } });
  });
});

describe('what a profile holds for its origin does not move to another one', () => {
  const other = 'https://evil.example/api/v1/apps/bot';

  test('tenant and certificates are left behind by a login elsewhere, the rest is kept', async () => {
    const certificates = ['--cert', '/etc/me.pem', '--key', '/etc/me.key'];
    const world = await loggedIn([...settled, ...certificates, '-p', 'one']);
    const run = await logIn([other, '-p', 'one', '--force', '--no-verify', '--token-stdin'], { after: world });
    expect(run.exitCode).toBe(0);
    expect(await whoami(run.world)).toMatchObject({
      url: { value: other },
      tenant: { value: null },
      cacert: { value: null },
      cert: { value: null },
      key: { value: null },
      timeout: { value: '90s' },
    });
  });

  test('the stored token is not offered to the new address: off a terminal a new one is needed', async () => {
    const world = await loggedIn([...settled, '-p', 'one']);
    const run = await motif(['login', other, '-p', 'one', '--force'], { env: {}, after: world });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('--token-stdin');
  });

  test('Enter at the hidden prompt does not take it along either', async () => {
    const world = await loggedIn([...settled, '-p', 'one']);
    const run = await logIn([other, '-p', 'one', '--force'], {
      after: world,
      stdin: { typed: ['\r'] },
      stderr: { columns: 200 },
    });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect((await whoami(run.world)).url).toMatchObject({ value: testUrl });
  });

  test('the token command is not run for the new address', async () => {
    const helper = { run: () => ({ code: 0, stdout: testToken, stderr: '' }) };
    const first = await logIn([testUrl, '-p', 'one', '--no-verify', '--token-command', 'pass show motif'], helper);
    const run = await motif(['login', other, '-p', 'one', '--force'], { env: {}, after: first.world, ...helper });
    expect(run.exitCode).toBe(2);
    expect(run.world.ran).toEqual([]);
  });

  test('MOTIF_TOKEN of the environment is not what login verifies', async () => {
    const asked = service();
    const env = { MOTIF_TOKEN: 'environment_0123456789', MOTIF_URL: other };
    const run = await logIn([testUrl, '--token-stdin'], { env, ...asked });
    expect(run.exitCode).toBe(0);
    expect(asked.requests.map((request) => [request.url, tokenOf(request)])).toEqual([
      [`${testUrl}/prompts`, testToken],
    ]);
  });
});

test('the last login is the one in use', async () => {
  const world = await loggedIn([testUrl, '-p', 'one'], [testUrl, '-p', 'two']);
  expect(await whoami(world)).toMatchObject({ profile: 'two' });
});

test('a login that fails leaves the profile in use as it was', async () => {
  const world = await loggedIn([testUrl, '-p', 'one']);
  const run = await logIn([testUrl, '-p', 'two', '--token-stdin'], {
    after: world,
    ...service({ status: 403, body: { error: 'no' } }),
  });
  expect(run.exitCode).toBe(8);
  expect(await whoami(run.world)).toMatchObject({ profile: 'one' });
});
