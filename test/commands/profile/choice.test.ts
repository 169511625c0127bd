import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { documentOf, loggedIn, logIn, tokenOf } from '../../support/rooms/login.ts';
import { motif, testToken, testUrl } from '../../support/motif.ts';
import { service } from '../../support/service.ts';

const one = ['https://one.example/api/v1/apps/bot', '-p', 'one'];
const two = ['https://two.example/api/v1/apps/bot', '-p', 'two'];

describe('which profile', () => {
  test.each([
    ['the last login', [], {}, 'two'],
    ['MOTIF_PROFILE over the one in use', [], { MOTIF_PROFILE: 'one' }, 'one'],
    ['-p over MOTIF_PROFILE', ['-p', 'two'], { MOTIF_PROFILE: 'one' }, 'two'],
    ['--profile over the one in use', ['--profile', 'one'], {}, 'one'],
    ['an empty MOTIF_PROFILE is not set', [], { MOTIF_PROFILE: '' }, 'two'],
  ])('%s', async (_name, flags, env, expected) => {
    const world = await loggedIn(one, two);
    const run = await motif(['whoami', '--json', ...flags], { env, after: world });
    expect(documentOf(run)).toMatchObject({ ok: true, profile: expected });
    expect(documentOf(run).url).toMatchObject({ value: `https://${expected}.example/api/v1/apps/bot` });
  });

  test('a profile that MOTIF_PROFILE names does not outrank MOTIF_URL and MOTIF_TOKEN: only -p does', async () => {
    const world = await loggedIn(one);
    const asked = service();
    const env = { MOTIF_PROFILE: 'one', MOTIF_URL: testUrl, MOTIF_TOKEN: 'environment_0123456789' };
    await motif(['prompt', 'hi'], { env, after: world, ...asked });
    expect(asked.requests.map((request) => [request.url, tokenOf(request)])).toEqual([
      [`${testUrl}/prompts`, 'environment_0123456789'],
    ]);
  });

  test('prompt --json names the profile and the Motif that were used', async () => {
    const world = await loggedIn(one);
    const run = await motif(['prompt', 'hi', '--json', '--motif', 'other'], { env: {}, after: world, ...service() });
    expect(documentOf(run)).toMatchObject({ ok: true, profile: 'one', motif_id: 'other' });
  });
});

describe('token and tenant of the environment belong to MOTIF_URL', () => {
  test('neither goes to a profile of another origin that -p names', async () => {
    const { world } = await logIn([...one, '--no-verify', '--token-stdin']);
    const asked = service();
    const env = { MOTIF_URL: testUrl, MOTIF_TOKEN: 'environment_0123456789', MOTIF_TENANT_ID: 'environment-tenant' };
    expect(await motif(['prompt', 'hi', '-p', 'one'], { env, after: world, ...asked })).toMatchObject({ exitCode: 0 });
    expect(asked.requests.map(tokenOf)).toEqual([testToken]);
    expect(asked.requests[0]?.headers['x-service-tenant-id']).toBeUndefined();
  });

  test('a profile without a tenant takes MOTIF_TENANT_ID where no other address is set', async () => {
    const { world } = await logIn([...one, '--no-verify', '--token-stdin']);
    const asked = service();
    await motif(['prompt', 'hi', '-p', 'one'], { env: { MOTIF_TENANT_ID: 'mine' }, after: world, ...asked });
    expect(asked.requests[0]?.headers['x-service-tenant-id']).toBe('mine');
  });
});

describe('files that a profile names', () => {
  test.each([
    ['login', ['login', testUrl, '--force', '--no-verify', '--token-stdin', '--cacert', 'ca.pem']],
    ['profile set', ['profile', 'set', 'cacert', 'ca.pem']],
  ])(
    '%s keeps a relative one by its whole path, so that the working directory decides nothing later',
    async (...row) => {
      const world = await loggedIn([testUrl]);
      const path = join(world.folder, 'ca.pem');
      writeFileSync(path, '-----BEGIN CERTIFICATE-----');
      const run = await motif(row[1], { env: {}, after: world, stdin: testToken });
      expect(run.exitCode).toBe(0);
      expect(documentOf(await motif(['whoami', '--json'], { env: {}, after: world })).cacert).toMatchObject({
        value: path,
      });
    },
  );
});

describe('a value that a flag gives', () => {
  test.each([
    ['--timeout', 'soon'],
    ['--timeout', '0'],
    ['--timeout', '25h'],
    ['--connect-timeout', '-'],
    ['--retries', '1.5'],
    ['--url', 'gw.example'],
    ['--motif', '../x'],
    ['--tenant', 'a b'],
    ['--tenant', 'ü'],
    ['--proxy', 'socks5://p.example'],
  ])('%s %s is a usage error that names the flag', async (flag, text) => {
    const run = await motif(['prompt', 'hi', flag, text]);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain(flag);
    expect(run.stderr).toMatch(/\n {2}\S/);
  });

  test.each([['--tenant'], ['--proxy']])('%s does not echo what may be a secret in the wrong place', async (flag) => {
    const run = await motif(['prompt', 'hi', flag, `http://user:hush hush_${testToken}\u00fc`]);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).not.toContain(testToken.slice(0, 12));
  });
});
