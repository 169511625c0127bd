import { describe, expect, test } from 'vitest';
import { loggedIn, logIn } from '../../support/rooms/login.ts';
import { motif, testToken, testUrl } from '../../support/motif.ts';
import { service } from '../../support/service.ts';

const elsewhere = 'https://other.example/api/v1/apps/bot';

describe('MOTIF_TENANT_ID counts at a login as it does for a prompt, and is stored', () => {
  test.each([
    { name: 'alone', argv: [], env: {}, tenant: 'acme' },
    { name: 'beside MOTIF_URL of this service', argv: [], env: { MOTIF_URL: testUrl }, tenant: 'acme' },
    { name: 'beside --tenant, which goes before it', argv: ['--tenant', 'mine'], env: {}, tenant: 'mine' },
    { name: 'beside MOTIF_URL of another service', argv: [], env: { MOTIF_URL: elsewhere }, tenant: undefined },
    {
      name: 'beside a MOTIF_URL that is no address',
      argv: ['--no-verify'],
      env: { MOTIF_URL: 'foo bar' },
      tenant: undefined,
    },
    { name: 'empty', argv: [], env: { MOTIF_TENANT_ID: '' }, tenant: undefined },
  ])('$name', async ({ argv, env, tenant }) => {
    const asked = service();
    const given = { MOTIF_TENANT_ID: 'acme', ...env };
    const run = await logIn([testUrl, '-p', 'one', '--token-stdin', '--json', ...argv], { env: given, ...asked });
    expect(JSON.parse(run.stdout)).toMatchObject({ ok: true, tenant: tenant ?? null });
    expect(asked.requests[0]?.headers['x-service-tenant-id']).toBe(tenant);
    const words = 'the tenant comes from MOTIF_TENANT_ID, and is stored with the profile';
    expect(run.stderr.includes(words)).toBe(tenant === 'acme');
  });

  test('a profile keeps the tenant that it has', async () => {
    const after = await loggedIn([testUrl, '-p', 'one', '--tenant', 'old']);
    const env = { MOTIF_TENANT_ID: 'acme' };
    const run = await logIn(['-p', 'one', '--force', '--token-stdin', '--json'], { env, after, ...service() });
    expect(JSON.parse(run.stdout)).toMatchObject({ tenant: 'old' });
    expect(run.stderr).toContain('MOTIF_TENANT_ID in the environment counts more than the profile');
  });

  test('one that is not accepted is named as what it is', async () => {
    const refused = service({ status: 403, body: { error: 'no' } });
    const run = await logIn([testUrl, '--token-stdin'], { env: { MOTIF_TENANT_ID: 'acme' }, ...refused });
    expect(run.exitCode).toBe(8);
    expect(run.stderr).toContain('check the tenant ID, which came from MOTIF_TENANT_ID');
  });

  test('the stored one is not said to be in the way of itself', async () => {
    const run = await logIn([testUrl, '--token-stdin'], { env: { MOTIF_TENANT_ID: 'acme' }, ...service() });
    expect(run.stderr).toContain('next: motif prompt "Hello"');
  });

  test('one that no header can carry is named', async () => {
    const run = await logIn([testUrl, '--token-stdin'], { env: { MOTIF_TENANT_ID: 'ä' }, ...service() });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(/^motif: MOTIF_TENANT_ID /);
  });
});

test.each([
  {
    name: 'MOTIF_TOKEN',
    argv: [testUrl],
    env: { MOTIF_TOKEN: testToken },
    says: 'to store the one in MOTIF_TOKEN: printf %s "$MOTIF_TOKEN" | motif login ... --token-stdin',
  },
  {
    name: 'MOTIF_TOKEN_FILE',
    argv: [testUrl],
    env: { MOTIF_TOKEN_FILE: '/run/token' },
    says: 'to store the one in MOTIF_TOKEN_FILE: motif login ... --token-file "$MOTIF_TOKEN_FILE"',
  },
  { name: 'MOTIF_URL', argv: [], env: { MOTIF_URL: testUrl }, says: 'in MOTIF_URL: motif login "$MOTIF_URL"' },
])('a login that lacks what $name holds says how to give it', async ({ argv, env, says }) => {
  const run = await motif(['login', ...argv], { env, stdin: '' });
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain(says);
  expect(run.stderr).not.toContain(testToken);
});
