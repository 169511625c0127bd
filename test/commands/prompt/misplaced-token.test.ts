import { describe, expect, test } from 'vitest';
import { newToken } from '../../../src/gateway/access/token.ts';
import { doctor } from '../../support/rooms/doctor.ts';
import { motif, testEnv, testToken, testUrl } from '../../support/motif.ts';
import { prompt } from '../../support/rooms/prompt.ts';

const own = newToken(new Uint8Array(32).fill(5)).text;

describe('a token where a name belongs is refused before anything is sent, and not said again', () => {
  test.each([
    { name: '--motif', argv: ['--motif', own], says: '--motif holds an access token, where a Motif ID belongs' },
    { name: '--tenant', argv: ['--tenant', own], says: '--tenant holds an access token, where a tenant ID belongs' },
    { name: '--url', argv: ['--url', testUrl.replace('support-bot', own)], says: '--url holds an access token' },
    { name: 'MOTIF_ID', env: { MOTIF_ID: own }, says: 'MOTIF_ID holds an access token' },
    { name: '--motif, a token of another maker', argv: ['--motif', testToken], says: '--motif holds the access token' },
    {
      name: '--tenant, a token of another maker',
      argv: ['--tenant', testToken],
      says: '--tenant holds the access token',
    },
  ])('$name', async ({ argv = [], env = {}, says }) => {
    const run = await prompt(['hi', ...argv], { env: { ...testEnv, ...env } });
    expect(run).toMatchObject({ exitCode: 2, stdout: '', requests: [] });
    expect(run.stderr).toContain(`${says}`);
    expect(run.stderr).toContain('nothing was sent\n  a token goes into MOTIF_TOKEN');
    for (const token of [own, testToken]) expect(run.stderr).not.toContain(token);
  });

  test('one short word for both is that of a stand-in, and is sent', async () => {
    const run = await prompt(['hi', '--motif', 'test'], { env: { ...testEnv, MOTIF_TOKEN: 'test' } });
    expect(run.exitCode).toBe(0);
    expect(run.requests).toHaveLength(1);
  });

  test('doctor asks nobody with it', async () => {
    const run = await doctor(['--motif', testToken]);
    expect(run.exitCode).toBe(2);
    expect(run.stdout).toMatch(/^failed +settings +--motif holds the access token/m);
    expect(run.stdout).toMatch(/^skipped +http /m);
    expect(run.stdout).not.toContain(testToken);
  });

  test('profile and login do so, too', async () => {
    for (const argv of [
      ['login', testUrl.replace('support-bot', own)],
      ['login', testUrl, '--tenant', own],
    ]) {
      const run = await motif([...argv, '--token-stdin'], { env: {}, stdin: testToken });
      expect(run).toMatchObject({ exitCode: 2, stdout: '' });
      expect(run.stderr).toContain('holds an access token');
      expect(run.stderr).not.toContain(own);
    }
  });
});
