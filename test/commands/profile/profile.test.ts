import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  configFolder,
  documentOf,
  filesBelow,
  filesHolding,
  loggedIn,
  logIn,
  profileFile,
  tokenOf,
} from '../../support/rooms/login.ts';
import { motif, type MotifSetup, type Run, testToken, testUrl } from '../../support/motif.ts';
import { service } from '../../support/service.ts';
import type { FakeWorld } from '../../support/world.ts';

let world: FakeWorld;

beforeEach(async () => {
  const production = ['https://prod.example/api/v1/apps/bot', '-p', 'production', '--tenant', 'acme'];
  world = await loggedIn(production, [testUrl, '-p', 'staging', 'token=staging_token_0123456789']);
});

function profile(argv: readonly string[], setup: MotifSetup = {}): Promise<Run> {
  return motif(['profile', ...argv], { env: {}, after: world, ...setup });
}

async function whoami(...argv: readonly string[]): Promise<Record<string, unknown>> {
  return documentOf(await motif(['whoami', '--json', ...argv], { env: {}, after: world }));
}

describe('profile list', () => {
  test('shows each on a line, the one in use marked, no token', async () => {
    const run = await profile(['list']);
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    const lines = run.stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain('production');
    expect(lines[1]).toMatch(/\*.*staging/);
    expect(run.stdout).not.toContain('_token_');
  });

  test('names its columns on a terminal, also the one that is left out', async () => {
    const at = async (columns: number) =>
      (await profile(['list'], { env: { NO_COLOR: '1' }, stdout: { columns } })).stdout.split('\n');
    expect((await at(120))[0]).toMatch(/^ +profile +address +token$/);
    expect((await at(120)).slice(1).join()).not.toContain('token:');
    const narrow = await at(60);
    expect(narrow[0]).toMatch(/^ +profile +address$/);
    expect(narrow.join(' ')).toContain('left out at this width: token;');
  });

  test('says which is in use in words where a terminal is read aloud', async () => {
    const run = await profile(['list'], { env: { ACCESSIBLE: '1', NO_COLOR: '1' }, stdout: { columns: 120 } });
    expect(run.stdout).toMatch(/^in use, staging: /m);
    expect(run.stdout).not.toContain('*');
  });

  test('--json is a list of items', async () => {
    const run = await profile(['list', '--json']);
    expect(documentOf(run)).toMatchObject({
      ok: true,
      items: [
        { name: 'production', current: false, url: 'https://prod.example/api/v1/apps/bot', tenant: 'acme' },
        { name: 'staging', current: true, url: testUrl, tenant: null },
      ],
      error: null,
    });
    expect(run.stdout).not.toContain('_token_');
  });

  test('a pipe gets a line each, with tabs between the cells', async () => {
    const { stdout } = await profile(['list']);
    expect(stdout).toBe(
      `\tproduction\thttps://prod.example/api/v1/apps/bot\ttoken: file\n*\tstaging\t${testUrl}\ttoken: file\n`,
    );
  });

  test('none is no error', async () => {
    const run = await motif(['profile', 'list'], { env: {} });
    expect(run).toMatchObject({ exitCode: 0, stdout: '' });
    expect(run.stderr).toContain('motif login');
  });
});

describe('profile use', () => {
  test('chooses what the next command uses', async () => {
    expect(await profile(['use', 'production'])).toMatchObject({ exitCode: 0, stdout: '' });
    expect(await whoami()).toMatchObject({ profile: 'production', tenant: { value: 'acme' } });
  });

  test('an unknown one is a did-you-mean and changes nothing', async () => {
    const run = await profile(['use', 'prodution']);
    expect(run).toMatchObject({ exitCode: 3, stdout: '' });
    expect(run.stderr).toContain('"prodution"');
    expect(run.stderr).toContain('did you mean production?');
    expect(await whoami()).toMatchObject({ profile: 'staging' });
  });

  test('--json', async () => {
    expect(documentOf(await profile(['use', 'production', '--json']))).toMatchObject({ ok: true, error: null });
    expect(documentOf(await profile(['use', 'nope', '--json']))).toMatchObject({
      ok: false,
      error: { kind: 'config' },
    });
  });
});

describe('profile show', () => {
  test('shows the one in use, or the one named, and never a token', async () => {
    const run = await profile(['show']);
    expect(run.exitCode).toBe(0);
    expect(run.stdout).toContain('staging');
    expect(run.stdout).toContain(testUrl);
    const named = documentOf(await profile(['show', 'production', '--json']));
    expect(named).toMatchObject({ ok: true, name: 'production', tenant: 'acme', error: null });
    expect(run.stdout + JSON.stringify(named)).not.toContain('_token_');
  });

  test('a proxy’s password is not shown', async () => {
    await profile(['set', 'proxy', 'http://user:HUSHHUSH@proxy.example:3128']);
    for (const argv of [['show'], ['show', '--json'], ['list'], ['list', '--json']]) {
      const run = await profile(argv);
      expect(run.exitCode).toBe(0);
      expect(run.stdout + run.stderr).not.toContain('HUSHHUSH');
    }
    const run = await motif(['whoami'], { env: {}, after: world });
    expect(run.stdout + run.stderr).not.toContain('HUSHHUSH');
  });

  test('an unknown one', async () => {
    expect(await profile(['show', 'nope'])).toMatchObject({ exitCode: 3, stdout: '' });
  });
});

describe('profile set', () => {
  test.each([
    ['tenant', 'acme-9', 'tenant', 'acme-9'],
    ['timeout', '2m', 'timeout', '2m'],
    ['timeout', '90', 'timeout', '90s'],
    ['connect_timeout', '500ms', 'connect_timeout', '500ms'],
    ['retries', '0', 'retries', 0],
    ['blocked_notice', 'Ask the helpdesk (4711).', 'blocked_notice', 'Ask the helpdesk (4711).'],
  ])('%s %s', async (key, text, shown, value) => {
    const said = `motif: ${key} of profile staging is now: ${key === 'timeout' ? value : text}\n`;
    expect(await profile(['set', key, text])).toMatchObject({ exitCode: 0, stdout: '', stderr: said });
    expect((await whoami())[shown]).toEqual({ value, from: 'profile staging' });
  });

  test('-p names another profile', async () => {
    expect(await profile(['set', 'tenant', 'acme-9', '-p', 'production'])).toMatchObject({ exitCode: 0 });
    expect(await whoami('-p', 'production')).toMatchObject({ tenant: { value: 'acme-9' } });
    expect(await whoami()).toMatchObject({ tenant: { value: null } });
  });

  test('an empty value removes it', async () => {
    expect(await profile(['set', 'tenant', '', '-p', 'production'])).toMatchObject({ exitCode: 0 });
    expect(await whoami('-p', 'production')).toMatchObject({ tenant: { value: null, from: null } });
  });

  test('url may change within its origin, and the token goes along', async () => {
    const url = 'https://gw.example/api/v1/apps/other-bot';
    expect(await profile(['set', 'url', url])).toMatchObject({ exitCode: 0 });
    const asked = service();
    expect(await motif(['prompt', 'hi'], { env: {}, after: world, ...asked })).toMatchObject({ exitCode: 0 });
    expect(asked.requests.map((request) => [request.url, tokenOf(request)])).toEqual([
      [`${url}/prompts`, 'staging_token_0123456789'],
    ]);
  });

  test.each([
    'https://evil.example/api/v1/apps/bot',
    'http://gw.example/api/v1/apps/support-bot',
    'https://gw.example:8443/api/v1/apps/support-bot',
    'https://gw.example.evil.example/api/v1/apps/support-bot',
  ])('url %s is another origin: the token is not taken there', async (url) => {
    const run = await profile(['set', 'url', url]);
    if (run.exitCode === 0) {
      expect(await motif(['prompt', 'hi'], { env: {}, after: world })).toMatchObject({ exitCode: 3 });
      return;
    }
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('motif login');
  });

  test.each([
    ['timeout', '2x'],
    ['timeout', '0'],
    ['timeout', '-1s'],
    ['timeout', '25h'],
    ['connect_timeout', 'soon'],
    ['retries', '-1'],
    ['retries', '1.5'],
    ['retries', 'many'],
    ['url', 'gw.example'],
    ['url', 'https://gw.example/api/v2/apps/bot'],
    ['tenant', 'two words'],
    ['tenant', 'new\nline'],
    ['tenant', 'ümlaut'],
    ['proxy', 'socks5://proxy.example'],
    ['proxy', 'ftp://proxy.example'],
  ])('%s %j is a usage error that changes nothing', async (key, text) => {
    const before = filesBelow(configFolder(world));
    const run = await profile(['set', '--', key, text]);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain(key);
    expect(filesBelow(configFolder(world))).toEqual(before);
  });

  test.each(['url2', 'tennant', '__proto__', 'constructor', 'a.b', 'toString'])(
    'the key %s is a usage error that names the keys there are',
    async (key) => {
      const before = filesBelow(configFolder(world));
      const run = await profile(['set', key, testToken]);
      expect(run).toMatchObject({ exitCode: 2, stdout: '' });
      expect(run.stderr).toContain('blocked_notice');
      expect(run.stderr).not.toContain(testToken);
      expect(filesBelow(configFolder(world))).toEqual(before);
    },
  );

  test('a token is not set but given at login', async () => {
    const run = await profile(['set', 'token', testToken]);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('motif login -p staging');
    expect(run.stderr).not.toContain(testToken);
  });

  test('no value at all: how to give one, and how to remove the one there is', async () => {
    const run = await profile(['set', 'tenant']);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain(
      'value is missing: motif profile set <key> <value>\n  value: "" removes the one that is there\n',
    );
    expect((await profile(['set', '--help'])).stdout).toContain('motif profile set [options] <key> <value>');
  });

  test('an unknown key is a did-you-mean', async () => {
    expect((await profile(['set', 'tennant', 'x'])).stderr).toContain('did you mean tenant?');
  });

  test('--json', async () => {
    expect(documentOf(await profile(['set', 'retries', '3', '--json']))).toMatchObject({ ok: true, error: null });
  });
});

describe('profile rename', () => {
  test('moves the file, the token and the mark', async () => {
    expect(await profile(['rename', 'staging', 'next'])).toMatchObject({ exitCode: 0, stdout: '' });
    expect(await whoami()).toMatchObject({ ok: true, profile: 'next', token: { value: '****6789' } });
    expect(filesHolding(world.home ?? '', 'staging_token')).toHaveLength(1);
    expect(filesBelow(configFolder(world)).map(({ path }) => path)).not.toContain(profileFile(world, 'staging'));
  });

  test('moves the token in the keyring', async () => {
    const { world: kept } = await logIn([testUrl, '--token-stdin', '--no-verify'], { keyring: 'present' });
    const run = await motif(['profile', 'rename', 'support-bot', 'next'], { env: {}, after: kept, keyring: 'present' });
    expect(run.exitCode).toBe(0);
    expect([...run.world.secrets.values()]).toEqual([testToken]);
    const asked = service();
    await motif(['prompt', 'hi'], { env: {}, after: kept, keyring: 'present', ...asked });
    expect(asked.requests.map(tokenOf)).toEqual([testToken]);
  });

  test('a locked keyring stops it before anything changes', async () => {
    const { world: kept } = await logIn([testUrl, '--token-stdin', '--no-verify'], { keyring: 'present' });
    const before = filesBelow(configFolder(kept));
    const run = await motif(['profile', 'rename', 'support-bot', 'next'], { env: {}, after: kept, keyring: 'locked' });
    expect(run).toMatchObject({ exitCode: 12, stdout: '' });
    expect(filesBelow(configFolder(kept))).toEqual(before);
    expect(kept.secrets.size).toBe(1);
  });

  test.each([
    ['to a name that is taken', ['staging', 'production'], 2],
    ['to its own name', ['staging', 'staging'], 2],
    ['of an unknown one', ['nope', 'other'], 3],
    ['to a bad name', ['staging', 'a.b'], 2],
  ])('%s changes nothing', async (_name, names, exitCode) => {
    const before = filesBelow(configFolder(world));
    const run = await profile(['rename', ...names]);
    expect(run).toMatchObject({ exitCode, stdout: '' });
    expect(run.stderr).toMatch(/^motif: .+\n {2}\S/);
    expect(filesBelow(configFolder(world))).toEqual(before);
  });

  test('one that is not in use leaves the one in use', async () => {
    await profile(['rename', 'production', 'prod']);
    expect(await whoami()).toMatchObject({ profile: 'staging' });
    expect(JSON.parse(readFileSync(profileFile(world, 'prod'), 'utf8'))).toMatchObject({ tenant: 'acme' });
  });
});

test.each([['us staging'], ['liste'], ['st tenant x']])('profile %s is a usage error, not a prompt', async (words) => {
  expect(await profile(words.split(' '))).toMatchObject({ exitCode: 2, stdout: '' });
});
