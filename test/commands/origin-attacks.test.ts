import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loggedIn, logIn, profileFile, tokenOf } from '../support/rooms/login.ts';
import { motif, testToken, testUrl } from '../support/motif.ts';
import { service } from '../support/service.ts';

const evil = 'https://evil.example/api/v1/apps/support-bot';
const own = 'own_token_0123456789abc';

/** Attacks on the rule that no other origin gets what a profile holds, however the other address is given. */
describe('another address does not receive what the profile holds', () => {
  const elsewhere: readonly [string, readonly string[], Readonly<Record<string, string>>][] = [
    ['--url', ['--url', evil], {}],
    ['MOTIF_URL', [], { MOTIF_URL: evil }],
    ['--url beside -p', ['-p', 'support-bot', '--url', evil], {}],
    ['--url beside MOTIF_PROFILE', ['--url', evil], { MOTIF_PROFILE: 'support-bot' }],
    ['MOTIF_URL beside MOTIF_PROFILE', [], { MOTIF_PROFILE: 'support-bot', MOTIF_URL: evil }],
    ['a bare base URL and --motif', ['--url', 'https://evil.example', '--motif', 'support-bot'], {}],
    ['a bare base URL and MOTIF_ID', [], { MOTIF_URL: 'https://evil.example', MOTIF_ID: 'support-bot' }],
    ['another port', ['--url', 'https://gw.example:8443/api/v1/apps/support-bot'], {}],
    ['another scheme', ['--url', 'http://gw.example/api/v1/apps/support-bot', '--allow-http'], {}],
    ['a trailing dot', ['--url', 'https://gw.example./api/v1/apps/support-bot'], {}],
    ['a subdomain', ['--url', 'https://x.gw.example/api/v1/apps/support-bot'], {}],
  ];

  test.each(elsewhere)('%s: without a token of its own it is exit 3, nothing sent', async (_name, flags, env) => {
    const world = await loggedIn([testUrl, '--tenant', 'acme-7f3a']);
    const run = await motif(['prompt', 'hi', ...flags], { env, after: world });
    expect(run).toMatchObject({ exitCode: 3, stdout: '' });
    expect(run.stderr).toContain('MOTIF_TOKEN');
    expect(run.stderr).not.toContain(testToken);
  });

  test.each(elsewhere)(
    '%s: with MOTIF_TOKEN that one is sent, and the tenant stays at home',
    async (_name, flags, env) => {
      const world = await loggedIn([testUrl, '--tenant', 'acme-7f3a']);
      const asked = service();
      const run = await motif(['prompt', 'hi', ...flags], {
        env: { ...env, MOTIF_TOKEN: own },
        after: world,
        ...asked,
      });
      expect(run.exitCode).toBe(0);
      expect(asked.requests.map(tokenOf)).toEqual([own]);
      expect(asked.requests[0]?.headers['x-service-tenant-id']).toBeUndefined();
    },
  );

  test.each(elsewhere)('%s: the token command is not even run', async (_name, flags, env) => {
    const helper = { run: () => ({ code: 0, stdout: testToken, stderr: '' }) };
    const { world } = await logIn([testUrl, '--no-verify', '--token-command', 'pass show motif'], helper);
    const run = await motif(['prompt', 'hi', ...flags], { env, after: world, ...helper });
    expect(run.exitCode).toBe(3);
    expect(run.world.ran).toEqual([]);
  });

  test('the profile’s certificates are not used elsewhere either', async () => {
    const certificates = ['--cacert', '/nowhere/ca.pem', '--cert', '/nowhere/me.pem', '--key', '/nowhere/me.key'];
    const world = await loggedIn([testUrl, ...certificates]);
    const asked = service();
    const run = await motif(['prompt', 'hi', '--url', evil], { env: { MOTIF_TOKEN: own }, after: world, ...asked });
    expect(run.exitCode).toBe(0);
    const at = await motif(['prompt', 'hi'], { env: {}, after: world });
    expect(at.stderr).toContain('/nowhere/');
    expect(at.exitCode).not.toBe(0);
  });
});

describe('the environment’s token belongs to the environment’s address', () => {
  test('MOTIF_TOKEN of another MOTIF_URL never goes to a profile named by -p', async () => {
    const helper = { run: () => ({ code: 0, stdout: testToken, stderr: '' }) };
    const { world } = await logIn([testUrl, '--no-verify', '--token-command', 'pass show motif'], helper);
    const asked = service();
    const env = { MOTIF_URL: evil, MOTIF_TOKEN: own };
    await motif(['prompt', 'hi', '-p', 'support-bot'], { env, after: world, ...helper, ...asked });
    expect(asked.requests.map((request) => [request.url, tokenOf(request)])).toEqual([
      [`${testUrl}/prompts`, testToken],
    ]);
  });

  test('a profile named by -p goes before all five variables', async () => {
    const world = await loggedIn([testUrl, '--tenant', 'acme-7f3a']);
    const asked = service();
    const env = {
      MOTIF_URL: evil,
      MOTIF_ID: 'other',
      MOTIF_TOKEN: own,
      MOTIF_TOKEN_FILE: '/nowhere/token',
      MOTIF_TENANT_ID: 'other',
    };
    expect(await motif(['prompt', 'hi', '-p', 'support-bot'], { env, after: world, ...asked })).toMatchObject({
      exitCode: 0,
    });
    expect(asked.requests[0]).toMatchObject({
      url: `${testUrl}/prompts`,
      headers: { 'x-service-tenant-id': 'acme-7f3a' },
    });
    expect(asked.requests.map(tokenOf)).toEqual([testToken]);
  });

  test('a flag goes before a profile named by -p', async () => {
    const world = await loggedIn([testUrl, '--tenant', 'acme-7f3a']);
    const asked = service();
    const flags = ['-p', 'support-bot', '--motif', 'flagged', '--tenant', 'flagged-tenant'];
    await motif(['prompt', 'hi', ...flags], { env: {}, after: world, ...asked });
    expect(asked.requests[0]).toMatchObject({
      url: 'https://gw.example/api/v1/apps/flagged/prompts',
      headers: { 'x-service-tenant-id': 'flagged-tenant' },
    });
    expect(asked.requests.map(tokenOf)).toEqual([testToken]);
  });

  test('MOTIF_TOKEN goes before the token of the profile in use, to the profile’s address', async () => {
    const world = await loggedIn([testUrl]);
    const asked = service();
    await motif(['prompt', 'hi'], { env: { MOTIF_TOKEN: own }, after: world, ...asked });
    expect(asked.requests.map((request) => [request.url, tokenOf(request)])).toEqual([[`${testUrl}/prompts`, own]]);
  });

  test('another Motif of the same origin may use the profile’s token', async () => {
    const world = await loggedIn([testUrl]);
    const asked = service();
    const run = await motif(['prompt', 'hi', '--motif', 'other-bot'], { env: {}, after: world, ...asked });
    expect(run.exitCode).toBe(0);
    expect(asked.requests.map(tokenOf)).toEqual([testToken]);
  });
});

test('an edited profile cannot send its token to the address that was edited in', async () => {
  const world = await loggedIn([testUrl]);
  const path = profileFile(world, 'support-bot');
  writeFileSync(path, readFileSync(path, 'utf8').replace('gw.example', 'evil.example'));
  const run = await motif(['prompt', 'hi'], { env: {}, after: world });
  expect(run).toMatchObject({ exitCode: 3, stdout: '' });
  expect(run.stderr).not.toContain(testToken);
});
