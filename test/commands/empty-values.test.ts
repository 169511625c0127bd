import { describe, expect, test } from 'vitest';
import { doctor } from '../support/rooms/doctor.ts';
import { documentOf, loggedIn } from '../support/rooms/login.ts';
import { motif, testEnv, testUrl } from '../support/motif.ts';
import { prompt } from '../support/rooms/prompt.ts';
import { service } from '../support/service.ts';

describe('a variable that is set, but empty', () => {
  const forks = /  in CI: no secret has that name, or this job may not see it/;
  const address = { MOTIF_URL: testUrl };

  test.each([
    { env: { ...address, MOTIF_TOKEN: '' }, says: /no token for \S+: MOTIF_TOKEN is set, but empty\n/ },
    { env: { ...address, MOTIF_TOKEN_FILE: '' }, says: /no token for \S+: MOTIF_TOKEN_FILE is set, but empty\n/ },
    { env: { MOTIF_URL: '', MOTIF_TOKEN: '' }, says: /there is no profile and MOTIF_URL is set, but empty\n/ },
    {
      env: { MOTIF_URL: '', MOTIF_ID: '' },
      says: /there is no profile and MOTIF_URL and MOTIF_ID are set, but empty\n/,
    },
    {
      env: { MOTIF_URL: 'https://gw.example', MOTIF_ID: '' },
      says: /names no Motif, and MOTIF_ID is set, but empty\n/,
    },
  ])('$env: prompt, whoami and doctor say so', async ({ env, says }) => {
    for (const argv of [['prompt', 'hi'], ['whoami']]) {
      const run = await motif(argv, { env });
      expect(run.exitCode).toBe(3);
      expect(run.stderr).toMatch(says);
      expect(run.stderr).toMatch(forks);
    }
    const examined = await doctor([], { env });
    expect(examined.exitCode).toBe(3);
    expect(examined.stdout).toMatch(says);
  });

  test.each([
    { name: 'CI', env: { CI: 'true', ...address } },
    { name: 'GITHUB_ACTIONS', env: { GITHUB_ACTIONS: 'true', ...address } },
    { name: 'CI, where the variable is set, but empty', env: { CI: 'true', ...address, MOTIF_TOKEN: '' } },
    { name: 'CI, without an address', env: { CI: 'true' } },
  ])('a job is told of secrets, and of no login: $name', async ({ env }) => {
    const run = await motif(['prompt', 'hi'], { env });
    expect(run.exitCode).toBe(3);
    expect(run.stderr).toMatch(/secret/);
    expect(run.stderr).not.toContain('motif login');
    const person = await motif(['prompt', 'hi'], { env: { ...env, CI: '', GITHUB_ACTIONS: '' } });
    expect(person.stderr).toContain('motif login');
  });

  test('that names the profile is told where none is in use', async () => {
    const after = await loggedIn([testUrl, '-p', 'staging'], [testUrl, '-p', 'other']);
    await motif(['logout', 'other'], { env: {}, after });
    const run = await motif(['prompt', 'hi'], { env: { MOTIF_PROFILE: '' }, after });
    expect(run.stderr).toMatch(/MOTIF_PROFILE is set, but empty\n/);
    expect(run.stderr).not.toMatch(forks);
  });

  test('that would name a profile counts as none where there is none', async () => {
    const run = await motif(['prompt', 'hi'], { env: { MOTIF_PROFILE: '' } });
    expect(run.exitCode).toBe(3);
    expect(run.stderr).toMatch(/no Motif to ask: there is no profile and no MOTIF_URL\n/);
    expect(run.stderr).not.toMatch(forks);
  });

  test('stands beside the value that counts instead, in the rows of whoami and doctor', async () => {
    const after = await loggedIn([testUrl, '-p', 'staging']);
    const env = { MOTIF_TOKEN: '', MOTIF_TENANT_ID: '', MOTIF_TIMEOUT: '' };
    for (const run of [await motif(['whoami'], { env, after }), await doctor([], { env, after })]) {
      expect(run.exitCode).toBe(0);
      expect(run.stdout).toMatch(/^token +\*{4}\S+ +profile, file; MOTIF_TOKEN is set, but empty$/m);
      expect(run.stdout).toMatch(/^tenant +none +MOTIF_TENANT_ID is set, but empty$/m);
      expect(run.stdout).toMatch(/^timeout +5m +default; MOTIF_TIMEOUT is set, but empty$/m);
    }
    const empty = ['MOTIF_TENANT_ID', 'MOTIF_TIMEOUT', 'MOTIF_TOKEN'];
    expect(documentOf(await motif(['whoami', '--json'], { env, after }))).toMatchObject({ empty_variables: empty });
    const document = documentOf(await doctor(['--json'], { env, after }));
    expect(document).toMatchObject({ settings: { empty_variables: empty } });
  });

  test.each(['--url', '--motif', '--tenant', '--timeout', '--retries', '--cacert', '--proxy'])(
    'in the place of the value of %s is told as an empty value',
    async (flag) => {
      const run = await prompt(['hi', flag, '']);
      expect(run).toMatchObject({ exitCode: 2, stdout: '', requests: [] });
      expect(run.stderr).toBe(`motif: ${flag} is empty\n  if a variable stands in its place, is it set?\n`);
    },
  );

  test('a tenant is asked for in words that name it', async () => {
    const env = { ...testEnv, MOTIF_TENANT_ID: '' };
    const run = await prompt(['hi'], { env }, service({ status: 403, body: { error: 'no' } }));
    expect(run.stderr).toContain('MOTIF_TENANT_ID is set, but empty; send a tenant ID: --tenant ID');
  });
});
